package embed

import (
	"strconv"
	"strings"
	"testing"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch"
)

// TestRowsNote: the sentence beside Rows says what becomes of the length of rows.
func TestRowsNote(t *testing.T) {
	least := strconv.Itoa(columns.FewestDivided)
	for method, want := range map[string]string{
		sketch.MethodTensorSketch: "rows of " + least + " or more numbers are divided by their length; rows of fewer are",
		sketch.MethodSpherical:    "all rows are divided by their length",
	} {
		s := DefaultSettings()
		s.Method = method
		if got := s.RowsNote(); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q in it", method, got, want)
		}
	}
}
