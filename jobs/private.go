package jobs

import (
	"io"
	"slices"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/dataset/labels"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// A PrivateFitRequest asks for a model of released sums (docs/privacy.md, "Private models"), and for the model without
// noise beside it. All of it is typed or public, and none may depend on the rows. Rows have length 1.
type PrivateFitRequest struct {
	Rows                  // one file, with the column of the label
	Ranges  []NumberRange `json:"ranges,omitempty"` // of number columns, which they scale
	Map     MapParams     `json:"map"`
	Task    string        `json:"task"`
	Classes []string      `json:"classes,omitempty"` // all labels that count, as they stand in cells
	Targets [2]float64    `json:"targetRange,omitzero"`
	Guarantee
	Budget *Guarantee `json:"budget,omitempty"` // of a file's first release: of all its releases together

	Job    string      `json:"job"` // names the release in the ledger
	Ledger LedgerStore `json:"-"`   // nil for rows that are nobody's
	Digest Digest      `json:"-"`
	Random io.Reader   `json:"-"` // a cryptographically secure source; a Mapper may have its own
}

// A NumberRange is the public range of a column of numbers.
type NumberRange struct {
	Name string  `json:"name"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// A PrivateFitReply is a private model. Its scores carry no noise: they are for the owner of the file alone.
type PrivateFitReply struct {
	Rows     int64        `json:"rows"`     // of the release
	Held     int          `json:"held"`     // rows held out, on which both models are tried
	Odd      int64        `json:"odd"`      // of all rows: their label or target is not among the public ones
	Unusable int64        `json:"unusable"` // of all rows: their cells do not fit the columns
	Cut      int64        `json:"cut"`      // of all rows: their target is cut to the public range
	Sigma    float64      `json:"sigma"`    // of the noise
	Noisy    *Interval    `json:"noisy"`    // accuracy, or R²; null without rows held out
	Plain    *Interval    `json:"plain"`    // of the model without noise
	Ledger   *LedgerReply `json:"ledger"`
	Model    Model        `json:"-"`
}

// ReleasedSums are the sums of a learner with noise.
type ReleasedSums struct {
	Bound, Sigma float64
	Fit          func(c *Control) (Model, error)
}

// heldSeed deals the rows held out of a private model. It is public: which rows these are depends on their number
// alone.
const heldSeed = 11

// A privateFit is the work of PrivateFit.
type privateFit struct {
	*PrivateFitRequest
	t             *table
	secret, plain Learner
	read          *labels.Reader
	classes       []learn.Label
	deal          dealer
	held          *sample

	odd, unusable, cut int64
}

// PrivateFit fits a model to the sums of three quarters of the rows, with noise.
func PrivateFit(c *Control, mapper Mapper, q *PrivateFitRequest) (*PrivateFitReply, error) {
	f := &privateFit{PrivateFitRequest: q, deal: newDealer(heldSeed)}
	if err := f.open(c); err != nil {
		return nil, err
	}
	a := account{store: q.Ledger, budget: q.Budget, job: q.Job}
	charge := Charge{Kind: "moments", Guarantee: q.Guarantee}
	var err error
	if q.Ledger != nil {
		if a.content, err = contentOf(c, q.Files[0], q.Digest); err == nil {
			err = a.allows(charge)
		}
	}
	if err == nil {
		err = f.learners(mapper)
	}
	if f.secret != nil {
		defer f.secret.Spec().Features.Close()
		defer f.secret.Close()
	}
	if f.plain != nil {
		defer f.plain.Spec().Features.Close()
		defer f.plain.Close()
	}
	if err == nil {
		err = f.add(c)
	}
	if err != nil {
		return nil, mistake(err)
	}
	var released *ReleasedSums
	charge.Rows, charge.NComponents = float64(f.secret.Rows()), float64(f.secret.Spec().Features.NComponents())
	release := func() (err error) {
		if released, err = f.secret.Release(c, q.Guarantee, q.Random); err == nil {
			charge.Bound, charge.Sigma = released.Bound, released.Sigma
		}
		return err
	}
	if q.Ledger == nil {
		err = release()
	} else {
		err = a.charge(&charge, release)
	}
	if err != nil {
		return nil, mistake(err)
	}
	reply := &PrivateFitReply{Rows: f.secret.Rows(), Held: len(f.held.rows), Odd: f.odd, Unusable: f.unusable, Cut: f.cut,
		Sigma: released.Sigma}
	return reply, f.fit(c.afterStop(), reply, released, &a)
}

// open opens the file, and refuses what a release may not use.
func (f *privateFit) open(c *Control) error {
	q := f.PrivateFitRequest
	p, err := planned(&q.Rows)
	if err != nil {
		return err
	}
	for i, r := range q.Ranges {
		for _, o := range q.Ranges[:i] {
			if o.Name == r.Name {
				return fail("ranges", "{ranges} has the column %s twice", columns.Quoted(r.Name))
			}
		}
		if !slices.ContainsFunc(p.Columns, func(c columns.Column) bool {
			return c.Name == r.Name && c.Role == columns.AsNumber
		}) {
			return fail("ranges", "{ranges} has a column %s, which is not among those of {number}", columns.Quoted(r.Name))
		}
	}
	var typed []columns.Column
	for i := range p.Columns {
		column := &p.Columns[i]
		for _, r := range q.Ranges {
			if r.Name == column.Name && column.Role == columns.AsNumber {
				column.Scaling, column.Center, column.Scale, column.Learned = columns.MinMax, r.Low, r.High-r.Low, true
			}
		}
		if column.Role == columns.AsKept {
			return refusal("kept columns carry no noise: ignore them")
		}
		if column.Role != columns.AsLabel {
			typed = append(typed, *column)
		}
	}
	if err := completeReading(q.Reading); err != nil {
		return err
	}
	rule := columns.Release{Reading: &q.Reading, Columns: typed, Sparse: p.Sparse, Width: p.Width, Method: q.Map.Method}
	if reason := rule.Misfit(); reason != "" {
		return refusal(reason)
	}
	p.UnitNorm = true
	if f.t, err = openTyped(c, &q.Rows, p); err != nil {
		return err
	}
	if err := f.t.needLabels(nil); err != nil {
		return err
	}
	reader := labels.NewReader(f.t.layout, false)
	if f.classes, err = readClasses(reader, q.Classes); err != nil {
		return err
	}
	if q.Task != learn.TaskRegress && len(f.classes) == 0 {
		return fail("classes", "{classes} is missing: all labels that count are public, so type them")
	}
	f.read = f.t.labelReader(nil, f.classes)
	f.held = newSample(heldRows, heldNumbers, p.NFeatures(), below32(9))
	return nil
}

// learners makes a learner whose sums are released, and one without noise.
func (f *privateFit) learners(mapper Mapper) error {
	text, err := f.t.p.MarshalJSON()
	if err != nil {
		return err
	}
	params, err := f.Map.params()
	if err != nil {
		return err
	}
	params.NFeatures = f.t.p.NFeatures()
	for _, l := range []*Learner{&f.secret, &f.plain} {
		s := Spec{Loss: learn.LossSquared}
		s.Preprocessing, s.Task, s.Classes, s.TargetRange = string(text), f.Task, f.classes, f.Targets
		s.Radius, s.WithoutLinear, s.Private = 1, true, l == &f.secret
		if s.Features, err = mapper.NewMap(params); err != nil {
			return err
		}
		made, err := mapper.NewLearner(s)
		if err != nil {
			s.Features.Close()
			return err
		}
		*l = made
	}
	return nil
}

// add deals all rows, and adds those to learn from to both learners.
func (f *privateFit) add(c *Control) error {
	for b, err := range f.t.blocks("learning", rowsToAdd(f.secret.Spec().Features)) {
		if err != nil {
			return err
		}
		X, own, targets := f.dealBlock(b)
		for _, l := range []Learner{f.secret, f.plain} {
			if CountRows(X, f.t.p.NFeatures()) == 0 {
				continue
			}
			if err := l.Add(c, X, own, targets); err != nil {
				return b.rowError(err)
			}
		}
	}
	if f.secret.Rows() == 0 {
		return failure("%s has no rows to learn from", f.Files[0].Name())
	}
	return nil
}

// dealBlock returns the rows of a block to learn from, and samples the others. A row whose label cannot be used becomes
// a row of zeros of the first class, or of the middle of the range; so does one that does not fit.
func (f *privateFit) dealBlock(b *block) (X sketch.Rows, own []learn.Label, targets []float64) {
	d := f.t.p.NFeatures()
	var dense sketch.Dense
	sparse := sketch.CSR{Indptr: []int32{0}}
	all := b.rows(d)
	i := 0
	for row := range rowsOf(all, d) {
		label, target, isOdd := f.labelOf(b, b.from+i)
		isHeld := f.deal.next()
		if isOdd {
			clear(numbersOf(row))
		}
		switch row := row.(type) {
		case sketch.Dense:
			if !isHeld {
				dense = append(dense, row...)
			}
		case sketch.CSR:
			if !isHeld {
				sparse = JoinSparse(sparse, row)
			}
		}
		switch {
		case isHeld && !isOdd:
			f.held.add(all, i, keptRow{label: label, target: target})
		case !isHeld && f.Task == learn.TaskRegress:
			targets = append(targets, target)
		case !isHeld:
			own = append(own, label)
		}
		i++
	}
	if _, isSparse := all.(sketch.CSR); isSparse {
		return sparse, own, targets
	}
	return dense, own, targets
}

// labelOf returns the label or the target of a row: of those that are public, the nearest one. It counts rows whose own
// one cannot be used.
func (f *privateFit) labelOf(b *block, row int) (label learn.Label, target float64, isOdd bool) {
	var what string
	isPublic := true
	if f.Task == learn.TaskRegress {
		low, high := f.Targets[0], f.Targets[1]
		var x float64
		if x, what = f.read.Number(b.Cell(row, 0)); what != "" {
			x = (low + high) / 2
		}
		if target = min(max(x, low), high); target != x {
			f.cut++
		}
	} else if label, what = f.read.Read(b.Cell(row, 0)); what != "" || !slices.Contains(f.classes, label) {
		label, isPublic = f.classes[0], false
	}
	switch {
	case b.IsUnusable(row):
		f.unusable++
	case what != "" || !isPublic:
		f.odd++
	default:
		return label, target, false
	}
	return label, target, true
}

// fit fits both models after the release, which a stop does not take back.
func (f *privateFit) fit(c *Control, reply *PrivateFitReply, released *ReleasedSums, a *account) (err error) {
	if reply.Model, err = released.Fit(c); err != nil {
		return err
	}
	if reply.Noisy, err = f.score(c, reply.Model); err != nil {
		return err
	}
	if plain, err := f.plain.Fit(c, FitOptions{}); err == nil { // it must not lose the model that was charged
		reply.Plain, _ = f.score(c, plain)
		plain.Close()
	}
	if a.record != nil {
		reply.Ledger, err = a.record.reply()
	}
	return err
}

// score tries a model on the rows held out, if there are any.
func (f *privateFit) score(c *Control, m Model) (*Interval, error) {
	if len(f.held.rows) == 0 {
		return nil, nil
	}
	scores, err := m.Scores(c, f.held.all())
	if err != nil {
		return nil, err
	}
	about := m.About()
	e := newScoring(&learn.Model{Task: about.Task, Classes: about.Classes}, nil)
	own, targets := f.held.labels()
	e.add(scores, own, targets)
	return new(intervalOf(e.score())), nil
}
