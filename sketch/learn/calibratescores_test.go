package learn

import (
	"math/rand"
	"testing"
)

// Scores of few rows that say little still say which of two classes it is, where one is by chance a little more
// frequent. Where it is much more frequent, it is the answer for all.
func TestNearlyEqualClasses(t *testing.T) {
	for rare, want := range map[int]bool{7: true, 2: false} {
		rng := rand.New(rand.NewSource(3))
		scores, classes := make([]float64, 30), make([]int32, 15)
		for i := range classes {
			scores[2*i] = rng.NormFloat64() + 0.1
			if i < rare {
				classes[i] = 1
				scores[2*i] -= 0.2
			}
			scores[2*i+1] = -scores[2*i]
		}
		f := newScoreFit(scores, classes, []float64{float64(15 - rare), float64(rare)})
		for !f.step() {
		}
		p, both := f.probabilities(&Calibration{K: 2}), [2]bool{}
		for i := range classes {
			both[0], both[1] = both[0] || p[2*i] > p[2*i+1], both[1] || p[2*i] < p[2*i+1]
		}
		if got := both[0] && both[1]; got != want {
			t.Errorf("%d of 15 rows: both classes are predicted is %v, want %v", rare, got, want)
		}
	}
}
