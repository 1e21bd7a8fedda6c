//go:build !(goexperiment.simd && go1.27 && !tinygo && amd64)

package sketch

import (
	"github.com/tensorsketch/tensorsketch/sketch/internal/block"
	"github.com/tensorsketch/tensorsketch/sketch/internal/lanes"
)

func newPlan(c block.Config) block.Plan { return lanes.NewPlan(c) }

func engineBytes(c block.Config) int64 { return lanes.Bytes(c) }

func newHadamard(c block.HadamardConfig) block.Hadamard { return lanes.NewHadamard(c) }

func hadamardBytes(c block.HadamardConfig) int64 { return lanes.HadamardBytes(c) }

func addSigns(y []float32, signs []uint32, first int, x []float32) {
	lanes.AddSigns(y, signs, first, x)
}

func addScaled(y, w []float32, v float32) { lanes.AddScaled(y, w, v) }

func multiplyBy(y, w []float32) { lanes.MultiplyBy(y, w) }

// Lanes returns the number of rows that are computed side by side on this machine.
// It has no influence on any result.
func Lanes() int { return lanes.Lanes }
