// Package rowsmap draws rows of a file as points: kernel PCA of their features, for Embed and Learn.
package rowsmap

import (
	"tensorsketch.example/ui/internal/chart"
	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// A Cloud is rows, placed by the two directions in which their features differ most.
type Cloud struct {
	XY    []float64 // two coordinates of each row
	Share []float64 // of the variance, in either coordinate, 0 to 1
	Of    int       // rows that these were evenly taken of
}

// Size returns the number of rows.
func (c *Cloud) Size() int { return len(c.XY) / 2 }

// NoneHTML says why there is nothing to see, or returns "".
func (c *Cloud) NoneHTML() string {
	switch {
	case c.Size() < 3:
		return none + "A map needs at least three rows.</p>"
	case c.Share[0] == 0:
		return none + "The features of these rows do not differ.</p>"
	}
	return ""
}

const none = `<p class="small none">` // takes the picture's room away

// Words says what the map shows: "Each dot is a row …".
func (c *Cloud) Words(row string) string {
	text := "Each dot is a " + row
	if c.Size() < c.Of {
		text += ", " + format.Count(c.Size()) + " of " + format.Count(c.Of) + " evenly drawn"
	}
	return text + ". Rows with like features are near each other: the axes are the two directions in which the " +
		"features differ most (kernel PCA). They hold " + format.Number(100*c.Share[0], 3) + " and " +
		format.Number(100*c.Share[1], 3) + "\u00a0% of the variance. Press a dot, or step by the arrow keys, to see its row."
}

// KeysHTML names the colours of the groups, and the ring.
func (g *Groups) KeysHTML() string {
	if len(g.Names) < 2 && g.Wrong == nil {
		return ""
	}
	var b draw.Builder
	b.Text(`<p class="colours">`)
	for k, name := range g.Names {
		if name == "" { // of a fifth without rows
			continue
		}
		b.Text(`<span><svg viewBox="0 0 2 2" aria-hidden="true"><circle cx="1" cy="1" r="1" fill="`,
			draw.Hue(k, len(g.Names)).String(), `"/></svg>`, draw.Escape(format.Cut(name)), "</span> ")
	}
	if g.Wrong != nil {
		b.Text(`<span><svg viewBox="0 0 2 2" aria-hidden="true"><circle class="outline" cx="1" cy="1" r=".8"`,
			`/></svg>predicted wrongly</span>`)
	}
	b.Text("</p>")
	return b.String()
}

// chart returns the axes, with one scale for both, and the points.
func (c *Cloud) chart(size lesson.Size) (*chart.Chart, []chart.Point) {
	em := size.Em
	f := draw.Frame{Left: 4.2 * em, Top: chart.Above * em, Right: size.Width - 1.2*em,
		Bottom: size.Height - chart.Below*em}
	var xs, ys []float64
	points := make([]chart.Point, c.Size())
	for i := range points {
		points[i] = chart.Point{X: c.XY[2*i], Y: c.XY[2*i+1]}
		xs, ys = append(xs, points[i].X), append(ys, points[i].Y)
	}
	x, y := chart.Around(nil, xs...).Padded(), chart.Around(nil, ys...).Padded()
	unit := max((x.High-x.Low)/f.Width(), (y.High-y.Low)/f.Height()) / 2
	around := func(r chart.Range, pixels float64) chart.Range {
		middle := (r.Low + r.High) / 2
		return chart.Range{Low: middle - pixels*unit, High: middle + pixels*unit}
	}
	return chart.New(f, em, chart.Axis{Title: "component 1", Range: around(x, f.Width())},
		chart.Axis{Title: "component 2", Range: around(y, f.Height())}), points
}

// SVG draws the map, and returns where each row is. It is empty where there is nothing to see.
func (c *Cloud) SVG(size lesson.Size, g *Groups) (svg string, spots []lesson.Rect) {
	if c.NoneHTML() != "" {
		return "", nil
	}
	b, em := &draw.Builder{}, size.Em
	b.Open(size.Width, size.Height, em, "", false)
	axes, points := c.chart(size)
	axes.Axes(b)
	dots, rings := make([]draw.Builder, len(g.Names)), &draw.Builder{}
	for i, p := range points {
		x, y, _ := axes.At(p)
		spots = append(spots, lesson.Rect{X: x - .35*em, Y: y - .35*em, Width: .7 * em, Height: .7 * em})
		dots[g.Of(i)].Point(x, y)
		if g.Wrong != nil && g.Wrong(i) {
			rings.Circle(x, y, .35*em)
		}
	}
	for k := range dots {
		b.Text(`<path class="place" stroke="`, draw.Hue(k, len(dots)).String(), `" d="`, dots[k].String(), `"/>`)
	}
	b.Path("outline", rings.String())
	b.Close()
	return b.String(), spots
}

// Step returns the row that a key leads to from a row, both from 0, and whether the key is one of them. Left and right
// go through all rows along the first component, down and up along the second.
func (c *Cloud) Step(row int, key string) (int, bool) {
	switch key {
	case "ArrowLeft":
		return c.next(row, 0, -1), true
	case "ArrowRight":
		return c.next(row, 0, 1), true
	case "ArrowDown":
		return c.next(row, 1, -1), true
	case "ArrowUp":
		return c.next(row, 1, 1), true
	case "Home":
		return 0, true
	case "End":
		return c.Size() - 1, true
	}
	return row, false
}

// next returns the row after a row along a component, in a direction, or the row if it is the last.
func (c *Cloud) next(row, component int, direction float64) int {
	before := func(i, j int) bool { // i comes before j
		a, b := direction*c.XY[2*i+component], direction*c.XY[2*j+component]
		return a < b || a == b && direction*float64(i-j) < 0
	}
	best := row
	for i := range c.Size() {
		if before(row, i) && (best == row || before(i, best)) {
			best = i
		}
	}
	return best
}
