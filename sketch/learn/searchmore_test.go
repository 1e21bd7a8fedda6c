package learn

import (
	"math"
	"math/rand"
	"testing"

	"tensorsketch.example/sketch"
)

// Twice as many features are taken where there are many rows, and 1,024 are better than 512 by a standard error: for
// waves in four columns, and not for noise or where the sums would take too long.
func TestMoreFeatures(t *testing.T) {
	waves := func(x []float32, _ *rand.Rand) float64 { return math.Sin(3 * float64(x[0]*x[1]+x[2]*x[3])) }
	for name, c := range map[string]struct {
		rows, want int
		y          func(x []float32, rng *rand.Rand) float64
	}{
		"waves":     {8192, 2048, waves},
		"too many":  {40000, 1024, waves},
		"fewer":     {8191, 1024, waves},
		"all noise": {8192, 1024, func(_ []float32, rng *rand.Rand) float64 { return rng.NormFloat64() }},
	} {
		rng := rand.New(rand.NewSource(4))
		const n, d = 1200, 4
		rows, y := normalRows(rng, n, d), make([]float64, n)
		for i := range y {
			y[i] = c.y(rows[i*d:(i+1)*d], rng)
		}
		s, err := NewSearcher(sketch.Dense(rows), numbers(d), Targets{Y: y}, Choices{Candidates: []string{"gaussian"}})
		if err != nil {
			t.Fatal(err)
		}
		for finished := false; !finished && err == nil; {
			_, finished, err = s.Step()
		}
		s.inside = make([]int, c.rows)
		if got, err := s.components(s.lead); err != nil || got != c.want {
			t.Errorf("%s: %d features, %v; want %d", name, got, err, c.want)
		}
	}
}
