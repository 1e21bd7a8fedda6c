package jobs

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/dataset/labels"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// A CurveRequest asks for a model for each of several numbers of components, and for a linear one. Each is tried on
// rows held out. Small sets of rows are kept for the next request of the Session, and so are points of a
// request that differs in Sizes alone.
type CurveRequest struct {
	Rows
	ID    float64         `json:"rows"`           // identifies the rows
	Task  string          `json:"task,omitempty"` // classify or regress; else the labels say it
	Map   MapParams       `json:"map"`            // without NComponents
	Sizes []int           `json:"sizes"`          // numbers of components; the first is fitted first
	Deal  uint32          `json:"deal"`           // the seed that deals the rows held out
	Head  func(CurveHead) `json:"-"`              // is told what is known of the rows
	Point func(Point)     `json:"-"`              // is told each point
}

// A CurveHead is what is known of the rows of a curve.
type CurveHead struct {
	Task         string         `json:"task"`
	CanBeNumbers bool           `json:"canBeNumbers"` // the labels could be predicted as numbers
	All          int64          `json:"all"`
	Train        int64          `json:"train"`
	Held         int            `json:"held"` // of HeldOf rows held out, so many are kept
	HeldOf       int64          `json:"heldOf"`
	NFeatures    int            `json:"nFeatures"`
	IsKept       bool           `json:"isKept"` // all rows are kept
	Unit         bool           `json:"unit"`   // rows are divided by their length
	Unused       []string       `json:"unused"` // columns of texts that all rows showed to say nothing
	Notes        []columns.Note `json:"notes"`
}

// A Point is a model of a curve on the rows held out: the accuracy or R² with its 95 % interval. D 0 is the linear
// model.
type Point struct {
	D       int      `json:"D"`
	Score   *float64 `json:"score,omitempty"`
	Low     *float64 `json:"low,omitempty"`
	High    *float64 `json:"high,omitempty"`
	Alpha   float64  `json:"alpha"`
	MS      float64  `json:"ms"`
	Clipped int64    `json:"clipped"`
	Rows    int64    `json:"rows"`    // that the model was fitted to
	IsFinal bool     `json:"isFinal"` // no more rows are coming
	Problem string   `json:"problem,omitempty"`
}

// A CurveReply ends a curve. All else was told before.
type CurveReply struct {
	Stopped bool    `json:"stopped"`
	MS      float64 `json:"ms"`
}

// A Session keeps what the next request needs: rows of a few numbers, models of a curve. It is for one job at a time.
type Session struct {
	mapper Mapper
	curve  *curve
}

// NewSession returns a Session without rows.
func NewSession(mapper Mapper) *Session { return &Session{mapper: mapper} }

// Close frees what the session keeps.
func (s *Session) Close() {
	s.curve.close()
	s.curve = nil
}

const (
	KeptNumbers  = 8 << 20 // up to so many numbers, rows are kept: 32 MB
	heldRows     = 20_000  // rows held out that are kept at most
	exactRows    = 4000    // rows for a map's landmarks and for the exact kernel
	heldNumbers  = 4 << 20
	batchNumbers = 2 << 20 // rows of a larger file are added so many numbers at a time
	growsTo      = 1024    // components up to which figures grow while a large file is read
)

// A curve is the rows of a request and the models fitted to them.
type curve struct {
	*CurveRequest
	mapper  Mapper
	head    CurveHead
	spec    learn.Spec // what all points share
	numbers bool       // the label column is one of numbers
	held    *sample
	train   *sample
	isWhole bool
	batch   // the rows to learn from, if isWhole
	points  map[int]*point
}

// A point is a model of a curve.
type point struct {
	Point
	model     Model
	scoring   *scoring
	predicted []float64 // scores of the rows held out, once asked for
}

// A batch is rows to learn from.
type batch struct {
	X       sketch.Rows
	labels  []learn.Label
	targets []float64
}

func (v *curve) close() {
	if v == nil {
		return
	}
	for _, p := range v.points {
		if p.model != nil {
			p.model.Close()
		}
	}
	v.points = nil
}

// pointsKey returns what the points depend on, beside the rows.
func (q *CurveRequest) pointsKey() string {
	p := q.Map
	p.NComponents = 0
	coef0 := "-"
	if p.Coef0 != nil {
		coef0 = numberText(*p.Coef0)
	}
	return fmt.Sprint(p.Method, p.Output, p.Degree, p.Gamma, coef0, p.Normalize, p.Repeats, p.Seed, p.MethodParams)
}

// Curve fits the models of a curve.
func (s *Session) Curve(c *Control, q *CurveRequest) (*CurveReply, error) {
	started := time.Now()
	v := &curve{CurveRequest: q, mapper: s.mapper, points: map[int]*point{}}
	if b := s.curve; b != nil && b.ID == q.ID && b.isWhole && b.CurveRequest.Task == q.Task && b.Deal == q.Deal &&
		q.Map.Key == nil {
		v.head, v.spec, v.numbers, v.held, v.train, v.isWhole, v.batch = b.head, b.spec, b.numbers, b.held, b.train, true,
			b.batch
		if b.pointsKey() == q.pointsKey() {
			v.points, b.points = b.points, nil
		}
	}
	s.curve.close()
	s.curve = nil
	if v.held == nil {
		if err := v.read(c); err != nil {
			return nil, err
		}
	}
	s.curve = v
	v.tellHead()
	err := v.fit(c, q.Map, q.Sizes, v.points, func(p *point) {
		if q.Point != nil {
			q.Point(p.Point)
		}
	})
	if err != nil && !errors.Is(err, ErrStopped) {
		return nil, err
	}
	return &CurveReply{Stopped: c.Stopped(), MS: float64(time.Since(started).Microseconds()) / 1000}, nil
}

func (v *curve) tellHead() {
	v.head.Held = len(v.held.rows)
	if v.Head != nil {
		v.Head(v.head)
	}
}

// open opens the rows, after the first pass that the columns need.
func (v *curve) open(c *Control) (*table, error) {
	rows := v.Rows
	rows.Columns.texts = true
	t, err := rows.open(c, nil)
	if err == nil {
		err = t.needLabels(nil)
	}
	if err == nil {
		err = t.learn(0, nil)
	}
	if err == nil {
		t.forget()
	}
	return t, err
}

// read reads the rows once: what the labels are, how long the rows are, and which are held out. Few rows are kept, so
// that they need not be read again.
func (v *curve) read(c *Control) error {
	t, err := v.open(c)
	if err != nil {
		return err
	}
	d := t.p.NFeatures()
	seen := labels.NewStats(t.labelLayout())
	all, numbers, largest := &block{Batch: new(dataset.Batch)}, 0, 0.0
	var cells []string
	for b, err := range t.blocks("measuring", 1<<12) {
		if err != nil {
			return err
		}
		X := b.rows(d)
		square, row := solve.LargestSquare(X, d)
		if row >= 0 {
			return b.notFinite(row)
		}
		largest = max(largest, square)
		if numbers += sizeOf(X); numbers <= KeptNumbers {
			all.join(X)
		}
		for i := range b.to - b.from {
			cell := b.Cell(b.from+i, 0)
			seen.SeeAt(cell, b.Places[b.from+i])
			if numbers <= KeptNumbers {
				cells, all.Places = append(cells, string(cell)), append(all.Places, b.Places[b.from+i])
			}
		}
	}
	if err := v.settle(t, seen, solve.RadiusOf(largest)); err != nil {
		return err
	}
	v.newSamples()
	if v.isWhole = numbers <= KeptNumbers; !v.isWhole {
		return nil
	}
	v.head.IsKept = true
	return v.dealKept(c, all, cells, t.labelReaderOf(v.numbers))
}

// dealtRows is how many rows are dealt between two looks at the control.
const dealtRows = 1 << 12

// dealKept deals the rows that are kept.
func (v *curve) dealKept(c *Control, all *block, cells []string, read *labels.Reader) error {
	deal := newDealer(v.Deal)
	for from := 0; from < len(cells); from += dealtRows {
		all.from, all.to = from, min(from+dealtRows, len(cells))
		v.batch.join(v.deal(deal, read, all, cells[all.from:all.to]))
		if err := c.Check(); err != nil {
			return err
		}
	}
	return v.checkDealt()
}

// join appends the rows of another batch.
func (b *batch) join(o batch) {
	switch X := o.X.(type) {
	case sketch.Dense:
		own, _ := b.X.(sketch.Dense)
		b.X = append(own, X...)
	case sketch.CSR:
		own, _ := b.X.(sketch.CSR)
		b.X = JoinSparse(own, X)
	}
	b.labels, b.targets = append(b.labels, o.labels...), append(b.targets, o.targets...)
}

// labelReaderOf returns a reader for a column with or without numbers.
func (t *table) labelReaderOf(numbers bool) *labels.Reader {
	l, _ := t.labelLayout()
	return labels.NewReader(l, numbers)
}

// settle decides what is learned.
func (v *curve) settle(t *table, seen *labels.Stats, radius float64) error {
	task := v.CurveRequest.Task
	if task == "" || task == "auto" {
		task = seen.Task()
	}
	if err := checkLabels(seen, task); err != nil {
		return t.withLeftOut(err, seen.Rows)
	}
	text, err := t.p.MarshalJSON()
	if err != nil {
		return err
	}
	notes := append(t.notes(), dataset.RowNotes(t.layout.Name, new(dataset.Preprocessing), new(dataset.Counts),
		seen.Unused(task))...)
	notes = append(notes, seen.UnitNotes(task)...)
	v.numbers = seen.Numbers()
	v.head = CurveHead{Task: task, CanBeNumbers: seen.CanBeNumbers(), All: t.rows, NFeatures: t.p.NFeatures(),
		Unit: t.p.Divides(), Unused: t.p.Unused(), Notes: notes}
	v.spec = learn.Spec{Task: task, Radius: radius, Preprocessing: string(text), WithoutLinear: true}
	if task == learn.TaskRegress {
		v.spec.TargetRange = [2]float64{seen.Low, seen.High}
	}
	return nil
}

// checkLabels returns an error for labels that cannot be learned.
func checkLabels(s *labels.Stats, task string) error {
	labelled, different := s.Rows-s.Unlabelled(), s.Different()
	orNumber := ""
	if s.CanBeNumbers() {
		orNumber = "predict a number, or "
	}
	switch {
	case s.Rows == 0:
		return failure("No row can be used: see what was wrong with them in Embed.")
	case labelled == 0:
		return failure("The label is empty in every row: choose another label column.")
	case labelled == 1:
		return failure("There is only one row with a label: too few to learn from some and try the others.")
	case task == learn.TaskRegress && labelled == s.NotNumbers():
		return failure("The labels are no numbers: predict classes, or choose another label column.")
	case task == learn.TaskRegress && s.Low == s.High:
		return failure("All rows have the same number, so there is nothing to predict: choose another label column.")
	case task == learn.TaskRegress:
	case different < 2:
		return failure("All rows have the same label, so there is nothing to tell apart: choose another label column.")
	case different > solve.MaxClasses && orNumber == "":
		return failure("The label has more than %s different values: choose a label column with fewer.",
			Grouped(solve.MaxClasses))
	case different > solve.MaxClasses:
		return failure("The label has more than %s different values: predict a number, or choose another label column.",
			Grouped(solve.MaxClasses))
	case int64(different) > labelled/2:
		return failure("There are %d classes and only %d rows, fewer than two for each class: %schoose a label column with "+
			"fewer different values.", different, labelled, orNumber)
	}
	return nil
}

// withLeftOut adds to an error about the labels of used rows that others were left out: these may be why.
func (t *table) withLeftOut(err error, used int64) error {
	unused := t.unusedSoFar()
	if e, ok := err.(*Error); ok && used > 0 && unused > 0 {
		e.text += " Only %s of %s rows can be used: Embed says why."
		e.values = append(e.values, Grouped(used), Grouped(used+unused))
	}
	return err
}

func (v *curve) checkDealt() error {
	if v.head.Train < 2 || len(v.held.rows) == 0 {
		return failure("There are only %d rows with a label: too few to learn from some and try the others.",
			v.head.Train+v.head.HeldOf)
	}
	return nil
}

// newSamples empties the samples of rows to learn from and of rows held out.
func (v *curve) newSamples() {
	v.head.Train, v.head.HeldOf = 0, 0
	v.held = newSample(heldRows, heldNumbers, v.head.NFeatures, below32(7))
	v.train = newSample(exactRows, heldNumbers, v.head.NFeatures, below32(8))
}

// deal returns the rows of a block to learn from. Rows held out go to the sample; rows without a usable label to
// neither.
func (v *curve) deal(d dealer, read *labels.Reader, b *block, cells []string) (made batch) {
	X, isNumber := b.rows(v.head.NFeatures), v.head.Task == learn.TaskRegress
	var kept []int
	for i, cell := range cells {
		own := &block{}
		if own.take(read, []byte(cell), isNumber) != "" {
			continue
		}
		row := keptRow{place: b.Places[b.from+i]}
		if isNumber {
			row.target = own.targets[0]
		} else {
			row.label = own.labels[0]
		}
		if d.next() {
			v.head.HeldOf++
			v.held.add(X, i, row)
			continue
		}
		v.head.Train++
		v.train.add(X, i, row)
		kept = append(kept, i)
		made.labels, made.targets = append(made.labels, own.labels...), append(made.targets, own.targets...)
	}
	made.X = pick(X, v.head.NFeatures, kept)
	return made
}

// pick returns some rows of X.
func pick(X sketch.Rows, d int, rows []int) sketch.Rows {
	if X, ok := X.(sketch.CSR); ok {
		made := sketch.CSR{Indptr: []int32{0}}
		for _, i := range rows {
			made = JoinSparse(made, X.Slice(i, i+1))
		}
		return made
	}
	dense := X.(sketch.Dense)
	made := make(sketch.Dense, 0, len(rows)*d)
	for _, i := range rows {
		made = append(made, dense[i*d:(i+1)*d]...)
	}
	return made
}

// sizeOf returns how many numbers rows hold.
func sizeOf(X sketch.Rows) int {
	if X, ok := X.(sketch.CSR); ok {
		return len(X.Data)
	}
	return len(X.(sketch.Dense))
}

// join appends rows to the rows of a block of its own.
func (b *block) join(X sketch.Rows) {
	switch X := X.(type) {
	case sketch.Dense:
		b.Dense = append(b.Dense, X...)
	case sketch.CSR:
		b.Sparse = JoinSparse(b.Sparse, X)
	}
}

// identity returns the parameters of the map whose features are the rows themselves.
func identity(d int) sketch.Params {
	index, sign := make([]int32, d), make([]int8, d)
	for i := range d {
		index[i], sign[i] = int32(i), 1
	}
	return sketch.Params{Method: "count-sketch", NFeatures: d, NComponents: d, IndexHash: [][]int32{index},
		BitHash: [][]int8{sign}}
}

// order returns the sizes in the order in which they are fitted: 0, the linear model, after the first.
func order(sizes []int, withLinear bool) []int {
	if !withLinear || len(sizes) == 0 {
		return sizes
	}
	return slices.Insert(slices.Clone(sizes), 1, 0)
}
