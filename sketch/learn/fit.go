package learn

import (
	"math"
	"slices"
	"strconv"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
)

// A Head is a Model without its map and its labels.
type Head struct {
	Linear      *Linear
	Calibration *Calibration // nil for regression, and where no rows were held out
	Conformal   *Conformal   // nil where no kept rows were held out
	Alpha       float64
	Report      Report
}

// A MomentsFit fits a Head to Moments: a ridge regression for all rows (Ridge), and with folds one
// more, at the same alpha, without each part that is held out. The scores that these give the rows
// held out make the calibration and the report.
//
// Where the moments keep rows (Moments.Keep), the scores of the kept ones become logarithms of odds (scoreFit), which
// are then the scores of the model of all rows. Without kept rows the calibration is what the sums allow (calibrate).
type MomentsFit struct {
	moments *Moments
	ridge   *solve.Ridge
	head    Head
	parts   []int // to be held out
	options RidgeOptions
	all     *System
	weight  float64 // of the fit of all rows, where a part held out has 1
	total   float64
	done    float64

	rows   float64   // and rows of each class, where each counts once
	counts []float64 // nil for regression
	extra  []float64 // how often more the rows of each class count (rareWeights), or nil

	held      *System // the part held out now
	rest      *System
	products  *scoreProducts
	sums      *scoreSums // of rows held out; of regression only Products
	heldRows  float64
	heldOut   int64   // rows, each counted once
	errors    float64 // Σ(t − s)²
	t, tt     []float64
	trouble   string // why there are no probabilities
	isFewEven bool   // alpha is chosen between fewLow and fewHigh
	restRidge *solve.Ridge

	kept   keptScores
	scores *scoreFit
	found  *CrossFitted
}

// CrossFitted are the kept rows of a fit, each with what a model of other rows says of it. Alpha is the same, and a few
// numbers of the probabilities come from these rows.
type CrossFitted struct {
	K       int
	Scores  []float64 // probabilities of classes, or numbers, n × K
	Classes []int32   // n, or nil
	Targets []float64 // n × K, or nil
}

// CrossFitted returns the kept rows after the last step, or nil where too few are kept.
func (f *MomentsFit) CrossFitted() *CrossFitted { return f.found }

// More than foldedComponents features of at least oneFoldRows rows have their alpha chosen by the first fold alone: its
// thousand rows are enough, and the path of another fold takes about 4/3·D³ products. So have foldedComponents features
// of at least oneFoldOfMany rows.
const (
	foldedComponents = 1024
	oneFoldRows      = 5000
	oneFoldOfMany    = 40000
)

func isOneFold(D int, rows float64) bool {
	return rows >= oneFoldOfMany && D >= foldedComponents || rows >= oneFoldRows && D > foldedComponents
}

// NewMomentsFit begins a fit. It keeps m, which must not change meanwhile. Folds and Fold of the
// options are not used: the parts of m are the folds.
//
// The error is a *sketch.Error with code ErrParam, which names the option, "rows" or "classes".
func NewMomentsFit(m *Moments, o RidgeOptions) (*MomentsFit, error) {
	o.Folds, o.Fold = 0, nil
	m = m.Spread()
	if m.Shape().Targets > 0 || m.Grid().Limit != 0 { // files of before give what they gave
		m.HoldOut(&o)
	}
	f := &MomentsFit{moments: m}
	system := m.System()
	if isOneFold(system.D, system.Rows) {
		o.Folds = min(o.Folds, 1)
	}
	if system.Counts != nil {
		if err := checkCounts(system); err != nil {
			return nil, err
		}
	}
	if err := m.CheckRounding(); err != nil {
		return nil, err
	}
	f.head.Report = Report{Rows: int64(system.Rows), Clipped: m.Clipped()}
	for _, count := range system.Counts {
		f.head.Report.Counts = append(f.head.Report.Counts, int64(count))
	}
	f.rows, f.counts = system.Rows, slices.Clone(system.Counts)
	if f.extra = rareWeights(m, f.counts); f.extra != nil {
		f.head.Report.warn(rareWarning)
		for p := range m.Parts() {
			f.addRare(system, p)
		}
		o.Fold = func(i int) *System { return f.system(i) }
	}
	isChosen := o.Alpha == 0 && o.Low == 0 && o.High == 0 && m.Folds() == solve.FoldCount && m.KeepsAll()
	if f.isFewEven = isChosen && fewEven(f.counts); f.isFewEven {
		o.Low, o.High = fewLow, fewHigh
	}
	begin := solve.NewRidge
	if m.Grid().Limit != 0 {
		begin = solve.NewCentredRidge
	}
	ridge, err := begin(system, o)
	if err != nil {
		return nil, err
	}
	f.ridge, f.options, f.all, f.weight = ridge, o, system, 1+4*float64(max(1, o.Folds))
	if o.Alpha > 0 {
		f.weight = 1
	}
	switch m.Folds() {
	case 0:
	case 1:
		f.parts = []int{0}
	default:
		for p := range m.Parts() {
			f.parts = append(f.parts, p)
		}
	}
	f.total = f.weight + float64(len(f.parts))
	K := system.K
	f.sums, f.t, f.tt = newScoreSums(K), make([]float64, K), make([]float64, K)
	return f, nil
}

// checkCounts returns an error unless there are rows of two classes, and as many rows as classes.
func checkCounts(s *System) error {
	present := 0
	for _, count := range s.Counts {
		if count > 0 {
			present++
		}
	}
	switch {
	case s.Rows < 1:
		return sketch.ErrParam.New("rows", "0", "be at least 1: add rows before fitting")
	case present < 2:
		return sketch.ErrParam.New("classes", "rows of "+strconv.Itoa(present),
			"have rows of at least two: there is nothing to tell apart")
	case s.Rows < float64(s.K):
		return sketch.ErrParam.New("rows", portable.FormatNumber(s.Rows),
			"be at least as many as the classes, "+strconv.Itoa(s.K))
	}
	return nil
}

// Step does some milliseconds of work. It returns how much of all is done, from 0 to 1, and true
// after the last step. The errors are the errors of Ridge.
func (f *MomentsFit) Step() (done float64, finished bool, err error) {
	part := 0.0
	switch {
	case f.ridge != nil:
		part, err = f.stepRidge()
	case f.products != nil:
		part = f.stepProducts()
	case f.restRidge != nil:
		part = f.stepRest()
	case len(f.parts) > 0:
		f.beginPart()
	case f.scores != nil && !f.scores.step():
	default:
		if f.scores == nil && f.beginScores() {
			break
		}
		f.finish()
		return 1, true, nil
	}
	if err != nil {
		return 0, false, err
	}
	return min(1, (f.done+part)/f.total), false, nil
}

// Head returns the result after the last step, and nil before.
func (f *MomentsFit) Head() *Head {
	if f.moments != nil {
		return nil
	}
	return &f.head
}

// Folds is Ridge.Folds of the fit of all rows, and nothing after it.
func (f *MomentsFit) Folds() (numbers []float64, folds int) {
	if f.ridge == nil {
		return nil, 0
	}
	return f.ridge.Folds()
}

// stepRidge fits all rows.
func (f *MomentsFit) stepRidge() (part float64, err error) {
	part, finished, err := f.ridge.Step()
	if err != nil || !finished {
		return part * f.weight, err
	}
	r := f.ridge.Report()
	f.head.Linear, f.head.Alpha = f.ridge.Linear(), r.Alpha
	report := &f.head.Report
	report.Rule, report.DF = r.Rule, r.DF
	rounded := f.moments.Grid().Limit != 0 && f.moments.Hidden() >= r.Alpha // so that less changes nothing
	if f.isFewEven {
		report.warn(fewEvenWarning)
	} else if r.AtEnd > 0 && r.Rule != solve.RuleGiven || r.AtEnd < 0 && !rounded {
		report.warn(endWarning(r))
	}
	if r.FewRows {
		report.warn("there are no more rows than features, " + strconv.FormatInt(report.Rows, 10) + " and " +
			strconv.Itoa(f.head.Linear.D) + ": the fit hangs on alpha")
	}
	if report.Clipped > 0 {
		report.warn(strconv.FormatInt(report.Clipped, 10) + " features were cut because they are beyond the grid: " +
			"state a larger radius")
	}
	isBefore := f.moments.Grid().Limit == 0 // such files say what they said
	costs := isBefore || moreCosts(r.Path, r.Alpha, f.moments.Hidden())
	if text := f.moments.RoundingWarning(f.head.Alpha); text != "" && costs {
		report.warn(text)
	}
	f.ridge = nil
	f.done += f.weight
	return 0, nil
}

// leastCost is the share of the targets' variance that has to be at stake for a warning of rounding.
const leastCost = 5e-4

// moreCosts reports whether as much alpha again as rounding acts like would cost something on rows held out. Rounding
// itself has cost more than that, but not much more where this is next to nothing: the error falls to its least with
// ever smaller alphas, by less and less.
func moreCosts(path []solve.PathPoint, alpha, hidden float64) bool {
	return len(path) == 0 ||
		scoreAt(path, alpha+hidden)-scoreAt(path, alpha) > float64(leastCost*path[len(path)-1].Score)
}

// scoreAt returns the score of the first alpha of a path that is not below one, or of the last.
func scoreAt(path []solve.PathPoint, alpha float64) (score float64) {
	for i := range path {
		if score = path[i].Score; path[i].Alpha >= alpha && score > 0 {
			break
		}
	}
	return score
}

// endWarning says what an alpha at an end of the path means.
func endWarning(r solve.RidgeReport) string {
	tried := "the values of alpha that were tried, " + portable.FormatNumber(r.Alpha)
	if r.AtEnd > 0 {
		return "the largest of " + tried + ", fits best: these features say little about the rows held out"
	}
	return "the smallest of " + tried + ", fits best: a smaller one may fit better (alphaRange, on the command line " +
		"--alpha-range)"
}

// fewEvenWarning says that alpha was chosen between fewLow and fewHigh.
const fewEvenWarning = "of fewer than 25 rows, alpha was tried from 0.03 to 0.3 of the sum of squares alone " +
	"(alphaRange, on the command line --alpha-range)"

func (r *Report) warn(text string) { r.Warnings = append(r.Warnings, text) }

// beginPart begins the fit without the next part.
func (f *MomentsFit) beginPart() {
	p, m := f.parts[0], f.moments
	others := make([]int, 0, m.Parts())
	for i := range m.Parts() {
		if i != p {
			others = append(others, i)
		}
	}
	f.held, f.rest = f.system(p), f.system(others...)
	if f.held.Rows == 0 || f.rest.Rows == 0 {
		f.endPart()
		return
	}
	ridge, err := solve.NewPlainRidge(f.rest, RidgeOptions{Alpha: f.head.Alpha, NoIntercept: f.options.NoIntercept})
	if err != nil {
		f.fail(err)
		return
	}
	f.restRidge = ridge
}

func (f *MomentsFit) endPart() {
	f.parts = f.parts[1:]
	f.held, f.rest, f.restRidge, f.products = nil, nil, nil, nil
	f.done++
}

// fail gives up what is held out: the model itself stands.
func (f *MomentsFit) fail(err error) {
	f.trouble = err.Error()
	f.endPart()
	f.parts = nil
}

// stepRest fits the rows that are not held out.
func (f *MomentsFit) stepRest() (part float64) {
	part, finished, err := f.restRidge.Step()
	if err != nil {
		f.fail(err)
		return 0
	}
	if !finished {
		return 0.9 * part
	}
	l := f.restRidge.Linear()
	f.restRidge = nil
	intercept := make([]float64, l.K) // of t, which is y − Middle
	for k, b := range l.Intercept {
		intercept[k] = b - f.held.Middle
	}
	f.products = newScoreProducts(make([]float64, l.K*l.K), f.held, l, intercept)
	return 0.9
}

// stepProducts takes the scores of the rows held out.
func (f *MomentsFit) stepProducts() (part float64) {
	if !f.products.step() {
		return 0.9 + 0.1*float64(f.products.row)/float64(f.products.l.D)
	}
	h, p := f.held, f.products
	for k, b := range p.intercept {
		inner := solve.Dot(p.l.Weights[k*h.D:(k+1)*h.D], h.B[k*h.D:(k+1)*h.D]) + float64(b*h.T[k])
		f.errors += max(0, h.TT[k]-2*inner+p.to[k*h.K+k])
		f.t[k] += h.T[k]
		f.tt[k] += h.TT[k]
	}
	if h.Counts != nil {
		f.takeScores()
	} else {
		f.keepScores(p.l, nil)
	}
	f.heldRows += h.Rows
	f.heldOut += f.moments.PartRows(f.parts[0])
	f.endPart()
	return 0
}

// takeScores adds the scores of the part held out for the calibration.
//
// The calibration is used with the scores of the model of all rows. That model and this one have their intercepts from
// the means of other rows. So the scores are moved to where this one, too, is right on the mean of all:
//
//	b = t̄ − w·z̄ over all rows.
func (f *MomentsFit) takeScores() {
	l, all := f.products.l, f.all
	moved := make([]float64, l.K)
	if !f.options.NoIntercept {
		for k, b := range l.Intercept {
			moved[k] = (all.T[k]-solve.Dot(l.Weights[k*l.D:(k+1)*l.D], all.Z))/all.Rows - b
		}
	}
	held := newScoreSums(l.K)
	held.Products = f.products.to
	held.addClasses(f.held, l)
	if m := f.moments; m.IsPartCounted(f.parts[0]) {
		m.Buckets(&held.Buckets, f.parts[0])
	}
	f.sums.add(held, moved)
	f.keepScores(l, moved)
}

// finish makes the calibration and the report.
func (f *MomentsFit) finish() {
	report, classes := &f.head.Report, f.moments.Shape().Classes > 0
	spread := 0.0
	for k, t := range f.t {
		spread += f.tt[k] - float64(t*t)/max(1, f.heldRows)
	}
	if f.heldRows > 0 && spread > 0 {
		report.HeldOut = &HeldOutReport{Rows: f.heldOut, R2: 1 - f.errors/spread, Accuracy: math.NaN()}
	}
	if K := f.moments.Shape().Targets; len(f.kept.targets) >= leastIntervals*K && K > 0 && f.trouble == "" {
		unit := slices.Repeat([]float64{f.moments.Grid().TargetStep()}, K)
		f.head.Conformal = newConformal(f.kept.scores, nil, f.kept.targets, unit)
		f.found = &CrossFitted{K: K, Scores: f.kept.scores, Targets: f.kept.targets}
	}
	switch {
	case !classes || f.moments.Folds() == 0 || f.trouble != "":
	case f.scores != nil:
		if f.scores.certainty() == leastCertain {
			report.warn(chanceWarning)
		}
		f.head.Linear = f.scores.apply(f.head.Linear)
		f.head.Calibration = &Calibration{K: f.all.K, Clip: clipOf(f.rows, f.all.K)}
		p := f.scores.probabilities(f.head.Calibration)
		f.head.Conformal = newConformal(p, f.scores.classes, nil, nil)
		f.found = &CrossFitted{K: f.all.K, Scores: p, Classes: f.scores.classes}
	default:
		if f.moments.KeepShare() > 0 && !f.isFew() {
			report.warn(sumsWarning)
		}
		rest := newScoreSums(f.all.K)
		rest.Counts = solve.Difference(f.all.Counts, f.sums.Counts)
		calibration, err := calibrate(f.sums, rest)
		if err != nil {
			f.trouble = err.Error()
		}
		f.head.Calibration = calibration
		if f.sums.isFew() {
			report.warn(fewWarning)
		}
	}
	if f.trouble != "" {
		report.warn("no probabilities and no error held out: " + f.trouble)
	}
	if share := f.moments.ClumpShare(); share > 0 {
		report.warn(strconv.FormatInt(share, 10) + clumpWarning)
	}
	f.moments = nil
}

// clumpWarning says that equal rows rule the rows held out.
const clumpWarning = " % of the rows are equal and are held out together, so how sure this model is comes from " +
	"models that have not seen them: fit at most 8000 rows, with search or keep 1"

// sumsWarning says that probabilities come from sums.
const sumsWarning = "the probabilities are not calibrated: of these sums, fewer than 200 rows are known one by one, " +
	"so they are estimated from the sums alone"

// chanceWarning says that the rows held out hardly say how sure a model is.
const chanceWarning = "the rows held out are told apart no better than chance can, so the probabilities of every row " +
	"are moved half way to the shares of the classes: add rows"

// fewWarning says that the probabilities of a model say nothing of a row.
const fewWarning = "fewer than 8 distinct rows can be held out, so the probabilities of every row are the shares of " +
	"the classes: add rows, or hold out each in turn with folds 5"
