package embed

import (
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/rowsmap"
	"tensorsketch.example/ui/internal/table"
)

// mapOf returns a map of rows on a line whose first number and label are given.
func mapOf(labels []string, x ...float32) *RowsMap {
	m := &RowsMap{Cloud: rowsmap.Cloud{Of: 1000, Share: []float64{.5, .25}}, Number: 1, Label: "kind", Labels: labels,
		X: x, Width: 1, Names: []string{"size"}, Widths: []float64{1}, Days: []string{""}}
	for i := range labels {
		m.XY = append(m.XY, float64(i), float64(i%2))
		m.Places = append(m.Places, float64(i+2))
	}
	return m
}

// A map has its colours, and describes itself and the picked row in words.
func TestRowsMap(t *testing.T) {
	size := lesson.Size{Width: 600, Height: 300, Em: 13}
	m := mapOf([]string{"b", "a", "<c>", "a"}, 1, 2, 2, 10)
	if svg, spots := m.Draw(size, 0); strings.Count(svg, `class="place"`) != 3 || len(spots) != 4 {
		t.Errorf("want 3 colours of 4 rows: %d, %s", len(spots), svg)
	}
	for by, want := range [][]string{{"<c>", "a", "b"}, {"1", "2", "10"}, {"row"}} {
		if g, _ := m.groups(by); !slices.Equal(g.Names, want) {
			t.Errorf("colour %d has the groups %q, want %q", by, g.Names, want)
		}
	}
	if got := m.ColoursHTML(); strings.Count(got, "<option") != 3 || !strings.Contains(got, "size") {
		t.Errorf("the menu of colours is %s", got)
	}
	e := &Room{Map: m, MapRow: 3, Data: Data{Bytes: 1, Layout: &table.Layout{Format: "csv"}}}
	for _, want := range []string{"This is line 4, kind &lt;c&gt;", "<dt>size</dt><dd>2 ", "4 of 1,000 evenly drawn"} {
		if got := e.MapSays(); !strings.Contains(got, want) {
			t.Errorf("got %s, want %s in it", got, want)
		}
	}
	const received = "Colours are of numbers as the map receives them."
	for by, want := range []bool{false, true, false} {
		if e.MapBy = by; strings.Contains(e.MapSays(), received) != want {
			t.Errorf("colour %d: %s", by, e.MapSays())
		}
	}
	m.Days[0] = strings.Join([]string{"2024-03-12", "2023-01-01", "2024-03-12", "2024-07-02"}, "\x00")
	e.MapBy = 1
	if got := e.MapSays(); strings.Contains(got, received) || !strings.Contains(got, "</svg>2024-03-12</span>") {
		t.Errorf("colours of days: %s", got)
	}
	e.Result = &Result{Number: 1, Report: &Report{Pairs: []Pair{{Exact: 1, Estimate: 2}}}, Of: []float64{0, 3}}
	if got, want := e.PairText(0), "line 2, kind b · line 5, kind a: exact 1.00, estimate 2.00"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Of two rows there is no map: the frame has a sentence, and no menu, picture and colours.
func TestTooFewForMap(t *testing.T) {
	e := &Room{Map: mapOf([]string{"a", "b"}, 1, 2)}
	if got, want := e.MapFrame(), mapTitle+`<p class="small none">A map needs at least three rows.</p>`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A dot of the errors that is pointed at has its pair.
func TestPairAt(t *testing.T) {
	r := NewReport([]Pair{{Exact: 1, Estimate: 1.5, Sigma: 1}, {Exact: 2, Estimate: 1, Sigma: 1}}, 0)
	size := lesson.Size{Width: 700, Height: 300, Em: 13}
	left, _ := panels(size, r.IsPredicted())
	c, dots := r.chart(left, size.Em, band(r.Pairs))
	for i, p := range dots {
		x, y, _ := c.At(p)
		if got, circle := r.PairAt(size, x+2, y); got != i || !strings.Contains(circle, "outline") {
			t.Errorf("dot %d: got %d %s", i, got, circle)
		}
	}
	if got, circle := r.PairAt(size, 0, 0); got != -1 || circle != "" {
		t.Errorf("in a corner: got %d %s", got, circle)
	}
}
