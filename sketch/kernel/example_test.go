package kernel_test

import (
	"fmt"
	"log"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/kernel"
)

// A support vector machine with a kernel of degree 2 learns XOR from the rows, and keeps those that it needs.
func Example() {
	polynomial, err := sketch.NewFormulas(sketch.Params{NFeatures: 2, Coef0: 1})
	if err != nil {
		log.Fatal(err)
	}
	X := sketch.Dense{1, 1, -1, -1, 1, -1, -1, 1, 3, 3}
	svm, err := kernel.NewSVM(polynomial, X, solve.RowLabels{Classes: []int32{0, 0, 1, 1, 0}}, 2,
		kernel.Options{C: 10})
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
