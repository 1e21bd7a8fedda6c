package learn

import (
	"math"
	"slices"
	"strconv"

	"tensorsketch.example/internal/sums"
	"tensorsketch.example/sketch"
)

// This file has what the core of the JavaScript API asks beside a Learner: it keeps words and labels itself.

// CountedWords returns the number of words of a part with its tally, which follows its first two words.
func (m *Moments) CountedWords() int { return m.shape.words() }

// SetCounted is SetWords for words with tallies.
func (m *Moments) SetCounted(words []int64) error {
	if len(words) != len(m.words) {
		return sketch.ErrShape.New("words", strconv.Itoa(len(words)), "hold "+strconv.Itoa(len(m.words))+" numbers")
	}
	return m.adopt(words)
}

// ReadWords copies the words with tallies from index from on, as many as dst holds. It panics if there are fewer.
func (m *Moments) ReadWords(dst []int64, from int) {
	m.flushAll()
	copy(dst, m.words[from:from+len(dst)])
}

// Clear takes all rows away. It keeps the memory.
func (m *Moments) Clear() {
	m.flushAll()
	clear(m.words)
	m.rows = 0
	m.kept.reset(0)
}

// Sums returns the words of all rows, as if the moments had one part.
func (m *Moments) Sums() []int64 {
	m.flushAll()
	return withoutTally(m.sumOf(nil))
}

// WordCount returns the number of words of Moments of a valid shape.
func WordCount(shape Shape, folds int) int64 {
	return int64(partsOf(folds)) * int64(shape.words()-TallyWords)
}

// LargestSquare returns the largest squared length of the rows of X, of d columns. If a row is not finite, it returns
// the first such row, and else −1. X must be well-formed.
func LargestSquare(X sketch.Rows, d int) (largest float64, bad int) {
	n, _, _ := sums.Parts(X, d)
	largest, row := largestSquare(X, n, d)
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
	return StepFor16(math.Sqrt(m.NormKernel(float64(radius * radius))))
}

// GridStep is GridStep16 for a grid of 2^12, as a private Learner has it.
func GridStep(m *sketch.FeatureMap, radius float64) (float64, error) {
	return StepFor(math.Sqrt(m.NormKernel(float64(radius * radius))))
}
