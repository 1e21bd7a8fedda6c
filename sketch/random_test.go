package sketch

import "testing"

// Numbers below n are uniform: a chi-squared test with 9 degrees of freedom, of which 27.9 is exceeded
// once in 1,000 draws. Another use has another stream.
func TestRandomBelow(t *testing.T) {
	const draws, n = 10000, 10
	var counts [n]int
	r := IntSeed(5).Random(UseBootstrap)
	for range draws {
		counts[r.Below(n)]++
	}
	chi2 := 0.0
	for _, count := range counts {
		d := float64(count) - draws/n
		chi2 += d * d / (draws / n)
	}
	if chi2 > 27.9 {
		t.Errorf("the counts %v have χ² = %.1f", counts, chi2)
	}
	if got, other := IntSeed(5).Random(UseBootstrap).Uint64(), IntSeed(5).Random(UseBootstrap+1).Uint64(); got == other {
		t.Errorf("two uses begin with the same word, %x", got)
	}
	if got, want := IntSeed(5).Random(UseBootstrap).Uint64(), newStream(*IntSeed(5).key(), 40, 0).uint64(); got != want {
		t.Errorf("the first word is %x, want %x", got, want)
	}
}
