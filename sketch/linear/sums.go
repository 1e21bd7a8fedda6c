// Package linear adds up rows of features exactly: sums, weighted sums and means. No bit of them
// depends on the order of the rows, on how they were grouped, or on the machines that added them.
// Parts can be merged and subtracted again.
//
//	a := linear.NewAccumulator(m, "")
//	err := a.Add(sketch.Dense(X), nil)
//	err = a.Merge(b) // rows that another program added
//	mean, err := a.Mean(nil)
//
// A mean of features estimates the mean of the kernel: ⟨mean, f(y)⟩ is near the mean of κ(x, y)
// over the rows x. The sums are wide integers, so nothing is rounded before Sum and Mean convert to
// float64. Package model writes them into files, which hold every bit and stay readable like model
// files.
package linear

import (
	"math/big"
	"slices"
	"strconv"

	"tensorsketch.example/internal/exact"
	"tensorsketch.example/internal/exact/integer"
	"tensorsketch.example/internal/sums"
	"tensorsketch.example/sketch"
)

// MaxRows is the maximum number of rows of sums, including subtracted rows. Up to this number no
// sum can overflow, for any rows and weights.
const MaxRows = sums.MaxRows

// Sums holds the exact sum of each component of rows.
type Sums struct {
	state sums.State
}

// NewSums returns the sums of no rows, with nComponents numbers. They take 80 bytes per number, and
// 24 more while rows are added.
func NewSums(nComponents int) *Sums {
	return &Sums{sums.NewState(nComponents)}
}

// NComponents returns the length of a row.
func (s *Sums) NComponents() int { return s.state.NComponents() }

// Count returns the number of rows added minus the number subtracted.
func (s *Sums) Count() int64 { return s.state.Count() }

// AddFeatures adds the rows of Z, n × NComponents() and row-major, each times its weight; nil
// weights are all 1. A weight is a float32 so that its product with a float32 feature is exact. It
// may be 0 or negative.
//
// The error is a *sketch.Error with code ErrShape for wrong lengths, ErrNonFinite for NaN and
// infinities, or ErrParam beyond MaxRows. After an error the sums are unchanged.
func (s *Sums) AddFeatures(Z, weights []float32) error {
	width := s.NComponents()
	if len(Z)%width != 0 {
		return sketch.ErrShape.New("Z", strconv.Itoa(len(Z)),
			"hold a multiple of nComponents = "+strconv.Itoa(width)+" values")
	}
	n := len(Z) / width
	if err := checkLength(weights, n); err != nil {
		return err
	}
	if err := s.checkRows(int64(n)); err != nil {
		return err
	}
	if err := sums.Add(s.state.Sums(), Z, weights); err != nil {
		return err
	}
	if weights == nil {
		exact.AddFloat(s.state.Weight(), float64(n))
	}
	for _, w := range weights {
		exact.AddFloat(s.state.Weight(), float64(w))
	}
	s.state.SetRows(s.Count()+int64(n), s.state.Rows()+int64(n))
	return nil
}

// checkLength returns an error unless weights is nil or has n numbers.
func checkLength(weights []float32, n int) error {
	if weights != nil && len(weights) != n {
		return sketch.ErrShape.New("weights", strconv.Itoa(len(weights)), "hold one number per row, "+strconv.Itoa(n))
	}
	return nil
}

// checkRows returns an error if adding this many rows would exceed MaxRows.
func (s *Sums) checkRows(more int64) error {
	if more > MaxRows-s.state.Rows() {
		return sketch.ErrParam.New("rows", strconv.FormatInt(s.state.Rows(), 10)+" and "+strconv.FormatInt(more, 10),
			"be at most 2^52 together, those taken away included: begin new sums")
	}
	return nil
}

// Merge adds the rows of the other sums.
//
// The error is a *sketch.Error with code ErrShape if the numbers of components differ, or ErrParam
// beyond MaxRows. After an error the sums are unchanged.
func (s *Sums) Merge(other *Sums) error { return s.MergeState(other.state, false) }

// Subtract removes the rows of the other sums. s.Merge(o) followed by s.Subtract(o) restores every
// bit of the sums, except the number of rows in State. It returns the same errors as Merge.
func (s *Sums) Subtract(other *Sums) error { return s.MergeState(other.state, true) }

// MergeState merges, or with takeAway subtracts, the sums with the given state. An invalid state is
// an error with code ErrParam.
func (s *Sums) MergeState(other sums.State, takeAway bool) error {
	if len(other) != len(s.state) {
		return sketch.ErrShape.New("nComponents", strconv.Itoa(other.NComponents()),
			"be "+strconv.Itoa(s.NComponents())+" as in the sums to merge into")
	}
	count, rows := other.Count(), other.Rows()
	if !other.IsValid() {
		return sketch.ErrParam.New("state", "", "be one that sums have written")
	}
	if err := s.checkRows(rows); err != nil {
		return err
	}
	if takeAway {
		count = -count
	}
	s.state.Merge(other, takeAway)
	s.state.SetRows(s.Count()+count, s.state.Rows()+rows)
	return nil
}

// State returns a copy of everything that the sums hold. MergeState of it into new sums restores
// them.
func (s *Sums) State() sums.State { return slices.Clone(s.state) }

// Sum writes the float64 nearest to each sum into dst and returns it; nil allocates.
// It panics if len(dst) is not NComponents().
func (s *Sums) Sum(dst []float64) []float64 {
	return s.over(dst, new(big.Int).Lsh(big.NewInt(1), -exact.Unit))
}

// Mean writes the float64 nearest to each sum divided by the sum of the weights into dst and
// returns it; nil allocates. Without weights the divisor is Count(). It panics if len(dst) is not
// NComponents(). If the weights add up to 0, as for no rows, the error is a *sketch.Error with code
// ErrParam.
func (s *Sums) Mean(dst []float64) ([]float64, error) {
	weight := integer.Of(s.state.Weight())
	if weight.Sign() == 0 {
		return dst, sketch.ErrParam.New("weights", "0", "not add up to 0 for a mean: add rows first")
	}
	return s.over(dst, weight), nil
}

// over writes the float64 nearest to each sum divided by the divisor into dst.
func (s *Sums) over(dst []float64, divisor *big.Int) []float64 {
	if dst == nil {
		dst = make([]float64, s.NComponents())
	}
	if len(dst) != s.NComponents() {
		panic("linear: len(dst) is " + strconv.Itoa(len(dst)) + ", want " + strconv.Itoa(s.NComponents()))
	}
	for j := range dst {
		dst[j] = integer.Quotient(integer.Of(s.state.Sum(j)), divisor)
	}
	return dst
}
