//go:build js && wasm

package main

import (
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch/learn"
)

// The fields for each side of ts_compare_new, float64. They are zeros for exact sums.
const (
	sideEpsilon = iota
	sideDelta
	sideRows
	sideWords // the address of n words that ts_moments_release wrote
	sideCount // n
	sideFields
)

// newComparison returns the handle of a two-sample test of Moments x and y, for ts_ridge_step, or 0. sides is the
// address of the fields of both. Moments of a release only say its shape and grid, and may be of no rows.
// ts_ridge_result writes six float64: MMD², its standard error, ‖d‖², p, and the rows of x and y.
//
//go:wasmexport ts_compare_new
func newComparison(x, y, sides uint32) (made uint32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	fields, ok := view[float64](sides, 2*sideFields)
	if !ok {
		failPointer("the sides")
		return 0
	}
	first, s := lookupMoments(x)
	if s != statusOK {
		return 0
	}
	second, s := lookupMoments(y)
	if s != statusOK {
		return 0
	}
	return createWork(sideBytes(first)+sideBytes(second), lowerMoments, func() (made slot, err error) {
		one, err := systemOf(first, fields[:sideFields])
		if err != nil {
			return made, err
		}
		other, err := systemOf(second, fields[sideFields:])
		if err != nil {
			return made, err
		}
		made.comparison, err = solve.NewTwoSample(one, other)
		return made, err
	})
}

// sideBytes returns about what a side needs: the sums of its parts, their System, and half of the pooled covariance.
func sideBytes(m *learn.Moments) int64 {
	D, K := int64(m.Shape().NComponents), int64(m.Shape().Classes+m.Shape().Targets)
	return 8 * (2*D*D + 4*K*D + 4*K*K + 8*D)
}

// systemOf returns the sums of a side.
func systemOf(m *learn.Moments, side []float64) (*learn.System, error) {
	if side[sideCount] == 0 {
		return m.System(), nil
	}
	words, ok := view[int64](uint32(side[sideWords]), uint64(side[sideCount]))
	if !ok {
		words = nil // which are too few
	}
	mechanism, err := momentsMechanism(m, side[sideEpsilon], side[sideDelta], side[sideRows])
	if err != nil {
		return nil, err
	}
	released, err := mechanism.Resume(words)
	if err != nil {
		return nil, err
	}
	return released.System(), nil
}

// appendComparison appends the result of a two-sample test.
func appendComparison(b []byte, c *learn.Comparison) []byte {
	return appendFloats(b, c.MMD2, c.StdError, c.Biased, c.PValue, c.Rows[0], c.Rows[1])
}

const comparisonBytes = 8 * 6
