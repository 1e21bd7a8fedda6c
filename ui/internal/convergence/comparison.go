package convergence

import (
	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/chart"
	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/format"
)

// byTime reports whether the axis of a comparison is the time per row.
func (p *Picture) byTime() bool { return p.contenders != nil && p.params.Axis == ByTime }

// colour returns the colour of a slot. Five colours are spread around the circle, without the one near the accent,
// which belongs to Tensor Sketch.
func colour(slot int) string { return draw.Hue([...]int{0, 3, 0, 4, 1}[slot], 5).String() }

// x returns the position of a mark, and whether it can be drawn.
func (p *Picture) x(l *layout, column int, m mark) (float64, bool) {
	switch {
	case !p.byTime():
		return l.x(column), true
	case m.micros > 0:
		return l.errors.X.At(m.micros), true
	}
	return 0, false
}

// drawComparison draws, on logarithmic axes and for each method, the line of its σ and marks for the errors that its
// seeds have shown.
func (p *Picture) drawComparison(b *draw.Builder, l *layout) {
	f, em := l.errors, l.em
	f.Axes(b)
	if l.wide && p.byTime() {
		b.LabelOf("strong", f.Right, f.Top-.9*em, "end", "at equal time")
	} else if l.wide {
		b.LabelOf("strong", f.Right, f.Top-.9*em, "end", "at equal D")
	}
	if p.byTime() {
		p.drawTime(b, l)
	}
	for _, c := range p.contenders {
		p.drawContender(b, l, c)
	}
	p.drawNames(b, l)
}

// drawContender draws the line and the marks of one method. The mark at the current D is full.
func (p *Picture) drawContender(b *draw.Builder, l *layout, c *contender) {
	class, ink := "law", ` stroke="`+colour(c.slot)+`"`
	if c.slot == 0 {
		class, ink = "exact", ""
	}
	if c.kind() != 0 {
		class += " dashed"
	}
	b.Text(`<path class="`, class, `"`, ink, ` d="`)
	points := 0
	for k, m := range c.marks {
		if x, ok := p.x(l, k, m); ok && m.shown() {
			b.MoveOrLine(points, x, l.errors.Y.At(m.error))
			points++
		}
	}
	b.Text(`"/>`)
	for k, m := range c.marks {
		if x, ok := p.x(l, k, m); ok && m.Seeds >= leastMarked && m.Spread > rounding {
			drawMark(b, c.slot, x, l.errors.Y.At(m.Spread), l.em, k == p.at, m.Seeds < firm)
		}
	}
}

// An error from fewer than leastMarked seeds has no mark; one from fewer than firm seeds has a faint mark.
const leastMarked, firm = 10, 30

// kind returns the kind of the contender's σ: the least certain over all D.
func (c *contender) kind() sketch.Kind {
	worst := sketch.Exact
	for _, m := range c.marks {
		worst = max(worst, m.kind)
	}
	return worst
}

// drawMark draws the shape of a slot: dot, square, diamond, triangle or cross. A full dot has a ring, and a full
// cross is a star.
func drawMark(b *draw.Builder, slot int, x, y, em float64, full, faint bool) {
	tone := ""
	if faint {
		tone = " faint"
	}
	r := .36 * em
	if slot == 0 {
		b.Text(`<path class="dots big`, tone, `" d="`)
		b.Point(x, y)
		b.Text(`"/>`)
		if full {
			b.Text(`<circle class="outline`, tone, `" cx="`, x, `" cy="`, y, `" r="`, 1.4*r, `"/>`)
		}
		return
	}
	ink, fill := colour(slot), "none"
	if full {
		fill = ink
	}
	b.Text(`<path class="rival`, tone, `" stroke="`, ink, `" fill="`, fill, `" d="`)
	switch slot {
	case 1:
		b.Text("M", x-r, " ", y-r, "H", x+r, "V", y+r, "H", x-r, "Z")
	case 2:
		r *= 1.4
		b.Text("M", x-r, " ", y, "L", x, " ", y-r, "L", x+r, " ", y, "L", x, " ", y+r, "Z")
	case 3:
		r *= 1.25
		b.Text("M", x-r, " ", y+.7*r, "H", x+r, "L", x, " ", y-r, "Z")
	case 4:
		b.Text("M", x-r, " ", y-r, "L", x+r, " ", y+r, "M", x-r, " ", y+r, "L", x+r, " ", y-r)
		if full {
			b.Text("M", x, " ", y-1.3*r, "V", y+1.3*r)
		}
	}
	b.Text(`"/>`)
}

// drawNames writes the name of each method: at the end of its line if the axis is D, otherwise in a list.
func (p *Picture) drawNames(b *draw.Builder, l *layout) {
	f, em := l.errors, l.em
	order, ends := p.ends(l)
	for k, at := range apart(ends, 1.4*em, f.Top+.5*em, f.Bottom-.1*em) {
		c := order[k]
		if !p.byTime() && c.marks[Columns-1].shown() {
			b.Line("axis", l.x(Columns-1)+.6*em, ends[k], f.Right+.6*em, at)
		}
		drawMark(b, c.slot, f.Right+1.2*em, at, em, false, false)
		name := c.Short
		if l.wide {
			name = c.Label
		}
		if kind := c.kind(); kind != 0 && l.wide {
			name += " (" + kind.String() + ")"
		}
		b.LabelOf("ink", f.Right+2.1*em, at+.35*em, "start", name)
	}
}

// ends returns the contenders from the highest end of a line to the lowest, with the positions of the ends. In a
// list they keep their own order, from the top.
func (p *Picture) ends(l *layout) (order []*contender, ends []float64) {
	for _, c := range p.contenders {
		end := l.errors.Top
		if last := c.marks[Columns-1]; !p.byTime() && last.shown() {
			end = l.errors.Y.At(last.error)
		}
		k := len(ends)
		order, ends = append(order, c), append(ends, end)
		for ; k > 0 && ends[k-1] > ends[k]; k-- {
			ends[k-1], ends[k] = ends[k], ends[k-1]
			order[k-1], order[k] = order[k], order[k-1]
		}
	}
	return order, ends
}

// drawTime draws the axis of time, and a line at the time of Tensor Sketch at D.
func (p *Picture) drawTime(b *draw.Builder, l *layout) {
	f, em := l.errors, l.em
	unit := f.Right + 1.2*em
	b.Label(unit, f.Bottom+1.5*em, "start", "µs per row")
	if len(f.X.Ticks) == 0 {
		b.Label(f.Left+.5*em, f.Bottom-.5*em, "start", "rows are being timed")
		return
	}
	b.Text(`<path class="grid" d="`)
	for _, tick := range f.X.Ticks {
		b.Text("M", f.X.At(tick), " ", f.Top, "V", f.Bottom)
	}
	b.Text(`"/>`)
	if x, ok := p.x(l, p.at, p.contenders[0].marks[p.at]); ok {
		anchor := "start"
		if x > (f.Left+f.Right)/2 { // the text stays inside the frame
			anchor = "end"
		}
		b.Line("axis", x, f.Top, x, f.Bottom)
		b.LabelOf("ink", x, f.Bottom-.5*em, anchor, "D = "+format.Count(Components(p.at)))
	}
}

// comparedRange returns the range of the axis of relative errors.
func (p *Picture) comparedRange() chart.Range {
	var errors []float64
	for _, m := range p.marks() {
		errors = append(errors, m.error, m.Spread)
	}
	r := chart.Around(func(x float64) bool { return x > rounding }, errors...)
	if r.High < r.Low {
		r = chart.Range{Low: .01, High: 1}
	}
	return r.Wider(1.3)
}

// timeAxis returns the axis of microseconds. It has no ticks before any time is known.
func (p *Picture) timeAxis() chart.Axis {
	var times []float64
	for _, m := range p.marks() {
		times = append(times, m.micros)
	}
	r := chart.Around(chart.Positive, times...)
	if r.High < r.Low {
		return chart.Axis{Range: chart.Range{Low: 1, High: 10}, IsLog: true, Ticks: []float64{}}
	}
	return chart.Axis{Range: r.Wider(1.3), IsLog: true, Space: 4.5}
}
