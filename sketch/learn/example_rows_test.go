package learn_test

import (
	"fmt"
	"log"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// A linear support vector machine on features of degree 2 learns XOR, which no line separates. The
// features are computed anew in every pass.
func ExampleFitRows() {
	m, err := sketch.NewFeatureMap(sketch.Params{NFeatures: 2, NComponents: 16, Coef0: 1})
	if err != nil {
		log.Fatal(err)
	}
	X := sketch.Dense{1, 1, -1, -1, 1, -1, -1, 1}
	source, err := solve.MapSource(m, X)
	if err != nil {
		log.Fatal(err)
	}
	model, solver, err := solve.FitRows(
		solve.Problem{Loss: learn.LossSquaredHinge, NComponents: 16, Classes: 2, C: 10},
		solve.RowData{Source: source, Labels: solve.RowLabels{Classes: []int32{0, 0, 1, 1}}},
		learn.SolverOptions{}, solve.RunOptions{})
	if err != nil {
		log.Fatal(err)
	}
	Z, err := m.TransformBatch(nil, X)
	if err != nil {
		log.Fatal(err)
	}
	scores := model.Scores(nil, Z)
	for row := range 4 {
		fmt.Print(solve.Largest(scores[2*row:2*row+2]), " ")
	}
	fmt.Println(solver.Converged())
	// Output: 0 0 1 1 true
}
