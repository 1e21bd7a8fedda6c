package learn

import (
	"math"
	"slices"
	"strconv"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/internal/sums"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn/metrics"
	"tensorsketch.example/sketch/learn/prepare"
)

// The tasks of a Spec and a Model.
const (
	TaskClassify = "classify" // rows have labels
	TaskRegress  = "regress"  // rows have numbers
)

// A Model predicts labels or numbers from rows: a feature map with a linear model of its features.
// Package model writes it into a file. It uses the scratch memory of its map, so it is not safe for
// concurrent use: use one Clone per goroutine.
type Model struct {
	Map           *sketch.FeatureMap
	Preprocessing string               // how the rows of the map are made, up to the caller; "" for rows as they come
	Preparation   *prepare.Preparation // makes the rows of the map, after Preprocessing; nil for rows as they come
	Task          string               // TaskClassify or TaskRegress
	Loss          string               // LossSquared, LossSquaredHinge or LossLogistic
	Classes       []Label              // in their order (SortClasses); nil for regression
	Alpha         float64              // the weight λ of ‖w‖² beside the sum of losses; 1/(2C)
	Linear        *Linear

	// Calibration gives probabilities. It is nil for regression, and where no rows were held out.
	Calibration *Calibration

	// Conformal gives intervals and sets. It is nil where no kept rows were held out.
	Conformal *Conformal

	Report Report // how it was fitted

	// CrossFitted has the kept rows of the fit, or is nil. It is not written into the file of this model.
	CrossFitted *CrossFitted

	// Beside is the linear model on the rows themselves that was fitted to the same rows, or nil. It
	// is not written into the file of this model.
	Beside *Model
}

// A Report says how a model was fitted. Numbers that do not apply are 0, and texts empty.
type Report struct {
	Rows    int64   // rows that it was fitted to
	Counts  []int64 // of these, the rows of each class
	Clipped int64   // features that the grid cut
	Cut     int64   // cells that the Preparation cut
	Rule    string  // how Alpha was chosen: "given", "cross-validation", "held-out" or "noise"
	DF      float64 // effective number of parameters of a score, the intercept included

	// HeldOut is how well a model of the other rows, with the same Alpha, fits the rows held out. It is
	// nil where no rows were held out.
	HeldOut *HeldOutReport

	// Linear is about a linear model on the rows themselves, without the map, fitted beside it to
	// the same rows. Learning from features pays where this one is worse.
	Linear *LinearReport

	Solver   *SolverReport  // of a fit in passes over the rows; nil for one from moments
	Private  *PrivateReport // of a fit to moments that package privacy released; else nil
	Warnings []string       // what a reader of predictions should know; sentences in English
}

// HeldOutReport says how well a model fits rows that it was not fitted to.
type HeldOutReport struct {
	Rows int64

	// R2 is 1 − Σ(t − s)²/Σ(t − t̄)² over all targets t and scores s; for classes t is ±1. It is NaN for
	// losses that do not fit s to t.
	R2 float64

	// Accuracy is the share of rows predicted correctly; NaN where only moments of the rows were known.
	Accuracy float64
}

// LinearReport is about the linear model on the rows themselves.
type LinearReport struct {
	Alpha, DF float64
	HeldOut   *HeldOutReport
	Missing   string // why there is none; then the rest is zero
}

// PrivateReport has the guarantee of the release that a model was fitted to: (ε, δ)-differential privacy
// under the replacement of one row. Rows of the Report is then the public number of rows.
type PrivateReport struct{ Epsilon, Delta float64 }

// SolverReport says how a fit in passes over the rows went.
type SolverReport struct {
	Iterations int     // steps of Newton's method, or of conjugate gradients for the squared loss
	Gradient   float64 // norm of the gradient at the end over its norm at the start
	Converged  bool
}

// Validate returns nil, or a *sketch.Error with code ErrParam that names the part of the model that
// contradicts another.
func (m *Model) Validate() error {
	if m.Task != TaskClassify && m.Task != TaskRegress {
		return sketch.ErrParam.New("task", quote(m.Task), `be "classify" or "regress"`)
	}
	if m.Loss != LossSquared && (m.Task == TaskRegress || m.Loss != LossSquaredHinge && m.Loss != LossLogistic) {
		return sketch.ErrParam.New("loss", quote(m.Loss), `be "squared" or, for classes, "squared-hinge" or "logistic"`)
	}
	if err := checkClasses(m.Classes); err != nil {
		return err
	}
	D, K := m.Linear.D, len(m.Linear.Intercept)
	if m.Map != nil { // else the model is a part of a file
		D = m.Map.NComponents()
		if err := m.Preparation.ValidateFor(m.Map.NFeatures()); err != nil {
			return err
		}
	}
	if m.Task == TaskClassify && len(m.Classes) < 2 {
		return sketch.ErrParam.New("classes", strconv.Itoa(len(m.Classes)), "be at least 2")
	}
	if m.Task == TaskRegress && m.Classes != nil {
		return sketch.ErrParam.New("classes", strconv.Itoa(len(m.Classes)), "be left out for regression")
	}
	if m.Task == TaskClassify && K != len(m.Classes) || K == 0 {
		return sketch.ErrParam.New("intercept", strconv.Itoa(K), "hold one number for each class or target, "+
			strconv.Itoa(max(1, len(m.Classes))))
	}
	if !(m.Alpha >= 0) || math.IsInf(m.Alpha, 1) {
		return sketch.ErrParam.New("alpha", portable.FormatNumber(m.Alpha), "be a finite number ≥ 0")
	}
	if n := len(m.Linear.Weights); n != K*D || m.Linear.D != D || m.Linear.K != K {
		return sketch.ErrParam.New("weights", strconv.Itoa(n), "hold "+strconv.Itoa(K)+" × "+strconv.Itoa(D)+
			" numbers: one for each class or target and each feature")
	}
	type numbers struct {
		name   string
		values []float64
	}
	all := []numbers{{"intercept", m.Linear.Intercept}, {"weights", m.Linear.Weights}}
	if c := m.Calibration; c != nil {
		if m.Task == TaskRegress {
			return sketch.ErrParam.New("calibration", "", "be left out for regression")
		}
		if c.K != K || (c.Offset == nil) != (c.Matrix == nil) {
			return sketch.ErrParam.New("calibration", "", "be of "+strconv.Itoa(K)+" classes")
		}
		if !(c.Clip >= 0 && c.Clip <= 1) || c.Clip > 0 && c.Matrix != nil {
			return sketch.ErrParam.New("calibration.clip", portable.FormatNumber(c.Clip), "be from 0 to 1, beside no matrix")
		}
		if c.Matrix != nil {
			if len(c.Offset) != K {
				return sketch.ErrParam.New("calibration.offset", strconv.Itoa(len(c.Offset)),
					"hold one number for each class, "+strconv.Itoa(K))
			}
			if len(c.Matrix) != K*K {
				return sketch.ErrParam.New("calibration.matrix", strconv.Itoa(len(c.Matrix)),
					"hold "+strconv.Itoa(K)+" × "+strconv.Itoa(K)+" numbers")
			}
			all = append(all, numbers{"calibration.offset", c.Offset}, numbers{"calibration.matrix", c.Matrix})
		}
	}
	if err := m.checkConformal(K); err != nil {
		return err
	}
	// No score or calibrated score of features in float32 is infinite. Targets may be up to 2^400, and features small.
	for _, list := range all {
		limit, power := 0x1p400, "400"
		if m.Task == TaskRegress {
			limit, power = 0x1p800, "800"
		} else if list.name == "calibration.offset" { // absentOffset is one
			limit, power = 0x1p1000, "1000"
		}
		for i, v := range list.values {
			if !(v >= -limit && v <= limit) {
				return sketch.ErrParam.New(list.name+"["+strconv.Itoa(i)+"]", portable.FormatNumber(v),
					"be a finite number up to 2^"+power)
			}
		}
	}
	return nil
}

func quote(name string) string { return `"` + name + `"` }

// Clone returns a model with its own scratch memory that shares everything else.
func (m *Model) Clone() *Model {
	clone := *m
	clone.Map = m.Map.Clone()
	if m.Beside != nil {
		clone.Beside = m.Beside.Clone()
	}
	return &clone
}

// NFeatures returns the length of the rows that it predicts from.
func (m *Model) NFeatures() int { return m.spec().NFeatures() }

func (m *Model) spec() *Spec { return &Spec{Map: m.Map, Preparation: m.Preparation} }

// NOutputs returns the number of scores of a row: of classes or of targets.
func (m *Model) NOutputs() int { return m.Linear.K }

// eachBlock calls use for one block of rows after another, with their features. An error names the row
// of X.
func (m *Model) eachBlock(X sketch.Rows, use func(from int, Z []float32) error) error {
	n, part, ok := sums.Parts(X, m.NFeatures())
	if !ok {
		return m.spec().malformed(X)
	}
	D := m.Map.NComponents()
	block := max(64, solve.BlockBytes/4/D)
	Z := make([]float32, min(block, n)*D)
	for from := 0; from < n; from += block {
		to := min(from+block, n)
		z := Z[:(to-from)*D]
		rows, _, err := m.Preparation.Rows(part(from, to), nil)
		if err == nil {
			_, err = m.Map.TransformRows(z, rows)
		}
		if err != nil {
			return sums.AtRow(err, from)
		}
		if err := use(from, z); err != nil {
			return err
		}
	}
	return nil
}

// Scores returns the scores of the rows of X, n × NOutputs and row-major. For regression they are the
// predicted targets. The errors are the errors of the map's TransformRows.
func (m *Model) Scores(X sketch.Rows) ([]float64, error) {
	var scores []float64
	err := m.eachBlock(X, func(_ int, Z []float32) error {
		scores = append(scores, m.Linear.Scores(nil, Z)...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return scores, nil
}

// Predict returns the labels of the rows of X: of the largest score, the first of equals. The errors
// are the errors of the map's TransformRows, and a model for regression, which has only Scores.
func (m *Model) Predict(X sketch.Rows) ([]Label, error) {
	classes, err := m.PredictClasses(X)
	if err != nil {
		return nil, err
	}
	labels := make([]Label, len(classes))
	for i, k := range classes {
		labels[i] = m.Classes[k]
	}
	return labels, nil
}

// PredictClasses is Predict with the indices of the labels in Classes.
func (m *Model) PredictClasses(X sketch.Rows) ([]int32, error) {
	if err := m.mustBe(TaskClassify); err != nil {
		return nil, err
	}
	var classes []int32
	err := m.eachBlock(X, func(_ int, Z []float32) error {
		classes = append(classes, m.largest(m.Linear.Scores(nil, Z))...)
		return nil
	})
	return classes, err
}

// largest returns the class of the largest score of each row.
func (m *Model) largest(scores []float64) []int32 {
	K := m.Linear.K
	classes := make([]int32, len(scores)/K)
	for i := range classes {
		classes[i] = int32(solve.Largest(scores[i*K : (i+1)*K]))
	}
	return classes
}

func (m *Model) mustBe(task string) error {
	if m.Task != task {
		return sketch.ErrParam.New("task", quote(m.Task), "be "+quote(task)+" for this call")
	}
	return nil
}

// Probabilities returns the probabilities of the classes of the rows of X, n × K and row-major. The
// most probable class may differ from Predict, which goes by the largest score. The errors are the
// errors of the map's TransformRows, and a model without probabilities.
func (m *Model) Probabilities(X sketch.Rows) ([]float64, error) {
	if err := m.mustBe(TaskClassify); err != nil {
		return nil, err
	}
	if m.Calibration == nil {
		return nil, sketch.ErrParam.New("calibration", "none",
			"be fitted for probabilities: hold rows out (folds 1 or 5), or fit a logistic loss")
	}
	scores, err := m.Scores(X)
	if err != nil {
		return nil, err
	}
	K := m.Linear.K
	probabilities := make([]float64, len(scores))
	for i := 0; i < len(scores); i += K {
		m.Calibration.Probabilities(probabilities[i:i+K], scores[i:i+K])
	}
	return probabilities, nil
}

// Evaluate compares the predictions for the rows of X with their labels. A label that the model does
// not know is no error: its row counts as wrong, and metrics.Classes.Unknown says how many there are.
func (m *Model) Evaluate(X sketch.Rows, labels []Label) (*metrics.Classes, error) {
	e := metrics.NewClassEvaluation(m.Linear.K)
	if err := m.EvaluateInto(e, X, labels); err != nil {
		return nil, err
	}
	return e.Metrics(), nil
}

// EvaluateInto adds the rows of X with their labels to an evaluation, for rows that come in blocks.
// After an error the evaluation has some of them.
func (m *Model) EvaluateInto(e *metrics.ClassEvaluation, X sketch.Rows, labels []Label) error {
	if err := m.mustBe(TaskClassify); err != nil {
		return err
	}
	if err := checkLength("labels", X, m.NFeatures(), len(labels), 1); err != nil {
		return err
	}
	if err := checkLabels("labels", labels); err != nil {
		return err
	}
	K := m.Linear.K
	logs := make([]float64, K)
	return m.eachBlock(X, func(from int, Z []float32) error {
		scores := m.Linear.Scores(nil, Z)
		n := len(scores) / K
		truth, losses := make([]int32, n), []float64(nil)
		if m.Calibration != nil {
			losses = make([]float64, n)
		}
		for i := range n {
			truth[i] = int32(classIndex(m.Classes, labels[from+i]))
			if truth[i] >= 0 && losses != nil {
				losses[i] = -m.Calibration.LogProbabilities(logs, scores[i*K:(i+1)*K])[truth[i]]
			}
		}
		e.Add(truth, m.largest(scores), losses)
		return nil
	})
}

// EvaluateTargets compares the predictions for the rows of X with their targets, n × NOutputs and
// row-major, and returns the metrics of each target.
func (m *Model) EvaluateTargets(X sketch.Rows, y []float64) ([]metrics.Targets, error) {
	e := metrics.NewTargetEvaluation(m.Linear.K)
	if err := m.EvaluateTargetsInto(e, X, y); err != nil {
		return nil, err
	}
	return e.Metrics(), nil
}

// EvaluateTargetsInto adds the rows of X with their targets to an evaluation, for rows that come in
// blocks. After an error the evaluation has some of them.
func (m *Model) EvaluateTargetsInto(e *metrics.TargetEvaluation, X sketch.Rows, y []float64) error {
	if err := m.mustBe(TaskRegress); err != nil {
		return err
	}
	K := m.Linear.K
	if err := checkLength("y", X, m.NFeatures(), len(y), K); err != nil {
		return err
	}
	if err := solve.CheckTargets(y, K); err != nil {
		return err
	}
	return m.eachBlock(X, func(from int, Z []float32) error {
		scores := m.Linear.Scores(nil, Z)
		return e.Add(y[from*K:from*K+len(scores)], scores)
	})
}

// checkLength returns an error unless there are as many labels or targets as the rows of X need.
func checkLength(argument string, X sketch.Rows, d, got, each int) error {
	n, _, ok := sums.Parts(X, d)
	if ok && got != n*each {
		return sketch.ErrShape.New(argument, strconv.Itoa(got), "hold "+strconv.Itoa(each)+" for each of "+
			strconv.Itoa(n)+" rows")
	}
	return nil
}

// identityMap returns the map whose features are the rows themselves: a count sketch of degree 1 with
// one bucket and the sign + for each of d coordinates.
func identityMap(d int) (*sketch.FeatureMap, error) {
	index, sign := make([]int32, d), slices.Repeat([]int8{1}, d)
	for i := range index {
		index[i] = int32(i)
	}
	return sketch.New(sketch.Params{Method: sketch.MethodCountSketch, NFeatures: d, NComponents: d,
		IndexHash: [][]int32{index}, BitHash: [][]int8{sign}})
}
