//go:build goexperiment.simd && go1.27 && !tinygo

package matrix

import (
	"simd/archsimd"

	"tensorsketch.example/sketch/internal/lanes"
	"tensorsketch.example/sketch/internal/scalar"
)

// hasAVX2 is false on machines that use the scalar engine; tests set it.
var hasAVX2 = archsimd.X86.AVX2()

const (
	tileRows    = lanes.TileRows
	tileColumns = lanes.TileColumns
)

func addScaled(y, x []float64, factor float64) {
	if hasAVX2 {
		lanes.AddScaled(y, x, factor)
		archsimd.ClearAVXUpperBits() // as in engine.Rest
	} else {
		scalar.AddScaled(y, x, factor)
	}
}

func addTileProducts(c []float64, stride int, a, b []float64, depth int) {
	if hasAVX2 {
		lanes.AddTileProducts(c, stride, a, b, depth)
		archsimd.ClearAVXUpperBits() // as in engine.Rest
	} else {
		scalar.AddTileProducts(c, stride, a, b, depth)
	}
}

func updateSymmetric(a []float64, stride, from, to int, v, w, x, y []float64) {
	if hasAVX2 {
		lanes.UpdateSymmetric(a, stride, from, to, v, w, x, y)
		archsimd.ClearAVXUpperBits() // as in engine.Rest
	} else {
		scalar.UpdateSymmetric(a, stride, from, to, v, w, x, y)
	}
}

func rotate(x, y []float64, c, s float64) {
	if hasAVX2 {
		lanes.Rotate(x, y, c, s)
		archsimd.ClearAVXUpperBits() // as in engine.Rest
	} else {
		scalar.Rotate(x, y, c, s)
	}
}
