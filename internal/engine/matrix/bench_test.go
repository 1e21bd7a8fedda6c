package matrix

import (
	"math/rand"
	"strconv"
	"testing"
)

func benchmarkMatrix(n int) []float64 {
	rng := rand.New(rand.NewSource(1))
	a := random(rng, n*n)
	for i := range n {
		a[i*n+i] += 4 * float64(n)
	}
	return a
}

func BenchmarkTridiagonal(b *testing.B) {
	for _, n := range []int{256, 1024, 2048} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			a, work := benchmarkMatrix(n), make([]float64, n*n)
			for b.Loop() {
				copy(work, a)
				form := NewTridiagonal(work, n)
				for !form.Step() {
				}
			}
		})
	}
}

func BenchmarkCholesky(b *testing.B) {
	for _, n := range []int{256, 1024, 2048} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			a, work := benchmarkMatrix(n), make([]float64, n*n)
			for b.Loop() {
				copy(work, a)
				NewCholesky(work, n).Finish()
			}
		})
	}
}
