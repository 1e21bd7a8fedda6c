package linear_test

import (
	"fmt"
	"log"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/linear"
)

func exampleMap() *sketch.FeatureMap {
	m, err := sketch.New(sketch.Params{NFeatures: 2, NComponents: 4})
	if err != nil {
		log.Fatal(err)
	}
	return m
}

// The sum of rows does not depend on how they were shared out, in any bit.
func Example() {
	rows := sketch.Dense{1e-3, 2, 3, -4, 1e4, 0.1}
	whole := linear.NewAccumulator(exampleMap(), "")
	if err := whole.Add(rows, nil); err != nil {
		log.Fatal(err)
	}

	here, there := linear.NewAccumulator(exampleMap(), ""), linear.NewAccumulator(exampleMap(), "")
	if err := here.Add(rows[4:], nil); err != nil {
		log.Fatal(err)
	}
	if err := there.Add(rows[:4], nil); err != nil {
		log.Fatal(err)
	}
	if err := here.Merge(there); err != nil {
		log.Fatal(err)
	}

	same := true
	mean, err := whole.Mean(nil)
	if err != nil {
		log.Fatal(err)
	}
	other, err := here.Mean(nil)
	if err != nil {
		log.Fatal(err)
	}
	for j := range mean {
		same = same && mean[j] == other[j]
	}
	fmt.Println(here.Count(), "rows, the same mean:", same)
	// Output:
	// 3 rows, the same mean: true
}

// What was added can be taken away again, exactly.
func ExampleAccumulator_Subtract() {
	m := exampleMap()
	all, forgotten := linear.NewAccumulator(m, ""), linear.NewAccumulator(m, "")
	if err := all.Add(sketch.Dense{1, 2, 1e8, 3}, nil); err != nil {
		log.Fatal(err)
	}
	if err := forgotten.Add(sketch.Dense{1e8, 3}, nil); err != nil {
		log.Fatal(err)
	}
	if err := all.Subtract(forgotten); err != nil {
		log.Fatal(err)
	}
	fmt.Println(all.Sum(nil))
	fmt.Println(m.Transform(nil, []float32{1, 2}))
	// Output:
	// [-6 -3 0 0]
	// [-6 -3 0 0]
}

// Rows that are there already, with weights.
func ExampleSums_AddFeatures() {
	s := linear.NewSums(2)
	if err := s.AddFeatures([]float32{1, 10, 3, 30}, []float32{0.25, 0.75}); err != nil {
		log.Fatal(err)
	}
	mean, err := s.Mean(nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mean)
	// Output:
	// [2.5 25]
}
