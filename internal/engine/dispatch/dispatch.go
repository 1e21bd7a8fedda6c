//go:build !(goexperiment.simd && go1.27 && !tinygo && amd64)

package dispatch

import "tensorsketch.example/internal/engine/lanes"

// HasAVX2 is false: this build has one engine.
var HasAVX2 bool

// Rest ends the work of the lanes. It does nothing here: only amd64 has upper halves of registers to clear.
func Rest() {}

// OuterWidth is to what rows of integers are padded with zeros.
func OuterWidth() int { return lanes.OuterWidth }

// OuterWords calls lanes.OuterWords.
func OuterWords(n int) int { return lanes.OuterWords(n) }

// Largest calls lanes.Largest.
func Largest(z []float32) uint32 { return lanes.Largest(z) }

// Quantise calls lanes.Quantise.
func Quantise(q []int32, z []float32, factor float32) { lanes.Quantise(q, z, factor) }

// PutRow calls lanes.PutRow.
func PutRow(block []uint32, q []int32, row int) { lanes.PutRow(block, q, row) }

// AddSquares calls lanes.AddSquares.
func AddSquares(sums []uint32, q []int32) bool { return lanes.AddSquares(sums, q) }

// MultiplyBy calls lanes.MultiplyBy.
func MultiplyBy(y, w []float32) { lanes.MultiplyBy(y, w) }

// AddRow calls lanes.AddRow.
func AddRow(sums []int64, q []int32) { lanes.AddRow(sums, q) }

// AddOuter calls lanes.AddOuter.
func AddOuter(sums []int64, block []uint32, rows, D, panel int) {
	lanes.AddOuter(sums, block, rows, D, panel)
}

// Dots calls lanes.Dots.
func Dots(sums, v []float64, matrix []float32, list []int32, scratch []float64) {
	lanes.Dots(sums, v, matrix, list, scratch)
}

// AddRows calls lanes.AddRows.
func AddRows(sum []float64, matrix []float32, list []int32, factors []float64) {
	lanes.AddRows(sum, matrix, list, factors)
}
