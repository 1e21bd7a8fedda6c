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
