package learn

import (
	"math"
	"strconv"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn/prepare"
)

// Values of λ that FitHead tries: 10^-1, 10^-2 … 10^-7 times Σ ‖z‖², until two in a row are worse than the best. Other
// losses than the squared one have C = 1/(2λ).
const (
	rowsPath      = 7
	worseOnes     = 2
	pathTolerance = 1e-3 // the tolerance of these fits, where the loss takes Newton's method
)

// FitHead fits a Head in passes over rows: first to the rows that are not held out, for the report and
// the calibration, and from there to all rows. held has 1 for each row to hold out; nil holds out none.
// With LossSquared and Alpha 0 it chooses the λ with the least squared error on the rows held out, from
// seven values 10^-1 … 10^-7 times Σ ‖z‖². With another loss and C 0 it chooses C = 1/(2λ) by that loss, and C is 1
// where no rows are held out.
//
// The errors are FitRows' own, and alpha that must be given where no rows are held out. If Progress
// returns false, FitHead returns nil and no error.
func FitHead(p solve.Problem, data solve.RowData, held []uint8, o SolverOptions, run solve.RunOptions) (*Head, error) {
	f := &rowsFit{p: p, data: data, o: o, run: run, stages: 1}
	rest, err := f.split(held)
	if err != nil {
		return nil, err
	}
	f.head.Report.Rule = solve.RuleGiven
	alphas := []float64{p.Alpha}
	isSquared := p.Loss == LossSquared
	if isSquared && p.Alpha == 0 && rest == nil {
		return nil, sketch.ErrParam.New("alpha", "0",
			"be given where no rows are held out: there is nothing to choose it by")
	}
	if rest != nil && (isSquared && p.Alpha == 0 || !isSquared && p.C == 0) {
		if alphas, err = f.alphas(); err != nil {
			return nil, err
		}
		f.head.Report.Rule = solve.RuleHeldOut
	}
	if rest != nil {
		f.stages += len(alphas)
		if err := f.fitRest(rest, alphas); err != nil || f.stopped {
			return nil, err
		}
	}
	linear, solver, err := f.fit(data.Labels.Weights)
	if err != nil || f.stopped {
		return nil, err
	}
	f.finish(linear, solver)
	switch {
	case p.Classes == 0:
	case f.scores != nil:
		err = f.calibrate(rest)
	case f.isFew:
		f.useShares()
	}
	return &f.head, err
}

type rowsFit struct {
	p             solve.Problem
	data          solve.RowData
	o             SolverOptions
	run           solve.RunOptions
	held          []uint8
	stage, stages int
	stopped       bool
	done          float64 // that Progress was told
	head          Head
	scores        *heldScores // of the λ that is chosen
	isFew         bool        // rows are to be held out, and none can be
}

// counts reports whether a row counts.
func (f *rowsFit) counts(row int) bool {
	return f.data.Labels.Weights == nil || f.data.Labels.Weights[row] == 1
}

// split returns the weights of the rows that are not held out, or nil if the fit can do without: because
// none are to be held out, or because a class would have no other rows.
func (f *rowsFit) split(held []uint8) (rest []uint8, err error) {
	n, report := f.data.Source.Rows(), &f.head.Report
	if held != nil && len(held) != n {
		return nil, sketch.ErrShape.New("held", strconv.Itoa(len(held)), "hold one number per row, "+strconv.Itoa(n))
	}
	if err := f.p.Check(n, f.data.Labels); err != nil {
		return nil, err
	}
	if f.p.Classes > 0 {
		report.Counts = make([]int64, f.p.Classes)
	}
	rest, kept, out := make([]uint8, n), make([]int64, f.p.Classes), 0
	for i := range n {
		if !f.counts(i) {
			continue
		}
		report.Rows++
		if f.p.Classes > 0 {
			report.Counts[f.data.Labels.Classes[i]]++
		}
		if held != nil && held[i] == 1 {
			out++
			continue
		}
		rest[i] = 1
		if f.p.Classes > 0 {
			kept[f.data.Labels.Classes[i]]++
		}
	}
	if held == nil {
		return nil, nil
	}
	if out == 0 || int64(out) == report.Rows {
		f.isFew = true
		return nil, nil
	}
	for c, count := range kept {
		if count == 0 && report.Counts[c] > 0 {
			f.isFew = true
			return nil, nil
		}
	}
	f.held = held
	return rest, nil
}

// alphas returns the values of λ to try, in descending order.
func (f *rowsFit) alphas() ([]float64, error) {
	total := 0.0
	for from := 0; from < f.data.Source.Rows(); from += solve.BlockRows {
		X, err := f.data.Source.Read(from, min(from+solve.BlockRows, f.data.Source.Rows()))
		if err != nil {
			return nil, err
		}
		values := X.Dense
		if values == nil {
			values = X.Sparse.Data
		}
		for _, v := range values {
			total += float64(float64(v) * float64(v))
		}
	}
	if total == 0 {
		total = 1
	}
	alphas := make([]float64, rowsPath)
	for i := range alphas {
		total /= 10
		alphas[i] = total
	}
	return alphas, nil
}

// fit solves the problem for the rows with weight 1, and begins there the next time.
func (f *rowsFit) fit(weights []uint8) (*Linear, *solve.Solver, error) {
	run, data := f.run, f.data
	data.Labels.Weights = weights
	run.Progress = func(done float64) bool {
		f.done = max(f.done, (float64(f.stage)+done)/float64(f.stages))
		f.stopped = f.run.Progress != nil && !f.run.Progress(f.done)
		return !f.stopped
	}
	linear, solver, err := solve.FitRows(f.p, data, f.o, run)
	f.stage++
	if err == nil {
		f.o.Start = linear
	}
	return linear, solver, err
}

// fitRest fits the rows that are not held out, for each λ, and keeps what the best says of the others.
func (f *rowsFit) fitRest(rest []uint8, alphas []float64) error {
	best, chosen := math.Inf(1), 0
	var start *Linear
	tolerance := f.o.Tolerance
	if len(alphas) > 1 && f.p.Loss != LossSquared {
		f.o.Tolerance = max(tolerance, pathTolerance)
	}
	for i := 0; i < len(alphas) && i <= chosen+worseOnes; i++ {
		f.setAlpha(alphas[i])
		linear, _, err := f.fit(rest)
		if err != nil || f.stopped {
			return err
		}
		scores, err := f.score(linear, rest)
		if err != nil {
			return err
		}
		if scores.errors < best {
			best, chosen, start = scores.errors, i, linear
			f.take(scores)
		}
	}
	if f.scores == nil {
		return sketch.ErrParam.New("y", "", "be smaller: squares of errors are beyond float64")
	}
	f.setAlpha(alphas[chosen])
	f.o.Start, f.o.Tolerance, f.scores.linear, f.stage = start, tolerance, start, len(alphas)
	if len(alphas) > 1 && (chosen == 0 || chosen == len(alphas)-1) {
		name, value := "alpha", f.p.Alpha
		if f.p.Loss != LossSquared {
			name, value = "C", f.p.C
		}
		f.head.Report.warn(name + " is at the end of the values that were tried, " + portable.FormatNumber(value) +
			": give another " + name)
	}
	return nil
}

// setAlpha sets λ or, for other losses unless C is given, C = 1/(2λ).
func (f *rowsFit) setAlpha(alpha float64) {
	if f.p.Alpha = alpha; f.p.Loss != LossSquared && f.head.Report.Rule == solve.RuleHeldOut {
		f.p.C = 1 / (2 * alpha)
	}
}

// heldScores is what the scores of rows that are held out say.
type heldScores struct {
	held, rest     *scoreSums // of classes
	linear         *Linear
	rows, right    int64
	errors, spread float64 // errors by the loss
}

// score passes once over the rows.
func (f *rowsFit) score(l *Linear, rest []uint8) (*heldScores, error) {
	K, labels := l.K, &f.data.Labels
	s := &heldScores{held: newScoreSums(K), rest: newScoreSums(K)}
	t, tt := make([]float64, K), 0.0
	odds, logs := &Calibration{K: K}, make([]float64, K)
	err := f.eachScore(l, func(row int, own []float64) {
		if rest[row] == 1 {
			if labels.Classes != nil {
				s.rest.AddRows(own, labels.Classes[row:row+1])
			}
			return
		}
		s.rows++
		if labels.Classes != nil {
			s.held.AddRows(own, labels.Classes[row:row+1])
			if solve.Largest(own) == int(labels.Classes[row]) {
				s.right++
			}
			if f.p.Loss == LossLogistic {
				s.errors -= odds.LogProbabilities(logs, own)[labels.Classes[row]]
			}
		}
		for k, score := range own {
			target := -1.0
			if labels.Classes == nil {
				target = labels.Targets[row*K+k]
			} else if k == int(labels.Classes[row]) {
				target = 1
			}
			if f.p.Loss == LossSquared || f.p.Loss == LossSquaredHinge && target*score < 1 {
				s.errors += float64((target - score) * (target - score))
			}
			t[k] += target
			tt += float64(target * target)
		}
	})
	if err != nil {
		return nil, err
	}
	s.spread = tt
	for _, sum := range t {
		s.spread -= float64(sum*sum) / float64(s.rows)
	}
	return s, nil
}

// scoresOf appends the scores of n rows, dense or sparse.
func scoresOf(l *Linear, dst []float64, X solve.Features, n int) []float64 {
	if X.Dense != nil {
		return append(dst, l.Scores(nil, X.Dense)...)
	}
	for i := range n {
		from, to := X.Sparse.Indptr[i], X.Sparse.Indptr[i+1]
		for k := range l.K {
			s := l.Intercept[k]
			for at := from; at < to; at++ {
				s += float64(l.Weights[k*l.D+int(X.Sparse.Indices[at])] * float64(X.Sparse.Data[at]))
			}
			dst = append(dst, s)
		}
	}
	return dst
}

// take makes the report of scores.
func (f *rowsFit) take(s *heldScores) {
	f.head.Report.HeldOut = nil
	held := &HeldOutReport{Rows: s.rows, R2: math.NaN(), Accuracy: math.NaN()}
	if f.p.Loss == LossSquared && s.spread > 0 {
		held.R2 = 1 - s.errors/s.spread
	}
	if f.p.Classes > 0 {
		held.Accuracy = float64(s.right) / float64(s.rows)
	}
	if f.p.Classes > 0 || s.spread > 0 {
		f.head.Report.HeldOut = held
	}
	f.scores = s
}

// finish fills in what the fit of all rows says.
func (f *rowsFit) finish(linear *Linear, solver *solve.Solver) {
	h := &f.head
	h.Linear, h.Alpha = linear, f.p.Alpha
	if f.p.Loss != LossSquared {
		h.Alpha = 1 / (2 * f.p.Cost())
	}
	if f.p.Loss == LossLogistic {
		h.Calibration = &Calibration{K: f.p.Classes}
	}
	h.Report.Solver = &SolverReport{Converged: solver.Converged()}
	for _, c := range solver.Report() {
		h.Report.Solver.Iterations = max(h.Report.Solver.Iterations, c.Iterations)
		if c.Start > 0 {
			h.Report.Solver.Gradient = max(h.Report.Solver.Gradient, c.Gradient/c.Start)
		}
	}
	if !solver.Converged() {
		h.Report.warn("the solver had not converged after its last pass: a larger alpha, or a smaller C, may help")
	}
}

// RowsOptions say how FitModel fits. The zero value is ridge regression with a λ of its own choice.
type RowsOptions struct {
	Loss       string  // LossSquared if empty
	Alpha      float64 // λ of LossSquared; 0 chooses it
	C          float64 // of LossSquaredHinge and LossLogistic; 0 chooses it
	Tolerance  float64 // of SolverOptions
	MaxPasses  int     // of SolverOptions
	Passes     bool    // pass over the rows also where there are not too many features for moments
	Goroutines int
	// Progress is called now and then, with how much is done. If it returns false, the fit stops.
	Progress func(done float64) bool
}

// FitModel fits a model of any loss to rows in memory, with a linear model on the rows themselves beside
// it. What the spec leaves out comes from Prepare. The squared loss takes moments where there are at
// most MaxComponents features, and passes over the rows otherwise; so does the linear model for its
// columns. If Progress returns false, FitModel returns nil and no error.
func FitModel(spec Spec, X sketch.Rows, labels []Label, o RowsOptions) (*Model, error) {
	spec, err := Prepare(spec, X, labels)
	if err != nil {
		return nil, err
	}
	index := make(map[Label]int32, len(spec.Classes))
	spec.Classes = SortClasses(spec.Classes)
	for k, label := range spec.Classes {
		index[label] = int32(k)
	}
	rows := solve.RowLabels{Classes: make([]int32, len(labels))}
	for i, label := range labels {
		k, ok := index[label]
		if !ok {
			e := sketch.ErrParam.New("labels", label.String(), "be one of the classes that were given: add it to classes")
			e.Row = i
			return nil, e
		}
		rows.Classes[i] = k
	}
	return fitModel(spec, X, rows, o, func(l *Learner) error { return l.Add(X, labels, nil) })
}

// FitTargetsModel is FitModel for targets, n × Targets and row-major, and the squared loss.
func FitTargetsModel(spec Spec, X sketch.Rows, y []float64, o RowsOptions) (*Model, error) {
	spec, err := PrepareTargets(spec, X, y)
	if err != nil {
		return nil, err
	}
	return fitModel(spec, X, solve.RowLabels{Targets: y}, o, func(l *Learner) error { return l.AddTargets(X, y, nil) })
}

// Shares of the progress: of moments before passes, and of everything before the linear model.
const (
	momentsShare = 0.3
	mainShare    = 0.7
)

func fitModel(spec Spec, X sketch.Rows, labels solve.RowLabels, o RowsOptions, add func(*Learner) error) (*Model,
	error) {
	f := &modelFit{spec: spec, X: X, labels: labels, o: o, end: 1}
	if o.Loss == "" {
		f.o.Loss = LossSquared
	}
	D, d := spec.Map.NComponents(), spec.Map.NFeatures()
	if p := spec.Preparation; p != nil {
		d = p.Linear().NOutputs()
	}
	f.byRows = f.o.Loss != LossSquared || D > solve.MaxComponents || o.Passes
	f.linearByRows = (d > solve.MaxComponents || D > solve.MaxComponents) && !spec.WithoutLinear
	if f.linearByRows {
		f.end = mainShare
	}
	if spec.Folds > 0 && (f.byRows || f.linearByRows) {
		var err error
		if f.held, err = solve.HeldOutRows(X, spec.NFeatures()); err != nil {
			return nil, err
		}
	}
	steps := []func() (bool, error){func() (bool, error) { return f.byMoments(add) }, f.inPasses, f.linearInPasses}
	for _, step := range steps {
		if goOn, err := step(); err != nil || !goOn {
			return nil, err
		}
	}
	return f.m, nil
}

// A modelFit is one call of FitModel. Its steps return false if they were stopped.
type modelFit struct {
	spec                 Spec
	X                    sketch.Rows
	labels               solve.RowLabels
	o                    RowsOptions
	byRows, linearByRows bool
	held                 []uint8
	end                  float64 // of the progress before the linear model
	solver               SolverOptions
	m                    *Model
}

// tell returns Progress for a part of the work.
func (f *modelFit) tell(from, to float64) func(float64) bool {
	return func(done float64) bool {
		return f.o.Progress == nil || f.o.Progress(from+float64((to-from)*done))
	}
}

// byMoments fits a ridge regression to moments, if there are not too many features: the model itself, or
// where its passes begin.
func (f *modelFit) byMoments(add func(*Learner) error) (bool, error) {
	D := f.spec.Map.NComponents()
	f.solver = SolverOptions{Tolerance: f.o.Tolerance, MaxPasses: f.o.MaxPasses, Diagonal: true}
	if D > solve.MaxComponents || f.o.Passes {
		f.m = &Model{Map: f.spec.Map.Clone(), Preprocessing: f.spec.Preprocessing, Preparation: f.spec.Preparation,
			Task: f.spec.Task, Classes: f.spec.Classes}
		f.m.Report.Linear = &LinearReport{Missing: "left out by choice"}
		return true, nil
	}
	l, err := NewLearner(f.spec)
	if err != nil {
		return false, err
	}
	l.SetGoroutines(f.o.Goroutines)
	if err := add(l); err != nil {
		return false, err
	}
	options, end := RidgeOptions{Alpha: f.o.Alpha}, f.end
	if f.byRows {
		options.Alpha, end = 0, momentsShare*f.end
	}
	fitting, err := l.Begin(options)
	for finished := false; err == nil && !finished; {
		var done float64
		if done, finished, err = fitting.Step(); err == nil && !f.tell(0, end)(done) {
			return false, nil
		}
	}
	if err != nil {
		return false, err
	}
	f.m = fitting.Model()
	if f.byRows {
		f.solver.Start = f.m.Linear
		if l.Rows() >= 20*int64(D) {
			f.solver.Precondition, f.solver.Diagonal = l.moments.System(), false
		}
	}
	return true, nil
}

// inPasses fits the model in passes over the rows, if moments do not.
func (f *modelFit) inPasses() (bool, error) {
	if !f.byRows {
		return true, nil
	}
	X, cut, err := f.spec.Preparation.Rows(f.X, nil)
	if err != nil {
		return false, err
	}
	source, err := solve.MapSource(f.spec.Map.Clone(), X)
	if err != nil {
		return false, err
	}
	p := f.problem(f.o.Loss, f.spec.Map.NComponents())
	p.Alpha, p.C = f.o.Alpha, f.o.C
	h, err := FitHead(p, solve.RowData{Source: source, Labels: f.labels}, f.held, f.solver,
		solve.RunOptions{Goroutines: f.o.Goroutines, Progress: f.tell(momentsShare*f.end, f.end)})
	if h == nil {
		return false, err
	}
	linear := f.m.Report.Linear
	f.m.Conformal = nil
	f.m.Loss, f.m.Alpha, f.m.Linear, f.m.Calibration, f.m.Report = f.o.Loss, h.Alpha, h.Linear, h.Calibration, h.Report
	f.m.Report.Linear, f.m.Report.Cut = linear, cut
	return true, nil
}

func (f *modelFit) problem(loss string, width int) solve.Problem {
	return solve.Problem{Loss: loss, NComponents: width, Classes: len(f.spec.Classes), Targets: f.spec.Targets}
}

// linearInPasses fits the linear model on the rows themselves, if moments do not.
func (f *modelFit) linearInPasses() (bool, error) {
	if !f.linearByRows {
		return true, nil
	}
	d, preparation := f.spec.Map.NFeatures(), (*prepare.Preparation)(nil)
	if p := f.spec.Preparation; p != nil {
		preparation = p.Linear()
		d = preparation.NOutputs()
	}
	identity, err := identityMap(d)
	if err != nil {
		return false, err
	}
	rows, cut, err := preparation.Rows(f.X, nil)
	if err != nil {
		return false, err
	}
	var source solve.Source
	if X, ok := rows.(sketch.CSR); ok {
		source, err = solve.SparseSource(X, d)
	} else {
		source, err = solve.FeatureSource(rows.(sketch.Dense), d)
	}
	if err != nil {
		return false, err
	}
	h, err := FitHead(f.problem(LossSquared, d), solve.RowData{Source: source, Labels: f.labels}, f.held,
		SolverOptions{Tolerance: f.o.Tolerance, MaxPasses: f.o.MaxPasses, Diagonal: true},
		solve.RunOptions{Goroutines: f.o.Goroutines, Progress: f.tell(f.end, 1)})
	if err != nil { // the model itself stands
		f.m.Report.Linear = &LinearReport{Missing: err.Error()}
		return true, nil
	}
	if h == nil {
		return false, nil
	}
	h.Report.Cut = cut
	f.m.Beside = &Model{Map: identity, Preprocessing: f.spec.Preprocessing, Preparation: preparation,
		Task: f.spec.Task, Loss: LossSquared, Classes: f.spec.Classes, Alpha: h.Alpha, Linear: h.Linear,
		Calibration: h.Calibration, Report: h.Report}
	f.m.Report.Linear = &LinearReport{Alpha: h.Alpha, HeldOut: h.Report.HeldOut}
	return true, nil
}
