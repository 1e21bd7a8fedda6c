package convergence

import (
	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// SVG implements lesson.Picture.
func (p *Picture) SVG(size lesson.Size, look lesson.Item, standalone bool) string {
	b := &draw.Builder{}
	b.Grow(48 << 10)
	b.Open(size.Width, size.Height, size.Em, p.summary(), standalone)
	l := p.layout(size)
	p.drawLegend(b, l)
	p.drawMarker(b, l, look)
	p.drawCloud(b, l, look)
	p.drawHistogram(b, l, look)
	if p.contenders != nil {
		p.drawComparison(b, l)
	} else if p.byDegree() {
		p.drawDegrees(b, l)
	} else {
		p.drawErrors(b, l)
	}
	b.Close()
	return b.String()
}

func (p *Picture) drawLegend(b *draw.Builder, l *layout) {
	em := l.em
	for _, k := range l.legend {
		x, y := .8*em+k.x, l.legendTop+float64(k.row)*1.6*em
		middle := y - .32*em
		switch k.shape {
		case "dots":
			b.Text(`<path class="dots" d="`)
			b.Point(x+.4*em, middle)
			b.Point(x+.8*em, middle-.25*em)
			b.Point(x+1.2*em, middle+.15*em)
			b.Text(`"/>`)
		case "bars":
			b.Text(`<path class="bars" d="M`, x+.8*em, " ", middle-.7*em, "h1v", 1.4*em, "h-1ZM", x+.8*em-1, " ", middle-.3*em,
				"h3v", .6*em, `h-3Z"/>`)
		case "exact", "bound", "wrong":
			b.Line(k.shape, x, middle, x+1.6*em, middle)
		case "band":
			b.Rect("band", x, middle-.55*em, 1.6*em, 1.1*em)
			b.Rect("band", x, middle-.3*em, 1.6*em, .6*em)
			b.Text(`<path class="sigma" d="M`, x, " ", middle-.3*em, "h", 1.6*em, "m", -1.6*em, " ", .6*em, "h", 1.6*em, `"/>`)
		}
		if k.shape != "" {
			x += specimen * em
		}
		class := ""
		if k.shape == "wrong" {
			class = p.lemma6Class()
		}
		b.LabelOf(class, x, y, "start", k.text)
	}
}

// lemma6Class returns the class of the lemma's name, which strikes it out if the lemma fails.
func (p *Picture) lemma6Class() string {
	if p.lemma6Fails() {
		return "wrong"
	}
	return "ink"
}

// drawMarker draws the column of D and the column looked at. Each is exactly as wide as its column, with a tab
// behind its label.
func (p *Picture) drawMarker(b *draw.Builder, l *layout, look lesson.Item) {
	box := func(class string, column int) { // grey as in "axis" if D is only looked at
		left, right := l.x(column)-l.step()/2, l.x(column)+l.step()/2
		b.Text(`<path class="`, class, `" d="M`, left, " ", l.cloud.Top, "H", right, "V", l.cloud.Bottom)
		if p.labelled(l, column) {
			half := max(l.step(), draw.TextWidth(format.Count(Components(column)), l.em)+.9*l.em) / 2 // bold is wider
			b.Text("H", l.x(column)+half, "v", 2.1*l.em, "h", -2*half, "V", l.cloud.Bottom)
		}
		b.Text("H", left, `Z"/>`)
		if !p.ownAxis() {
			b.Rect(class, left, l.errors.Top, l.step(), l.errors.Height())
		}
	}
	box("mark", p.at)
	if p.has(look) && look.I != p.at {
		box("axis", look.I)
	}
}
