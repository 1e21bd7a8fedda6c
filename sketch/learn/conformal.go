package learn

import (
	"math"
	"slices"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
)

// A Conformal counts how far off predictions were on rows that took no part in their fit. It gives intervals for
// numbers and sets of classes that hold the truth with about the chance that is asked for: of n rows, the row of place
// ⌈(n + 1)·level⌉ in ascending order says how far off they may be (Vovk, Gammerman & Shafer, Algorithmic Learning in a
// Random World, 2005). It says "about", because each row was scored by a model of four fifths of the others.
//
// For classes, bin i of 1,024 counts the rows whose class had a probability p with i = ⌈1024·(1 − p)⌉ − 1. For numbers,
// bin i of a target counts the rows with an error |y − s| of at most e(i)·Unit, and more than e(i − 1)·Unit, where e(i)
// is 2^⌊i/32⌋·(1 + (i mod 32)/32).
type Conformal struct {
	Unit   []float64 // of errors, for each target; nil for classes
	Counts [][]int64 // 1,024 for each target, or once for classes
}

// binEdge returns 2^⌊i/32⌋·(1 + (i mod 32)/32), exactly.
func binEdge(i int) float64 {
	return math.Ldexp(1+float64(i%solve.OctaveBins)/solve.OctaveBins, i/solve.OctaveBins)
}

// binOf returns the bin of an error, in units.
func binOf(size float64) int {
	if !(size > 1) {
		return 0
	}
	fraction, exponent := math.Frexp(size) // fraction is from ½ to 1
	bin := solve.OctaveBins*(exponent-1) + int(math.Ceil((2*fraction-1)*solve.OctaveBins))
	return min(bin, solve.ConformalBins-1)
}

// newConformal counts the scores of rows that were held out: the probabilities of classes, or the numbers.
func newConformal(scores []float64, classes []int32, targets, unit []float64) *Conformal {
	if unit == nil {
		c := &Conformal{Counts: [][]int64{make([]int64, solve.ConformalBins)}}
		K := len(scores) / max(1, len(classes))
		for i, class := range classes {
			off := 1 - scores[i*K+int(class)]
			c.Counts[0][max(0, min(solve.ConformalBins-1, int(math.Ceil(solve.ConformalBins*off))-1))]++
		}
		return c
	}
	c := &Conformal{Unit: unit, Counts: make([][]int64, len(unit))}
	for k, u := range unit {
		c.Counts[k] = make([]int64, solve.ConformalBins)
		for i := k; i < len(scores); i += len(unit) {
			c.Counts[k][binOf(math.Abs(targets[i]-scores[i])/u)]++
		}
	}
	return c
}

// checkConformal returns a *sketch.Error for a Conformal that is none of K classes or targets.
func (m *Model) checkConformal(K int) error {
	c := m.Conformal
	if c == nil {
		return nil
	}
	wrong := func(want string) error { return sketch.ErrParam.New("conformal", "", want) }
	if (m.Task == TaskClassify) != (c.Unit == nil) || c.Unit != nil && len(c.Unit) != K ||
		len(c.Counts) != max(1, len(c.Unit)) {
		return wrong("have counts once for classes, or a unit and counts for each target")
	}
	for _, u := range c.Unit {
		if !(u > 0) || math.IsInf(u, 1) {
			return wrong("have units > 0")
		}
	}
	for _, counts := range c.Counts {
		if len(counts) != solve.ConformalBins || slices.Min(counts) < 0 {
			return wrong("have 1,024 counts ≥ 0")
		}
	}
	return nil
}

// bin returns the bin of the row at a level, from 0 to 1.
func (c *Conformal) bin(k int, level float64) (int, error) {
	if !(level > 0 && level < 1) {
		return 0, sketch.ErrParam.New("interval", portable.FormatNumber(level), "be between 0 and 1, such as 0.9")
	}
	rows, sum := int64(0), int64(0)
	for _, n := range c.Counts[k] {
		rows += n
	}
	place := int64(math.Ceil(float64(rows+1) * level))
	if place > rows {
		return 0, sketch.ErrParam.New("interval", portable.FormatNumber(level), "be lower: "+
			portable.FormatNumber(float64(rows))+" rows that were held out say nothing of it")
	}
	for i, n := range c.Counts[k] {
		if sum += n; sum >= place {
			return i, nil
		}
	}
	return 0, nil
}

// mustBeConformal returns an error for a model without a Conformal.
func (m *Model) mustBeConformal() error {
	if m.Conformal != nil {
		return nil
	}
	return sketch.ErrParam.New("interval", "", "be left out: this model does not know how far off it is on rows that it "+
		"has not seen. Fit it mergeable, with folds 5 and loss squared, from rows and not from sums alone")
}

// Radii returns for each target by how much the intervals of a level reach above and below a prediction. About this
// share of rows like the rows of the fit has its target inside. The error is a *sketch.Error with code ErrParam, which
// names the argument "interval".
func (m *Model) Radii(level float64) ([]float64, error) {
	if err := m.mustBe(TaskRegress); err != nil {
		return nil, err
	}
	if err := m.mustBeConformal(); err != nil {
		return nil, err
	}
	radii := make([]float64, m.Linear.K)
	for k, unit := range m.Conformal.Unit {
		bin, err := m.Conformal.bin(k, level)
		if err != nil {
			return nil, err
		}
		radii[k] = float64(binEdge(bin) * unit)
	}
	return radii, nil
}

// LeastOf returns the least probability of a class in a set of a level.
func (m *Model) LeastOf(level float64) (float64, error) {
	if err := m.mustBe(TaskClassify); err != nil {
		return 0, err
	}
	if err := m.mustBeConformal(); err != nil {
		return 0, err
	}
	bin, err := m.Conformal.bin(0, level)
	return 1 - float64(bin+1)/solve.ConformalBins, err
}

// Sets returns for each row of X which classes its set has, n × K: all that are probable enough, and the most probable
// one in any case. About the share level of rows like the fitted ones, or more, has its class in the set.
func (m *Model) Sets(X sketch.Rows, level float64) ([]bool, error) {
	least, err := m.LeastOf(level)
	if err != nil {
		return nil, err
	}
	p, err := m.Probabilities(X)
	if err != nil {
		return nil, err
	}
	return solve.SetsOf(p, m.Linear.K, least), nil
}

// BalancedScores returns ln p_k − ln(n_k + 1) for scores of rows, n × K. The class of the largest is what a model of as
// many rows of each class would say: rare classes are found more often, and more of the rows said to be theirs are not.
// n_k are the rows of class k in the fit. The error is a *sketch.Error with code ErrParam, for a model without
// probabilities or counts.
func (m *Model) BalancedScores(scores []float64) ([]float64, error) {
	if m.Calibration == nil || m.Report.Counts == nil {
		return nil, sketch.ErrParam.New("classWeight", `"balanced"`,
			"be left out: this model has no probabilities of classes")
	}
	K := m.Linear.K
	balanced := make([]float64, len(scores))
	for i := 0; i < len(scores); i += K {
		own := m.Calibration.LogProbabilities(balanced[i:i+K], scores[i:i+K])
		for k, n := range m.Report.Counts {
			own[k] -= portable.Log(float64(n) + 1)
		}
	}
	return balanced, nil
}

// Balanced is PredictClasses by BalancedScores.
func (m *Model) Balanced(X sketch.Rows) ([]int32, error) {
	scores, err := m.Scores(X)
	if err != nil {
		return nil, err
	}
	if scores, err = m.BalancedScores(scores); err != nil {
		return nil, err
	}
	return m.largest(scores), nil
}
