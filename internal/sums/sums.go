// Package sums holds what package linear, the files of its sums and the core have in common: the exact sums of rows of
// features, and whether two maps give features that can be added up.
package sums

import (
	"tensorsketch.example/internal/exact"
	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
)

// MaxRows is how many rows sums take. Up to there no sum can leave its range.
const MaxRows = 1 << 52

// State is all that sums hold: the number of rows added less those taken away, the
// number of both together, the exact sum of the weights, and one exact sum for each
// component; exact.Words words each for the sums. It is the same for the same rows.
type State []uint64

const (
	stateCount = iota
	stateRows
	stateWeight
	stateSums = stateWeight + exact.Words
)

// NewState returns the State of no rows, of sums of so many components.
func NewState(nComponents int) State { return make(State, stateSums+nComponents*exact.Words) }

// NComponents is the number of components.
func (s State) NComponents() int { return (len(s) - stateSums) / exact.Words }

// Count is the number of rows added less those taken away.
func (s State) Count() int64 { return int64(s[stateCount]) }

// Rows is the number of rows added or taken away.
func (s State) Rows() int64 { return int64(s[stateRows]) }

// SetRows sets both numbers of rows.
func (s State) SetRows(count, rows int64) { s[stateCount], s[stateRows] = uint64(count), uint64(rows) }

// Weight is the exact sum of the weights.
func (s State) Weight() []uint64 { return s[stateWeight:stateSums] }

// Sum is the exact sum of component j.
func (s State) Sum(j int) []uint64 { return s.Sums()[j*exact.Words : (j+1)*exact.Words] }

// Sums are the exact sums of all components.
func (s State) Sums() []uint64 { return s[stateSums:] }

// Merge adds the sums of another State, or takes them away. The numbers of rows stay.
func (s State) Merge(other State, takeAway bool) {
	exact.Merge(s[stateWeight:], other[stateWeight:], takeAway)
}

// IsValid tells whether the numbers of rows agree, and whether no sum is beyond what
// so many rows can give: their products with weights are below 2^256 each.
func (s State) IsValid() bool {
	count, rows := s.Count(), s.Rows()
	if rows < 0 || rows > MaxRows || max(count, -count) > rows || (rows-count)%2 != 0 {
		return false
	}
	const shift = 256 - exact.Unit - 8*64 // of the last but one word
	for i := stateWeight; i < len(s); i += exact.Words {
		highest := int64(s[i+exact.Words-1])
		units := highest<<(64-shift) | int64(s[i+exact.Words-2]>>shift) // of 2^256, rounded down
		if highest != highest<<(64-shift)>>(64-shift) || units < -rows || units > rows {
			return false
		}
	}
	return true
}

// Add adds rows to the exact sums of their components, exact.Words words each, as
// linear.Sums.AddFeatures does: Z holds len(weights) rows unless the weights are nil. It takes 24
// bytes of memory for each component, for as long as it works. The error is that of
// NaN and infinities; after it the sums are as before.
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

// CheckFinite returns an error for the first value that is not finite. The values are
// rows of the given width; without one, each is a row.
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
