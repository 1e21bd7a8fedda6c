package dataset

import (
	"strings"
	"testing"

	"tensorsketch.example/dataset/columns"
)

// TestTotals: a row of totals below a table was read like any other. A category that is called so is none.
func TestTotals(t *testing.T) {
	rows := strings.Repeat("Ann,1\nBob,2\n", 5)
	for name, c := range map[string]struct{ text, want string }{
		"total": {"name,x\n" + rows + "Total:,15\n", `the last row has "Total:" in column "name", as a row of totals has; ` +
			`leave it out of the file if it is one`},
		"above":    {"name,x\nTotal,15\n" + rows, ""},
		"category": {"name,x\n" + strings.Repeat("total,1\nfree,2\n", 5) + "total,3\n", ""},
		"a longer": {"name,x\n" + rows + "Total Recall,15\n", ""},
	} {
		got := ""
		for _, n := range mustSniff(t, "f.csv", c.text).Notes() {
			if n.Code == columns.NoteTotals {
				got += n.String()
			}
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
