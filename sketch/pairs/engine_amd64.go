//go:build goexperiment.simd && go1.27 && !tinygo

package pairs

import (
	"tensorsketch.example/sketch/internal/engine"
	"tensorsketch.example/sketch/internal/lanes"
	"tensorsketch.example/sketch/internal/scalar"
)

func finite(z []float32) bool {
	isFinite := engine.Pick(lanes.Finite, scalar.Finite)(z)
	engine.Rest()
	return isFinite
}

func addProducts(sums, z, factors []float64, n, count int) {
	engine.Pick(lanes.AddProducts, scalar.AddProducts)(sums, z, factors, n, count)
	engine.Rest()
}
