//go:build goexperiment.simd && go1.27 && !tinygo

package pairs

import (
	"tensorsketch.example/internal/engine/dispatch"
	"tensorsketch.example/internal/engine/lanes"
	"tensorsketch.example/internal/engine/scalar"
)

func finite(z []float32) bool {
	isFinite := dispatch.Pick(lanes.Finite, scalar.Finite)(z)
	dispatch.Rest()
	return isFinite
}

func addProducts(sums, z, factors []float64, n, count int) {
	dispatch.Pick(lanes.AddProducts, scalar.AddProducts)(sums, z, factors, n, count)
	dispatch.Rest()
}
