package portable

import (
	"math"
	"math/rand"
	"testing"
)

func TestTurns(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	worst := 0.0
	for range 200000 {
		turns := 2*rng.Float64() - 1
		worst = max(worst, math.Abs(CosTurns(turns)-math.Cos(2*math.Pi*turns)),
			math.Abs(SinTurns(turns)-math.Sin(2*math.Pi*turns)))
	}
	if worst > 1e-15 { // a good part comes from package math with its rounded angle
		t.Errorf("cos or sin is off by %g", worst)
	}
	for i, want := range [...]float64{1, 0, -1, 0, 1, 0, -1, 0, 1} {
		turns := float64(i-4) / 4
		if got := CosTurns(turns); got != want {
			t.Errorf("cos of %v turns is %v, want %v", turns, got, want)
		}
		if got := SinTurns(turns + 0.25); got != want {
			t.Errorf("sin of %v turns is %v, want %v", turns+0.25, got, want)
		}
	}
	// Whole turns change nothing, and what is too large for a fraction is whole.
	for _, whole := range [...]float64{1, -1, 1 << 20, -(1 << 40)} {
		if got, want := CosTurns(whole+0.125), CosTurns(0.125); got != want {
			t.Errorf("cos of %v more turns is %v, want %v", whole, got, want)
		}
	}
	if got := CosTurns(1e300); got != 1 {
		t.Errorf("cos of 1e300 turns is %v, want 1", got)
	}
	for _, bad := range [...]float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := CosTurns(bad); got == got {
			t.Errorf("cos of %v turns is %v, want NaN", bad, got)
		}
	}
	if got := CosTurns(-1e-300); got != 1 {
		t.Errorf("cos of −1e-300 turns is %v, want 1", got)
	}
}
