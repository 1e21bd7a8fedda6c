//go:build goexperiment.simd && go1.27 && !tinygo

package dispatch

import (
	"simd/archsimd"

	"tensorsketch.example/internal/engine/lanes"
	"tensorsketch.example/internal/engine/scalar"
)

// HasAVX2 is false on machines that use the scalar engine; tests set it.
var HasAVX2 = archsimd.X86.AVX2()

// Pick returns the function of the lanes, or the scalar one if the machine has no AVX2.
func Pick[F any](wide, narrow F) F {
	if HasAVX2 {
		return wide
	}
	return narrow
}

// Rest ends the work of the lanes. Until then the upper halves of the vector registers are in use, and scalar
// arithmetic with FMA in it takes up to 200 times as long. Go 1.27 does not clear them by itself
// (golang.org/issue/80835).
func Rest() {
	if HasAVX2 {
		archsimd.ClearAVXUpperBits()
	}
}

// OuterWidth is to what rows of integers are padded with zeros.
func OuterWidth() int { return Pick(lanes.OuterWidth, scalar.OuterWidth) }

// OuterWords calls lanes.OuterWords.
func OuterWords(n int) int { return Pick(lanes.OuterWords, scalar.OuterWords)(n) }

// Largest calls lanes.Largest.
func Largest(z []float32) uint32 {
	largest := Pick(lanes.Largest, scalar.Largest)(z)
	Rest()
	return largest
}

// Quantise calls lanes.Quantise.
func Quantise(q []int32, z []float32, factor float32) {
	Pick(lanes.Quantise, scalar.Quantise)(q, z, factor)
	Rest()
}

// PutRow calls lanes.PutRow.
func PutRow(block []uint32, q []int32, row int) {
	Pick(lanes.PutRow, scalar.PutRow)(block, q, row)
	Rest()
}

// AddSquares calls lanes.AddSquares.
func AddSquares(sums []uint32, q []int32) bool {
	full := Pick(lanes.AddSquares, scalar.AddSquares)(sums, q)
	Rest()
	return full
}

// MultiplyBy calls lanes.MultiplyBy.
func MultiplyBy(y, w []float32) {
	Pick(lanes.MultiplyBy, scalar.MultiplyBy)(y, w)
	Rest()
}

// AddRow calls lanes.AddRow.
func AddRow(sums []int64, q []int32) {
	Pick(lanes.AddRow, scalar.AddRow)(sums, q)
	Rest()
}

// AddOuter calls lanes.AddOuter.
func AddOuter(sums []int64, block []uint32, rows, D, panel int) {
	Pick(lanes.AddOuter, scalar.AddOuter)(sums, block, rows, D, panel)
	Rest()
}

// Dots calls lanes.Dots.
func Dots(sums, v []float64, matrix []float32, list []int32, scratch []float64) {
	Pick(lanes.Dots, scalar.Dots)(sums, v, matrix, list, scratch)
	Rest()
}

// AddRows calls lanes.AddRows.
func AddRows(sum []float64, matrix []float32, list []int32, factors []float64) {
	Pick(lanes.AddRows, scalar.AddRows)(sum, matrix, list, factors)
	Rest()
}
