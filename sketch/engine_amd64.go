//go:build goexperiment.simd && go1.27 && !tinygo

package sketch

import (
	"tensorsketch.example/internal/engine/block"
	"tensorsketch.example/internal/engine/dispatch"
	"tensorsketch.example/internal/engine/lanes"
	"tensorsketch.example/internal/engine/scalar"
)

func newPlan(c block.Config) block.Plan {
	if dispatch.HasAVX2 {
		return lanes.NewPlan(c)
	}
	return scalar.NewPlan(c)
}

func engineBytes(c block.Config) int64 { return dispatch.Pick(lanes.Bytes, scalar.Bytes)(c) }

func newHadamard(c block.HadamardConfig) block.Hadamard {
	return dispatch.Pick(lanes.NewHadamard, scalar.NewHadamard)(c)
}

func hadamardBytes(c block.HadamardConfig) int64 {
	return dispatch.Pick(lanes.HadamardBytes, scalar.HadamardBytes)(c)
}

func addTile(y, matrix []float32, indices []int32, values []float32) {
	dispatch.Pick(lanes.AddTile, scalar.AddTile)(y, matrix, indices, values)
	dispatch.Rest()
}

func addSigns(y []float32, signs []uint32, indices []int32, values []float32) {
	dispatch.Pick(lanes.AddSigns, scalar.AddSigns)(y, signs, indices, values)
	dispatch.Rest()
}

func multiplyBy(y, w []float32) {
	dispatch.Pick(lanes.MultiplyBy, scalar.MultiplyBy)(y, w)
	dispatch.Rest()
}

func scaleRow(dst, x []float32, factor float32) {
	dispatch.Pick(lanes.Scale, scalar.Scale)(dst, x, factor)
	dispatch.Rest()
}

func finiteRow(z []float32) bool {
	isFinite := dispatch.Pick(lanes.Finite, scalar.Finite)(z)
	dispatch.Rest()
	return isFinite
}

func wind(phases, sums []float32) {
	dispatch.Pick(lanes.Wind, scalar.Wind)(phases, sums)
	dispatch.Rest()
}

func cosines(dst, phases []float32, scale float32) {
	dispatch.Pick(lanes.Cosines, scalar.Cosines)(dst, phases, scale)
	dispatch.Rest()
}

func sines(dst, phases []float32, scale float32) {
	dispatch.Pick(lanes.Sines, scalar.Sines)(dst, phases, scale)
	dispatch.Rest()
}

func subtractProducts(sums, z, matrix []float64, indices []int32, count int) {
	if dispatch.HasAVX2 { // Pick would move the indices to the heap
		lanes.SubtractProducts(sums, z, matrix, indices, count)
		dispatch.Rest()
	} else {
		scalar.SubtractProducts(sums, z, matrix, indices, count)
	}
}

// Lanes returns the number of rows that are computed side by side on this machine. It does not
// affect any result.
func Lanes() int { return dispatch.Pick(lanes.Lanes, scalar.Lanes) }
