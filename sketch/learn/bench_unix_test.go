//go:build unix

package learn_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"syscall"
	"testing"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/need"
)

// Products a second of AddFeatures, of three kinds of features of rows of length 1, on the grid of 16 bits of these
// rows: by the time of the processor, in the best of all calls. With folds, how many blocks are full differs from call
// to call.
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
						began := processor(b)
						need.OK(b, m.AddFeatures(Z, classes, nil, nil))
						least = min(least, processor(b)-began)
					}
					b.ReportMetric(float64(D*(D+1)/2)*n/least, "products/ns")
					b.ReportMetric(float64(m.Halved())/float64(b.N), "halved/op")
				})
			}
		}
	}
}

// processor returns the nanoseconds that this process has had of a processor.
func processor(b *testing.B) float64 {
	var used syscall.Rusage
	need.OK(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return float64(used.Utime.Nano() + used.Stime.Nano())
}
