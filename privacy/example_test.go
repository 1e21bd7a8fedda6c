package privacy_test

import (
	"crypto/rand"
	"fmt"
	"log"

	"tensorsketch.example/privacy"
	"tensorsketch.example/sketch"
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

// Each row of a file released at ε = 1, δ = 10⁻⁵, once.
func Example() {
	const d, D = 2, 64
	m, err := sketch.New(sketch.Params{NFeatures: d, NComponents: D, Normalize: sketch.NormalizeKernel})
	if err != nil {
		log.Fatal(err)
	}
	bound, err := privacy.MapBound(m.Params(), 1) // of rows of norm 1 at most
	if err != nil {
		log.Fatal(err)
	}
	mechanism, err := privacy.NewMechanism(1, 1e-5, bound)
	if err != nil {
		log.Fatal(err)
	}
	ledger, err := privacy.NewLedger(1, 1e-5)
	if err != nil {
		log.Fatal(err)
	}

	rows, err := privacy.ClipRows(nil, []float32{3, 4, 0.1, 0.2}, d, 1)
	if err != nil {
		log.Fatal(err)
	}
	features, err := m.TransformBatch(nil, rows)
	if err != nil {
		log.Fatal(err)
	}
	if err := ledger.Charge(mechanism); err != nil { // before the release
		log.Fatal(err)
	}
	released, err := mechanism.ReleaseRows(nil, features, D, privacy.NewNoise(rand.Reader))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d numbers with noise of σ %.2f each\n", len(released), mechanism.Sigma())
	fmt.Println("once more is refused:", ledger.Charge(mechanism) != nil)
	// Output:
	// 128 numbers with noise of σ 8.09 each
	// once more is refused: true
}

// The bound is what κ(x,x) says of rows within the radius.
func ExampleMapBound() {
	for _, p := range []sketch.Params{
		{Method: sketch.MethodTensorSketch, NFeatures: 3, Degree: 3, Coef0: 1},
		{Method: sketch.MethodRandomFourier, NFeatures: 3},
	} {
		bound, err := privacy.MapBound(p.WithDefaults(), 2)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %.3f\n", p.Method, bound)
	}
	// Output:
	// tensor-sketch: 11.180
	// random-fourier: 1.000
}

// Several releases cost less together than one by one.
func ExampleLedger() {
	ledger, err := privacy.NewLedger(2, 1e-5)
	if err != nil {
		log.Fatal(err)
	}
	mechanism, err := privacy.NewMechanism(0.5, 1e-5, 1)
	if err != nil {
		log.Fatal(err)
	}
	for ledger.Charge(mechanism) == nil {
	}
	fmt.Printf("%d releases at ε = 0.5 spend %.2f of 2\n", ledger.Releases(), ledger.Spent())
	// Output:
	// 12 releases at ε = 0.5 spend 1.94 of 2
}

// More components lessen the error of the sketch and add noise: which D is best?
func ExamplePair_BestComponents() {
	pair := privacy.Pair{NormX: 1, NormY: 1, SigmaX: 0.05, SigmaY: 0.05}
	variance := func(D int) float64 { return 1.5 / float64(D) }
	D := pair.BestComponents(1<<16, variance)
	at := pair.At(D, variance(D))
	fmt.Printf("D = %d: σ %.3f of the sketch, %.3f of the noise, %.3f of both\n", D, at.Sketch, at.Noise, at.Both)
	// Output:
	// D = 490: σ 0.055 of the sketch, 0.090 of the noise, 0.105 of both
}
