package plane

import (
	"strings"

	"strconv"

	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// stripes hatch what is answered −, where a picture stands alone.
const stripes = `<pattern id="stripes" width="6" height="6" patternUnits="userSpaceOnUse" ` +
	`patternTransform="rotate(45)"><path class="stripe" d="M1 0V6"/></pattern>`

// SVG implements lesson.Picture.
func (c *Picture) SVG(size lesson.Size, look lesson.Item, standalone bool) string {
	l, b := c.layout(size), &draw.Builder{}
	b.Open(size.Width, size.Height, size.Em, c.summary(), standalone)
	b.WriteString("<defs>")
	if standalone {
		b.WriteString(stripes)
	}
	// Each square uses the same points. They are in an svg element because rules for what is in one have to match.
	b.WriteString(`<svg id="plane-points" overflow="visible">`)
	c.drawPoints(b, l)
	b.WriteString("</svg></defs>")
	short := l.isLow
	for k, name := range c.headings(false) {
		short = short || draw.TextWidth(name+"   "+c.figure(k), 1.1*l.em) > l.panels[k].Width
	}
	for k, name := range c.headings(short) {
		r := l.panels[k]
		if l.isLow {
			words := strings.Fields(name)
			b.LabelOf("strong", r.X, r.Y-2*l.em, "start", words[len(words)-1])
			b.LabelOf("strong", r.X, r.Y-.6*l.em, "start", c.figure(k))
		} else {
			b.LabelOf("strong", r.X, r.Y-.7*l.em, "start", name)
			b.LabelOf("strong", r.X+r.Width, r.Y-.7*l.em, "end", c.figure(k))
		}
		if k == 0 && c.parts != nil {
			c.drawMaps(b, l, look, standalone)
			continue
		}
		m := c.shown(k)
		if standalone {
			c.drawRegions(b, r, m, 2*lines)
		}
		b.Path("border", c.borderOf(r, m))
		if m != c.models[k] {
			b.Path("other", c.borderOf(r, c.models[k]))
		}
		b.Rect("axis", r.X, r.Y, r.Width, r.Height)
		b.Text(`<use href="#plane-points" x="`, r.X-l.panels[0].X, `" y="`, r.Y-l.panels[0].Y, `"/>`)
		c.drawFocus(b, l, k, look)
	}
	if c.parts != nil {
		c.drawStrips(b, l, look)
	}
	c.drawLegend(b, l)
	b.Close()
	return b.String()
}

// classOf returns the CSS classes of a point.
func classOf(p Point) string {
	class := "dot plus"
	if p.Minus {
		class = "dot minus"
	}
	if p.HeldOut {
		class += " open"
	}
	return class
}

// shape adds a point to a path: a disc for +, a triangle for −.
func shape(path *draw.Builder, p Point, x, y, radius float64) {
	if p.Minus {
		h := 1.15 * radius
		path.Text("M", x-h, " ", y+.8*h, "h", 2*h, "l", -h, " ", -1.9*h, "Z")
	} else {
		path.Circle(x, y, radius)
	}
}

// drawPoints draws the points in the first panel. The visitor's are larger.
func (c *Picture) drawPoints(b *draw.Builder, l *layout) {
	paths := draw.Paths{}
	for i, p := range c.points {
		x, y := l.at(0, p.X, p.Y)
		radius, class := l.radius, classOf(p)
		if i >= c.own {
			radius, class = 1.35*l.radius, class+" own"
		}
		shape(paths.Of(class), p, x, y, radius)
	}
	for _, own := range []string{"", " own"} {
		for _, class := range []string{"dot plus open", "dot minus open", "dot plus", "dot minus"} {
			b.Path(class+own, paths.Of(class+own).String())
		}
	}
}

// lines is the number of lines to a side that borders are followed on.
const lines = 80

// borderOf returns the path where the score of a model is 0: in each cell of a grid a straight piece.
func (c *Picture) borderOf(r lesson.Rect, m *model) string {
	if c.learned == 0 {
		return ""
	}
	var path draw.Builder
	step := 2 * edge / lines
	scores := func(y float64) []float64 {
		row, along := make([]float64, lines+1), m.along(y)
		for j := range row {
			row[j] = along.at(-edge + float64(j)*step)
		}
		return row
	}
	below := scores(-edge)
	for i := range lines {
		above, low := scores(-edge+float64(i+1)*step), -edge+float64(i)*step
		for j := range lines {
			left := -edge + float64(j)*step
			// The four sides of the cell, where the score may change its sign.
			n := 0
			cross := func(a, b float64, x, y, dx, dy float64) {
				if (a > 0) == (b > 0) {
					return
				}
				t := a / (a - b)
				px, py := pixel(r, x+t*dx*step, y+t*dy*step)
				path.MoveOrLine(n%2, px, py)
				n++
			}
			cross(below[j], below[j+1], left, low, 1, 0)
			cross(below[j+1], above[j+1], left+step, low, 0, 1)
			cross(above[j], above[j+1], left, low+step, 1, 0)
			cross(below[j], above[j], left, low, 0, 1)
		}
		below = above
	}
	return path.String()
}

// drawRegions draws the answers of a model as shapes, where there is no canvas to paint them on.
func (c *Picture) drawRegions(b *draw.Builder, r lesson.Rect, m *model, rows int) {
	if c.learned == 0 {
		return
	}
	height := r.Height / float64(rows)
	paths := draw.Paths{}
	for i := range rows {
		top := r.Y + float64(i)*height
		along := m.along(edge * (1 - 2*(float64(i)+.5)/float64(rows)))
		start, before := r.X, along.at(-edge)
		run := func(end float64) {
			class := "region plus"
			if before <= 0 {
				class = "region minus"
			}
			paths.Of(class).Text("M", start, " ", top, "H", end, "V", top+height, "H", start, "Z")
			start = end
		}
		for j := range rows {
			x := -edge + 2*edge*float64(j+1)/float64(rows)
			score := along.at(x)
			if (score > 0) != (before > 0) {
				run(r.X + (float64(j)+before/(before-score))/float64(rows)*r.Width)
			}
			before = score
		}
		run(r.X + r.Width)
	}
	b.Path("region plus", paths.Of("region plus").String())
	minus := paths.Of("region minus").String()
	b.Path("region minus", minus)
	if minus != "" {
		b.Text(`<path fill="url(#stripes)" d="`, minus, `"/>`)
	}
}

// drawFocus marks the item looked at.
func (c *Picture) drawFocus(b *draw.Builder, l *layout, k int, look lesson.Item) {
	if c.parts != nil {
		look = c.pointed(look)
	} else if !c.has(look) {
		return
	}
	px, py := c.at(look)
	x, y := l.at(k, px, py)
	var ring draw.Builder
	radius := min(1.9*l.radius, .7*l.em)
	r := l.panels[k]
	if x-radius >= 0 && y-radius >= 0 {
		ring.Circle(x, y, radius)
	}
	if look.Kind == lesson.Cell {
		ring.Text("M", x, " ", max(y-2*radius, r.Y), "V", min(y+2*radius, r.Y+r.Height),
			"M", max(x-2*radius, r.X), " ", y, "H", min(x+2*radius, r.X+r.Width))
	}
	b.Path("outline", ring.String())
}

func (c *Picture) drawLegend(b *draw.Builder, l *layout) {
	for row, samples := range l.legend {
		y := l.legends + legendRow*float64(row)*l.em
		for _, s := range samples {
			x := s.left
			if s.point != nil {
				var path draw.Builder
				shape(&path, *s.point, x+.4*l.em, y-.35*l.em, .4*l.em)
				b.Path(classOf(*s.point), path.String())
				x += 1.1 * l.em
			}
			b.Label(x, y, "start", s.text)
		}
	}
}

// share writes how many points held out a model answers rightly.
func (c *Picture) share(k int) string { return percent(c.right[k], c.asked) }

// figure writes the figure above a square: the share of a whole model, D of the features, and of how many maps their
// sum is.
func (c *Picture) figure(k int) string {
	switch {
	case c.parts == nil || k == exact || k == sketched && c.shown(k) == c.models[k]:
		return c.share(k)
	case k == sketched:
		return strconv.Itoa(c.parts.count()) + " of " + strconv.Itoa(len(c.parts.maps))
	}
	return "D = " + format.Count(c.p.NComponents)
}

func percent(n, of int) string {
	if of == 0 {
		return "–"
	}
	return strconv.FormatFloat(100*float64(n)/float64(of), 'f', 1, 64) + "\u00a0%"
}
