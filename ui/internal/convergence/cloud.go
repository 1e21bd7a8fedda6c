package convergence

import (
	"math"
	"slices"

	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// drawCloud draws the theory first, then the estimates, then the kernel.
func (p *Picture) drawCloud(b *draw.Builder, l *layout, look lesson.Item) {
	f := l.cloud
	f.Axes(b)
	if !p.noError() {
		p.drawBand(b, l, 2)
		p.drawBand(b, l, 1)
		p.drawCurves(b, l, "sigma", func(c column) float64 { return c.sigma })
		if p.hasBounds() {
			p.drawCurves(b, l, "wrong", func(c column) float64 { return c.lemma6 })
			p.drawCurves(b, l, "bound", func(c column) float64 { return c.theorem9 })
		}
	}
	p.drawDots(b, l)
	p.drawUnlucky(b, l)
	f.Level(b, "exact", p.kernel)
	p.drawLabels(b, l, look)
}

// drawLabels writes D under the columns: under the marker, and under those others that are not too close.
func (p *Picture) drawLabels(b *draw.Builder, l *layout, look lesson.Item) {
	y := l.cloud.Bottom + 1.5*l.em
	b.Label(l.cloud.Left-.6*l.em, y, "end", "D =")
	for c := range Columns {
		if !p.labelled(l, c) {
			continue
		}
		class := ""
		switch {
		case c == p.at:
			class = "strong"
		case p.has(look) && look.I == c:
			class = "ink"
		}
		b.LabelOf(class, l.x(c), y, "middle", format.Count(Components(c)))
	}
}

// labelled reports whether D is written under a column.
func (p *Picture) labelled(l *layout, c int) bool {
	return c == p.at || c%l.labelStride == 0 && max(c-p.at, p.at-c) >= l.labelStride
}

// between is the number of points of a curve from one column to the next.
const between = 4

// curve returns the points of kernel + factor·of(column), clipped to the frame, with an extra point where it crosses
// the frame. Between columns the value of of is interpolated as a power of D. That is exact for Theorem 9 and Lemma
// 6, and nearly exact for σ.
func (p *Picture) curve(l *layout, factor float64, of func(column) float64) []point {
	edge := l.cloud.Top
	if factor < 0 {
		edge = l.cloud.Bottom
	}
	out := func(y float64) bool { return (y < edge) == (factor > 0) && y != edge }
	var points []point
	for k := range between*(Columns-1) + 1 {
		c, part := k/between, float64(k%between)/between
		value := of(p.columns[c])
		if part > 0 {
			value *= math.Pow(of(p.columns[c+1])/value, part)
		}
		at := point{l.x(c) + part*l.step(), l.cloud.Y.At(p.kernel + factor*value)}
		if n := len(points); n > 0 && out(points[n-1].y) != out(at.y) {
			last := points[n-1]
			points = append(points, point{last.x + (edge-last.y)/(at.y-last.y)*(at.x-last.x), edge})
		}
		points = append(points, at)
	}
	for k := range points {
		if out(points[k].y) {
			points[k].y = edge
		}
	}
	return points
}

type point struct{ x, y float64 }

// drawBand fills the area between kernel − factor·σ and kernel + factor·σ.
func (p *Picture) drawBand(b *draw.Builder, l *layout, factor float64) {
	sigma := func(c column) float64 { return c.sigma }
	upper, lower := p.curve(l, factor, sigma), p.curve(l, -factor, sigma)
	slices.Reverse(lower)
	b.Text(`<path class="band" d="`)
	for k, at := range append(upper, lower...) {
		b.MoveOrLine(k, at.x, at.y)
	}
	b.Text(`Z"/>`)
}

// drawCurves draws kernel ± of(column) where it is inside the frame.
func (p *Picture) drawCurves(b *draw.Builder, l *layout, class string, of func(column) float64) {
	b.Text(`<path class="`, class, `" d="`)
	for _, factor := range []float64{1, -1} {
		points := p.curve(l, factor, of)
		for len(points) > 1 && onEdge(l, points[1]) { // along the frame counts as outside
			points = points[1:]
		}
		for k, at := range points {
			b.MoveOrLine(k, at.x, at.y)
		}
	}
	b.Text(`"/>`)
}

func onEdge(l *layout, at point) bool { return at.y == l.cloud.Top || at.y == l.cloud.Bottom }

// drawDots draws the estimates of the first seeds, with their quantiles beside them. Estimates beyond the axis are
// triangles at its ends.
func (p *Picture) drawDots(b *draw.Builder, l *layout) {
	radius := .12 * l.em
	var beyond []point
	b.Text(`<path class="dots" d="`)
	for c, column := range p.columns {
		for _, dot := range column.dots {
			x, y := l.x(c)+jitter(dot.seed)*l.step(), l.cloud.Y.At(dot.value)
			if y < l.cloud.Top || y > l.cloud.Bottom {
				beyond = append(beyond, point{x, y})
				continue
			}
			b.Point(x, y)
		}
	}
	b.Text(`"/>`)
	if beyond != nil { // not in the legend, which would shift everything when the first one comes in
		text := "▲ beyond" // whatever fits beside the marker of a narrow picture
		if l.wide {
			text = "triangles: beyond the axis"
		}
		right, width := l.cloud.Right-.5*l.em, draw.TextWidth(text, l.em)
		// must not cover the marker
		if marker := l.x(p.at) - l.step()/2; right-width < marker+l.step() && marker-width-l.em > l.cloud.Left {
			right = marker - .5*l.em
		}
		b.Label(right, l.cloud.Top+1.3*l.em, "end", text)
	}
	b.Text(`<path class="bars" d="`)
	for _, at := range beyond {
		if at.y < l.cloud.Top {
			b.Text("M", at.x-radius*2, " ", l.cloud.Top+radius*3, "h", radius*4, "L", at.x, " ", l.cloud.Top, "Z")
		} else {
			b.Text("M", at.x-radius*2, " ", l.cloud.Bottom-radius*3, "h", radius*4, "L", at.x, " ", l.cloud.Bottom, "Z")
		}
	}
	for c, column := range p.columns {
		if column.Seeds < 10 { // fewer seeds than this make quantiles meaningless
			continue
		}
		y := func(k int) float64 {
			return min(max(l.cloud.Y.At(column.Quantiles[k]), l.cloud.Top), l.cloud.Bottom)
		}
		x, unit := l.x(c)+.38*l.step(), l.em/13
		b.Text("M", x-unit/2, " ", y(4), "h", unit, "V", y(0), "h", -unit, "Z")
		b.Text("M", x-1.5*unit, " ", y(3), "h", 3*unit, "V", y(1), "h", -3*unit, "Z")
	}
	b.Text(`"/>`)
}

// jitter spreads seeds over the width of a column, from −0.38 to 0.3 of it. Multiples of the golden ratio never
// bunch.
func jitter(seed int) float64 {
	_, part := math.Modf(float64(seed+1) * .6180339887498949)
	return -.38 + .68*part
}
