package learn

import (
	"math"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn/prepare"
)

// A Searcher chooses the preparation and the map for rows and their targets.
//
// Each candidate is fitted to at most searchRows rows with 512 features, and the squared error of ridge regression on
// five parts held out in turn decides, with λ the best of 34 for each candidate. Where the first part has surelyRows
// rows, it alone chooses λ and the rounds of column weights. Equal rows share a part. Of equal errors the earlier
// candidate wins. A candidate that is more than three standard errors behind on the first part is
// given up. The bits of the result depend on the arguments alone, and not on Goroutines.
//
// A fifth of the rows, which their hash says, is held out of all of this, preparation and column weights included. The
// report says how well a model of the others predicts them. A private Spec takes nothing from rows: do not search for
// one.
type Searcher struct {
	searchSample
	choices  Choices
	all      sketch.Rows // those given
	part     func(from, to int) sketch.Rows
	kinds    []prepare.Kind
	y        solve.RowLabels
	outputs  int   // classes, or targets of a row
	inside   []int // rows, in the order of the seed
	outside  []int // rows that are held out of all choices
	list     []candidate
	next     int // of the list
	forms    map[string]*formRows
	tried    []*trial
	lead     *trial    // the best whose folds are all done
	bases    [2]*trial // the best candidates of weighted, on which column weights build
	begun    int       // of weighted
	weighing *weighing
	holding  *holding
	judging  func() error // the last step
	ended    bool
	failure  error
	units    int // candidates and rounds that are done

	barredOnes []Candidate // that do not apply
	spec       Spec
	report     *Candidates
}

// formRows are the rows of the sample in one form.
type formRows struct {
	rows        []float32 // n × width
	width       int
	preparation *prepare.Preparation
	err         error
}

// scaled returns the rows times column weights; nil weights are all 1.
func (r *formRows) scaled(weights []float64) []float32 {
	if weights == nil {
		return r.rows
	}
	rows := make([]float32, len(r.rows))
	for i, v := range r.rows {
		rows[i] = v * float32(weights[i%r.width])
	}
	return rows
}

// gammaOf returns the γ of a candidate for rows: its own in units of
//
//	1/mean ‖x − y‖² = 1/(2·Σ variance), 1/mean ‖x − y‖₁ of 500 pairs, or 1/mean ‖x‖².
func (s *Searcher) gammaOf(c *candidate, gamma float64, rows []float32, width int, without int) float64 {
	if s.choices.Params.Gamma != 0 || c.kernel == "" || gamma == 0 {
		return s.choices.Params.Gamma
	}
	var of []int
	for i := range s.n {
		if int(s.fold[i]) != without {
			of = append(of, i)
		}
	}
	n, sum := float64(max(1, len(of))), 0.0
	switch c.kernel {
	case sketch.KernelLaplacian:
		next := s.choices.Params.Seed.ForBootstrap()
		const pairs = 500
		for range pairs {
			x, y := rows[of[next(len(of))]*width:][:width], rows[of[next(len(of))]*width:][:width]
			for j, v := range x {
				sum += math.Abs(float64(v) - float64(y[j]))
			}
		}
		sum /= pairs
	default:
		for j := range width {
			total, square := 0.0, 0.0
			for _, i := range of {
				v := float64(rows[i*width+j])
				total += v
				square += float64(v * v)
			}
			sum += square / n
			if c.kernel == sketch.KernelGaussian {
				sum += max(0, square/n-float64(total/n*(total/n))) - square/n
			}
		}
		if c.kernel == sketch.KernelGaussian {
			sum *= 2
		}
	}
	if !(sum > 0x1p-60) {
		return 1
	}
	return gamma / sum
}

// params returns the parameters of the map of a candidate.
func (s *Searcher) params(c *candidate, gamma float64, width, components int) sketch.Params {
	p := sketch.Params{NFeatures: width, NComponents: components, Gamma: gamma, Seed: s.choices.Params.Seed}
	if c.kernel == sketch.KernelPolynomial {
		p.Method, p.Degree, p.Coef0 = sketch.MethodTensorSketch, c.degree, 1
		if s.choices.Params.Coef0 != 0 {
			p.Coef0 = s.choices.Params.Coef0
		}
		return p
	}
	p.Method, p.MethodParams.Kernel = sketch.MethodRandomFourier, c.kernel
	return p
}

// features returns the features of the rows of the sample for a candidate, and the map, nil for a linear one.
func (s *Searcher) features(c *candidate, gamma float64, rows []float32, width int) (
	Z []float32, m *sketch.FeatureMap, err error) {
	if c.kernel == "" {
		return rows, nil, nil
	}
	if m, err = sketch.NewFeatureMap(s.params(c, gamma, width, max(searchComponents, c.components))); err != nil {
		return nil, nil, err
	}
	m.SetGoroutines(s.threads)
	Z, err = m.TransformRows(nil, sketch.Dense(rows))
	m.SetGoroutines(1)
	return Z, m, err
}

// gridSample is the number of rows that the grid of a candidate's features is taken from.
const gridSample = 1000

// add returns the sums of the rows of the sample that keep allows.
func (s *searchSample) add(Z []float32, D int, keep func(fold uint8) bool) (*Moments, error) {
	grid, g := solve.GridFor(Z[:min(len(Z), gridSample*D)], D), s.grid
	g.Step, g.Limit, g.Finer = grid.Step, grid.Limit, grid.Finer
	m, err := solve.NewBareMoments(Shape{NComponents: D, Classes: s.shape.Classes, Targets: s.shape.Targets}, g)
	if err != nil {
		return nil, err
	}
	weights, y := make([]uint8, s.n), []float64(nil)
	for i, f := range s.fold {
		if keep(f) {
			weights[i] = 1
		}
	}
	if s.classes == nil {
		y = make([]float64, len(s.codes))
		for i, c := range s.codes {
			y[i] = max(g.Low, min(g.High, c+g.Middle()))
		}
	}
	return m, m.AddFeatures(Z, s.classes, y, weights)
}

// systemOf returns the System of sums of m. Two classes have one target.
func (s *searchSample) systemOf(m *Moments, sum []int64) *System {
	system := m.SystemOfCounted(sum)
	if s.classes != nil {
		D := system.D
		system.Counts = nil
		system.K, system.B, system.T, system.TT = s.K, system.B[:s.K*D], system.T[:s.K], system.TT[:s.K]
	}
	return system
}

// sumsOutside returns the sums of the rows outside a fold.
func (s *searchSample) sumsOutside(Z []float32, D, f int) (*System, error) {
	m, err := s.add(Z, D, func(fold uint8) bool { return int(fold) != f })
	if err != nil {
		return nil, err
	}
	return s.systemOf(m, m.Counted()), nil
}

// A foldSums has the sums of each fold, which are added up when they are first wanted.
type foldSums struct {
	parts [solve.FoldCount]*Moments
	total []int64
}

// outside returns the sums of the rows outside fold f.
func (p *foldSums) outside(s *searchSample, Z []float32, D, f int) (*System, error) {
	if p.total == nil {
		for g := range solve.FoldCount {
			m, err := s.add(Z, D, func(fold uint8) bool { return int(fold) == g })
			if err != nil {
				return nil, err
			}
			p.parts[g] = m
			if p.total == nil {
				p.total = make([]int64, len(m.Counted()))
			}
			for i, v := range m.Counted() {
				p.total[i] += v
			}
		}
	}
	m := p.parts[f]
	sum := make([]int64, len(p.total))
	for i, v := range m.Counted() {
		sum[i] = p.total[i] - v
	}
	return s.systemOf(m, sum), nil
}

// newTrial returns a trial of no folds.
func (s *Searcher) newTrial(c candidate) *trial {
	return &trial{candidate: c, losses: make([]float64, s.n*shareCount), right: make([]uint8, s.n*shareCount)}
}

// A holding is a trial whose folds are being held out.
type holding struct {
	t    *trial
	hold func(f int) error
	next []int       // folds to hold out
	goOn func() bool // whether the other folds follow; nil for no
	then func()
}

// begin holds the largest fold out in the next steps, and then the others if goOn says so.
func (s *Searcher) begin(t *trial, hold func(f int) error, goOn func() bool, then func()) {
	s.holding = &holding{t, hold, []int{s.largest}, goOn, then}
}

// others returns the folds that are not done.
func (s *Searcher) others(t *trial) (folds []int) {
	for f := range solve.FoldCount {
		if !t.done[f] && s.held[f] > 0 {
			folds = append(folds, f)
		}
	}
	return folds
}

// holdSome holds one fold out, or as many as there are goroutines.
func (s *Searcher) holdSome() error {
	h := s.holding
	folds := h.next[:min(len(h.next), s.threads)]
	errs := make([]error, len(folds))
	solve.Share(len(folds), s.threads, func(i int) { errs[i] = h.hold(folds[i]) })
	for i, f := range folds {
		if errs[i] != nil {
			return errs[i]
		}
		h.t.done[f] = true
	}
	s.settle(h.t)
	if h.next = h.next[len(folds):]; len(h.next) == 0 && h.goOn != nil {
		if h.goOn() {
			h.next = s.others(h.t)
		}
		h.goOn = nil
	}
	if len(h.next) == 0 {
		s.holding = nil
		s.units++
		h.then()
	}
	return nil
}

// try begins to fit a candidate, to the largest fold first. It is given up where that shows it to be far behind.
func (s *Searcher) try(c candidate, then func(t *trial)) error {
	t, form := s.newTrial(c), s.forms[c.form]
	rows := unitRows(form.rows, form.width, c.unit)
	t.gammas[solve.FoldCount] = s.gammaOf(&t.candidate, c.gamma, rows, form.width, -1)
	Z, m, err := s.features(&t.candidate, t.gammas[solve.FoldCount], rows, form.width)
	if err != nil {
		return err
	}
	D, sums, gram := len(Z)/s.n, &foldSums{}, []float64(nil)
	if s.n-s.held[s.largest] < D { // and of other folds at most a few rows more
		gram = gramOf(Z, s.n, D)
	}
	s.begin(t, func(f int) error {
		h, err := s.fit(Z, D, f, len(s.shares(t)), gram, func() (*System, error) {
			return sums.outside(&s.searchSample, Z, D, f)
		})
		if err != nil {
			return err
		}
		h.m = m
		t.gammas[f], t.fits[f] = t.gammas[solve.FoldCount], h
		s.holdAll(t, h, Z)
		return nil
	}, func() bool { return !s.hopeless(t) }, func() { then(t) })
	return nil
}

// The λ that are tried: on the first fold every third and then those near the best of them, and on the others only
// these. A first fold of surelyRows rows is enough to choose λ by itself.
const (
	surelyRows = 200
	coarse     = 3
	nearFew    = 6
	nearMany   = 2
)

// shares returns the indices of the λ to try on the next fold.
func (s *Searcher) shares(t *trial) []int {
	if t.seen != nil {
		return t.seen
	}
	var all []int
	for share := 0; share < shareCount; share += coarse {
		all = append(all, share)
	}
	return all
}

// holdAll adds the errors of a fit on its fold. The first fold says which λ the others try.
func (s *Searcher) holdAll(t *trial, h *heldFit, Z []float32) {
	if t.seen != nil {
		if s.hold(t, h, Z, t.seen); !s.few() {
			h.keepOnly(t.best)
		}
		return
	}
	shares := s.shares(t)
	s.hold(t, h, Z, shares)
	t.done[h.fold], t.seen = true, shares
	s.settle(t)
	near, step := nearMany, 1
	if s.few() {
		near = nearFew
	}
	if s.K > 4 { // the errors change little from one λ to the next
		step = coarse
	}
	from, to := max(0, t.best-near), min(shareCount-1, t.best+near)
	if step > 1 {
		from = t.best - min(near, t.best)/step*step
	}
	t.seen = nil
	var more []int
	for share := from; share <= to; share += step {
		t.seen = append(t.seen, share)
		if share%coarse != 0 {
			more = append(more, share)
		}
	}
	s.hold(t, h, Z, more)
	s.settle(t)
	if !s.few() {
		t.seen = []int{t.best}
		h.keepOnly(t.best)
	}
}

// few reports whether a fold has too few rows to choose by itself.
func (s *Searcher) few() bool { return s.held[s.largest] < surelyRows }

// raceRows is the least number of rows of a fold that can show a candidate to be far behind: by three standard errors.
const raceRows = 100

func (s *Searcher) hopeless(t *trial) bool {
	if s.lead == nil || s.held[s.largest] < raceRows {
		return false
	}
	mean, se := s.behind(t, s.lead)
	return mean > 3*se
}

// complete reports whether all folds are done.
func (s *Searcher) complete(t *trial) bool { return t.rows == s.n }

// keep takes a trial into the report, and as the lead if it is better.
func (s *Searcher) keep(t *trial) {
	t.losses = nil
	s.tried = append(s.tried, t)
	if s.complete(t) && (s.lead == nil || t.mean < s.lead.mean) {
		s.lead = t
	}
}
