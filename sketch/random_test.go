package sketch

import "testing"

// Numbers below n are uniform: a chi-squared test with 9 degrees of freedom, where 27.9 is exceeded
// once in 1,000 draws. Choosing rows has another stream.
func TestForBootstrap(t *testing.T) {
	const draws, n = 10000, 10
	var counts [n]int
	below := IntSeed(5).ForBootstrap()
	for range draws {
		counts[below(n)]++
	}
	chi2 := 0.0
	for _, count := range counts {
		d := float64(count) - draws/n
		chi2 += d * d / (draws / n)
	}
	if chi2 > 27.9 {
		t.Errorf("the counts %v have χ² = %.1f", counts, chi2)
	}
	if got, want := IntSeed(5).ForBootstrap()(1<<30), newStream(*IntSeed(5).key(), 40, 0).uint64()>>34; got != int(want) {
		t.Errorf("the first number is %x, want %x", got, want)
	}
	got := IntSeed(5).ForRows()()
	if want := newStream(*IntSeed(5).key(), 41, 0).uint64() >> 11; got != float64(want)/(1<<53) {
		t.Errorf("the first place is %v, want %v", got, float64(want)/(1<<53))
	}
}
