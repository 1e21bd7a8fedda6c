//go:build !(goexperiment.simd && go1.27 && !tinygo && amd64)

package matrix

import "tensorsketch.example/internal/engine/lanes"

const (
	tileRows    = lanes.TileRows
	tileColumns = lanes.TileColumns
)

func addScaled(y, x []float64, factor float64) { lanes.AddScaled(y, x, factor) }

func reflect(x, v []float64, k int, beta float64) { lanes.Reflect(x, v, k, beta) }

func addTileProducts(c []float64, stride int, a, b []float64, depth int) {
	lanes.AddTileProducts(c, stride, a, b, depth)
}

func updateSymmetric(a []float64, stride, from, to int, v, w, x, y []float64) {
	lanes.UpdateSymmetric(a, stride, from, to, v, w, x, y)
}

func rotate(x, y []float64, c, s float64) { lanes.Rotate(x, y, c, s) }
