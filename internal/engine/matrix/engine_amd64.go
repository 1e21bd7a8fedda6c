//go:build goexperiment.simd && go1.27 && !tinygo

package matrix

import (
	"tensorsketch.example/internal/engine/dispatch"
	"tensorsketch.example/internal/engine/lanes"
	"tensorsketch.example/internal/engine/scalar"
)

const (
	tileRows    = lanes.TileRows
	tileColumns = lanes.TileColumns
)

func addScaled(y, x []float64, factor float64) {
	if dispatch.HasAVX2 {
		lanes.AddScaled(y, x, factor)
		dispatch.Rest()
	} else {
		scalar.AddScaled(y, x, factor)
	}
}

func reflect(x, v []float64, k int, beta float64) {
	if dispatch.HasAVX2 {
		lanes.Reflect(x, v, k, beta)
		dispatch.Rest()
	} else {
		scalar.Reflect(x, v, k, beta)
	}
}

func addTileProducts(c []float64, stride int, a, b []float64, depth int) {
	if dispatch.HasAVX2 {
		lanes.AddTileProducts(c, stride, a, b, depth)
		dispatch.Rest()
	} else {
		scalar.AddTileProducts(c, stride, a, b, depth)
	}
}

func updateSymmetric(a []float64, stride, from, to int, v, w, x, y []float64) {
	if dispatch.HasAVX2 {
		lanes.UpdateSymmetric(a, stride, from, to, v, w, x, y)
		dispatch.Rest()
	} else {
		scalar.UpdateSymmetric(a, stride, from, to, v, w, x, y)
	}
}

func rotate(x, y []float64, c, s float64) {
	if dispatch.HasAVX2 {
		lanes.Rotate(x, y, c, s)
		dispatch.Rest()
	} else {
		scalar.Rotate(x, y, c, s)
	}
}
