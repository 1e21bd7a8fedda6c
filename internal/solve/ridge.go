package solve

import (
	"math"
	"strconv"

	"tensorsketch.example/internal/engine/matrix"
	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
)

// RidgeOptions say how Ridge fits. The zero value chooses alpha by itself and fits an intercept.
type RidgeOptions struct {
	// Alpha is λ of Ridge; 0 chooses it from the path.
	Alpha float64
	// NoIntercept leaves the intercept out; without it, the intercept is fitted and not penalised.
	NoIntercept bool
	// Noisy is for sums with noise of package privacy. The intercept of classes is 0 and of targets
	// System.Middle, since a noisy mean would do more harm, and Alpha is doubled for as long as the
	// equations cannot be solved with it. Alpha must be given.
	Noisy bool
	// The path has Count values of λ, at equal ratios from Low to High times Σ ‖z‖², the sum over
	// rows of the squared lengths of their features. For Moments on a grid of 16 bits the features count
	// from their means, unless NoIntercept. Zeros mean 53 values from 1e-11 to 1e2.
	Low, High float64
	Count     int
	// Folds are parts of the rows to be held out, one at a time, and Fold returns the sums of one,
	// 0 … Folds − 1: see Moments.HoldOut.
	Folds int
	Fold  func(i int) *System

	plain   bool // the parameters need not be counted
	centred bool // the path is of the features less their means
}

// MaxPath is the maximum length of a path.
const MaxPath = 1000

// The path where RidgeOptions do not say another.
const (
	pathLow   = 1e-11
	pathHigh  = 1e2
	pathCount = 53
)

// A PathPoint is one λ of the path.
type PathPoint struct {
	Alpha   float64
	DF      float64 // effective number of parameters, the intercept included; with folds their mean
	Score   float64 // what is made small: per row, with all targets added up; 0 if it is not defined
	Allowed bool    // whether this λ may be chosen
}

// A RidgeReport says how a model was fitted.
type RidgeReport struct {
	Rows        float64
	Alpha       float64
	Rule        string      // RuleGiven, RuleCrossValidation, RuleHeldOut or RuleNoise
	DF          float64     // effective number of parameters at Alpha, the intercept included
	Path        []PathPoint // in ascending order of Alpha; nil if Alpha was given
	TrainError  float64     // mean of squared errors on the rows themselves, all targets added up
	HeldOut     float64     // the same on the rows held out, if Rule is RuleHeldOut
	HeldOutRows float64     // their number
	FewRows     bool        // n ≤ D: the features fit any targets if λ is small
	AtEnd       int         // −1 if alpha is the first value of the path, 1 if it is the last, else 0
}

// Ridge fits K linear functions of D features from a System:
//
//	minimise Σ_rows (t − b − w·z)² + λ·‖w‖² over w and b, for each target t.
//
// So λ, or alpha, means what it means for scikit-learn's Ridge: it is not divided by the number of
// rows. The intercept b is not penalised. With classes, t is ±1, one class against all others: RLSC
// (Rifkin, Yeo & Poggio, Regularized least-squares classification, 2003); the class with the highest
// score wins.
//
// With the means taken off, (A + λI)·w = b (see centred). Each λ of the path costs O(D·K) operations
// after A is in tridiagonal form. The fit at the chosen λ is by Cholesky's factor, so that it is the
// same, bit for bit, if that alpha is given; it is also 4 to 20 times as exact as one from the
// tridiagonal form, and one step of refinement, with residuals in float64, made it worse.
//
// The score of λ is the squared error on folds held out, of all targets or codes of classes, if there are
// folds with rows. Else it is generalised cross-validation (Golub, Heath & Wahba, Technometrics
// 21, 1979), n·‖t − fit‖²/(n − df)², and λ with df > n/2 are not allowed: the score means little
// there. Among equal scores the largest λ wins.
type Ridge struct {
	system    *System
	options   RidgeOptions
	intercept bool
	fixed     float64 // the intercept that is not fitted
	stage     int
	fold      int     // of stageFold
	done      float64 // weight of the finished stages
	total     float64
	report    RidgeReport
	trace     float64 // Σ ‖z‖²
	a         []float64
	path      *Path
	training  *System
	held      *System
	point     int       // the value of the path to score next
	folds     []float64 // see Folds
	foldRows  float64
	problem   *Centred
	factor    *matrix.Cholesky
	inverse   *matrix.InverseTrace
	w         []float64 // D × K
	solved    int       // columns of w that are there
	linear    *Linear
}

// The stages of a fit.
const (
	stageFold   = iota // choose λ by folds
	stageHeld          // the errors of a fold
	stagePath          // choose λ by cross-validation
	stageFactor        // factor A + λI
	stageDF            // count parameters
	stageEnd
)

// pathWork is about the number of operations on the path that a step does.
const pathWork = 1 << 20

// NewCentredRidge is NewRidge with a path of the features less their means.
func NewCentredRidge(s *System, o RidgeOptions) (*Ridge, error) {
	o.centred = true
	return NewRidge(s, o)
}

// NewPlainRidge is NewRidge that does not count parameters.
func NewPlainRidge(s *System, o RidgeOptions) (*Ridge, error) {
	o.plain = true
	return NewRidge(s, o)
}

// NewRidge begins a fit. It keeps s, which must not change meanwhile.
//
// The error is a *sketch.Error with code ErrParam, for options out of range, or ErrNonFinite or
// ErrShape for a System that is none.
func NewRidge(s *System, o RidgeOptions) (*Ridge, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if s.K == 0 {
		return nil, sketch.ErrParam.New("y", "", "be given: these sums have no classes and no targets")
	}
	if err := o.complete(); err != nil {
		return nil, err
	}
	r := &Ridge{system: s, options: o, intercept: !o.NoIntercept && !o.Noisy}
	if o.Noisy {
		around := *s // its targets count from Middle
		around.Middle = 0
		r.system, r.fixed = &around, s.Middle
	}
	for i := range s.D {
		r.trace += s.G[i*s.D+i]
		if o.centred && r.intercept {
			r.trace -= float64(s.Z[i]*s.Z[i]) / s.Rows
		}
	}
	r.report = RidgeReport{Rows: s.Rows, Alpha: o.Alpha, Rule: RuleGiven, FewRows: s.Rows <= float64(s.D)}
	r.stage = stageFactor
	switch {
	case o.Noisy:
		r.report.Rule = RuleNoise
	case o.Alpha == 0:
		r.report.Rule, r.stage = RuleCrossValidation, stagePath
		r.report.Path = o.path(r.trace, s.Rows)
		if o.Folds > 0 && o.Fold != nil {
			r.report.Rule, r.stage = RuleHeldOut, stageFold
			r.folds = make([]float64, o.Folds*(1+o.Count*(1+s.K)))
		}
	}
	switch r.report.Rule {
	case RuleGiven, RuleNoise:
		r.total = r.factorWork() + 1
	case RuleCrossValidation:
		r.total = r.formWork() + r.factorWork()
	case RuleHeldOut:
		r.total = r.formWork()*float64(o.Folds) + r.factorWork() + 1
	}
	return r, nil
}

// formWork and factorWork return the operations that forming and factoring the equations take.
func (r *Ridge) formWork() float64 {
	form, targets := (&Centred{D: r.system.D, K: r.system.K}).formWork()
	return form + targets
}

func (r *Ridge) factorWork() float64 {
	factor, targets := (&Centred{D: r.system.D, K: r.system.K}).factorWork()
	return factor + targets
}

// complete fills in what was left out, or returns an error.
func (o *RidgeOptions) complete() error {
	if !(o.Alpha >= 0) || math.IsInf(o.Alpha, 0) {
		return sketch.ErrParam.New("alpha", portable.FormatNumber(o.Alpha), "be a number ≥ 0, and 0 to choose it")
	}
	if o.Noisy && o.Alpha == 0 {
		return sketch.ErrParam.New("alpha", "0", "be given for sums with noise: what is scored on the path is not known")
	}
	if o.Low == 0 {
		o.Low = pathLow
	}
	if o.High == 0 {
		o.High = pathHigh
	}
	if o.Count == 0 {
		o.Count = pathCount
	}
	if !(o.Low > 0) || o.Low < 0x1p-200 {
		return sketch.ErrParam.New("alphaRange[0]", portable.FormatNumber(o.Low), "be a number > 0")
	}
	if !(o.High >= o.Low) || o.High > 0x1p200 {
		return sketch.ErrParam.New("alphaRange[1]", portable.FormatNumber(o.High),
			"be a number from alphaRange[0] = "+portable.FormatNumber(o.Low)+" to 2^200")
	}
	if o.Count < 1 || o.Count > MaxPath {
		return sketch.ErrParam.New("alphaCount", strconv.Itoa(o.Count), "be from 1 to "+strconv.Itoa(MaxPath))
	}
	return nil
}

// path returns the values of λ, in ascending order.
func (o *RidgeOptions) path(trace, rows float64) []PathPoint {
	if !(trace > 0) { // no features but 0
		trace = max(1, rows)
	}
	points := make([]PathPoint, o.Count)
	for i := range points {
		points[i].Alpha = float64(trace * o.share(i))
	}
	return points
}

// share returns the value of the path at i over Σ ‖z‖². By default there are four in a decade, those from 1e-8 on to
// the bit as they were when the path began there.
func (o *RidgeOptions) share(i int) float64 {
	const low, before = 1e-8, 12
	switch {
	case o.Low != pathLow || o.High != pathHigh || o.Count != pathCount:
		return Between(o.Low, o.High, i, o.Count-1)
	case i < before:
		return Between(o.Low, low, i, before)
	}
	return Between(low, o.High, i-before, o.Count-1-before)
}

// Between returns low·(high/low)^(i/n), and the ends themselves.
func Between(low, high float64, i, n int) float64 {
	switch i {
	case 0:
		return low
	case n:
		return high
	}
	return low * portable.Exp(portable.Log(high/low)*float64(i)/float64(n))
}

// Validate returns an error if lengths do not fit or a number is not finite.
func (s *System) Validate() error {
	for _, c := range []struct {
		name      string
		values    []float64
		want      int
		mayBeNone bool
	}{
		{"system.G", s.G, s.D * s.D, false}, {"system.Z", s.Z, s.D, false}, {"system.B", s.B, s.K * s.D, false},
		{"system.T", s.T, s.K, false}, {"system.TT", s.TT, s.K, false}, {"system.Counts", s.Counts, s.K, true},
		{"system.Rows", []float64{s.Rows}, 1, false},
	} {
		if len(c.values) != c.want && !(c.mayBeNone && c.values == nil) {
			return sketch.ErrShape.New(c.name, strconv.Itoa(len(c.values)), "hold "+strconv.Itoa(c.want)+" numbers")
		}
		for _, v := range c.values {
			if v-v != 0 {
				return sketch.ErrNonFinite.New(c.name, portable.FormatNumber(v), "be finite")
			}
		}
	}
	if !(s.Rows >= 1) {
		return sketch.ErrParam.New("rows", portable.FormatNumber(s.Rows), "be at least 1: add rows before fitting")
	}
	return nil
}

// Step does some milliseconds of work. It returns how much of all is done, from 0 to 1, and true
// after the last step. The error is a *sketch.Error with code ErrParam: it names alpha, or all of the
// path, where A + λI is not positive definite as far as rounding errors let it be known.
func (r *Ridge) Step() (done float64, finished bool, err error) {
	part := 0.0
	switch r.stage {
	case stageFold:
		part, err = r.stepFold()
	case stageHeld:
		part = r.stepHeld()
	case stagePath:
		part, err = r.stepPath()
	case stageFactor:
		part, err = r.stepFactor()
	case stageDF:
		part = r.stepDF()
	}
	if err != nil {
		return 0, false, err
	}
	if r.stage == stageEnd {
		return 1, true, nil
	}
	return min(1, (r.done+part)/r.total), false, nil
}

// Linear returns the model after the last step, and nil before.
func (r *Ridge) Linear() *Linear { return r.linear }

// Report returns how the model was fitted, after the last step.
func (r *Ridge) Report() RidgeReport { return r.report }

// FitRidge does all steps of a fit.
func FitRidge(s *System, o RidgeOptions) (*Linear, RidgeReport, error) {
	r, err := NewRidge(s, o)
	if err != nil {
		return nil, RidgeReport{}, err
	}
	for {
		if _, finished, err := r.Step(); err != nil {
			return nil, RidgeReport{}, err
		} else if finished {
			return r.linear, r.report, nil
		}
	}
}

// stepPath scores the path by cross-validation.
func (r *Ridge) stepPath() (part float64, err error) {
	D, K, n := r.system.D, r.system.K, r.system.Rows
	if r.path == nil {
		if r.a == nil {
			r.a = make([]float64, D*D)
		}
		r.path = NewPath(Centre(r.system, r.intercept, r.a))
	}
	if r.path.ready < K {
		r.path.Step()
		return r.formWork() * r.path.done(), nil
	}
	for work := 0; work < pathWork && r.point < len(r.report.Path); work += D * (30 + 12*K) {
		point := &r.report.Path[r.point]
		r.point++
		df, ok := r.path.Factor(point.Alpha)
		if !ok {
			continue
		}
		point.DF = df + r.own()
		free := n - point.DF
		if free > n*0x1p-40 {
			point.Score = r.path.residual(point.Alpha) / float64(free*free)
		}
		point.Allowed = point.DF <= n/2
	}
	if r.point < len(r.report.Path) {
		return r.formWork(), nil
	}
	r.path = nil
	return 0, r.chosen(r.formWork())
}

// own is the number of parameters that are not weights.
func (r *Ridge) own() float64 {
	if r.intercept {
		return 1
	}
	return 0
}

// chosen takes the allowed λ with the smallest score, of equals the largest. Where none is allowed,
// it takes the largest that is well conditioned.
func (r *Ridge) chosen(weight float64) error {
	best := -1
	points := r.report.Path
	for i := len(points) - 1; i >= 0; i-- {
		if points[i].Allowed && (best < 0 || points[i].Score < points[best].Score) {
			best = i
		}
	}
	for i := len(points) - 1; i >= 0 && best < 0; i-- {
		if points[i].DF > 0 {
			best = i
		}
	}
	if best < 0 {
		return tooSmall(points[len(points)-1].Alpha, r.system)
	}
	switch best {
	case 0:
		r.report.AtEnd = -1
	case len(points) - 1:
		r.report.AtEnd = 1
	}
	r.report.Alpha, r.report.DF = points[best].Alpha, points[best].DF
	if r.report.Rule == RuleHeldOut {
		r.report.HeldOut, r.report.HeldOutRows = points[best].Score, r.foldRows
	}
	r.done += weight
	r.stage = stageFactor
	return nil
}

func tooSmall(alpha float64, s *System) error {
	return sketch.ErrParam.New("alpha", portable.FormatNumber(alpha), "be larger: with "+strconv.Itoa(s.D)+
		" features of "+portable.FormatNumber(s.Rows)+" rows, the equations cannot be solved at this λ")
}

// stepFactor solves the equations at the chosen λ.
func (r *Ridge) stepFactor() (part float64, err error) {
	s, alpha := r.system, r.report.Alpha
	D, K := s.D, s.K
	if r.factor == nil {
		r.problem = Centre(s, r.intercept, r.a)
		r.a = r.problem.A
		for i := range D {
			r.a[i*D+i] += alpha
		}
		r.factor, r.w = matrix.NewCholesky(r.a, D), make([]float64, D*K)
	}
	factor, targets := r.problem.factorWork()
	if !r.factor.Step() {
		return factor * r.factor.Done(), nil
	}
	if r.factor.Failed() >= 0 {
		if r.options.Noisy && alpha < math.MaxFloat64/4 {
			r.report.Alpha, r.factor = 2*alpha, nil
			return 0, nil
		}
		return 0, tooSmall(alpha, s)
	}
	count := min(atOnce(D), K-r.solved)
	w := r.problem.Columns(r.solved, count)
	r.factor.Solve(w, count)
	for j := range D {
		copy(r.w[j*K+r.solved:], w[j*count:][:count])
	}
	r.solved += count
	if r.solved < K {
		return factor + targets*float64(r.solved)/float64(K), nil
	}
	r.finish(alpha)
	r.done += r.factorWork()
	r.stage = stageEnd
	if r.report.Rule != RuleCrossValidation && !r.options.plain {
		r.stage, r.inverse = stageDF, r.factor.InverseTrace()
	}
	return 0, nil
}

// finish makes the model of the weights.
func (r *Ridge) finish(alpha float64) {
	s := r.system
	D, K := s.D, s.K
	l := &Linear{D: D, K: K, Weights: matrix.Transpose(r.w, D, K), Intercept: make([]float64, K)}
	squares := 0.0
	for k := range K {
		inner, square, mean := 0.0, 0.0, 0.0
		for j, w := range l.Weights[k*D:][:D] {
			inner += float64(r.problem.B[j*K+k] * w)
			square += float64(w * w)
			mean += float64(w * s.Z[j])
		}
		squares += max(0, r.problem.yy[k]-inner-float64(alpha*square))
		l.Intercept[k] = r.fixed
		if r.intercept {
			l.Intercept[k] = (s.T[k]-mean)/s.Rows + s.Middle
		}
	}
	r.report.TrainError = squares / s.Rows
	r.linear, r.w = l, nil
}

// stepDF counts the parameters: df = tr A(A + λI)⁻¹ = D − λ·tr (A + λI)⁻¹.
func (r *Ridge) stepDF() (part float64) {
	if !r.inverse.Step() {
		return r.inverse.Done()
	}
	df := float64(r.system.D) - float64(r.report.Alpha*r.inverse.Trace())
	r.report.DF = max(0, df) + r.own()
	r.done++
	r.stage = stageEnd
	return 0
}
