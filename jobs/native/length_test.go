package native_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/jobs"
	"tensorsketch.example/jobs/native"
	"tensorsketch.example/test/need"
)

// Without a search, rows of fewer than four numbers keep their length, unless that is typed: where a ring lies around
// another, nothing but the length tells them apart.
func TestFewNumbersKeepTheirLength(t *testing.T) {
	var text strings.Builder
	text.WriteString("x,y,ring\n")
	for i := range 400 {
		angle, r := float64(i), 1+float64(i%2)
		fmt.Fprintf(&text, "%.4f,%.4f,r%d\n", r*math.Cos(angle), r*math.Sin(angle), i%2)
	}
	fit := func(unit *bool) *jobs.FitReply {
		q := &jobs.FitRequest{Rows: rowsOf(text.String()), Search: jobs.SearchOff, Map: jobs.MapParams{NComponents: 64},
			Folds: new(5)}
		q.Columns.UnitNorm = unit
		return need.Value(jobs.Fit(nil, native.Mapper{}, q))(t)
	}
	r2 := func(r *jobs.FitReply) float64 { return *r.HeldOut.R2 }
	own, typed := fit(nil), fit(new(true))
	if r2(own) < 0.8 || r2(typed) > 0.5 {
		t.Errorf("R² on held-out rows is %v, with rows of length 1 %v", r2(own), r2(typed))
	}
	const note = "rows of 2 numbers keep their length"
	if !slices.ContainsFunc(own.Notes, func(n columns.Note) bool { return n.What == note }) {
		t.Errorf("the notes are %v", own.Notes)
	}
}
