//go:build !(goexperiment.simd && go1.27 && !tinygo && amd64)

package sketch

import (
	"tensorsketch.example/internal/engine/block"
	"tensorsketch.example/internal/engine/lanes"
)

func newPlan(c block.Config) block.Plan { return lanes.NewPlan(c) }

func engineBytes(c block.Config) int64 { return lanes.Bytes(c) }

func newHadamard(c block.HadamardConfig) block.Hadamard { return lanes.NewHadamard(c) }

func hadamardBytes(c block.HadamardConfig) int64 { return lanes.HadamardBytes(c) }

func addTile(y, matrix []float32, indices []int32, values []float32) {
	lanes.AddTile(y, matrix, indices, values)
}

func addSigns(y []float32, signs []uint32, indices []int32, values []float32) {
	lanes.AddSigns(y, signs, indices, values)
}

func multiplyBy(y, w []float32) { lanes.MultiplyBy(y, w) }

func scaleRow(dst, x []float32, factor float32) { lanes.Scale(dst, x, factor) }

func finiteRow(z []float32) bool { return lanes.Finite(z) }

func wind(phases, sums []float32) { lanes.Wind(phases, sums) }

func cosines(dst, phases []float32, scale float32) { lanes.Cosines(dst, phases, scale) }

func sines(dst, phases []float32, scale float32) { lanes.Sines(dst, phases, scale) }

func subtractProducts(sums, z, matrix []float64, indices []int32, count int) {
	lanes.SubtractProducts(sums, z, matrix, indices, count)
}

// Lanes returns the number of rows that are computed side by side on this machine. It does not
// affect any result.
func Lanes() int { return lanes.Lanes }
