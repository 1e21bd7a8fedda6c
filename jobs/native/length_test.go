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

// The curve leaves rows of few numbers as they are, too, where the plan says so: one number of length 1 says nothing.
func TestCurveKeepsTheLength(t *testing.T) {
	var text strings.Builder
	text.WriteString("x,y\n")
	for i := range 200 {
		fmt.Fprintf(&text, "%d,%d\n", 7*i%1000, 3*(7*i%1000)+1)
	}
	for _, c := range []struct{ keepFew, wantUnit bool }{{true, false}, {false, true}} {
		q := &jobs.CurveRequest{Rows: rowsOf(text.String()), ID: 1, Sizes: []int{64},
			Map: jobs.MapParams{Degree: 2, Coef0: new(1.0)}}
		q.Plan = &jobs.TablePlan{UnitNorm: true, KeepFew: c.keepFew, Columns: []jobs.ColumnPlan{
			{Name: "x", Role: "number", Scaling: "min-max"}, {Name: "y", Role: "label"}}}
		var head jobs.CurveHead
		q.Head = func(h jobs.CurveHead) { head = h }
		q.Point = func(p jobs.Point) {
			if p.IsFinal && *p.Score > 0.99 != c.keepFew {
				t.Errorf("keepFew %v: R² of D %d is %v", c.keepFew, p.D, *p.Score)
			}
		}
		need.Value(jobs.NewSession(native.Mapper{}).Curve(nil, q))(t)
		if head.Unit != c.wantUnit {
			t.Errorf("keepFew %v: unit is %v", c.keepFew, head.Unit)
		}
	}
}
