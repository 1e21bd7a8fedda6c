package learn

import (
	"math/rand"
	"testing"

	"tensorsketch.example/internal/solve"
)

// λ of many features comes from all folds below 5,000 rows, and from then on from the first.
func TestOneFold(t *testing.T) {
	const D, n = foldedComponents + 1, oneFoldRows
	rng := rand.New(rand.NewSource(6))
	Z, classes := make([]float32, n*D), make([]int32, n)
	for i := range n {
		Z[i*D+rng.Intn(D)], classes[i] = 1, int32(i%2)
	}
	m, err := NewMoments(Shape{NComponents: D, Classes: 2}, solve.GridFor(Z[:D], D), solve.FoldCount)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, to, want int }{{0, n - 1, solve.FoldCount}, {n - 1, n, 1}} {
		if err := m.AddFeatures(Z[c.from*D:c.to*D], classes[c.from:c.to], nil, nil); err != nil {
			t.Fatal(err)
		}
		f, err := NewMomentsFit(m, RidgeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if f.options.Folds != c.want {
			t.Errorf("%d rows: %d folds choose λ, want %d", c.to, f.options.Folds, c.want)
		}
	}
}

// The first fold alone also chooses λ of 1,024 features of 40,000 rows: five took half of the fit's time.
func TestOneFoldOfMany(t *testing.T) {
	for _, c := range []struct {
		D    int
		rows float64
		want bool
	}{{1024, 39999, false}, {1024, 40000, true}, {1023, 1e6, false}, {1025, 4999, false}, {1025, 5000, true}} {
		if is := isOneFold(c.D, c.rows); is != c.want {
			t.Errorf("%d features of %v rows: one fold %v, want %v", c.D, c.rows, is, c.want)
		}
	}
}
