package privacy_test

import (
	"crypto/rand"
	"fmt"

	"github.com/tensorsketch/tensorsketch/privacy"
	"github.com/tensorsketch/tensorsketch/sketch"
)

// The mean sketch of 1,000 rows, released twice at ε = 1 each.
func ExampleMean() {
	const n, d, D = 1000, 3, 8
	bound, _ := privacy.FeatureBound(1, 1, 0, 2)
	mechanism, _ := privacy.NewMechanism(1, 1e-5, bound)
	mean, _ := privacy.NewMean(mechanism, D, n)
	fmt.Printf("noise %.3f of %g\n", privacy.NoiseNorm(mean.Sigma(), D), bound)

	f, _ := sketch.New(sketch.Params{NFeatures: d, NComponents: D, Normalize: sketch.NormalizeKernel})
	rows, _ := privacy.ClipRows(nil, make([]float32, n*d), d, 1)
	features, _ := f.TransformBatch(nil, rows)
	if err := mean.Add(features); err != nil {
		panic(err)
	}

	ledger, _ := privacy.NewLedger(3, 1e-5)
	for range 2 { // of the same rows
		if err := ledger.Charge(mechanism); err != nil {
			panic(err)
		}
		released, _ := mean.Release(nil, privacy.NewNoise(rand.Reader))
		fmt.Printf("%d numbers, ε = %.2f spent\n", len(released), ledger.Spent())
	}
	// Output:
	// noise 0.023 of 1
	// 8 numbers, ε = 1.00 spent
	// 8 numbers, ε = 1.46 spent
}
