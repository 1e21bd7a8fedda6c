package convergence

import (
	"slices"

	"tensorsketch.example/ui/internal/chart"
	"tensorsketch.example/ui/internal/draw"
)

// drawErrors draws the root mean square errors on logarithmic axes, together with the three laws.
func (p *Picture) drawErrors(b *draw.Builder, l *layout) {
	f, em := l.errors, l.em
	fitted := "slope " + p.slopeText()
	if l.wide {
		fitted = "fitted " + fitted
	}
	if p.noError() {
		fitted = "no error"
	}
	line := f.Top - .9*em
	if draw.TextWidth(p.errorTitle(l.wide)+"  "+fitted, 1.1*em) > f.Right { // the title is in its way
		line -= 1.3 * em
	}
	b.LabelOf("strong", f.Right, line, "end", fitted)
	f.Axes(b)
	var laws []law
	for _, c := range p.columns {
		laws = append(laws, c.law)
	}
	p.drawLaws(b, l, laws, func(k int) float64 { return float64(k) })
	b.Text(`<path class="dots big" d="`)
	var below []float64
	for c, column := range p.columns {
		switch {
		case column.Seeds < 2 || p.noError():
		case l.errors.Y.At(column.Spread) > f.Bottom: // or no error at all
			below = append(below, l.x(c))
		default:
			b.Point(l.x(c), max(l.errors.Y.At(column.Spread), f.Top))
		}
	}
	b.Text(`"/>`)
	if below != nil {
		b.Text(`<path class="bars" d="`)
		for _, x := range below {
			b.Text("M", x-.35*em, " ", f.Bottom-.6*em, "h", .7*em, "L", x, " ", f.Bottom, "Z")
		}
		b.Text(`"/>`)
	}
}

// errorTitle names the axis of errors, as long as there is room.
func (p *Picture) errorTitle(wide bool) string {
	axis := "equal D"
	if p.byTime() {
		axis = "equal time"
	}
	switch {
	case p.byDegree():
		return "σ/|κ| against p"
	case p.contenders != nil && wide:
		return "error relative to √(κ(x,x)κ(y,y)), log–log"
	case p.contenders != nil:
		return "relative error, " + axis
	case wide:
		return "error (root mean square), log–log"
	}
	return "error, log–log"
}

// drawLaws draws the laws, each with its name at its end, at the places x of the lower axis.
func (p *Picture) drawLaws(b *draw.Builder, l *layout, laws []law, x func(int) float64) {
	type line struct {
		class, name, remark string
		of                  func(law) float64
	}
	remark := "holds here"
	if slices.ContainsFunc(laws, law.lemma6Fails) {
		remark = "too small"
	}
	var lines []line // the highest first
	last := laws[len(laws)-1]
	for _, next := range []line{
		{"bound", "Theorem 9", "a bound", func(c law) float64 { return c.theorem9 }},
		{"exact", "exact σ", "", func(c law) float64 { return c.sigma }},
		{"wrong", "Lemma 6", remark, func(c law) float64 { return c.lemma6 }},
	} {
		if next.of(laws[0]) > 0 && (next.class == "exact" || p.hasBounds()) {
			lines = insert(lines, next, func(a, b line) bool { return a.of(last) > b.of(last) })
		}
	}
	f, em := l.errors, l.em
	var ends []float64
	for _, line := range lines {
		var points []chart.Point
		for k, at := range laws {
			points = append(points, chart.Point{X: x(k), Y: line.of(at)})
		}
		f.Path(b, line.class, points...)
		ends = append(ends, l.errors.Y.At(line.of(last)))
	}
	for k, at := range apart(ends, 1.35*em, f.Top+.5*em, f.Bottom-.1*em) {
		line := lines[k]
		b.Line("axis", f.X.At(x(len(laws)-1))+.5*em, ends[k], f.Right+.6*em, at)
		class := "ink"
		if line.class == "wrong" && remark == "too small" {
			class = "wrong"
		}
		b.LabelOf(class, f.Right+em, at+.35*em, "start", line.name)
		if l.wide && line.remark != "" {
			b.Label(l.histogram.Right, at+.35*em, "end", line.remark)
		}
	}
}
