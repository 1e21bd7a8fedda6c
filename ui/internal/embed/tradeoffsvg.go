package embed

import (
	"math"

	"tensorsketch.example/ui/internal/chart"
	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// The lines of the picture; the last is drawn on top.
var tradeoffLines = []struct {
	chart.Key
	of func(TradeoffPoint) float64
}{
	{chart.Key{Class: "wire", Name: "sketch"}, func(p TradeoffPoint) float64 { return p.Sketch }},
	{chart.Key{Class: "wire minus", Name: "noise"}, func(p TradeoffPoint) float64 { return p.Noise }},
	{chart.Key{Class: "exact", Name: "both"}, func(p TradeoffPoint) float64 { return p.Both }},
}

// SVG draws the errors on logarithmic axes. A standalone picture includes its colours; otherwise the page supplies
// them.
func (t *Tradeoff) SVG(size lesson.Size, standalone bool) string {
	b := &draw.Builder{}
	b.Open(size.Width, size.Height, size.Em, t.Summary(), standalone)
	if r := t.errorRange(); r.Low < r.High {
		t.draw(b, size, r)
	} else {
		b.Label(size.Width/2, size.Height/2, "middle", "no errors to show yet")
	}
	b.Close()
	return b.String()
}

// errorRange returns the ends of the axis of errors. If no error is known, Low is not below High.
func (t *Tradeoff) errorRange() chart.Range {
	var errors []float64
	for _, p := range t.Points {
		errors = append(errors, p.Sketch, p.Noise, p.Both)
	}
	r := chart.Around(chart.Positive, errors...)
	if r.High > 0 {
		r = chart.Around(chart.Positive, r.Low, r.High, math.Abs(t.Kernel))
	}
	return r.Wider(1.5)
}

func (t *Tradeoff) draw(b *draw.Builder, size lesson.Size, errors chart.Range) {
	em := size.Em
	f := draw.Frame{Left: 3 * em, Top: chart.AboveLegend * em, Right: size.Width - 1.2*em,
		Bottom: size.Height - chart.Below*em}
	first, last := float64(t.Points[0].NComponents), float64(t.Points[len(t.Points)-1].NComponents)
	x := chart.Range{Low: first, High: last}.Wider(1.1)
	c := chart.New(f, em, chart.Axis{Title: "components D", IsLog: true, Range: x},
		chart.Axis{Title: "error of an estimate (standard deviation)", IsLog: true, Range: errors})
	var keys []chart.Key
	for _, line := range tradeoffLines {
		if isKnown(line.of(t.Current)) {
			keys = append(keys, line.Key)
		}
	}
	c.Axes(b, append(keys, chart.Key{Class: "axis", Name: "D " + format.Count(t.Current.NComponents)})...)
	if kernel := math.Abs(t.Kernel); isKnown(kernel) {
		c.Level(b, "bound", kernel)
		b.Label(c.Right, c.Y.At(kernel)-.4*em, "end", "the kernel, "+number(t.Kernel))
	}
	c.Upright(b, "axis", float64(t.Current.NComponents))
	for _, line := range tradeoffLines {
		var points []chart.Point
		for _, p := range t.Points {
			points = append(points, chart.Point{X: float64(p.NComponents), Y: line.of(p)})
		}
		c.Path(b, line.Class, points...)
	}
	best := chart.Point{X: float64(t.Best.NComponents), Y: t.Best.Both}
	if x, y, ok := c.At(best); ok {
		c.Dots(b, "dots big", best)
		label := "best D " + format.Count(t.Best.NComponents)
		half := draw.TextWidth(label, em) / 2
		b.LabelOf("strong", min(max(x, c.Left+half), c.Right-half), y-.8*em, "middle", label)
	}
}
