package embed

// This file shows the map of the rows: sampled rows, which the worker places (rowsmap.js).

import (
	"cmp"
	"strconv"
	"strings"

	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/rowsmap"
	"tensorsketch.example/ui/internal/sample"
)

// A RowsMap is the sampled rows of a preview as points.
type RowsMap struct {
	rowsmap.Cloud
	Number int       // of the Result
	Labels []string  // the first kept cell of each row, or ""
	Label  string    // its column
	Places []float64 // lines or numbers in the file
	X      []float32 // Width numbers of each row, as the map receives them
	Width  int
	Names  []string  // of the first columns
	Widths []float64 // how many numbers each of them has
	Days   []string  // of each number of a row that is a date: the days of all rows, joined by zeros; else ""
}

// mostColours is the maximum number of columns to colour by.
const mostColours = 100

// colours returns what the dots can be coloured by: −1 for the label, if it has a name, and the place in a row of each
// column of one number.
func (m *RowsMap) colours() (names []string, places []int) {
	if m.Label != "" {
		names, places = append(names, m.Label), append(places, -1)
	}
	at := 0
	for k, width := range m.Widths {
		if width == 1 && at < m.Width && len(names) < mostColours {
			names, places = append(names, m.Names[k]), append(places, at)
		}
		at += int(width)
	}
	return names, places
}

// ColoursHTML returns the options of the menu of colours.
func (m *RowsMap) ColoursHTML() string {
	var b draw.Builder
	names, _ := m.colours()
	for i, name := range append(names, "one colour") {
		b.Text(`<option value="`, i, `">`, draw.Escape(format.Cut(name)), "</option>")
	}
	return b.String()
}

// groups returns how the rows are coloured, and whether by numbers as the map receives them.
func (m *RowsMap) groups(by int) (g *rowsmap.Groups, received bool) {
	_, places := m.colours()
	if by >= len(places) {
		return rowsmap.ByKind([]string{"row"}, func(int) int { return 0 }), false
	}
	at := places[by]
	switch {
	case at < 0:
		return rowsmap.ByText(m.Labels, false), false
	case m.Days[at] != "":
		return rowsmap.ByText(strings.Split(m.Days[at], "\x00"), true), false
	}
	x := make([]float64, m.Size())
	for i := range x {
		x[i] = float64(m.X[i*m.Width+at])
	}
	return rowsmap.ByNumber(x), true
}

// Draw draws the map in a colour, and returns where each row is.
func (m *RowsMap) Draw(size lesson.Size, by int) (svg string, spots []lesson.Rect) {
	g, _ := m.groups(by)
	return m.SVG(size, g)
}

// shortest writes a number of a row with the digits that it has as float32.
func shortest(x float32) string { return strconv.FormatFloat(float64(x), 'g', -1, 32) }

// MapSays names the colours, says what the map shows, and shows the picked row.
func (e *Room) MapSays() string {
	var b draw.Builder
	m := e.Map
	g, received := m.groups(e.MapBy)
	b.Text(g.KeysHTML(), `<p class="small">`, m.Words("row"))
	if received {
		b.Text(" Colours are of numbers as the map receives them.")
	}
	b.Text("</p>")
	if e.MapRow > 0 && e.MapRow <= m.Size() {
		e.showRow(&b, e.MapRow-1)
	}
	return b.String()
}

// RowName names row i of the map, from 0.
func (e *Room) RowName(i int) string {
	m := e.Map
	text := e.Data.place(int(m.Places[i]))
	if m.Label != "" {
		text += ", " + format.Cut(m.Label) + " " + cmp.Or(format.Cut(m.Labels[i]), "(empty)")
	}
	return text
}

// showRow shows row i of the map: a digit of the sample as its picture, other rows by the numbers of their first
// columns.
func (e *Room) showRow(b *draw.Builder, i int) {
	m := e.Map
	b.Text("<p>This is ", draw.Escape(e.RowName(i)), ".</p>")
	x := m.X[i*m.Width:][:m.Width]
	if e.Data.IsSample() {
		b.Text(sample.PictureOf(m.shades(x), "its picture"))
		return
	}
	const columns, numbers = 12, 8
	b.Text(`<dl>`)
	for k, name := range m.Names[:min(columns, len(m.Names))] {
		own := x[:min(int(m.Widths[k]), len(x))]
		x = x[len(own):]
		b.Text("<div><dt>", draw.Escape(format.Cut(name)), "</dt><dd>")
		for _, v := range own[:min(numbers, len(own))] {
			b.Text(shortest(v), " ")
		}
		if len(own) > numbers {
			b.Text("…")
		}
		b.Text("</dd></div>")
	}
	b.Text(`</dl><p class="small">Numbers as the map receives them`)
	if len(m.Names) > columns {
		b.Text(", of the first ", columns, " columns")
	}
	b.Text(".</p>")
}

// shades returns a digit in whole shades, whatever the length of its row was scaled to.
func (m *RowsMap) shades(x []float32) []float32 {
	largest, shades := float32(1e-9), make([]float32, len(x))
	for _, v := range x {
		largest = max(largest, v)
	}
	for i, v := range x {
		shades[i] = v * sample.Most / largest
	}
	return shades
}

// PairLabel is PairText at the lower edge of the picture.
func (e *Room) PairLabel(pair int, size lesson.Size) string {
	text, b, right := e.PairText(pair), draw.Builder{}, size.Width-1.2*size.Em
	if text != "" {
		b.LabelOf("ink", right, size.Height-.5*size.Em, "end", draw.Shortened(text, right, size.Em))
	}
	return b.String()
}

// PairText names the two rows of a pair of the report with their numbers, or returns "".
func (e *Room) PairText(pair int) string {
	r := e.Result
	if pair < 0 || e.Map == nil || e.Map.Number != r.Number || 2*pair+1 >= len(r.Of) {
		return ""
	}
	p := r.Report.Pairs[pair]
	return e.RowName(int(r.Of[2*pair])) + " · " + e.RowName(int(r.Of[2*pair+1])) + ": exact " +
		format.Number(p.Exact, 3) + ", estimate " + format.Number(p.Estimate, 3)
}

const mapTitle = "<h3>Map of the rows</h3>"

// MapFrame returns the frame of the map of the rows, in which the page draws; "" where there are no rows.
func (e *Room) MapFrame() string {
	if e.Map == nil && (e.Run.Phase == Failed || e.Data.Layout == nil) {
		return ""
	}
	if e.Map == nil {
		return mapTitle + `<p class="small">computing …</p>`
	}
	if none := e.Map.NoneHTML(); none != "" {
		return mapTitle + none
	}
	return mapTitle + `<div class="map-choices"><label class="pick">Colour by <select id="map-by">` + e.Map.ColoursHTML() +
		`</select></label></div><div id="map-picture"></div><div id="map-says" aria-live="polite"></div>`
}
