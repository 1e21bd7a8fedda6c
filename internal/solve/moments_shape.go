package solve

import (
	"math"
	"strconv"

	"tensorsketch.example/internal/engine/dispatch"
	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
)

// Limits of Moments. The sums of D features take 4·D² bytes, and each class D numbers more.
const (
	MaxComponents = 4096
	MaxClasses    = 1000
	MaxTargets    = 1000
)

// MaxRows is the maximum number of rows of Moments: up to this number no sum can exceed an int64.
// On a grid of 16 bits it is MaxRows16. With regression targets it is MaxRowsOfTargets.
const (
	MaxRows          = 1<<39 - 1
	MaxRows16        = 1<<33 - 1
	MaxRowsOfTargets = 1<<25 - 1
)

// Limit16 is the Limit of a grid of 16 bits.
const Limit16 = 1<<15 - 1

// MaxTarget is the largest integer of a target (Grid).
const MaxTarget = 1 << 19

const (
	maxQ = 1 << 12 // the largest integer of a feature, where a Grid has no Limit
	maxT = MaxTarget
)

// Shape says what Moments hold.
type Shape struct {
	NComponents int // features of a row, 1 … MaxComponents
	Classes     int // 1 … MaxClasses for classification, else 0
	Targets     int // targets of a row, 1 … MaxTargets, for regression, else 0
}

// Grid says how features and targets become integers. Moments of different grids do not merge, so
// all parts of the data must share it.
//
// Feature j of a row, z, becomes z/StepOf(j), rounded to the nearest integer (halves to the even one). Integers
// beyond ±2^12, or ±Limit, are cut and counted as clipped; one of ±2^15 becomes ±Limit16 uncounted. A target y
// becomes (y − middle)/(range·2^-20), rounded in the same way, with middle = Low/2 + High/2 and range = High − Low.
//
// A Bound above 0 makes moments that package privacy can release. The integers q of a row then have
// ‖q‖ ≤ BallLimit, exactly: rows of features longer than Bound are scaled down to it first. Targets
// are multiples of range·2^-13 instead, and one outside the range is cut to it. Bound is typed or
// public, and at most 2^12 steps. For a map it is privacy.MapBound.
type Grid struct {
	Step      float64 // of features: a power of two from 2^-100 to 2^100 (see StepFor)
	Low, High float64 // range of targets; both 0 without targets
	Bound     float64 // norm to which rows of features are clipped; 0 leaves rows as they are

	// Limit is the largest integer of a feature: 0 for 2^12, or Limit16.
	Limit int
	// Finer has a byte for each feature, 0 … maxFiner: its step is Step·2^-Finer[j]. "" stands for zeros. Finer needs
	// Limit16.
	Finer string
}

// MaxFiner is the largest byte of Grid.Finer.
const MaxFiner = 100

// StepOf returns the step of feature j.
func (g Grid) StepOf(j int) float64 {
	if g.Finer == "" {
		return g.Step
	}
	return math.Ldexp(g.Step, -int(g.Finer[j]))
}

// limit returns the largest integer of a feature.
func (g Grid) limit() int64 {
	if g.Limit == 0 {
		return maxQ
	}
	return int64(g.Limit)
}

// steps returns the steps of D features.
func (g Grid) steps(D int) []float64 {
	steps := make([]float64, D)
	for j := range steps {
		steps[j] = g.StepOf(j)
	}
	return steps
}

// PrivateTarget divides the integers of targets where Bound is above 0.
const PrivateTarget = 1 << 7

// slack is the number of steps by which rounding may make a row longer than Bound. A row of norm
// 2^12 steps gets integers with ‖q‖² ≤ 2^24 + D/12 + 2^13·√(1/12)·g, g of a standard normal: more
// than (2^12 + slack)² is rare, and such a row is shortened.
const slack = 2

// BallLimit returns the limit of ‖q‖ over all rows where Bound is above 0, and else 0.
func (g Grid) BallLimit() int64 {
	if g.Bound == 0 {
		return 0
	}
	return int64(math.Ceil(g.Bound/g.Step)) + slack
}

// StepFor returns the smallest Step for rows of features of this length: the smallest power of two
// that is at least length/2^12. Under kernel normalisation rows are exactly √κ(x, x) long; otherwise
// only their mean square is κ(x, x). The error is a *sketch.Error with code ErrParam.
func StepFor(length float64) (float64, error) {
	if !(length >= 0x1p-88 && length <= 0x1p112) {
		return 0, sketch.ErrParam.New("length", portable.FormatNumber(length), "be from 2^-88 to 2^112")
	}
	fraction, exponent := math.Frexp(length)
	if fraction == 0.5 {
		exponent--
	}
	return math.Ldexp(1, exponent-12), nil
}

// Validate returns nil, or an error with code ErrParam that names what is out of range.
func (s Shape) Validate() error {
	if s.NComponents < 1 || s.NComponents > MaxComponents {
		return sketch.ErrParam.New("nComponents", strconv.Itoa(s.NComponents), "be from 1 to "+
			strconv.Itoa(MaxComponents)+" for moments: lower it, or fit by passes over the rows")
	}
	if s.Classes < 0 || s.Classes > MaxClasses {
		return sketch.ErrParam.New("classes", strconv.Itoa(s.Classes), "be at most "+strconv.Itoa(MaxClasses)+
			": each keeps a sum of its features, so merge rare ones")
	}
	if s.Targets < 0 || s.Targets > MaxTargets {
		return sketch.ErrParam.New("targets", strconv.Itoa(s.Targets), "be at most "+strconv.Itoa(MaxTargets))
	}
	if s.Classes > 0 && s.Targets > 0 {
		return sketch.ErrParam.New("targets", strconv.Itoa(s.Targets), "be 0 where there are classes")
	}
	return nil
}

// validate returns nil, or an error with code ErrParam that names what is out of range.
func (g Grid) validate(s Shape) error {
	if fraction, _ := math.Frexp(g.Step); fraction != 0.5 || g.Step < 0x1p-100 || g.Step > 0x1p100 {
		return sketch.ErrParam.New("step", portable.FormatNumber(g.Step), "be a power of two from 2^-100 to 2^100")
	}
	if g.Bound != 0 && !(g.Bound >= g.Step && g.Bound <= maxQ*g.Step) {
		return sketch.ErrParam.New("bound", portable.FormatNumber(g.Bound), "be 0, or from 1 to 2^12 steps of "+
			portable.FormatNumber(g.Step))
	}
	if err := g.validateLimit(s); err != nil {
		return err
	}
	if s.Targets == 0 {
		if g.Low != 0 || g.High != 0 {
			return rangeError(g, "be left out where there are no targets")
		}
		return nil
	}
	largest := max(math.Abs(g.Low), math.Abs(g.High))
	if !(g.Low < g.High) || !(g.High-g.Low <= math.MaxFloat64) {
		return rangeError(g, "be two finite numbers, the lower first")
	}
	if g.High-g.Low < 0x1p-400 || g.High-g.Low > 0x1p400 { // so that squares are within the range of float64
		return rangeError(g, "be from 2^-400 to 2^400 wide: change the unit of the targets")
	}
	if g.High-g.Low < largest*0x1p-30 {
		return rangeError(g, "be wider: float64 has too few numbers in it, so subtract a constant from the targets")
	}
	return nil
}

// validateLimit returns nil, or an error with code ErrParam that names Limit or Finer.
func (g Grid) validateLimit(s Shape) error {
	if g.Limit != 0 && (g.Limit != Limit16 || g.Bound > 0) {
		return sketch.ErrParam.New("limit", strconv.Itoa(g.Limit), "be 0 for 2^12, or 32767 where there is no bound")
	}
	if g.Finer == "" {
		return nil
	}
	if g.Limit == 0 || len(g.Finer) != s.NComponents {
		return sketch.ErrParam.New("finer", strconv.Itoa(len(g.Finer))+" bytes", "hold one for each of "+
			strconv.Itoa(s.NComponents)+" features: prepare again for another map, or leave the grid out")
	}
	for j := range s.NComponents {
		if finer := int(g.Finer[j]); finer > MaxFiner || g.StepOf(j) < 0x1p-100 {
			return sketch.ErrParam.New("finer", strconv.Itoa(finer), "be from 0 to 100, for steps of at least 2^-100")
		}
	}
	return nil
}

func rangeError(g Grid, want string) error {
	return sketch.ErrParam.New("targetRange", portable.FormatNumber(g.Low)+" to "+portable.FormatNumber(g.High), want)
}

// Middle returns the middle of the range of targets.
func (g Grid) Middle() float64 { return g.Low/2 + g.High/2 }

// TargetStep returns the unit of the integers of targets.
func (g Grid) TargetStep() float64 { return (g.High - g.Low) * 0x1p-20 }

// The words of a part of Moments:
//
//	rows
//	clipped features
//	what is counted of the rows (TallyWords), which files have beside the words
//	Σ q_i q_j, the lower triangle by rows: D(D+1)/2
//	classification: rows of each class, K; then Σ q of the rows of each class, K × D
//	regression:     Σ q, D; Σ t, K; Σ t_a t_b, lower triangle by rows, K(K+1)/2; Σ t q, K × D
//	neither:        Σ q, D
const (
	wordRows = iota
	wordClipped
	wordTally
	wordGram = wordTally + TallyWords
)

func triangle(n int) int { return n * (n + 1) / 2 }

// targets returns K, the number of classes or of targets.
func (s Shape) targets() int { return s.Classes + s.Targets }

// tail returns the index of the first word after the products of features.
func (s Shape) tail() int { return wordGram + triangle(s.NComponents) }

// words returns the number of words of a part, with its tally.
func (s Shape) words() int {
	D, K := s.NComponents, s.targets()
	switch {
	case s.Classes > 0:
		return s.tail() + K + K*D
	case s.Targets > 0:
		return s.tail() + D + K + triangle(K) + K*D
	}
	return s.tail() + D
}

// padded returns the number of integers of a row with zeros to fill panels.
func (s Shape) padded() int {
	width := dispatch.OuterWidth()
	return (s.NComponents + width - 1) / width * width
}

// FoldCount is the number of folds that rows are hashed to.
const FoldCount = 5

// maxRows returns the maximum number of rows with integers of features up to a limit.
func (s Shape) maxRows(limit int64) int64 {
	switch {
	case s.Targets > 0:
		return MaxRowsOfTargets
	case limit > maxQ:
		return MaxRows16
	}
	return MaxRows
}

// partsOf returns the number of parts for a number of folds, or 0 if there is no such.
func partsOf(folds int) int {
	switch folds {
	case 0:
		return 1
	case 1:
		return 2
	case FoldCount:
		return FoldCount
	}
	return 0
}
