package learn_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/need"
)

// Products of features a second, n·D(D + 1)/2, of AddFeatures.
func BenchmarkMoments(b *testing.B) {
	for _, c := range []struct {
		D, folds int
		is16     bool
	}{{128, 0, false}, {1024, 0, false}, {1024, 0, true}, {1024, 1, false}, {1024, 5, false}, {1024, 5, true},
		{4096, 0, false}} {
		b.Run(fmt.Sprintf("D=%d/folds=%d/is16=%t", c.D, c.folds, c.is16), func(b *testing.B) {
			const n = 1000
			r := rand.New(rand.NewPCG(1, 2))
			Z, classes := features(r, n, c.D, 0.03), make([]int32, n)
			grid := learn.Grid{Step: 0x1p-12}
			if c.is16 {
				for i := range n {
					Z[i*c.D] *= 30 // as the constant of a polynomial kernel
				}
				grid = solve.GridFor(Z, c.D)
			}
			m := need.Value(learn.NewMoments(learn.Shape{NComponents: c.D, Classes: 10}, grid, c.folds))(b)
			for i := range classes {
				classes[i] = int32(r.IntN(10))
			}
			for b.Loop() {
				need.OK(b, m.AddFeatures(Z, classes, nil, nil))
			}
			products := float64(c.D*(c.D+1)/2) * n * float64(b.N)
			b.ReportMetric(products/float64(b.Elapsed().Nanoseconds()), "products/ns")
		})
	}
}
