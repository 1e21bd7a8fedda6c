package dataset

import (
	"strings"
	"testing"

	"tensorsketch.example/dataset/columns"
)

// TestValues: a layout says what the first cells of each column hold.
func TestValues(t *testing.T) {
	var b strings.Builder
	b.WriteString("amount,when,city,ok,same,gap\n")
	for i := range 24 {
		b.WriteString([]string{"1", "2", "1.5", "na"}[i%4] + "," + []string{"2024-01-02", "2024-03-01"}[i%2] + "," +
			[]string{"Bern", "Bern", "Ulm", "Rom", "Bonn", "Köln"}[i%6] + "," + []string{"true", "false"}[i%2] + ",7,\n")
	}
	l, err := SniffFile("rows.csv", strings.NewReader(b.String()), columns.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"#800000800008\t1\t2", "#800000000008\t2024-01-02\t2024-03-01",
		"Bern\t8\tUlm\t4\tRom\t4\t2", "true\t12\tfalse\t12\t0", "#800000000000\t7\t7", ""} {
		if got := l.Columns[i].Values; got != want {
			t.Errorf("column %q holds %q, want %q", l.Columns[i].Name, got, want)
		}
	}
}
