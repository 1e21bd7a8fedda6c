package tradeoff

import (
	"math"

	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// The lines of the picture; the last is drawn on top.
var lines = []struct {
	class, name string
	of          func(Point) float64
}{
	{"wire", "sketch", func(p Point) float64 { return p.Sketch }},
	{"wire minus", "noise", func(p Point) float64 { return p.Noise }},
	{"exact", "both", func(p Point) float64 { return p.Both }},
}

// SVG draws the errors on logarithmic axes. A standalone picture includes its colours; otherwise the page supplies
// them.
func (t *Tradeoff) SVG(size lesson.Size, standalone bool) string {
	b := &draw.Builder{}
	b.Open(size.Width, size.Height, size.Em, t.Summary(), standalone)
	if low, high := t.errorRange(); low < high {
		t.draw(b, size, low, high)
	} else {
		b.Label(size.Width/2, size.Height/2, "middle", "no errors to show yet")
	}
	b.Close()
	return b.String()
}

// errorRange returns the ends of the axis of errors. If no error is known, low is not below high.
func (t *Tradeoff) errorRange() (low, high float64) {
	low, high = math.Inf(1), 0
	include := func(x float64) {
		if isKnown(x) {
			low, high = min(low, x), max(high, x)
		}
	}
	for _, p := range t.Points {
		for _, line := range lines {
			include(line.of(p))
		}
	}
	if high > 0 {
		include(math.Abs(t.Kernel))
	}
	return low / 1.5, high * 1.5
}

func (t *Tradeoff) draw(b *draw.Builder, size lesson.Size, low, high float64) {
	em := size.Em
	f := draw.Frame{Left: 3 * em, Top: 4.4 * em, Right: size.Width - 1.2*em, Bottom: size.Height - 3.4*em}
	errors := draw.Axis{Ticks: draw.LogTicks(low, high, max(2, int(f.Height()/(2.2*em)))),
		Label: format.Short, At: f.Up(low, high).Log(), Em: em}
	f.Left = errors.Room(f.Left)
	first, last := float64(t.Points[0].NComponents), float64(t.Points[len(t.Points)-1].NComponents)
	x := draw.Scale{Low: first / 1.1, High: last * 1.1, From: f.Left, To: f.Right}.Log()
	y := errors.At

	b.Grid(f, errors)
	b.Across(f.Bottom+1.5*em, size.Width, .5*em, draw.Axis{
		Ticks: draw.LogTicks(first, last, max(2, int(f.Width()/(5*em)))), Label: format.Short, At: x, Em: em})
	b.Label(f.Right, f.Bottom+2.9*em, "end", "components D")
	b.Label(.8*em, 1.5*em, "start", "error of an estimate (standard deviation)")
	t.drawLegend(b, f.Top-1.4*em, em)

	if kernel := math.Abs(t.Kernel); isKnown(kernel) {
		b.Line("bound", f.Left, y(kernel), f.Right, y(kernel))
		b.Label(f.Right, y(kernel)-.4*em, "end", "the kernel, "+number(t.Kernel))
	}
	b.Line("axis", x(float64(t.Current.NComponents)), f.Top, x(float64(t.Current.NComponents)), f.Bottom)
	for _, line := range lines {
		t.drawLine(b, line.class, line.of, x, y)
	}
	if best := t.Best; best.NComponents > 0 && isKnown(best.Both) {
		at, error := x(float64(best.NComponents)), y(best.Both)
		b.Text(`<path class="dots big" d="`)
		b.Point(at, error)
		b.Text(`"/>`)
		label := "best D " + format.Count(best.NComponents)
		half := draw.TextWidth(label, em) / 2
		b.LabelOf("strong", min(max(at, f.Left+half), f.Right-half), error-.8*em, "middle", label)
	}
}

// drawLine draws the known points of a line.
func (t *Tradeoff) drawLine(b *draw.Builder, class string, of func(Point) float64, x, y func(float64) float64) {
	b.Text(`<path class="`, class, `" d="`)
	k := 0
	for _, p := range t.Points {
		if isKnown(of(p)) {
			b.MoveOrLine(k, x(float64(p.NComponents)), y(of(p)))
			k++
		}
	}
	b.Text(`"/>`)
}

// drawLegend names the drawn lines and the map's D.
func (t *Tradeoff) drawLegend(b *draw.Builder, y, em float64) {
	at := .8 * em
	entry := func(class, name string) {
		b.Line(class, at, y-.3*em, at+1.5*em, y-.3*em)
		b.Label(at+1.9*em, y, "start", name)
		at += draw.TextWidth(name, em) + 3*em
	}
	for _, line := range lines {
		if isKnown(line.of(t.Current)) {
			entry(line.class, line.name)
		}
	}
	entry("axis", "D "+format.Count(t.Current.NComponents))
}
