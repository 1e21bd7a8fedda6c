//go:build goexperiment.simd && go1.27 && !tinygo

package sketch

import (
	"simd/archsimd"

	"tensorsketch.example/sketch/internal/block"
	"tensorsketch.example/sketch/internal/lanes"
	"tensorsketch.example/sketch/internal/scalar"
)

// hasAVX2 is false on machines that use the scalar engine; tests set it.
var hasAVX2 = archsimd.X86.AVX2()

func newPlan(c block.Config) block.Plan {
	if hasAVX2 {
		return lanes.NewPlan(c)
	}
	return scalar.NewPlan(c)
}

func engineBytes(c block.Config) int64 {
	if hasAVX2 {
		return lanes.Bytes(c)
	}
	return scalar.Bytes(c)
}

func newHadamard(c block.HadamardConfig) block.Hadamard {
	if hasAVX2 {
		return lanes.NewHadamard(c)
	}
	return scalar.NewHadamard(c)
}

func hadamardBytes(c block.HadamardConfig) int64 {
	if hasAVX2 {
		return lanes.HadamardBytes(c)
	}
	return scalar.HadamardBytes(c)
}

func addTile(y, matrix []float32, indices []int32, values []float32) {
	if hasAVX2 {
		lanes.AddTile(y, matrix, indices, values)
	} else {
		scalar.AddTile(y, matrix, indices, values)
	}
}

func addSigns(y []float32, signs []uint32, indices []int32, values []float32) {
	if hasAVX2 {
		lanes.AddSigns(y, signs, indices, values)
	} else {
		scalar.AddSigns(y, signs, indices, values)
	}
}

func multiplyBy(y, w []float32) {
	if hasAVX2 {
		lanes.MultiplyBy(y, w)
	} else {
		scalar.MultiplyBy(y, w)
	}
}

func scaleRow(dst, x []float32, factor float32) {
	if hasAVX2 {
		lanes.Scale(dst, x, factor)
	} else {
		scalar.Scale(dst, x, factor)
	}
}

func finiteRow(z []float32) bool {
	if hasAVX2 {
		return lanes.Finite(z)
	}
	return scalar.Finite(z)
}

func wind(phases, sums []float32) {
	if hasAVX2 {
		lanes.Wind(phases, sums)
	} else {
		scalar.Wind(phases, sums)
	}
}

func cosines(dst, phases []float32, scale float32) {
	if hasAVX2 {
		lanes.Cosines(dst, phases, scale)
	} else {
		scalar.Cosines(dst, phases, scale)
	}
}

func sines(dst, phases []float32, scale float32) {
	if hasAVX2 {
		lanes.Sines(dst, phases, scale)
	} else {
		scalar.Sines(dst, phases, scale)
	}
}

func subtractProducts(sums, z, matrix []float64, indices []int32, count int) {
	if hasAVX2 {
		lanes.SubtractProducts(sums, z, matrix, indices, count)
	} else {
		scalar.SubtractProducts(sums, z, matrix, indices, count)
	}
}

// Lanes returns the number of rows that are computed side by side on this machine. It does not
// affect any result.
func Lanes() int {
	if hasAVX2 {
		return lanes.Lanes
	}
	return scalar.Lanes
}
