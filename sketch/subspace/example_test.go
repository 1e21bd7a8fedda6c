package subspace_test

import (
	"fmt"
	"log"
	"math"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/subspace"
)

// Kernel PCA of degree 2 on two circles: the components know products of coordinates, and one of them tells the circles
// apart, which no straight line does.
func Example() {
	var X sketch.Dense
	for i := range 40 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / 40)
		X = append(X, float32(cos), float32(sin), 2*float32(cos), 2*float32(sin))
	}
	m, err := sketch.New(sketch.Params{NFeatures: 2, NComponents: 16, Degree: 2, Seed: sketch.IntSeed(4)})
	if err != nil {
		log.Fatal(err)
	}
	z, err := m.TransformRows(nil, X)
	if err != nil {
		log.Fatal(err)
	}
	moments, err := learn.NewMoments(learn.Shape{NComponents: 16}, learn.Grid{Step: 0x1p-10}, 0)
	if err != nil {
		log.Fatal(err)
	}
	if err := moments.AddFeatures(z, nil, nil, nil); err != nil {
		log.Fatal(err)
	}
	components, err := subspace.FitPCA(moments.System(), 3)
	if err != nil {
		log.Fatal(err)
	}
	scores := components.Scores(nil, z)
	for k, share := range components.Share {
		least, most := [2]float64{9, 9}, [2]float64{-9, -9}
		for r := range 80 {
			least[r%2], most[r%2] = min(least[r%2], scores[r*3+k]), max(most[r%2], scores[r*3+k])
		}
		fmt.Printf("component %d has %.0f %% of the variance; the circles from %.1f to %.1f and from %.1f to %.1f\n", k+1,
			100*share, least[0], most[0], least[1], most[1])
	}
	// Output:
	// component 1 has 40 % of the variance; the circles from -0.7 to 0.7 and from -2.8 to 2.8
	// component 2 has 40 % of the variance; the circles from -0.7 to 0.7 and from -2.8 to 2.8
	// component 3 has 21 % of the variance; the circles from -1.1 to -1.1 and from 1.1 to 1.1
}

// Two of five rows stand for all of them, because the features have rank 2.
func ExampleNewLowRank() {
	X := sketch.Dense{1, 0, 0, 1, 1, 1, 2, -1, 3, 0.5}
	m, err := sketch.NewFeatureMap(sketch.Params{Method: sketch.MethodKSpace, NFeatures: 2, NComponents: 2, Degree: 1})
	if err != nil {
		log.Fatal(err)
	}
	if err := m.Fit(X); err != nil {
		log.Fatal(err)
	}
	V, err := m.TransformRows(nil, X)
	if err != nil {
		log.Fatal(err)
	}
	low, err := subspace.NewLowRank(V, 2, 4, sketch.IntSeed(0))
	if err != nil {
		log.Fatal(err)
	}
	// Row 2 by the rows that were drawn: V₂·U·φ(R).
	var x, y float64
	for d, row := range low.Rows {
		factor := float64(V[2*2])*low.U[d] + float64(V[2*2+1])*low.U[4+d]
		x, y = x+factor*float64(X[2*row]), y+factor*float64(X[2*row+1])
	}
	fmt.Printf("rows %v give row 2 as (%.3f, %.3f)\n", low.Rows, x, y)
	// Output:
	// rows [4 3 3 4] give row 2 as (1.000, 1.000)
}
