package jobs

import (
	"encoding/json"
	"errors"
	"io"
	"iter"
	"math"
	"strings"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/privacy"
	"tensorsketch.example/sketch"
)

// A ReleaseRequest asks for a differentially private release of the features of a file's rows (docs/privacy.md). Its
// settings are typed or public: none may depend on the rows. What would depend on them, and have no noise, is refused.
type ReleaseRequest struct {
	Rows                 // one file
	Map   MapParams      `json:"map"`
	Model *Named         `json:"model,omitempty"` // instead of Map and, if it says what columns become, of columns
	To    Target         `json:"to"`
	Asked ReleaseOptions `json:"release"`
	// Job is a release that was begun before, and goes on. The ledger of the file charges a job once.
	Job     string   `json:"job,omitempty"`
	From    *Written `json:"from,omitempty"`    // goes on after so many rows, with an output that has these
	Content string   `json:"content,omitempty"` // the hash of the file that a release goes on with
	Seen    Seen     `json:"seen,omitzero"`     // of the rows before
	// WithoutRows asks for the model file alone.
	WithoutRows bool `json:"withoutRows,omitempty"`

	Ledger LedgerStore `json:"-"`
	Digest Digest      `json:"-"`
	Random io.Reader   `json:"-"` // a cryptographically secure source
	// Begin is called before the first row of a new release, and returns its job: a name of its own.
	Begin func(b *Beginning) (job string, err error) `json:"-"`
	// Wrote is called after each block that is written.
	Wrote func(Written, Seen) error `json:"-"`
}

// ReleaseOptions are the settings of a release.
type ReleaseOptions struct {
	Kind string `json:"kind"` // rows, each with noise of its own, or mean, one of all rows
	Guarantee
	Radius *float64 `json:"radius,omitempty"` // longer rows are scaled down to it
	// Count is the number of rows, which is public. A mean needs it; else the rows are counted first, and must be as many.
	Count  int64      `json:"rows,omitempty"`
	Budget *Guarantee `json:"budget,omitempty"` // of a file's first release: of all its releases together
}

// Released is what a receiver needs to know of a release, beside the model file. It reveals nothing more of the rows.
type Released struct {
	ReleaseOptions
	NComponents int     `json:"nComponents"`
	Bound       float64 `json:"bound"` // C, to which features are clipped
	Sigma       float64 `json:"sigma"` // the standard deviation of the noise in a number
}

// Seen are counts that only the owner of the file may see: they have no noise.
type Seen struct {
	Clipped  int64 `json:"clipped"`  // rows longer than the radius
	Zeroed   int64 `json:"zeroed"`   // rows that the map cannot take, and that count as zeros
	Unusable int64 `json:"unusable"` // rows whose cells do not fit the columns, and that count as zeros
}

// A Beginning is what is known of a release before its first row.
type Beginning struct {
	Model   []byte   `json:"-"`
	Stem    string   `json:"stem"`    // the name of the file without its endings
	Content string   `json:"content"` // the hash of the file
	Release Released `json:"release"`
}

// A ReleaseReply says what was released.
type ReleaseReply struct {
	Release Released `json:"release"`
	Seen    Seen     `json:"seen"`
	Written int64    `json:"written"` // rows of the output
	Stopped bool     `json:"stopped,omitempty"`
	// Ledger is what the file's releases have cost. It is absent if this call released nothing.
	Ledger *LedgerReply `json:"ledger,omitempty"`
	Model  []byte       `json:"-"`
}

// ReleaseFile returns the text that a receiver of a release gets beside its features: how it was made, and the model
// file (docs/SPEC.md).
func ReleaseFile(r *Released, model []byte) ([]byte, error) {
	return json.Marshal(struct {
		Format      string `json:"format"`
		Version     int    `json:"version"`
		Kind        string `json:"kind"`
		Rows        int64  `json:"rows"`
		NComponents int    `json:"nComponents"`
		Guarantee
		Radius *float64        `json:"radius,omitempty"`
		Bound  float64         `json:"bound"`
		Sigma  float64         `json:"sigma"`
		Model  json.RawMessage `json:"model"`
	}{"tensorsketch-release", 1, r.Kind, r.Count, r.NComponents, r.Guarantee, r.Radius, r.Bound, r.Sigma, model})
}

// refusal returns the error about a release that would show what depends on the rows.
func refusal(reason string) error {
	return fail("release", "a private release cannot be made so: %s", reason)
}

// check checks the settings, except what package privacy checks.
func (o *ReleaseOptions) check() error {
	switch {
	case o.Kind != "rows" && o.Kind != "mean":
		return fail("kind", `{kind} must be "rows", each with noise of its own, or "mean", one of all rows, got %q`, o.Kind)
	case o.Kind == "mean" && o.Count == 0:
		return fail("rows", "{rows} is missing: the number of rows of a mean is public, so type it")
	case o.Count < 0 || o.Count > math.MaxInt32:
		return fail("rows", "{rows} must be an integer from 1 to %d, got %d", math.MaxInt32, o.Count)
	}
	return nil
}

// A releasing is the work of Release.
type releasing struct {
	*ReleaseRequest
	c         *Control
	t         *table
	m         *releaseMap
	account   account
	mechanism *privacy.Mechanism
	noise     *privacy.Noise
	facts     Released
	charged   bool
	done      int64 // rows of the file that the output has
}

// Release writes features of a file's rows with noise, or their mean.
func Release(c *Control, mapper Mapper, q *ReleaseRequest) (*ReleaseReply, error) {
	r := &releasing{ReleaseRequest: q, c: c}
	model, err := r.open(mapper)
	if r.m != nil {
		defer r.m.Close()
	}
	if err != nil {
		return nil, err
	}
	reply := &ReleaseReply{Model: model}
	if q.WithoutRows {
		return reply, nil
	}
	if err := r.begin(model); err != nil {
		return nil, err
	}
	written, err := r.write()
	reply.Stopped = errors.Is(err, ErrStopped)
	if err != nil && !reply.Stopped {
		return nil, err
	}
	reply.Release, reply.Seen, reply.Written = r.facts, r.seen(), written
	if charged := r.account.record; charged != nil {
		reply.Ledger, err = charged.reply()
		return reply, err
	}
	return reply, nil
}

// open makes the map, and opens the file. A new release is refused before a byte of the file is read.
func (r *releasing) open(mapper Mapper) (model []byte, err error) {
	q := r.ReleaseRequest
	if err := q.Asked.check(); err != nil {
		return nil, err
	}
	if len(q.Files) != 1 {
		return nil, fail("files", "a private release is of one file, got %d", len(q.Files))
	}
	if q.To.RowNumbers {
		return nil, refusal("row numbers, labels and the list of the rows left out carry no noise: leave them out")
	}
	var m Map
	var p *dataset.Preprocessing
	method := q.Map.Method
	if q.Model != nil {
		if m, p, err = open(q.Model, mapper.OpenMap); err != nil {
			return nil, err
		}
		r.m = r.clipping(m)
		method = m.Params().Method
	}
	isOfModel := p != nil
	if !isOfModel {
		if q.Model != nil && q.Plan == nil && q.Columns.given() == "" {
			return nil, failure("this model file says nothing about the columns of a file: choose one that was saved with an " +
				"embedding, or say what the columns become")
		}
		if p, err = planned(&q.Rows); err != nil {
			return nil, err
		}
	}
	if q.Job == "" {
		if err := completeReading(q.Reading); err != nil {
			return nil, err
		}
		rule := columns.Release{Reading: &q.Reading, Columns: p.Columns, FromModel: isOfModel, Sparse: p.Sparse,
			Width: p.Width, Method: method}
		if reason := rule.Misfit(); reason != "" {
			return nil, refusal(reason)
		}
	}
	if r.t, err = openTyped(r.c, &q.Rows, p); err != nil {
		return nil, err
	}
	if m == nil {
		params, err := q.Map.params()
		if err != nil {
			return nil, err
		}
		params.NFeatures = p.NFeatures()
		if m, err = mapper.NewMap(params); err != nil {
			return nil, mistake(err)
		}
		r.m = r.clipping(m)
	}
	if d := p.NFeatures(); d != m.NFeatures() {
		return nil, otherWidth(m.NFeatures(), d)
	}
	return m.File(p)
}

// clipping returns a map that counts the rows after those before. A mean starts again.
func (r *releasing) clipping(m Map) *releaseMap {
	made := &releaseMap{Map: m, radius: r.Asked.Radius}
	if r.Asked.Kind == "rows" {
		made.seen = r.Seen
	}
	return made
}

// planned returns the preprocessing of typed columns, which reads files as is typed.
func planned(q *Rows) (p *dataset.Preprocessing, err error) {
	if q.Plan != nil {
		p, err = q.Plan.Preprocessing()
	} else {
		p, err = q.Columns.typed()
	}
	if err == nil {
		p.Reading = &q.Reading
	}
	return p, err
}

// completeReading returns an error about a reading that leaves something to be guessed from the rows.
func completeReading(r columns.Reading) error {
	var names []string
	for _, name := range r.Missing() {
		names = append(names, "{"+name+"}")
	}
	if names == nil {
		return nil
	}
	return fail("reading", "a private release cannot be made so: how the file is read would be guessed from its rows: "+
		"type "+strings.Join(names, ", "))
}

// openTyped opens a file by a complete reading. A line is a row, whatever it holds.
func openTyped(c *Control, q *Rows, p *dataset.Preprocessing) (*table, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if p.NeedsFit() {
		return nil, refusal("the plan of the columns leaves something to be learned from the rows: type all of it")
	}
	file := q.Files[0]
	layout, err := file.Sniff(nil, q.Reading)
	if err != nil {
		return nil, err
	}
	if len(layout.Guessed) > 0 {
		return nil, refusal(strings.Join(layout.Guessed, ", ") + " would be guessed from the rows: begin anew, with a " +
			"reading that says it")
	}
	t := &table{c: c, p: p, layout: layout, keepAll: true}
	applied, err := p.Apply(layout)
	t.parts = []*part{{File: file, layout: applied}}
	return t, err
}

// begin finds out which file this is, what its ledger allows, and how many rows there are.
func (r *releasing) begin(model []byte) (err error) {
	r.facts = Released{ReleaseOptions: r.Asked, NComponents: r.m.NComponents()}
	content, err := contentOf(r.c, r.Files[0], r.Digest)
	if err != nil {
		return err
	}
	if r.Content != "" && content != r.Content {
		return failure("%s is not the file this embedding was begun with, or has changed: choose that one, or begin anew",
			r.Files[0].Name())
	}
	radius := math.NaN() // not given
	if r.Asked.Radius != nil {
		radius = *r.Asked.Radius
	}
	if r.facts.Bound, err = r.m.Bound(radius); err == nil {
		r.mechanism, err = privacy.NewMechanism(r.Asked.Epsilon, r.Asked.Delta, r.facts.Bound)
	}
	if err != nil {
		return mistake(err)
	}
	r.noise = privacy.NewNoise(r.Random)
	r.account = account{store: r.Ledger, content: content, budget: r.Asked.Budget, job: r.Job}
	r.facts.Sigma = r.mechanism.Sigma()
	if r.Job == "" {
		if err = r.account.allows(r.charge(1)); err == nil && r.Asked.Kind == "rows" {
			r.facts.Count, err = r.t.countRows()
		}
		if typed := r.Asked.Count; err == nil && typed > 0 && typed != r.facts.Count {
			err = otherCount(r.facts.Count, typed)
		}
		if err != nil {
			return err
		}
	}
	if r.facts.Kind == "mean" {
		r.facts.Sigma /= float64(r.facts.Count)
	}
	r.t.allRows = r.facts.Count
	if r.Job == "" {
		r.account.job, err = r.Begin(&Beginning{Model: model, Stem: r.t.layout.Stem(), Content: content, Release: r.facts})
	}
	return err
}

// otherCount returns the error about a number of rows that is not the public one.
func otherCount(rows, typed int64) error {
	return failure("the file has %d rows, and %d was typed; nothing was released: type the right number", rows, typed)
}

// charge returns what the ledger enters.
func (r *releasing) charge(rows int64) Charge {
	return Charge{Kind: r.facts.Kind, Rows: float64(rows), NComponents: float64(r.facts.NComponents),
		Guarantee: r.facts.Guarantee, Bound: r.facts.Bound, Sigma: r.facts.Sigma}
}

// charging calls make, which makes noise. The ledger is charged before the first noise is given out.
func (r *releasing) charging(make func() error) error {
	if r.charged {
		return mistake(make())
	}
	err := r.account.charge(new(r.charge(r.facts.Count-r.done)), make)
	r.charged = err == nil
	return mistake(err)
}

// countRows returns the number of rows: it depends on no row's content.
func (t *table) countRows() (rows int64, err error) {
	if err := t.keep(); err != nil {
		return 0, err
	}
	defer t.forget()
	for b, err := range t.blocks("count", math.MaxInt) {
		if err != nil {
			return 0, err
		}
		rows += int64(b.to - b.from)
	}
	return rows, nil
}

// write writes the rows that are not written yet, or the mean, and returns how many rows the output has.
func (r *releasing) write() (rows int64, err error) {
	r.done = r.From.rows()
	if err := r.t.keep(); err != nil {
		return 0, err
	}
	w, err := r.To.create(nil, r.facts.NComponents, dataset.EncoderOptions{State: r.From.encoder()}, r.From)
	if err != nil {
		return 0, err
	}
	if r.facts.Kind == "mean" {
		err = r.writeMean(w)
	} else {
		err = r.writeRows(w)
	}
	if err != nil && !errors.Is(err, ErrStopped) {
		return w.rows, err
	}
	if e := w.commit(); e != nil {
		return w.rows, e
	}
	return w.rows, err
}

// transformed yields the blocks of rows after the first skip with their features.
func (r *releasing) transformed(skip int64) iter.Seq2[*block, error] {
	r.t.ahead = ahead(r.m)
	most := blockRows(r.m, columns.FormatOf(r.To.Format).Columnar)
	return through(r.c, r.m, r.t.blocksAfter(skip, "transforming", most))
}

// seen returns the counts so far.
func (r *releasing) seen() Seen {
	seen := r.m.seen
	seen.Unusable = r.t.unusedSoFar()
	return seen
}

// wrote tells how far the output is.
func (r *releasing) wrote(w *rowWriter) error {
	if r.Wrote == nil {
		return nil
	}
	return r.Wrote(Written{Rows: w.rows, Encoder: w.encoder.State()}, r.seen())
}

// writeRows writes each row with noise of its own.
func (r *releasing) writeRows(w *rowWriter) error {
	for b, err := range r.transformed(r.done) {
		if err != nil {
			return err
		}
		n := int64(b.to - b.from)
		if r.done+n > r.facts.Count {
			return r.changed()
		}
		if err = r.addNoise(b.Z); err == nil {
			err = w.add(b, b.Z, nil)
		}
		if err != nil {
			return err
		}
		r.done += n
		if err := r.wrote(w); err != nil {
			return err
		}
		if err := r.c.Check(); err != nil {
			return err
		}
	}
	if r.done < r.facts.Count {
		return r.changed()
	}
	return nil
}

// changed returns the error about a file with other rows than were counted.
func (r *releasing) changed() error {
	return failure("%s has changed since its %d rows were counted: the release is charged; begin anew",
		r.Files[0].Name(), r.facts.Count)
}

// noiseNumbers is about how many numbers get noise between two looks at the control.
const noiseNumbers = 1 << 14

// addNoise adds noise to the features of rows. After an error, ErrStopped among them, they must be discarded.
func (r *releasing) addNoise(Z []float32) error {
	D := r.facts.NComponents
	for from, size := 0, D*max(1, noiseNumbers/D); from < len(Z); from += size {
		if err := r.c.Check(); err != nil {
			return err
		}
		part := Z[from:min(from+size, len(Z))]
		err := r.charging(func() error {
			_, err := r.mechanism.ReleaseRows(part, part, D, r.noise)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// writeMean writes the mean of all rows. A mean that was stopped has released nothing, and starts again. One that was
// released is whole.
func (r *releasing) writeMean(w *rowWriter) error {
	if w.rows > 0 {
		return nil
	}
	n := r.facts.Count
	mean, err := privacy.NewMean(r.mechanism, r.facts.NComponents, int(n))
	if err != nil {
		return mistake(err)
	}
	added := int64(0)
	for b, err := range r.transformed(0) {
		if err != nil {
			return err
		}
		if added += int64(b.to - b.from); added > n {
			return failure("the file has more than %d rows, the number that was typed: nothing was released; type the right one",
				n)
		}
		if err := mean.Add(b.Z); err != nil {
			return mistake(err)
		}
		if err := r.wrote(w); err != nil {
			return err
		}
	}
	if added != n {
		return otherCount(added, n)
	}
	if err := r.c.Check(); err != nil {
		return err
	}
	var Z []float32
	err = r.charging(func() (err error) {
		Z, err = mean.Release(nil, r.noise)
		return err
	})
	if err == nil {
		err = w.add(&block{to: 1}, Z, nil)
	}
	if err == nil {
		err = r.wrote(w)
	}
	return err
}

// A releaseMap is a map whose rows are clipped first. A row that it cannot take becomes zeros, and changes no other.
type releaseMap struct {
	Map
	radius *float64
	seen   Seen // of the features that were given out
}

// rounding is the relative error of a row's length in float32: a row of the length of the radius is scaled like any
// other that float32 has rounded up, and is not counted.
const rounding = 1e-6

// Ahead returns how many blocks may have been begun before the first is waited for.
func (m *releaseMap) Ahead() int { return ahead(m.Map) }

// Begin begins the features of rows, which it clips in place.
func (m *releaseMap) Begin(c *Control, X sketch.Rows) (wait func() ([]float32, error)) {
	clipped := int64(0)
	if m.radius != nil {
		clipped = clip(X, m.NFeatures(), *m.radius)
	}
	made := begin(c, m.Map, X)
	return func() ([]float32, error) {
		m.seen.Clipped += clipped
		Z, err := made()
		if e, ok := errors.AsType[*sketch.Error](err); ok && e.Row >= 0 {
			return m.oneByOne(c, X)
		}
		return Z, err
	}
}

// oneByOne makes the features of rows one at a time.
func (m *releaseMap) oneByOne(c *Control, X sketch.Rows) (Z []float32, err error) {
	for row := range rowsOf(X, m.NFeatures()) {
		own, err := m.Features(c, row)
		if e, ok := errors.AsType[*sketch.Error](err); ok && e.Row >= 0 {
			clear(numbersOf(row))
			m.seen.Zeroed++
			own, err = m.Features(c, row)
		}
		if err != nil {
			return nil, err
		}
		Z = append(Z, own...)
	}
	return Z, nil
}

// rowsOf yields each row, whose numbers are shared with X.
func rowsOf(X sketch.Rows, d int) iter.Seq[sketch.Rows] {
	return func(yield func(sketch.Rows) bool) {
		for i := range CountRows(X, d) {
			var row sketch.Rows
			switch X := X.(type) {
			case sketch.Dense:
				row = X[i*d : (i+1)*d]
			case sketch.CSR:
				row = X.Slice(i, i+1)
			}
			if !yield(row) {
				return
			}
		}
	}
}

// numbersOf returns the numbers of one row.
func numbersOf(row sketch.Rows) []float32 {
	if sparse, ok := row.(sketch.CSR); ok {
		return sparse.Data[sparse.Indptr[0]:sparse.Indptr[1]]
	}
	return row.(sketch.Dense)
}

// clip scales rows in place to length at most R, and returns how many were longer than R·(1 + 1e-6).
func clip(X sketch.Rows, d int, R float64) (clipped int64) {
	for row := range rowsOf(X, d) {
		squares := 0.0
		for _, x := range numbersOf(row) {
			squares += float64(float64(x) * float64(x))
		}
		norm := math.Sqrt(squares)
		if norm <= R {
			continue
		}
		for i, x := range numbersOf(row) {
			numbersOf(row)[i] = float32(float64(x) * (R / norm))
		}
		if norm > R*(1+rounding) {
			clipped++
		}
	}
	return clipped
}
