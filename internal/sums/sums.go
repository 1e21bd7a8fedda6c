// Package sums is shared by package linear, the files of its sums, and the core. It has the exact
// sums of rows of features, and checks whether two maps give features that can be added up.
package sums

import (
	"tensorsketch.example/internal/exact"
	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
)

// MaxRows is the maximum number of rows of sums. Up to this number no sum can overflow.
const MaxRows = 1 << 52

// State is everything that sums hold: the number of rows added minus the number subtracted, the
// number of both together, the exact sum of the weights, and one exact sum for each component. Each
// sum takes exact.Words words. The same rows give the same State.
type State []uint64

const (
	stateCount = iota
	stateRows
	stateWeight
	stateSums = stateWeight + exact.Words
)

// NewState returns the State of no rows with nComponents sums.
func NewState(nComponents int) State { return make(State, stateSums+nComponents*exact.Words) }

// NComponents returns the number of components.
func (s State) NComponents() int { return (len(s) - stateSums) / exact.Words }

// Count returns the number of rows added minus the number subtracted.
func (s State) Count() int64 { return int64(s[stateCount]) }

// Rows returns the number of rows added or subtracted.
func (s State) Rows() int64 { return int64(s[stateRows]) }

// SetRows sets both numbers of rows.
func (s State) SetRows(count, rows int64) { s[stateCount], s[stateRows] = uint64(count), uint64(rows) }

// Weight returns the exact sum of the weights.
func (s State) Weight() []uint64 { return s[stateWeight:stateSums] }

// Sum returns the exact sum of component j.
func (s State) Sum(j int) []uint64 { return s.Sums()[j*exact.Words : (j+1)*exact.Words] }

// Sums returns the exact sums of all components.
func (s State) Sums() []uint64 { return s[stateSums:] }

// Merge adds or subtracts the sums of another State. It does not change the numbers of rows.
func (s State) Merge(other State, takeAway bool) {
	exact.Merge(s[stateWeight:], other[stateWeight:], takeAway)
}

// IsValid reports whether the numbers of rows agree, and whether every sum is possible for that
// many rows: the product of a feature and a weight is below 2^256.
func (s State) IsValid() bool {
	count, rows := s.Count(), s.Rows()
	if rows < 0 || rows > MaxRows || max(count, -count) > rows || (rows-count)%2 != 0 {
		return false
	}
	const shift = 256 - exact.Unit - 8*64 // of the second-highest word
	for i := stateWeight; i < len(s); i += exact.Words {
		highest := int64(s[i+exact.Words-1])
		units := highest<<(64-shift) | int64(s[i+exact.Words-2]>>shift) // in units of 2^256, rounded down
		if highest != highest<<(64-shift)>>(64-shift) || units < -rows || units > rows {
			return false
		}
	}
	return true
}

// Add adds rows to the exact sums of their components, exact.Words words each, as
// linear.Sums.AddFeatures does. If weights is not nil, Z holds len(weights) rows. It uses 24 bytes
// of temporary memory per component. NaN and infinities are errors, after which the sums are
// unchanged.
func Add(sums []uint64, Z, weights []float32) error {
	width := len(sums) / exact.Words
	spread, spreadOfWeights := exact.SpreadOf(Z), exact.SpreadOf(weights)
	if err := CheckFinite("Z", Z, spread, width); err != nil {
		return err
	}
	if err := CheckFinite("weights", weights, spreadOfWeights, 0); err != nil {
		return err
	}
	exact.NewBlock(width).Add(sums, Z, spread, weights, spreadOfWeights)
	return nil
}

// CheckFinite returns an error for the first value that is not finite. The values are rows of the
// given width; with width 0 each value is a row.
func CheckFinite(argument string, values []float32, spread exact.Spread, width int) error {
	if spread&exact.MayBeInfinite == 0 {
		return nil
	}
	for i, v := range values {
		if v-v != 0 {
			err := sketch.ErrNonFinite.New(argument, portable.FormatNumber(float64(v)),
				"be finite: remove or replace NaN and infinite values")
			if err.Row = i; width > 0 {
				err.Row, err.Column = i/width, i%width
			}
			return err
		}
	}
	return nil
}
