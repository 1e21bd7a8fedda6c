package learn_test

import (
	"fmt"
	"log"
	"slices"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch/learn"
)

// Parts of the data, merged in any order, give the moments of all rows, and a part can be taken away
// again.
func ExampleMoments() {
	step, err := solve.StepFor(1) // rows of features have length 1
	if err != nil {
		log.Fatal(err)
	}
	add := func(Z []float32, classes ...int32) *learn.Moments {
		m, err := learn.NewMoments(learn.Shape{NComponents: 2, Classes: 2}, learn.Grid{Step: step}, 0)
		if err != nil {
			log.Fatal(err)
		}
		if err := m.AddFeatures(Z, classes, nil, nil); err != nil {
			log.Fatal(err)
		}
		return m
	}
	here, there := add([]float32{0.6, 0.8}, 1), add([]float32{1, 0, 0, -1}, 0, 1)
	whole := add([]float32{1, 0, 0.6, 0.8, 0, -1}, 0, 1, 1)
	before := here.Words()
	if err := here.Merge(there); err != nil {
		log.Fatal(err)
	}
	fmt.Println(here.Rows(), "rows, the same words:", slices.Equal(here.Words(), whole.Words()))
	if err := here.Subtract(there); err != nil {
		log.Fatal(err)
	}
	fmt.Println(here.Rows(), "row, the same words as before:", slices.Equal(here.Words(), before))
	// Output:
	// 3 rows, the same words: true
	// 1 row, the same words as before: true
}
