//go:build !js

package main

import (
	"math"
	"os"
	"strings"
	"testing"
)

// TestAreas: the features tell wrong rows as well as the exact kernel does, within three standard errors of the
// difference of two areas on the same rows. Nearly all of this error is of the few wrong rows, so it is the standard
// deviation of the differences of their shares, over √20 (DeLong, DeLong & Clarke-Pearson 1988).
func TestAreas(t *testing.T) {
	here, exact, err := above()
	if err != nil {
		t.Fatal(err)
	}
	differences := make([]float64, len(here))
	for i := range here {
		differences[i] = here[i] - exact[i]
	}
	difference, squares := mean(differences), 0.0
	for _, d := range differences {
		squares += (d - difference) * (d - difference)
	}
	n := float64(len(differences))
	if within := 3 * math.Sqrt(squares/(n-1)/n); math.Abs(difference) > within {
		t.Errorf("the area under the curve is %.3f, and %.3f with the exact kernel: they may differ by %.3f",
			mean(here), mean(exact), within)
	} else {
		t.Logf("%.4f and %.4f, may differ by %.4f", mean(here), mean(exact), within)
	}
	text, err := os.ReadFile("main.go")
	if want := "\n" + said(here, exact) + "package main"; err != nil ||
		!strings.Contains(strings.ReplaceAll(string(text), "//\t", ""), want) {
		t.Errorf("main.go (%v) does not say that it prints\n%s", err, said(here, exact))
	}
}
