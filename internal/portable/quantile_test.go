package portable

import (
	"math"
	"testing"
)

func TestNormalQuantile(t *testing.T) {
	for _, p := range []float64{1e-300, 1e-20, 1e-12, 0.001, 0.0749, 0.3, 0.5, 0.6, 0.975, 0.999, 1 - 1e-10} {
		z := NormalQuantile(p)
		if back := 0.5 * math.Erfc(-z/math.Sqrt2); math.Abs(back/p-1) > 1e-10 {
			t.Errorf("Φ(NormalQuantile(%g)) = %g", p, back)
		}
	}
	for _, x := range []float64{1e-300, 1e-10, 0.3, 0.7071, 1, 1.5, 10, 1e300} {
		if got, want := Log(x), math.Log(x); math.Abs(got-want) > 4e-16*math.Max(1, math.Abs(want)) {
			t.Errorf("Log(%g) = %g, want %g", x, got, want)
		}
	}
}
