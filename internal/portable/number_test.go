package portable

import (
	"math"
	"testing"
)

// What JavaScript's String writes.
func TestFormatNumber(t *testing.T) {
	for want, x := range map[string]float64{
		"0": 0, "-0": math.Copysign(0, -1), "0.1": 0.1, "-2.5": -2.5, "100000000000000000000": 1e20,
		"1e+21": 1e21, "1e-7": 1e-7,
		"0.000001": 1e-6, "1.5e-10": 1.5e-10, "5e-324": 5e-324, "NaN": math.NaN(), "Infinity": math.Inf(1),
		"-Infinity": math.Inf(-1),
	} {
		if got := FormatNumber(x); got != want {
			t.Errorf("FormatNumber(%g) = %q, want %q", x, got, want)
		}
	}
}
