package sketch_test

import (
	"errors"
	"fmt"
	"log"
	"math"

	"tensorsketch.example/sketch"
)

// Rows become features, and inner products of features estimate the kernel of the
// rows, here (⟨x,y⟩ + 1)².
func Example() {
	const d, D = 5, 1000
	m, err := sketch.New(sketch.Params{NFeatures: d, NComponents: D, Coef0: 1, Seed: sketch.StringSeed("fruit")})
	if err != nil {
		log.Fatal(err)
	}
	rows := []float32{ // n × d, row after row
		1, 2, 0, 0.5, 1,
		0.5, 1, 1, -1, 0,
	}
	z, err := m.TransformBatch(nil, rows) // n × D
	if err != nil {
		log.Fatal(err)
	}
	x, y := []float64{1, 2, 0, 0.5, 1}, []float64{0.5, 1, 1, -1, 0}
	sigma, kind := m.StdError(x, y)
	fmt.Printf("estimate %.2f of %g, standard error %.2f (%v)\n", sketch.Dot(z[:D], z[D:]), m.Kernel(x, y), sigma, kind)
	// Output:
	// estimate 9.00 of 9, standard error 1.08 (exact)
}

// Parameters that come from people give errors that say what would be right.
func ExampleNew() {
	_, err := sketch.New(sketch.Params{NFeatures: 3, NComponents: -5})
	fmt.Println(err)

	var e *sketch.Error
	if errors.As(err, &e) {
		fmt.Println(e.Code, e.Argument)
	}
	// Output:
	// nComponents must be an integer from 1 to 16777216, got -5
	// ERR_PARAM nComponents
}

// Every method has the same contract: its kernel, its features and its error bar.
func ExampleNewFeatureMap() {
	x, y := []float32{0.6, 0.8}, []float32{1, 0}
	for _, p := range []sketch.Params{
		{Method: sketch.MethodTensorSketch, Degree: 3},
		{Method: sketch.MethodTensorSRHT, Degree: 3},
		{Method: sketch.MethodRandomFourier, Gamma: 0.5},
		{Method: sketch.MethodTaylorSketch, MethodParams: sketch.MethodParams{Kernel: sketch.KernelArcCosine}},
	} {
		p.NFeatures, p.NComponents = 2, 1000
		m, err := sketch.NewFeatureMap(p)
		if err != nil {
			log.Fatal(err)
		}
		sigma, _ := m.StdError([]float64{0.6, 0.8}, []float64{1, 0})
		fmt.Printf("%-16s estimate %.3f of %.3f ± %.3f\n", p.Method,
			sketch.Dot(m.Transform(nil, x), m.Transform(nil, y)), m.Kernel([]float64{0.6, 0.8}, []float64{1, 0}), sigma)
	}
	// Output:
	// tensor-sketch    estimate 0.216 of 0.216 ± 0.031
	// tensor-srht      estimate 0.188 of 0.216 ± 0.030
	// random-fourier   estimate 0.659 of 0.670 ± 0.026
	// taylor-sketch    estimate 0.678 of 0.678 ± 0.019
}

// The formulas need no tables: how many components keep the estimate within ±0.1
// with probability 0.95?
func ExampleNewFormulas() {
	f, err := sketch.NewFormulas(sketch.Params{NFeatures: 3, Degree: 2, NComponents: 1000})
	if err != nil {
		log.Fatal(err)
	}
	x, y := []float64{0.6, 0.8, 0}, []float64{0, 0.8, 0.6}
	guaranteed, typical, err := f.ChooseComponents(x, y, 0.1, 0.05)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("D = %g is guaranteed, D = %g is typical\n", guaranteed, typical)
	fmt.Printf("with D = 1000, σ = %.4f\n", math.Sqrt(f.Variance(x, y, 1000)))
	// Output:
	// D = 1665 is guaranteed, D = 320 is typical
	// with D = 1000, σ = 0.0288
}

// Sparse rows cost by the numbers that are not 0, and have the bits of dense ones.
func ExampleFeatureMap_TransformCSR() {
	m, err := sketch.New(sketch.Params{NFeatures: 1_000_000, NComponents: 512})
	if err != nil {
		log.Fatal(err)
	}
	z, err := m.TransformCSR(nil, sketch.CSR{
		Indptr:  []int32{0, 2, 3}, // row 0 has the entries 0 and 1, row 1 the entry 2
		Indices: []int32{17, 999_999, 17},
		Data:    []float32{2, 1, 3},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d numbers, ⟨z₀,z₁⟩ = %.1f estimates 36\n", len(z), sketch.Dot(z[:512], z[512:]))
	// Output:
	// 1024 numbers, ⟨z₀,z₁⟩ = 36.0 estimates 36
}

// Outer products of unlike vectors: the inner product of two rows of features
// estimates ⟨a,a'⟩·⟨b,b'⟩.
func ExampleFeatureMap_TransformProduct() {
	m, err := sketch.New(sketch.Params{NFeaturesEach: []int{2, 3}, NComponents: 2048})
	if err != nil {
		log.Fatal(err)
	}
	a := sketch.Dense{1, 2, 3, -1}      // two rows of 2
	b := sketch.Dense{1, 0, 1, 2, 2, 1} // two rows of 3
	z, err := m.TransformProduct(nil, a, b)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f estimates 1·3 = 3\n", sketch.Dot(z[:2048], z[2048:]))
	// Output:
	// 3.00 estimates 1·3 = 3
}

// Nyström features are fitted to rows, and keep some of them as landmarks.
func ExampleFeatureMap_Fit() {
	m, err := sketch.NewFeatureMap(sketch.Params{Method: sketch.MethodNystroem, NFeatures: 2, NComponents: 3, Degree: 2})
	if err != nil {
		log.Fatal(err)
	}
	nystroem := m
	rows := sketch.Dense{1, 0, 0, 1, 1, 1, 2, -1, 3, 0.5} // five rows of 2
	if err := nystroem.Fit(rows); err != nil {
		log.Fatal(err)
	}
	z, err := m.TransformRows(nil, rows)
	if err != nil {
		log.Fatal(err)
	}
	chosen, _ := nystroem.LandmarkRows(5)
	fmt.Printf("landmarks are the rows %v; ⟨z₃,z₄⟩ = %.3f of %g\n", chosen, sketch.Dot(z[9:12], z[12:15]),
		m.Kernel([]float64{2, -1}, []float64{3, 0.5}))
	// Output:
	// landmarks are the rows [4 0 2]; ⟨z₃,z₄⟩ = 30.250 of 30.25
}

// k-Space features are fitted to all rows, which may come in parts and in any order.
func ExampleFitter() {
	m, err := sketch.NewFeatureMap(sketch.Params{Method: sketch.MethodKSpace, NFeatures: 2, NComponents: 2, Degree: 2})
	if err != nil {
		log.Fatal(err)
	}
	fitter, err := m.NewFitter(3.1) // no row is longer
	if err != nil {
		log.Fatal(err)
	}
	for _, rows := range []sketch.Dense{{1, 0, 0, 1, 1, 1}, {2, -1, 3, 0.5}} {
		if err := fitter.Add(rows); err != nil {
			log.Fatal(err)
		}
	}
	if err := fitter.Finish(); err != nil {
		log.Fatal(err)
	}
	z, err := m.TransformRows(nil, sketch.Dense{1, 0, 0, 1, 1, 1, 2, -1, 3, 0.5})
	if err != nil {
		log.Fatal(err)
	}
	square, product := 0.0, 0.0
	for r := 0; r < len(z); r += 2 {
		square += float64(z[r]) * float64(z[r])
		product += float64(z[r]) * float64(z[r+1])
	}
	fmt.Printf("%d rows; the first feature has length %.3f and product %.3f with the second\n", fitter.Rows(), square,
		math.Abs(product))
	// Output:
	// 5 rows; the first feature has length 1.000 and product 0.000 with the second
}

// Which map estimates a kernel best in the time that tensor sketch takes?
func ExamplePlan() {
	answers, err := sketch.Plan(sketch.PlanQuestion{
		NFeatures: 64, Degree: 2, Cosine: 0.5, NComponents: 1024,
		Methods: []string{sketch.MethodTensorSketch, sketch.MethodTensorSRHT, sketch.MethodTensorizedProjection},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range answers {
		fmt.Printf("%-28s D %5d, σ %.4f (%v)\n", a.Method, a.NComponents, a.PredictedSigma, a.Kind)
	}
	// Output:
	// tensor-srht                  D  1536, σ 0.0313 (exact)
	// tensor-sketch                D  1024, σ 0.0399 (exact)
	// tensorized-random-projection D   128, σ 0.1279 (exact)
}

// The median of independent sketches withstands a few that are far off.
func ExampleFormulas_EstimateMedian() {
	params := sketch.Params{NFeatures: 2, NComponents: 10, Repeats: 9}
	m, err := sketch.New(params)
	if err != nil {
		log.Fatal(err)
	}
	f, err := sketch.NewFormulas(params)
	if err != nil {
		log.Fatal(err)
	}
	zx, zy := m.Transform(nil, []float32{1, 2}), m.Transform(nil, []float32{2, 1})
	fmt.Printf("mean %.2f, median %.2f of 16\n", sketch.Dot(zx, zy), f.EstimateMedian(zx, zy))
	// Output:
	// mean 14.11, median 16.00 of 16
}

// Components that keep every vector of a subspace, not only one pair.
func ExampleParams_SubspaceDimension() {
	D, err := sketch.Params{Degree: 2}.SubspaceDimension(10, 0.5, 0.1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(D)
	// Output:
	// 44000
}

// The tug-of-war sketch of 1996. Count sketch is its fast successor.
func ExampleAMS() {
	a, err := sketch.NewAMS(3, 500, sketch.IntSeed(1))
	if err != nil {
		log.Fatal(err)
	}
	x, y := a.Transform(nil, []float32{1, 2, 3}), a.Transform(nil, []float32{3, 2, 1})
	fmt.Printf("%.2f of 10 ± %.2f\n", sketch.Dot(x, y), math.Sqrt(a.Variance([]float64{1, 2, 3}, []float64{3, 2, 1})))
	// Output:
	// 10.45 of 10 ± 0.68
}
