package embed

import (
	"strings"
	"testing"

	"tensorsketch.example/dataset/plan"
	"tensorsketch.example/ui/internal/table"
)

func plain(text string) string { return strings.ReplaceAll(text, "\u00a0", " ") }

// TestCells: the notes of the CSV files say what a line has before its features.
func TestCells(t *testing.T) {
	for roles, want := range map[string]string{
		"number number":          "",
		"number label":           "label",
		"number keep":            "kept column",
		"number keep label":      "label and kept column",
		"number keep label keep": "label and kept columns",
	} {
		l := &table.Layout{}
		for name := range strings.FieldsSeq(roles) {
			role, _ := plan.ParseRole(name)
			l.Columns = append(l.Columns, table.Column{Column: plan.NewColumn("", role)})
		}
		if got := cellsBefore(l); got != want {
			t.Errorf("%s: got %q, want %q", roles, got, want)
		}
	}
}

// TestTypeOf: a column's type is named with the number of cells that are not of it.
func TestTypeOf(t *testing.T) {
	for want, c := range map[string]table.Column{
		"integer; 1\u00a0cell is not a number": {Type: plan.Integer, Odd: 1},
		"number; 2\u00a0cells are not numbers": {Type: plan.Number, Odd: 2},
		"text; 1\u00a0cell empty":              {Type: plan.Text, Odd: 1},
		"date; 3\u00a0cells are not dates":     {Type: plan.Date, Odd: 3},
		"empty":                                {Type: plan.Empty, Odd: 3},
	} {
		if got := typeOf(&c); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestPortion(t *testing.T) {
	for _, test := range []struct {
		n, all int
		want   string
	}{{2000, 2000, "all"}, {1999, 2000, "all but one of the"}, {1998, 2000, "99.9 % of the"}, {1, 2, "50.0 % of the"},
		{0, 3, "0.0 % of the"}} {
		if got := plain(portion(test.n, test.all)); got != test.want {
			t.Errorf("%d of %d: %q, want %q", test.n, test.all, got, test.want)
		}
	}
}
