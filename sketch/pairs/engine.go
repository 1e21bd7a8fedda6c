//go:build !(goexperiment.simd && go1.27 && !tinygo && amd64)

package pairs

import "tensorsketch.example/internal/engine/lanes"

func finite(z []float32) bool { return lanes.Finite(z) }

func addProducts(sums, z, factors []float64, n, count int) {
	lanes.AddProducts(sums, z, factors, n, count)
}
