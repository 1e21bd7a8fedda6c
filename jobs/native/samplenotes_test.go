package native_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/jobs"
	"tensorsketch.example/jobs/native"
)

// A fit said nothing of a column that follows from the label, nor of -999 for a missing number. A code that tells the
// label of all rows but one, and a number that is far away once, are no notes.
func TestNotesOfSample(t *testing.T) {
	const tells = "column \"code\" alone tells the label of all rows; " +
		"ignore it if it is not known before the label is\n"
	const apart = "12 numbers of column \"pressure\" are -999, far from all others; " +
		"leave these cells empty if the number stands for a missing one\n"
	for _, c := range []struct {
		apart, wrong int // rows
		task, want   string
	}{{12, 0, "classify", tells + apart}, {12, 1, "classify", apart}, {4, 0, "regress", tells}, {4, 1, "regress", ""}} {
		r := rand.New(rand.NewPCG(1, 33))
		var text strings.Builder
		text.WriteString("code,pressure,age,target\n")
		for i := range 120 {
			y, pressure := r.IntN(3), 130+r.IntN(40)
			code := y
			if i < c.wrong {
				code = (y + 1) % 3
			}
			if i < c.apart {
				pressure = -999
			}
			fmt.Fprintf(&text, "R%d,%d,%.1f,%d\n", code, pressure, 20+60*r.Float64(), y)
		}
		reply, err := jobs.Fit(nil, native.Mapper{}, &jobs.FitRequest{Rows: rowsOf(text.String()), Search: "linear",
			Task: c.task})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, n := range reply.Notes {
			if n.Code == columns.NoteTellsLabel || n.Code == columns.NoteNumberApart {
				got += n.String() + "\n"
			}
		}
		if got != c.want {
			t.Errorf("%d apart, %d wrong, %s: got %q, want %q", c.apart, c.wrong, c.task, got, c.want)
		}
	}
}

// A table with copies of its rows, as after a join, says so; rows of few values are equal by chance, and have no note.
func TestNotesOfEqualRows(t *testing.T) {
	const want = "80 rows of a sample of 200 rows, label included, are equal to others of it; " +
		"leave copies out that are there by mistake: each counts like a row of its own"
	for name, c := range map[string]struct {
		different int
		want      string
	}{"copies": {120, want}, "few copies": {195, ""}, "few values": {120, ""}, "three decimals": {200, ""}} {
		var text strings.Builder
		text.WriteString("age,sex,target\n")
		for i := range 200 {
			k := i % c.different
			age := fmt.Sprintf("%d.5", k)
			switch name {
			case "few values":
				age = fmt.Sprint(k % 5)
			case "three decimals": // as many as 200 rows of 300 numbers have by chance
				age = fmt.Sprint(k * k % 301)
			}
			fmt.Fprintf(&text, "%s,%c,%c\n", age, "fm"[k*7%2], "uv"[k*5%3%2])
		}
		reply, err := jobs.Fit(nil, native.Mapper{}, &jobs.FitRequest{Rows: rowsOf(text.String()), Search: "linear"})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, n := range reply.Notes {
			if n.Code == columns.NoteEqualRows {
				got += n.String()
			}
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
