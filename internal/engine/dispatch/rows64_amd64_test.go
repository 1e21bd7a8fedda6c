//go:build goexperiment.simd && go1.27 && !tinygo

package dispatch

import (
	"math/rand"
	"slices"
	"testing"
)

// TestRowsWithoutAVX2: the scalar engine has the bits of the lanes.
func TestRowsWithoutAVX2(t *testing.T) {
	if !HasAVX2 {
		t.Skip("this machine has no AVX2")
	}
	defer func() { HasAVX2 = true }()
	r := rand.New(rand.NewSource(2))
	for n := range 50 {
		matrix, v, list := make([]float32, 11*n), make([]float64, n), make([]int32, n%11)
		for i := range matrix {
			matrix[i] = float32(r.NormFloat64())
		}
		for j := range v {
			v[j] = r.NormFloat64()
		}
		for i := range list {
			list[i] = int32(r.Intn(11))
		}
		var sums [2][]float64
		for i, wide := range []bool{true, false} {
			HasAVX2 = wide
			factors := make([]float64, len(list))
			Dots(factors, v, matrix, list, make([]float64, DotScratch))
			sums[i] = slices.Clone(v)
			AddRows(sums[i], matrix, list, factors)
		}
		if !slices.Equal(sums[0], sums[1]) {
			t.Fatalf("%d numbers: the scalar engine has other bits", n)
		}
	}
}
