package solve_test

import (
	"fmt"

	"tensorsketch.example/internal/solve"
)

// The sums of a few rows are enough to fit them: here y = 3·z_1 − z_2 + 10.
func ExampleFitRidge() {
	moments, err := solve.NewMoments(solve.Shape{NComponents: 2, Targets: 1},
		solve.Grid{Step: 1.0 / 1024, Low: 0, High: 20}, 0)
	if err != nil {
		panic(err)
	}
	Z := []float32{1, 0, 0, 1, 1, 1, 2, -1, -1, 0.5}
	if err := moments.AddFeatures(Z, nil, []float64{13, 9, 12, 17, 6.5}, nil); err != nil {
		panic(err)
	}
	model, report, err := solve.FitRidge(moments.System(), solve.RidgeOptions{Alpha: 0.001})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.2f z1 %+.2f z2 %+.2f\n", model.Weights[0], model.Weights[1], model.Intercept[0])
	fmt.Printf("%.1f parameters\n", report.DF)
	// Output:
	// 3.00 z1 -1.00 z2 +10.00
	// 3.0 parameters
}
