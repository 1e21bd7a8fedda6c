package learn

import (
	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/rowsmap"
)

// A RowsMap is held-out rows as points, placed by the features of the model with D components.
type RowsMap struct {
	rowsmap.Cloud
	D                int
	Rows             []float64 // their numbers among the held-out rows
	Truth, Predicted []float64 // the index of the class, or the number
}

// WantsMap returns the D whose map is to be asked for, or 0 if it is here, or something runs.
func (r *Session) WantsMap() int {
	if r.Detail != nil && !r.Phase.Runs() && (r.Map == nil || r.Map.D != r.Detail.D) {
		return r.Detail.D
	}
	return 0
}

// MapAwaits says what the map waits for, if it is not here.
func (r *Session) MapAwaits() string {
	switch {
	case r.Detail == nil:
		return "It comes with the curve."
	case r.Phase.Runs():
		return "It is drawn when what runs above has ended."
	}
	return "computing …"
}

// TakeMap shows a map. A picked row is forgotten.
func (r *Session) TakeMap(m *RowsMap) {
	if r.Dot() >= 0 {
		r.PickCell(-1)
	}
	r.Map = m
}

// PickDot picks a row of the map, from 0.
func (r *Session) PickDot(row int) { r.PickCell(r.Detail.Items() + row) }

// Dot returns the picked row of the map, or −1: it comes after the items of the detail.
func (r *Session) Dot() int {
	if r.Detail == nil || r.Map == nil || r.Cell <= r.Detail.Items() {
		return -1
	}
	return r.Cell - r.Detail.Items() - 1
}

// Groups colours rows by their class, with a ring where the model is wrong; or by their number.
func (m *RowsMap) Groups(d *Detail) *rowsmap.Groups {
	if d.IsNumber() {
		return rowsmap.ByNumber(m.Truth)
	}
	g := rowsmap.ByKind(d.Classes, func(i int) int { return int(m.Truth[i]) })
	g.Wrong = func(i int) bool { return m.Truth[i] != m.Predicted[i] }
	return g
}

// Picture draws the map beside the classes of a detail.
func (m *RowsMap) Picture(size lesson.Size, d *Detail) *Picture {
	svg, spots := m.SVG(size, m.Groups(d))
	return &Picture{SVG: svg, Spots: spots}
}

// SaysHTML names the colours, and says what the map shows.
func (m *RowsMap) SaysHTML(d *Detail) string {
	if none := m.NoneHTML(); none != "" {
		return none
	}
	var b draw.Builder
	b.Text(m.Groups(d).KeysHTML(), `<p class="small">`, m.Words("row held out"), "</p>")
	return b.String()
}

// Describe describes a row, from 0.
func (m *RowsMap) Describe(row int, d *Detail) string {
	if d.IsNumber() {
		return "true " + format.Number(m.Truth[row], 4) + ", predicted " + format.Number(m.Predicted[row], 4)
	}
	return "true " + format.Cut(d.Classes[int(m.Truth[row])]) + ", predicted " +
		format.Cut(d.Classes[int(m.Predicted[row])])
}
