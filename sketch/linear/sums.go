// Package linear adds up rows of features exactly: sums, weighted sums and means
// that do not depend, in any bit, on the order of the rows, on how they were
// grouped, or on the machines that their parts were made on. Parts can be merged
// and taken away again.
//
//	a := linear.NewAccumulator(m, "")
//	err := a.Add(sketch.Dense(X), nil)
//	err = a.Merge(b) // rows that another program added
//	mean, err := a.Mean(nil)
//
// A mean of features estimates the mean of the kernel: ⟨mean, f(y)⟩ is near the mean of
// κ(x, y) over the rows x. The sums are wide integers in units of 2^Unit, so nothing is
// rounded before Sum and Mean give float64. Their files, of package model, hold every
// bit, and stay readable as those of models do.
package linear

import (
	"slices"
	"strconv"

	"tensorsketch.example/internal/exact"
	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
)

// Words is the number of 64-bit words of one exact sum in a State: an integer in
// two's complement, the least significant first, in units of 2^Unit.
const (
	Words = exact.Words
	Unit  = exact.Unit
)

// MaxRows is how many rows sums take, those that were taken away counted as well.
// Up to there no sum can leave its range, whatever the rows and weights are.
const MaxRows = 1 << 52

// State is all that sums hold: the number of rows added less those taken away, the
// number of both together, the exact sum of the weights, and one exact sum for each
// component; Words words each for the sums. It is the same for the same rows.
type State []uint64

const (
	stateCount = iota
	stateRows
	stateWeight
	stateSums = stateWeight + Words
)

// StateLen returns the length of the State of sums of so many components.
func StateLen(nComponents int) int { return stateSums + nComponents*Words }

// Count is the number of rows added less those taken away.
func (s State) Count() int64 { return int64(s[stateCount]) }

// Rows is the number of rows added or taken away.
func (s State) Rows() int64 { return int64(s[stateRows]) }

// SetRows sets both numbers of rows.
func (s State) SetRows(count, rows int64) { s[stateCount], s[stateRows] = uint64(count), uint64(rows) }

// Weight is the exact sum of the weights.
func (s State) Weight() []uint64 { return s[stateWeight:stateSums] }

// Sum is the exact sum of component j.
func (s State) Sum(j int) []uint64 { return s[stateSums+j*Words : stateSums+(j+1)*Words] }

// Sums are the exact sums of the components of rows.
type Sums struct {
	state State
}

// NewSums returns those of no rows, of nComponents numbers. They take 80 bytes for
// each, and while rows are added 24 more.
func NewSums(nComponents int) *Sums {
	return &Sums{make(State, StateLen(nComponents))}
}

// NComponents returns the length of a row.
func (s *Sums) NComponents() int { return (len(s.state) - stateSums) / Words }

// Count returns the number of rows added less those taken away.
func (s *Sums) Count() int64 { return s.state.Count() }

// AddFeatures adds the rows of Z, n × NComponents() and row-major, each times its
// weight; nil weights are all 1. A weight is a float32 because then its product with
// a float32 feature is exact; it may be 0 or negative.
//
// The error is a *sketch.Error with code ErrShape for wrong lengths, ErrNonFinite
// for NaN and infinities, or ErrParam beyond MaxRows; after it the sums are as before.
func (s *Sums) AddFeatures(Z, weights []float32) error {
	width := s.NComponents()
	if len(Z)%width != 0 {
		return shapeError("Z", strconv.Itoa(len(Z)), "hold a multiple of nComponents = "+strconv.Itoa(width)+" values")
	}
	n := len(Z) / width
	if err := checkLength(weights, n); err != nil {
		return err
	}
	if err := s.checkRows(int64(n)); err != nil {
		return err
	}
	if err := AddTo(s.state[stateSums:], Z, weights); err != nil {
		return err
	}
	if weights == nil {
		exact.AddFloat(s.state.Weight(), float64(n))
	}
	for _, w := range weights {
		exact.AddFloat(s.state.Weight(), float64(w))
	}
	s.state[stateCount] += uint64(n)
	s.state[stateRows] += uint64(n)
	return nil
}

// AddTo adds rows to the exact sums of their components, Words words each, as
// AddFeatures does: Z holds len(weights) rows unless the weights are nil. It takes 24
// bytes of memory for each component, for as long as it works. The error is that of
// NaN and infinities; after it the sums are as before.
func AddTo(sums []uint64, Z, weights []float32) error {
	width := len(sums) / Words
	spread, spreadOfWeights := exact.SpreadOf(Z), exact.SpreadOf(weights)
	if err := checkFinite("Z", Z, spread, width); err != nil {
		return err
	}
	if err := checkFinite("weights", weights, spreadOfWeights, 0); err != nil {
		return err
	}
	exact.NewBlock(width).Add(sums, Z, spread, weights, spreadOfWeights)
	return nil
}

// checkFinite returns an error for the first value that is not finite. The values are
// rows of the given width; without one, each is a row.
func checkFinite(argument string, values []float32, spread exact.Spread, width int) error {
	if spread&exact.MayBeInfinite == 0 {
		return nil
	}
	for i, v := range values {
		if v-v != 0 {
			row, column := i, -1
			if width > 0 {
				row, column = i/width, i%width
			}
			return nonFiniteError(argument, row, column, v)
		}
	}
	return nil
}

// checkLength returns an error unless there is a weight for each of n rows, or none.
func checkLength(weights []float32, n int) error {
	if weights != nil && len(weights) != n {
		return shapeError("weights", strconv.Itoa(len(weights)), "hold one number per row, "+strconv.Itoa(n))
	}
	return nil
}

// checkRows returns an error if so many rows more are too many.
func (s *Sums) checkRows(more int64) error {
	if more > MaxRows-s.state.Rows() {
		return paramError("rows", strconv.FormatInt(s.state.Rows(), 10)+" and "+strconv.FormatInt(more, 10),
			"be at most 2^52 together, those taken away included: begin new sums")
	}
	return nil
}

// Merge adds the rows of the other sums.
//
// The error is a *sketch.Error with code ErrShape where the components are not as
// many, or ErrParam beyond MaxRows; after it the sums are as before.
func (s *Sums) Merge(other *Sums) error { return s.MergeState(other.state, false) }

// Subtract takes the rows of the other sums away: s.Merge(o) and s.Subtract(o) leave
// the sums as they were, in every bit but for State.Rows. The errors are those of Merge.
func (s *Sums) Subtract(other *Sums) error { return s.MergeState(other.state, true) }

// MergeState is Merge, or Subtract to take away, of the sums with a state. What is no
// state of any sums is an error with code ErrParam.
func (s *Sums) MergeState(other State, takeAway bool) error {
	if len(other) != len(s.state) {
		return shapeError("nComponents", strconv.Itoa((len(other)-stateSums)/Words),
			"be "+strconv.Itoa(s.NComponents())+" as in the sums to merge into")
	}
	count, rows := other.Count(), other.Rows()
	if !other.isValid() {
		return paramError("state", "", "be one that sums have written")
	}
	if err := s.checkRows(rows); err != nil {
		return err
	}
	if takeAway {
		count = -count
	}
	exact.Merge(s.state[stateWeight:], other[stateWeight:], takeAway)
	s.state[stateCount] += uint64(count)
	s.state[stateRows] += uint64(rows)
	return nil
}

// isValid tells whether the numbers of rows agree, and whether no sum is beyond what
// so many rows can give: their products with weights are below 2^256 each.
func (s State) isValid() bool {
	count, rows := s.Count(), s.Rows()
	if rows < 0 || rows > MaxRows || max(count, -count) > rows || (rows-count)%2 != 0 {
		return false
	}
	const shift = 256 - Unit - 8*64 // of the last but one word
	for i := stateWeight; i < len(s); i += Words {
		highest := int64(s[i+Words-1])
		units := highest<<(64-shift) | int64(s[i+Words-2]>>shift) // of 2^256, rounded down
		if highest != highest<<(64-shift)>>(64-shift) || units < -rows || units > rows {
			return false
		}
	}
	return true
}

// State returns a copy of all that the sums hold. MergeState of it into new sums
// gives these again.
func (s *Sums) State() State { return slices.Clone(s.state) }

// Sum writes the float64 nearest to each sum into dst and returns it; nil allocates.
// It panics if len(dst) is not NComponents().
func (s *Sums) Sum(dst []float64) []float64 {
	dst = s.results(dst)
	for j := range dst {
		dst[j] = exact.Round(s.state.Sum(j))
	}
	return dst
}

// Mean writes the float64 nearest to each sum divided by the sum of the weights,
// which is Count() where there were none, into dst and returns it; nil allocates. It
// panics if len(dst) is not NComponents(). Where the weights add up to 0, as those of
// no rows, the error is a *sketch.Error with code ErrParam.
func (s *Sums) Mean(dst []float64) ([]float64, error) {
	weight := s.state.Weight()
	if exact.Round(weight) == 0 {
		return dst, paramError("weights", "0", "not add up to 0 for a mean: add rows first")
	}
	dst = s.results(dst)
	for j := range dst {
		dst[j] = exact.Ratio(s.state.Sum(j), weight)
	}
	return dst, nil
}

func (s *Sums) results(dst []float64) []float64 {
	if dst == nil {
		return make([]float64, s.NComponents())
	}
	if len(dst) != s.NComponents() {
		panic("linear: len(dst) is " + strconv.Itoa(len(dst)) + ", want " + strconv.Itoa(s.NComponents()))
	}
	return dst
}

func paramError(argument, value, want string) error {
	return &sketch.Error{Code: sketch.ErrParam, Argument: argument, Value: value, Want: want, Row: -1, Column: -1,
		RowsDone: -1}
}

func shapeError(argument, value, want string) error {
	return &sketch.Error{Code: sketch.ErrShape, Argument: argument, Value: value, Want: want, Row: -1, Column: -1,
		RowsDone: -1}
}

func nonFiniteError(argument string, row, column int, value float32) error {
	return &sketch.Error{Code: sketch.ErrNonFinite, Argument: argument, Value: portable.FormatNumber(float64(value)),
		Want: "be finite: remove or replace NaN and infinite values", Row: row, Column: column, RowsDone: -1}
}
