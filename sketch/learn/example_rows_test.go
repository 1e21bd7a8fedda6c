package learn_test

import (
	"fmt"
	"log"

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
	source, err := learn.MapSource(m, X)
	if err != nil {
		log.Fatal(err)
	}
	model, solver, err := learn.FitRows(
		learn.Problem{Loss: learn.LossSquaredHinge, NComponents: 16, Classes: 2, C: 10},
		learn.RowData{Source: source, Labels: learn.RowLabels{Classes: []int32{0, 0, 1, 1}}},
		learn.SolverOptions{}, learn.RunOptions{})
	if err != nil {
		log.Fatal(err)
	}
	Z, err := m.TransformBatch(nil, X)
	if err != nil {
		log.Fatal(err)
	}
	scores := model.Scores(nil, Z)
	for row := range 4 {
		fmt.Print(learn.Largest(scores[2*row:2*row+2]), " ")
	}
	fmt.Println(solver.Converged())
	// Output: 0 0 1 1 true
}

// The exact kernel does the same from the rows themselves, and keeps those that it needs.
func ExampleKernelSVM() {
	kernel, err := sketch.NewFormulas(sketch.Params{NFeatures: 2, Coef0: 1})
	if err != nil {
		log.Fatal(err)
	}
	X := sketch.Dense{1, 1, -1, -1, 1, -1, -1, 1, 3, 3}
	svm, err := learn.NewKernelSVM(kernel, X, learn.RowLabels{Classes: []int32{0, 0, 1, 1, 0}}, 2,
		learn.KernelOptions{C: 10})
	if err != nil {
		log.Fatal(err)
	}
	for finished := false; !finished; {
		if _, finished, err = svm.Step(); err != nil {
			log.Fatal(err)
		}
	}
	machine := svm.Machine()
	fmt.Println(machine.Predict(nil, []float32{2, 2, 2, -2}), machine.Support(), "support vectors")
	// Output: [0 1] 4 support vectors
}
