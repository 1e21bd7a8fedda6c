package chart

import (
	"tensorsketch.example/ui/internal/draw"
)

// An Entry is a named value of a list, with its interval. Text is the value as it is written.
type Entry struct {
	Name, Text, Class string
	Value             float64
	Interval
}

// List draws a bar for each entry from 0 or, where the axis does not reach 0, from its low end. Names stand on the left
// and texts on the right. x is the axis below. Entries without room are left out: List returns how many it drew.
func List(b *draw.Builder, f draw.Frame, em float64, x Axis, entries []Entry) int {
	const row = 1.7
	entries = entries[:min(len(entries), int(f.Height()/(row*em)))]
	names, texts := 0., 0.
	for _, e := range entries {
		names, texts = max(names, draw.TextWidth(e.Name, em)), max(texts, draw.TextWidth(e.Text, em))
	}
	f.Left += min(names, f.Width()/2) + .8*em
	f.Right -= texts + .8*em
	f.Bottom = f.Top + row*em*float64(len(entries))
	c := &Chart{Frame: f, Em: em, X: x.place(f.Left, f.Right, em, 6, 5)}
	for _, tick := range c.X.Ticks {
		c.Upright(b, "grid", tick)
	}
	c.titles = [2]string{x.Title, ""}
	c.Axes(b)
	zero := min(max(c.X.At(max(x.Low, min(0, x.High))), f.Left), f.Right)
	bars, intervals := map[string]*draw.Builder{}, &draw.Builder{}
	for i, e := range entries {
		middle := f.Top + row*em*(float64(i)+.5)
		b.Label(f.Left-.6*em, middle+.35*em, "end", draw.Shortened(e.Name, f.Left-em, em))
		b.LabelOf("ink", f.Right+.6*em, middle+.35*em, "start", e.Text)
		at := min(max(c.X.At(e.Value), f.Left), f.Right)
		if at-at != 0 {
			continue
		}
		path := draw.Paths(bars).Of(e.Class)
		path.Text("M", zero, " ", middle-.5*em, "H", at, "v", em, "H", zero, "Z")
		if low, high := max(c.X.At(e.Low), f.Left), min(c.X.At(e.High), f.Right); low < high {
			intervals.Text("M", low, " ", middle, "H", high, "M", low, " ", middle-.3*em, "v", .6*em, "M", high, " ",
				middle-.3*em, "v", .6*em)
		}
	}
	for _, e := range entries { // in the order of the list
		if path := bars[e.Class]; path != nil {
			b.Path(e.Class, path.String())
			delete(bars, e.Class)
		}
	}
	b.Path("sigma", intervals.String())
	return len(entries)
}
