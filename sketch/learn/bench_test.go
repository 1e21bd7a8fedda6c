package learn_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
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

// The same of three kinds of features of rows of length 1, on the grid of 16 bits of these rows: in the best of all
// calls. With folds, how many blocks are full differs from call to call; ns/op is the mean.
func BenchmarkMomentsOfMaps(b *testing.B) {
	const n, d = 5120, 64
	X, classes := features(rand.New(rand.NewPCG(1, 2)), n, d, 0.125), make([]int32, n)
	for _, D := range []int{1024, 4096} {
		for name, p := range map[string]sketch.Params{
			"tensor":   {Degree: 2, Coef0: 1},
			"gaussian": {Method: sketch.MethodRandomFourier, Gamma: 2},
			"laplacian": {Method: sketch.MethodRandomFourier, Gamma: 0.1,
				MethodParams: sketch.MethodParams{Kernel: sketch.KernelLaplacian}},
		} {
			p.NFeatures, p.NComponents = d, D
			Z := need.Value(need.Value(sketch.NewFeatureMap(p))(b).TransformBatch(nil, X))(b)
			for _, folds := range []int{0, 5} {
				b.Run(fmt.Sprintf("D=%d/%s/folds=%d", D, name, folds), func(b *testing.B) {
					m := need.Value(learn.NewMoments(learn.Shape{NComponents: D, Classes: 1}, solve.GridFor(Z, D), folds))(b)
					least := math.Inf(1)
					for b.Loop() {
						began := time.Now()
						need.OK(b, m.AddFeatures(Z, classes, nil, nil))
						least = min(least, float64(time.Since(began).Nanoseconds()))
					}
					b.ReportMetric(float64(D*(D+1)/2)*n/least, "products/ns")
					b.ReportMetric(float64(m.Halved())/float64(b.N), "halved/op")
				})
			}
		}
	}
}
