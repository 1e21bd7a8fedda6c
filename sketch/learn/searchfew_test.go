package learn

import (
	"math/rand"
	"testing"

	"tensorsketch.example/sketch"
)

// As many training rows as columns, in some of the folds but not in the largest: sums for those, products of rows for
// the others.
func TestSearchOfFewRows(t *testing.T) {
	const d = 10
	for n := 11; n <= 14; n++ {
		rows := normalRows(rand.New(rand.NewSource(int64(n))), n, d)
		rows[0], rows[d] = 1, -1
		targets := labelsWhere(rows, d, func(x []float32) bool { return x[0] > 0 })
		_, report := mustSearch(t, sketch.Dense(rows), numbers(d), targets, Choices{Goroutines: 1 + n%2*2})
		if report.Chosen == "" {
			t.Errorf("%d rows: none is chosen", n)
		}
	}
}

// Rows that are far fewer than the columns weigh none of them, and the report says so.
func TestNoWeightsOfFewRows(t *testing.T) {
	const d = 100
	for n, want := range map[int]string{12: "rows are too few to weigh so many columns", 13: ""} {
		rows := normalRows(rand.New(rand.NewSource(1)), n, d)
		targets := labelsWhere(rows, d, func(x []float32) bool { return x[0] > 0 })
		choices := Choices{Candidates: []string{"gaussian", "gaussian-weights"}}
		_, report := mustSearch(t, sketch.Dense(rows), numbers(d), targets, choices)
		if last := report.All[len(report.All)-1]; last.Name != "gaussian-weights" || last.Skipped != want {
			t.Errorf("%d rows: %+v", n, last)
		}
	}
}
