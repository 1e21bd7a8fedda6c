package learn_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/need"
)

// Products of features a second, n·D(D + 1)/2, of AddFeatures.
func BenchmarkMoments(b *testing.B) {
	for _, c := range []struct{ D, folds int }{{128, 0}, {1024, 0}, {1024, 1}, {1024, 5}, {4096, 0}} {
		b.Run(fmt.Sprintf("D=%d/folds=%d", c.D, c.folds), func(b *testing.B) {
			const n = 1000
			m := need.Value(learn.NewMoments(learn.Shape{NComponents: c.D, Classes: 10},
				learn.Grid{Step: 0x1p-12}, c.folds))(b)
			r := rand.New(rand.NewPCG(1, 2))
			Z, classes := features(r, n, c.D, 0.03), make([]int32, n)
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
