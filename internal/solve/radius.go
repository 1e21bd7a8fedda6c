package solve

import (
	"math"
	"slices"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/internal/sums"
	"tensorsketch.example/sketch"
)

// LargestSquare returns the largest squared length of the rows of X, of d columns. If a row is not finite, it returns
// the first such row, and else −1. X must be well-formed.
func LargestSquare(X sketch.Rows, d int) (largest float64, bad int) {
	n, _, _ := sums.Parts(X, d)
	largest, row := LargestSquareOf(X, n, d)
	if largest-largest != 0 {
		return largest, row
	}
	return largest, -1
}

// RadiusOf returns the radius that Prepare takes from the largest squared length of rows.
func RadiusOf(largest float64) float64 {
	if largest == 0 {
		return 1
	}
	return roundTo12(math.Sqrt(largest))
}

// TargetRangeOf returns the range that PrepareTargets takes from targets, which must not be empty.
func TargetRangeOf(y []float64) [2]float64 {
	low, high := slices.Min(y), slices.Max(y)
	if low == high {
		half := max(1, math.Abs(low))
		low, high = low-half, high+half
	}
	return [2]float64{low, high}
}

// GridStep16 returns the step of the grid of 16 bits that a Learner takes for the features of a map from rows within a
// radius.
func GridStep16(m *sketch.FeatureMap, radius float64) (float64, error) {
	step, err := StepFor16(math.Sqrt(m.NormKernel(float64(radius * radius))))
	return step, ofRadius(err, radius)
}

// GridStep is GridStep16 for a grid of 2^12, as a private Learner has it.
func GridStep(m *sketch.FeatureMap, radius float64) (float64, error) {
	step, err := StepFor(math.Sqrt(m.NormKernel(float64(radius * radius))))
	return step, ofRadius(err, radius)
}

// ofRadius returns an error about the length of features as an error about the radius, which decides the length.
func ofRadius(err error, radius float64) error {
	if err == nil {
		return nil
	}
	return sketch.ErrParam.New("radius", portable.FormatNumber(radius),
		"give features a length from 2^-85 to 2^112: scale the rows, or change gamma and coef0")
}

// LargestSquareOf returns the largest ‖x‖² of n rows, or the first one that is not finite, and its row.
func LargestSquareOf(X sketch.Rows, n, d int) (largest float64, row int) {
	for r := range n {
		var values []float32
		switch X := X.(type) {
		case sketch.Dense:
			values = X[r*d : (r+1)*d]
		case sketch.CSR:
			values = X.Data[X.Indptr[r]:X.Indptr[r+1]]
		}
		square := 0.0
		for _, v := range values {
			square += float64(float64(v) * float64(v))
		}
		if square-square != 0 {
			return square, r
		}
		largest = max(largest, square)
	}
	return largest, 0
}

// roundTo12 rounds a number > 0 to 12 binary digits.
func roundTo12(x float64) float64 {
	fraction, exponent := math.Frexp(x)
	return math.Ldexp(math.RoundToEven(math.Ldexp(fraction, 12)), exponent-12)
}
