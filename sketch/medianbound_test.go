package sketch

import (
	"math"
	"testing"
)

func TestMedianProbability(t *testing.T) {
	for _, c := range []struct {
		t            int
		single, want float64
	}{
		{1, 0.3, 0.3}, {3, 0.5, 0.5}, {3, 0.1, 0.028}, {2, 0.5, 0.75}, {4, 0.1, 0.0523},
		{5, 0.9, 0.99144}, {6, 0.75, 0.96240234375}, {7, 0, 0}, {7, 1, 1}, {1023, 0.5, 0.5},
	} {
		if got := medianProbability(c.t, c.single); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("medianProbability(%d, %g) = %.15g, want %g", c.t, c.single, got, c.want)
		}
	}
	for t0 := 1; t0 <= 1023; t0 += 2 {
		for _, single := range []float64{1e-3, 1. / 16, 0.2} {
			bound := math.Exp(float64(t0-1)*math.Ln2 + float64(t0+1)/2*math.Log(single))
			if got := medianProbability(t0, single); got > bound*(1+1e-9) || got < 0 {
				t.Fatalf("medianProbability(%d, %g) = %g, want at most %g", t0, single, got, bound)
			}
		}
	}
}
