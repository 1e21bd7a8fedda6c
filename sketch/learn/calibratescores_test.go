package learn

import (
	"math"
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
		f := newScoreFit(scores, classes, []float64{float64(15 - rare), float64(rare)}, false)
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

// With a large λ all scores are about the mean of the codes. Of 15 rows of 8 and 7, all were said to be of the larger
// class, or by a matrix of luck the wrong way round. From 25 rows on the scores count as they are, with a matrix.
func TestScoresOfLargeAlpha(t *testing.T) {
	for _, n := range []int{15, 24, 25} {
		scores, classes, counts := make([]float64, 2*n), make([]int32, n), make([]float64, 2)
		for i := range classes {
			classes[i] = int32(i % 2)
			counts[i%2]++
		}
		for i, class := range classes {
			isLike := i%5 < 3 // its own class, in three of five rows
			scores[2*i] = (counts[0]-counts[1])/float64(n) + 1e-4*float64(1-2*int(class))
			if !isLike {
				scores[2*i] = (counts[0]-counts[1])/float64(n) - 1e-4*float64(1-2*int(class))
			}
			scores[2*i+1] = -scores[2*i]
		}
		f := newScoreFit(scores, classes, counts, false)
		for !f.step() {
		}
		if isFew := n < 25; f.withM == isFew || isFew && n%2 == 1 && math.Abs(f.middle[0]-1/float64(n)) > 1e-15 ||
			!isFew && f.middle[0] != 0 {
			t.Errorf("%d rows: a matrix is %v, the middle %v", n, f.withM, f.middle)
		}
		l := &Linear{D: 1, K: 2, Weights: []float64{1e-4, -1e-4}, Intercept: []float64{0, 0}}
		l.Intercept[0] = (counts[0] - counts[1]) / float64(n)
		l.Intercept[1] = -l.Intercept[0]
		said := [2]bool{}
		p := f.probabilities(&Calibration{K: 2})
		for i := range classes {
			said[0], said[1] = said[0] || p[2*i] > p[2*i+1], said[1] || p[2*i] < p[2*i+1]
		}
		made := f.apply(l)
		for _, z := range []float64{-1, 1} {
			isFirst := made.Intercept[0]+made.Weights[0]*z > made.Intercept[1]+made.Weights[1]*z
			if n < 25 && isFirst != (z > 0) {
				t.Errorf("%d rows: a row of feature %v is of the first class: %v", n, z, isFirst)
			}
		}
		if n < 25 && !(said[0] && said[1]) {
			t.Errorf("%d rows: said %v", n, said)
		}
	}
}

// The odds of few rows count by half where the scores say no more than chance can, and wholly from 80 rows on that the
// scores tell apart. 20 rows that are told apart were chosen by luck, too.
func TestCertaintyOfFewRows(t *testing.T) {
	for _, c := range []struct {
		n          int
		says, want float64
	}{{12, 0, 0.5}, {20, 0, 0.5}, {12, 1, 0.66}, {20, 1, 0.7}, {80, 1, 1}, {150, 0, 0.5}, {200, 0, 1}} {
		rng := rand.New(rand.NewSource(3))
		scores, classes := make([]float64, 2*c.n), make([]int32, c.n)
		for i := range classes {
			classes[i] = int32(i % 2)
			scores[2*i] = rng.NormFloat64()/4 + c.says*float64(1-2*(i%2))
			scores[2*i+1] = -scores[2*i]
		}
		half := float64(c.n / 2)
		f := newScoreFit(scores, classes, []float64{half, half}, false)
		for !f.step() {
		}
		if got := f.certainty(); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%d rows whose scores say %v: the odds count %v times, want %v", c.n, c.says, got, c.want)
		}
	}
}
