package embed

import (
	"strconv"
	"strings"
	"testing"

	"tensorsketch.example/dataset"
	"tensorsketch.example/sketch"
)

// TestRowsNote: the sentence beside Rows says what package dataset does with rows of each length.
func TestRowsNote(t *testing.T) {
	for _, method := range []string{sketch.MethodTensorSketch, sketch.MethodSpherical} {
		s := DefaultSettings()
		s.Method = method
		least := 1
		for n := 1; n < 10; n++ {
			p := dataset.Preprocessing{UnitNorm: true, KeepFew: method != sketch.MethodSpherical, Sparse: true, Width: n}
			if !p.Divides() {
				least = n + 1
			}
		}
		want := "all rows are divided by their length"
		if least > 1 {
			want = "rows of " + strconv.Itoa(least) + " or more numbers are divided by their length; shorter rows are left"
		}
		if got := s.RowsNote(); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q in it", method, got, want)
		}
	}
}
