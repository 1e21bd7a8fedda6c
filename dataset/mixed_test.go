package dataset

import (
	"strings"
	"testing"

	"tensorsketch.example/dataset/plan"
)

// TestNumbersAndWords: a column of few numbers and words is one of names, so that no row is lost. Measurements with a
// word here and there stay numbers.
func TestNumbersAndWords(t *testing.T) {
	for _, c := range []struct {
		cells string // repeated
		want  plan.Type
	}{
		{"2 3 4 5more", plan.Text},
		{"2 4 more", plan.Text},
		{"1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8 9 broken", plan.Integer}, // a twentieth
		{"1 2 NA 3", plan.Integer},
	} {
		table := "a,b\n"
		for range 20 {
			for cell := range strings.FieldsSeq(c.cells) {
				table += cell + ",x\n"
			}
		}
		l, err := Sniff("t.csv", []byte(table), true, plan.Reading{})
		if err != nil {
			t.Fatal(err)
		}
		if got := l.Columns[0].Type; got != c.want {
			t.Errorf("%s: the type is %s, want %s", c.cells, got, c.want)
		}
	}
}
