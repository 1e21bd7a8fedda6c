package solve

import (
	"math"
	"slices"

	"tensorsketch.example/internal/engine/dispatch"
	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
)

// A GridScan looks at rows of D features, from which Grid takes a grid of 16 bits.
type GridScan struct {
	rows    int
	squares []float64 // Σ z² of each feature
	largest []float32 // of |z|
}

// NewGridScan returns a GridScan that has seen no rows of D features.
func NewGridScan(D int) *GridScan {
	return &GridScan{squares: make([]float64, D), largest: make([]float32, D)}
}

// NFeatures returns D.
func (s *GridScan) NFeatures() int { return len(s.squares) }

// Add looks at rows, n × D and row-major. They must be finite.
func (s *GridScan) Add(Z []float32) {
	for D := len(s.squares); len(Z) >= D; Z = Z[D:] {
		for j, z := range Z[:D] {
			s.look(j, z)
		}
		s.rows++
	}
}

// look looks at a number of feature j.
func (s *GridScan) look(j int, z float32) {
	s.squares[j] += float64(float64(z) * float64(z))
	s.largest[j] = max(s.largest[j], z, -z)
}

// How many times as large the numbers of later rows may be as those that a GridScan has seen.
const (
	gridMargin  = 1.5
	finerMargin = 4 // where a feature has a step of its own, which costs nothing
)

// Grid returns the grid of the rows: its Step, Limit and Finer. The step of a feature is the least power of two with
//
//	step ≥ rms/R, so that a block of dispatch.OuterRows rows has sums of 2^30, R = √(2^30/OuterRows) = 2048, and
//	step ≥ 1.5·max |z|/32767.
//
// Features have steps of their own where they differ by four times or more: the one that holds the constant of a
// polynomial kernel is as long as all others together. Their steps then are at least 4·max |z|/32767, as long as
// that is no more than the largest step. Without rows other than zeros the step is 2^-15.
func (s *GridScan) Grid() Grid {
	g := Grid{Step: 0, Limit: Limit16}
	exponents := make([]int, len(s.squares))
	largest, least := -100, 100
	for j := range exponents {
		largest = max(largest, s.exponent(j, gridMargin))
	}
	for j := range exponents {
		exponents[j] = min(largest, s.exponent(j, finerMargin))
		if s.largest[j] == 0 {
			exponents[j] = largest
		}
		least = min(least, exponents[j])
	}
	if slices.Max(s.largest) == 0 {
		largest, least = -15, -15
	}
	g.Step = math.Ldexp(1, largest)
	if largest-least < 2 {
		return g
	}
	finer := make([]byte, len(exponents))
	for j, e := range exponents {
		finer[j] = byte(min(largest-e, MaxFiner))
	}
	g.Finer = string(finer)
	return g
}

// exponent returns the exponent of the least step of feature j, from -100 to 100.
func (s *GridScan) exponent(j int, margin float64) int {
	rms := math.Sqrt(s.squares[j] / float64(max(1, s.rows)))
	least := max(rms/math.Sqrt((1<<30)/dispatch.OuterRows), margin*float64(s.largest[j])/Limit16)
	if least == 0 {
		return -100
	}
	fraction, exponent := math.Frexp(least)
	if fraction == 0.5 {
		exponent--
	}
	return max(-100, min(100, exponent))
}

// GridFor returns the grid of 16 bits for rows of D features like Z, n × D and row-major: its Step, Limit and Finer.
func GridFor(Z []float32, D int) Grid {
	s := NewGridScan(D)
	s.Add(Z)
	return s.Grid()
}

// AddRows looks at rows in either form.
func (s *GridScan) AddRows(X sketch.Rows) {
	switch X := X.(type) {
	case sketch.Dense:
		s.Add(X)
	case sketch.CSR:
		begin, end := X.Indptr[0], X.Indptr[len(X.Indptr)-1]
		for i, j := range X.Indices[begin:end] {
			s.look(int(j), X.Data[int(begin)+i])
		}
		s.rows += len(X.Indptr) - 1
	}
}

// StepFor16 is StepFor for a grid of 16 bits: the smallest power of two that is at least length/2^15. No feature of
// rows of this length is cut.
func StepFor16(length float64) (float64, error) {
	step, err := StepFor(length)
	if err != nil {
		return 0, err
	}
	if step /= 8; step < 0x1p-100 {
		return 0, sketch.ErrParam.New("length", portable.FormatNumber(length), "be from 2^-85 to 2^112")
	}
	return step, nil
}
