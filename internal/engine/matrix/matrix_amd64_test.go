//go:build goexperiment.simd && go1.27 && !tinygo

package matrix

import (
	"math/rand"
	"slices"
	"testing"

	"tensorsketch.example/internal/engine/dispatch"
)

// The engine for amd64 without AVX2 passes the same tests, and gives the same bits.
func TestScalarEngine(t *testing.T) {
	rng := rand.New(rand.NewSource(5))
	const n = 101
	a, x, y := gram(rng, n, n), random(rng, n), random(rng, n)
	results := func() []float64 {
		form := finishTridiagonal(a, n)
		d, e := form.Diagonals()
		p, q := append([]float64(nil), x...), append([]float64(nil), y...)
		rotate(p, q, 0.6, 0.8)
		form.Apply(p, 1)
		z := random(rand.New(rand.NewSource(7)), 19*n)
		form.Apply(z, 19)
		return slices.Concat(d, e, p, q, z)
	}
	defer func(has bool) { dispatch.HasAVX2 = has }(dispatch.HasAVX2)
	wide := results()
	dispatch.HasAVX2 = false
	if !same(results(), wide) {
		t.Error("the scalar engine gives other bits")
	}
	t.Run("Products", TestProducts)
	t.Run("Cholesky", TestCholesky)
}
