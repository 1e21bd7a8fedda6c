package learn

import (
	"strings"
	"testing"

	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/rowsmap"
)

// A map is asked for after the predictions of its model, is coloured by class with rings where the model is wrong, and
// its rows are picked after the cells of the matrix.
func TestRowsMap(t *testing.T) {
	m := &RowsMap{Cloud: rowsmap.Cloud{XY: []float64{0, 1, 2, 3, 4, 4}, Share: []float64{.6, .3}, Of: 3}, D: 64,
		Rows: []float64{5, 7, 9}, Truth: []float64{0, 1, 1}, Predicted: []float64{0, 0, 1}}
	r := &Session{Phase: Training, Detail: &Detail{D: 64, Classes: []string{"yes", "no"},
		Confusion: []float64{1, 0, 1, 1}}}
	awaits := func(want string) {
		t.Helper()
		if got := r.MapAwaits(); got != want {
			t.Errorf("the map's room says %q, want %q", got, want)
		}
	}
	if r.WantsMap() != 0 {
		t.Error("a map is asked for while something runs")
	}
	awaits("It is drawn when what runs above has ended.")
	r.Phase = Done
	if got := r.WantsMap(); got != 64 {
		t.Errorf("the map of D %d is asked for, want 64", got)
	}
	awaits("computing …")
	r.PickCell(3)
	r.TakeMap(m)
	if r.WantsMap() != 0 || r.Dot() != -1 || r.Cell != 4 {
		t.Errorf("with the map: %d wanted, row %d, cell %d", r.WantsMap(), r.Dot(), r.Cell)
	}
	r.PickDot(1)
	if got := m.Describe(r.Dot(), r.Detail); r.Dot() != 1 || got != "true no, predicted yes" {
		t.Errorf("row %d: %q", r.Dot(), got)
	}
	p := m.Picture(lesson.Size{Width: 500, Height: 300, Em: 13}, r.Detail)
	if len(p.Spots) != 3 || strings.Count(p.SVG, `class="place"`) != 2 || !strings.Contains(p.SVG, `class="outline"`) {
		t.Errorf("want 3 places, 2 colours and a ring: %s", p.SVG)
	}
	if says := m.SaysHTML(r.Detail); !strings.Contains(says, "Each dot is a row held out. ") {
		t.Errorf("got %q", says)
	}
	m.XY = m.XY[:4]
	if got, want := m.SaysHTML(r.Detail), `<p class="small none">A map needs at least three rows.</p>`; got != want {
		t.Errorf("of two rows: %s, want %s", got, want)
	}
	r.TakeDetail(&Detail{D: 128, Classes: []string{"yes", "no"}, Confusion: make([]float64, 4)})
	if r.Dot() != -1 || r.WantsMap() != 128 {
		t.Errorf("of another model: row %d, %d wanted", r.Dot(), r.WantsMap())
	}
}

// Numbers are coloured by their values; of many classes the last share a colour.
func TestGroups(t *testing.T) {
	m := &RowsMap{Truth: []float64{9, 1, 1, 1, 5, 6, 7, 8, 2, 3}}
	g := m.Groups(&Detail{})
	for row, want := range []int{7, 0, 0, 0, 3, 4, 5, 6, 1, 2} {
		if got := g.Of(row); got != want {
			t.Errorf("number %v: group %d, want %d", m.Truth[row], got, want)
		}
	}
	d := &Detail{}
	for range 15 {
		d.Classes = append(d.Classes, "c")
	}
	m = &RowsMap{Truth: []float64{0, 14}, Predicted: []float64{0, 13}}
	g = m.Groups(d)
	if len(g.Names) != 12 || g.Names[11] != "the other 4" || g.Of(1) != 11 || !g.Wrong(1) || g.Wrong(0) {
		t.Errorf("15 classes: %q, group %d", g.Names, g.Of(1))
	}
}
