package border

import (
	"math"
	"testing"

	"tensorsketch.example/sketch"
)

func TestInteger(t *testing.T) {
	if n, err := Integer("degree", 64, 64); n != 64 || err != nil {
		t.Errorf("Integer of 64 gives %d, %v", n, err)
	}
	for value, text := range map[float64]string{0: "0", 1.5: "1.5", -3: "-3", 16777217: "16777217", 1e300: "1e+300",
		math.NaN(): "NaN"} {
		want := "nComponents must be an integer from 1 to 16777216, got " + text
		if _, err := Integer("nComponents", value, sketch.MaxComponents); err == nil || err.Error() != want {
			t.Errorf("Integer of %g: %v, want %s", value, err, want)
		}
	}
}
