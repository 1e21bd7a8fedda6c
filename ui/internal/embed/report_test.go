package embed

import (
	"math"
	"testing"

	"tensorsketch.example/sketch"
)

// TestNew: the figures are root means over the pairs.
func TestReport(t *testing.T) {
	r := NewReport([]Pair{{Exact: 1, Estimate: 4, Sigma: 1, Bias: 2}, {Exact: 5, Estimate: 1, Sigma: 3}}, sketch.Bound)
	if r.RMSE != math.Sqrt(12.5) || r.Sigma != math.Sqrt(5) || r.Bias != math.Sqrt(2) || r.Kind != sketch.Bound ||
		r.Predicted() != math.Sqrt(7) || r.Pairs[0].Deviation() != 1 {
		t.Errorf("got %+v, predicted %v", r, r.Predicted())
	}
	if none := NewReport(nil, sketch.Exact); none.RMSE != 0 || none.Sigma != 0 || none.Bias != 0 {
		t.Errorf("of no pairs: %+v", none)
	}
}

func TestWithin(t *testing.T) {
	r := Report{Pairs: []Pair{{1, 1.5, .5, 0}, {1, 0, .4, 0}, {1, 1, 0, 0}}}
	for factor, want := range map[float64]int{1: 2, 2: 2, 3: 3} {
		if got := r.Within(factor); got != want {
			t.Errorf("within %v σ: %d, want %d", factor, got, want)
		}
	}
}

// TestSeenBias: a bias far below σ, or below rounding, is none.
func TestSeenBias(t *testing.T) {
	pairs := []Pair{{Exact: -4}}
	for _, test := range []struct {
		bias, sigma float64
		want        bool
	}{{0, 0, false}, {5.44e-94, 1e-3, false}, {3e-6, .074, false}, {7.5e-4, .074, true}, {.0111, 2e-11, true},
		{3.9e-7, 0, false}, {4.1e-7, 0, true}} {
		if got := (&Report{Pairs: pairs, Bias: test.bias, Sigma: test.sigma}).IsBiased(); got != test.want {
			t.Errorf("bias %v beside σ %v: %v", test.bias, test.sigma, got)
		}
	}
	if (&Report{Pairs: []Pair{{Exact: 1e-77}}, Self: 1, Bias: 3e-79}).IsBiased() {
		t.Error("a bias far below the kernel of a row with itself is seen")
	}
}
