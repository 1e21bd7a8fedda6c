package jobs

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/prepare"
)

// The ways to search, beside a list of candidates.
const (
	SearchAuto = "auto"
	SearchOff  = "off"
)

// Candidates is learn.Candidates as JSON. Numbers that are not known are null.
type Candidates struct {
	Rows       int         `json:"rows"` // of the sample that they were fitted to
	Folds      int         `json:"folds"`
	Components int         `json:"components"`
	Chosen     string      `json:"chosen"`
	Linear     bool        `json:"linearIsAsGood"`
	Seeds      int         `json:"seedsTried"`
	HeldOut    *HeldOut    `json:"heldOut"` // of rows that no choice has seen; null with few rows
	All        []Candidate `json:"all"`
	Notes      []string    `json:"notes"`
}

// A Candidate is a kind of model that was tried. Errors are squared ones on held-out rows over the variance.
type Candidate struct {
	Name     string   `json:"name"`
	Error    *float64 `json:"error"`
	StdError *float64 `json:"stdError"`
	Accuracy *float64 `json:"accuracy,omitempty"`
	Behind   float64  `json:"behind"` // the chosen one, with its standard error
	BehindSE float64  `json:"behindStdError"`
	Alpha    float64  `json:"alpha"`
	Gamma    float64  `json:"gamma,omitempty"`
	Rounds   int      `json:"rounds,omitempty"` // of column weights
	Skipped  string   `json:"skipped,omitempty"`
}

// candidatesOf returns a report as JSON has it.
func candidatesOf(r *learn.Candidates) *Candidates {
	made := &Candidates{Rows: r.Rows, Folds: r.Folds, Components: r.Components, Chosen: r.Chosen, Linear: r.Linear,
		Seeds: r.Seeds, HeldOut: heldOut(r.HeldOut), Notes: append([]string{}, r.Notes...)}
	for _, c := range r.All {
		one := Candidate{Name: c.Name, Accuracy: known(c.Accuracy), Behind: c.Behind, BehindSE: c.BehindSE, Alpha: c.Alpha,
			Gamma: c.Gamma, Rounds: c.Rounds, Skipped: c.Skipped}
		if c.Alpha > 0 { // it was tried
			one.Error, one.StdError = known(c.Error), known(c.StdError)
		}
		made.All = append(made.All, one)
	}
	return made
}

// Report is the inverse of what a reply has.
func (c *Candidates) Report() *learn.Candidates {
	r := &learn.Candidates{Rows: c.Rows, Folds: c.Folds, Components: c.Components, Chosen: c.Chosen, Linear: c.Linear,
		Seeds: c.Seeds, Notes: c.Notes}
	if h := c.HeldOut; h != nil {
		r.HeldOut = &learn.HeldOutReport{Rows: h.Rows, R2: orNaN(h.R2), Accuracy: orNaN(h.Accuracy)}
	}
	for _, one := range c.All {
		r.All = append(r.All, learn.Candidate{Name: one.Name, Error: orNaN(one.Error), StdError: orNaN(one.StdError),
			Accuracy: orNaN(one.Accuracy), Behind: one.Behind, BehindSE: one.BehindSE, Alpha: one.Alpha, Gamma: one.Gamma,
			Rounds: one.Rounds, Skipped: one.Skipped})
	}
	return r
}

// orNaN is the inverse of known.
func orNaN(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}

// usualSearch is what happens where nothing is said of a search.
const usualSearch = SearchAuto

// searches reports whether the map and the scales are searched for: unless that is off, or what is typed leaves nothing
// to choose from.
func (f *fitting) searches() bool {
	how := cmp.Or(f.Search, usualSearch)
	if how == SearchOff || f.From != nil || f.Like != nil || !f.isRidge() || f.Radius != 0 {
		return false
	}
	p := &f.Map
	_, isForm := forms[f.Columns.Scaling]
	_, hasKernel := p.MethodParams["kernel"]
	choices, err := f.choices()
	fits := err == nil && isForm && p.Normalize == "" && p.Repeats <= 1 && p.Key == nil &&
		(len(p.MethodParams) == 0 || len(p.MethodParams) == 1 && hasKernel) && choices.Fit()
	return fits || f.Search != "" && f.Search != SearchAuto // it says that nothing fits
}

// searchColumns is the maximum number of columns of sparse rows for a search, which writes the zeros of 1,500 rows,
// too: 200 MB, some four times.
const searchColumns = 1 << 15

// tooWide reports whether rows have too many columns to search, and notes it. Where a search was asked for, that is an
// error.
func (f *fitting) tooWide(t *table) (bool, error) {
	d := t.p.NFeatures()
	if !t.p.IsSparse() || d <= searchColumns || !f.searches() {
		return false, nil
	}
	what := "sparse rows of " + Count(int64(d), "column") + " are too wide for a search, which takes " +
		Count(searchColumns, "column")
	if f.Search != "" {
		return true, fail("search", "%s: leave {search} out, or hash words into fewer columns", what)
	}
	t.add(columns.Note{Code: columns.NoteNoSearch, Count: int64(d), What: what + ": the map is the usual one",
		Remedy: "hash words into fewer columns, or choose the map yourself"})
	return true, nil
}

// forms has the form of a prepare.Preparation for each scaling that is typed.
var forms = map[string]string{"": "", "standard": prepare.Std, "min-max": prepare.MM}

// noColumn says why the first column that might be learned from is not.
func (t *table) noColumn() error {
	why := ""
	for i := range t.p.Columns {
		if c := &t.p.Columns[i]; c.Why != "" {
			why = ": column " + columns.Quoted(c.Name) + " " + c.Why
			break
		}
	}
	return fail("columns", "%s has no column to learn from%s; add one that tells rows apart, or name one with {use}",
		t.parts[0].Name(), why)
}

// choices are what is typed.
func (f *fitting) choices() (learn.Choices, error) {
	params, err := f.Map.params()
	c := learn.Choices{Params: params, Form: forms[f.Columns.Scaling], Unit: f.Columns.UnitNorm, Seeded: f.Map.Seed.Typed,
		Mergeable: f.Mergeable || f.WithoutFit || f.WithoutRows}
	if f.Search != "" && f.Search != SearchAuto {
		c.Candidates = strings.Split(f.Search, ",")
	}
	return c, err
}

// search chooses the map and the preparation by a sample of all rows with their labels.
func (f *fitting) search(t *table) error {
	choices, err := f.choices()
	if err != nil {
		return err
	}
	if t.p.NFeatures() == 0 {
		return t.noColumn()
	}
	if err := t.keep(); err != nil {
		return err
	}
	s := &sampled{d: t.p.NFeatures(), next: sketch.IntSeed(0).ForBootstrap()}
	isNumber := f.spec.Task == learn.TaskRegress
	for b, err := range t.labelled("reading a sample", 1<<12, f.read, isNumber) {
		if err != nil {
			return err
		}
		s.add(b)
	}
	if s.seen == 0 {
		return t.noneUsed()
	}
	t.forget()
	f.c.Begin("searching")
	X, targets := s.rows()
	if err := t.noteSample(X, targets); err != nil {
		return err
	}
	spec, report, err := f.mapper.Search(f.c, X, kindsOf(t.p), targets, choices)
	e, ok := errors.AsType[*sketch.Error](err)
	isRounded := func(c columns.Column) bool { return c.Role == columns.AsNumber && c.Why != "" }
	if ok && strings.HasSuffix(e.Value, " constant") && slices.ContainsFunc(t.p.Columns, isRounded) {
		return t.noColumn() // which says that 32 bits make it constant
	}
	if ok && (e.Argument == "classes" || e.Argument == "rows") {
		return fitError(err)
	} else if err != nil {
		return mistake(err)
	}
	spec.Preprocessing, spec.Loss = f.spec.Preprocessing, f.spec.Loss
	if spec.Keep < 1 || s.seen > solve.MostKept { // 1 spreads rows that recur often over all folds
		spec.Keep = solve.KeepOf(float64(s.seen))
	}
	if f.Folds != nil {
		spec.Folds = *f.Folds
	}
	if spec.Classes = f.spec.Classes; isNumber {
		spec.TargetRange = f.spec.TargetRange
	}
	if spec.Passes = report.Passes; report.Chosen == "linear-uncut" { // said here: the core has no bytes for it
		report.Notes = append(report.Notes, "numbers are not cut at 0.5 % and 99.5 %: held-out rows are predicted better so")
	}
	f.spec, f.candidates = spec, report
	return nil
}

// kindsOf returns the kinds of the coordinates of rows.
func kindsOf(p *dataset.Preprocessing) []prepare.Kind {
	kinds := make([]prepare.Kind, p.NFeatures())
	for i, kind := range p.Kinds() {
		if kind == columns.Indicator {
			kinds[i] = prepare.Indicator
		}
	}
	return kinds
}

// A sample for a search has at most so many rows, and so many numbers.
const (
	SampleRows    = 40000
	SampleNumbers = solve.SampleNumbers
)

// sampled is a sample of rows: all, or some that are drawn from all with equal probability (Vitter, Random sampling
// with a reservoir, ACM TOMS 11, 1985).
type sampled struct {
	d       int
	most    int // rows; 0 stands for SampleRows
	next    func(n int) int
	seen    int
	numbers int
	each    []sketch.Rows // of one row
	labels  []learn.Label
	targets []float64
}

// add adds the rows of a block.
func (s *sampled) add(b *block) {
	X := b.rows(s.d)
	for row := range b.to - b.from {
		var one sketch.Rows
		size := s.d
		if sparse, ok := X.(sketch.CSR); ok {
			part := sparse.Slice(row, row+1)
			size = len(part.Data)
			one = JoinSparse(sketch.CSR{}, part)
		} else {
			one = slices.Clone(X.(sketch.Dense)[row*s.d : (row+1)*s.d])
		}
		at := len(s.each)
		if s.seen++; len(s.each) < cmp.Or(s.most, SampleRows) && s.numbers+size <= SampleNumbers || len(s.each) == 0 {
			s.numbers += size
			s.each = append(s.each, nil)
		} else if at = s.next(s.seen); at >= len(s.each) {
			continue
		}
		s.each[at] = one
		s.labels, s.targets = put(s.labels, b.labels, at, row), put(s.targets, b.targets, at, row)
	}
}

// put sets an entry, which may be the one after the last, to one of others.
func put[T any](list, others []T, at, row int) []T {
	if len(others) == 0 {
		return list
	}
	if at == len(list) {
		return append(list, others[row])
	}
	list[at] = others[row]
	return list
}

// rows returns the sample.
func (s *sampled) rows() (sketch.Rows, learn.Targets) {
	targets := learn.Targets{Labels: s.labels, Y: s.targets}
	if _, ok := s.each[0].(sketch.CSR); ok {
		var all sketch.CSR
		for _, row := range s.each {
			all = JoinSparse(all, row.(sketch.CSR))
		}
		return all, targets
	}
	all := make(sketch.Dense, 0, len(s.each)*s.d)
	for _, row := range s.each {
		all = append(all, row.(sketch.Dense)...)
	}
	return all, targets
}

// tell puts what the search says of rows that no choice has seen into the report of a model.
func (r *FitReply) tell(candidates *learn.Candidates) {
	if candidates == nil {
		return
	}
	candidates.Tell(&r.Model.About().Report)
	r.Candidates = candidatesOf(candidates)
}
