package portable

import (
	"math"
	"math/rand"
	"testing"
)

func TestExponential(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	values := []float64{0, 1, -1, 0.5, -0.5, 1e-300, -1e-17, 0.34657359, -0.34657360, 708, -708, 88.7, 700.1}
	for range 200000 {
		values = append(values, (2*rng.Float64()-1)*700, 2*rng.Float64()-1)
	}
	worst := 0.0
	for _, x := range values {
		got, want := Exp(x), math.Exp(x)
		ulp := math.Nextafter(want, math.Inf(1)) - want
		if e := math.Abs(got-want) / ulp; e <= 2 {
			worst = max(worst, e)
		} else {
			t.Errorf("Exp(%g) = %g, want %g", x, got, want)
		}
	}
	t.Logf("within %g units in the last place", worst)
	for x, want := range map[float64]float64{710: math.Inf(1), math.Inf(1): math.Inf(1), -746: 0,
		math.Inf(-1): 0, -745: 5e-324} {
		if got := Exp(x); got != want {
			t.Errorf("Exp(%g) = %g, want %g", x, got, want)
		}
	}
	if got := Exp(math.NaN()); got == got {
		t.Errorf("Exp(NaN) = %g", got)
	}
}
