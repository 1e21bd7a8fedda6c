package learn

import (
	"math"

	"tensorsketch.example/sketch"
)

// A Searcher chooses the preparation and the map for rows and their targets.
//
// Each candidate is fitted to at most SearchRows rows with 512 features, and the squared error of ridge regression on
// five parts held out in turn decides, with λ the best of 34 for each candidate. Equal rows share a part. Of equal
// errors the earlier candidate wins. A candidate that is more than three standard errors behind on the first part is
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
	kinds    []Kind
	targets  Targets
	others   []int // rows, in the order of the seed
	outside  []int // rows that are held out of all choices
	list     []candidate
	next     int // of the list
	forms    map[string]*formRows
	tried    []*trial
	lead     *trial    // the best whose folds are all done
	bases    [2]*trial // the best candidates of weighted, on which column weights build
	begun    int       // of weighted
	weighing *weighing
	steps    int

	barredOnes []Candidate // that do not apply
	spec       Spec
	report     *Candidates
}

// formRows are the rows of the sample in one form.
type formRows struct {
	rows        []float32 // n × width
	width       int
	preparation *Preparation
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
	if m, err = sketch.NewFeatureMap(s.params(c, gamma, width, searchComponents)); err != nil {
		return nil, nil, err
	}
	m.SetGoroutines(s.threads)
	Z, err = m.TransformRows(nil, sketch.Dense(rows))
	m.SetGoroutines(1)
	return Z, m, err
}

// add returns the sums of the rows of the sample that keep allows.
func (s *searchSample) add(Z []float32, D int, grid Grid, keep func(fold uint8) bool) (*System, error) {
	g := s.grid
	g.Step, g.Limit, g.Finer = grid.Step, grid.Limit, grid.Finer
	m, err := NewMoments(Shape{NComponents: D, Classes: s.shape.Classes, Targets: s.shape.Targets}, g, 0)
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
	if err := m.AddFeatures(Z, s.classes, y, weights); err != nil {
		return nil, err
	}
	system := m.System()
	if s.classes != nil {
		system.Counts = nil
		system.K, system.B, system.T, system.TT = s.K, system.B[:s.K*D], system.T[:s.K], system.TT[:s.K]
	}
	return system, nil
}

// newTrial returns a trial of no folds.
func (s *Searcher) newTrial(c candidate) *trial {
	t := &trial{candidate: c, losses: make([]float64, s.n*shareCount), right: make([]uint8, s.n*shareCount)}
	step := 1
	if s.K > 4 { // the errors change little from one λ to the next
		step = 3
	}
	for share := 0; share < shareCount; share += step {
		t.seen = append(t.seen, share)
	}
	return t
}

// try fits a candidate, to the largest fold first. It is given up where that shows it to be far behind.
func (s *Searcher) try(c candidate) (*trial, error) {
	t, form := s.newTrial(c), s.forms[c.form]
	rows := unitRows(form.rows, form.width, c.unit)
	t.gammas[foldCount] = s.gammaOf(&t.candidate, c.gamma, rows, form.width, -1)
	Z, m, err := s.features(&t.candidate, t.gammas[foldCount], rows, form.width)
	if err != nil {
		return nil, err
	}
	D := len(Z) / s.n
	grid, parts := GridFor(Z, D), [foldCount]*System{}
	var all *System
	if s.n-s.held[s.largest] >= D {
		for f := range foldCount {
			if parts[f], err = s.add(Z, D, grid, func(fold uint8) bool { return int(fold) == f }); err != nil {
				return nil, err
			}
		}
		all = sumSystems(parts[:])
	}
	return t, s.eachFold(t, func(f int) error {
		if all == nil && s.n-s.held[f] >= D {
			var err error
			if all, err = s.add(Z, D, grid, func(uint8) bool { return true }); err != nil {
				return err
			}
		}
		h := s.fit(Z, D, f, func(f int) (*System, *System) { return all, parts[f] })
		h.m = m
		t.gammas[f], t.fits[f] = t.gammas[foldCount], h
		s.hold(t, h, Z)
		return nil
	})
}

// sumSystems adds up sums.
func sumSystems(parts []*System) *System {
	total := *parts[0]
	for _, p := range parts[1:] {
		none := System{G: make([]float64, len(p.G)), Z: make([]float64, len(p.Z)), B: make([]float64, len(p.B)),
			T: make([]float64, len(p.T)), TT: make([]float64, len(p.TT))}
		minus := without(&none, p)
		minus.Rows = -p.Rows
		total = *without(&total, minus)
	}
	return &total
}

// eachFold calls hold for the largest fold, and for the others unless that shows the trial to be far behind the lead.
func (s *Searcher) eachFold(t *trial, hold func(f int) error) error {
	if err := hold(s.largest); err != nil {
		return err
	}
	t.done[s.largest] = true
	s.settle(t)
	if s.hopeless(t) {
		return nil
	}
	return s.otherFolds(t, hold)
}

func (s *Searcher) otherFolds(t *trial, hold func(f int) error) error {
	var others []int
	for f := range foldCount {
		if !t.done[f] && s.held[f] > 0 {
			others = append(others, f)
		}
	}
	errs := make([]error, len(others))
	share(len(others), s.threads, func(i int) { errs[i] = hold(others[i]) })
	for i, f := range others {
		if errs[i] != nil {
			return errs[i]
		}
		t.done[f] = true
	}
	s.settle(t)
	return nil
}

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
