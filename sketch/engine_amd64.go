//go:build goexperiment.simd && go1.27 && !tinygo

package sketch

import (
	"simd/archsimd"

	"github.com/tensorsketch/tensorsketch/sketch/internal/block"
	"github.com/tensorsketch/tensorsketch/sketch/internal/lanes"
	"github.com/tensorsketch/tensorsketch/sketch/internal/scalar"
)

// hasAVX2 is false on machines that take the scalar engine; tests set it.
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

func addSigns(y []float32, signs []uint32, first int, x []float32) {
	if hasAVX2 {
		lanes.AddSigns(y, signs, first, x)
	} else {
		scalar.AddSigns(y, signs, first, x)
	}
}

func addScaled(y, w []float32, v float32) {
	if hasAVX2 {
		lanes.AddScaled(y, w, v)
	} else {
		scalar.AddScaled(y, w, v)
	}
}

func multiplyBy(y, w []float32) {
	if hasAVX2 {
		lanes.MultiplyBy(y, w)
	} else {
		scalar.MultiplyBy(y, w)
	}
}

// Lanes returns the number of rows that are computed side by side on this machine.
// It has no influence on any result.
func Lanes() int {
	if hasAVX2 {
		return lanes.Lanes
	}
	return scalar.Lanes
}
