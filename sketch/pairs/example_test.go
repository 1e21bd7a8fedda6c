package pairs_test

import (
	"fmt"
	"log"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/pairs"
)

// Which rows are most similar to a new one, by the kernel (⟨x,y⟩ + 1)²?
func Example() {
	m, err := sketch.New(sketch.Params{NFeatures: 2, NComponents: 4096, Coef0: 1})
	if err != nil {
		log.Fatal(err)
	}
	Z, err := m.TransformBatch(nil, []float32{1, 0, 0, 3, 2, 2})
	if err != nil {
		log.Fatal(err)
	}
	q := m.Transform(nil, []float32{1, 1})
	rows, estimates, err := pairs.Nearest(Z, q, 4096, 2)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("rows %d, kernel about %.0f (25 and 16)\n", rows, estimates)
	// Output: rows [2 1], kernel about [25 16] (25 and 16)
}

func ExampleNearest() {
	Z := []float32{1, 0, 0, 1, 2, 2, 1, 0}
	rows, estimates, err := pairs.Nearest(Z, []float32{1, 0.5}, 2, 3)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rows, estimates)
	// Output: [2 0 3] [3 1 1]
}
