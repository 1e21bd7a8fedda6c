package buckets

import (
	"slices"
	"strings"

	"tensorsketch.example/ui/internal/chart"
	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/format"
)

// The panel shows the estimate: its exact part and its cross terms as two bars, and below them, on the same axis, a
// histogram of the estimates of many seeds.
//
//	⟨Cx, Cy⟩ = Σ_i x_i·y_i + Σ s(i)s(j)·x_i·y_j over i ≠ j with h(i) = h(j)

// Lengths of the panel, in em.
const (
	panelFrom   = 46.0 // the width from which the panel is beside the buckets
	panelBelow  = 25.0 // its height below them
	boardLowest = 24.0 // the least height of the buckets above it
	roomy       = 26.0 // the height from which a panel has room for the name of its axis
	barRoom     = 2.9  // of a bar with its name
	barHeight   = 1.2
	firstBar    = 3.6

	leastHistogram = 3.0
)

// panelWidth returns the width of a panel beside the buckets.
func panelWidth(width, em float64) float64 { return min(max(.26*width, 17*em), 30*em) }

// cross returns the cross terms of the estimate.
func (p *Picture) cross() float64 { return p.estimate - p.exact }

// drawPanel draws the panel if there is room for it.
func (p *Picture) drawPanel(b *draw.Builder, l *layout) {
	f := l.panel
	if f.Height() <= 0 {
		return
	}
	c := p.histogram(l)
	b.LabelOf("strong", f.Left, f.Top+1.5*l.em, "start", draw.Shortened(p.estimateName()+" = "+p.value(p.estimate),
		f.Width(), l.em))
	first, second := f.Top+firstBar*l.em, f.Top+(firstBar+barRoom)*l.em
	zero, exact, estimate := c.X.At(0), c.X.At(p.exact), c.X.At(p.estimate)
	for _, top := range []float64{first, second} {
		b.Line("axis", zero, top-.2*l.em, zero, top+(barHeight+.2)*l.em)
	}
	b.Label(f.Left, first-.5*l.em, "start", "exact part: "+p.value(p.exact))
	cross := "cross terms: " + p.crossText()
	if draw.TextWidth(cross, l.em) > f.Width() {
		cross, _, _ = strings.Cut(cross, " of ")
	}
	b.Label(f.Left, second-.5*l.em, "start", draw.Shortened(cross, f.Width(), l.em))
	paths := draw.Paths{}
	p.drawTerm(paths, l, "net", zero, exact, first)
	class := "plus"
	if p.cross() < 0 {
		class = "minus"
	}
	p.drawTerm(paths, l, class, exact, estimate, second)
	b.Filled(paths, "net", "plus", "minus")
	if c.Height() >= leastHistogram*l.em {
		p.drawHistogram(b, c)
	}
}

// drawTerm adds a bar that lies, at least a pixel wide.
func (p *Picture) drawTerm(paths draw.Paths, l *layout, class string, from, to, y float64) {
	if to-from < 1 && from-to < 1 {
		to = from + 1
	}
	paths.Of(class).Text("M", from, " ", y, "H", to, "v", barHeight*l.em, "H", from, "Z")
}

// crossText writes the cross terms with their sign.
func (p *Picture) crossText() string {
	text := p.value(p.cross())
	if p.cross() > 0 && strings.Trim(text, "0.") != "" {
		text = "+" + text
	}
	if pairs := p.collisions() - p.harmless(); p.p.Step > 0 {
		text += " of " + format.Plural(pairs, "pair")
	}
	return text
}

// histogram returns the chart of the estimates, without its marks.
func (p *Picture) histogram(l *layout) *chart.Chart {
	f := l.panel
	axis, below := "estimates", chart.Below
	if f.Height() < roomy*l.em {
		axis, below = "", chart.Below-1.4
	}
	f.Top += (firstBar + 2*barRoom + chart.AboveLegend) * l.em
	f.Bottom -= below * l.em
	f.Right -= .5 * l.em
	title := "No other seed is drawn yet"
	if n := len(p.drawn); n > 0 {
		title = format.Plural(n, "seed") + ": mean " + p.meanText()
		if draw.TextWidth(title, l.em) > f.Width() {
			title = strings.Replace(title, "mean ", "", 1) // its line has a name
		}
		title += "; exact " + p.value(p.exact)
	}
	c := chart.New(f, l.em, chart.Axis{Range: p.reach(), Title: axis, Space: 4},
		chart.Axis{Range: chart.Range{High: p.highest()}, Title: title, Ticks: []float64{}})
	c.Start = l.panel.Left
	return c
}

// reach returns the range of the panel's axis: 0, the exact value and all estimates. It is about the whole vector, so
// that it does not change while coordinates fall.
func (p *Picture) reach() chart.Range {
	whole := p
	if !p.done() {
		params := p.p
		params.Step, params.Draws = p.d(), 0
		if all, err := New(params, p.cache); err == nil {
			whole = all
		}
	}
	const far = 3.5
	around := append(slices.Clone(p.drawn), 0, p.exact, p.estimate, whole.exact, whole.mean-far*whole.sigma,
		whole.mean+far*whole.sigma)
	return chart.Around(nil, around...).Padded()
}

const binCount = 24

// binned returns the bars of the histogram.
func (p *Picture) binned(r chart.Range) []chart.Bar {
	made := make([]chart.Bar, binCount)
	width := (r.High - r.Low) / binCount
	for k, count := range p.bins(r.Low, r.High, binCount) {
		low := r.Low + float64(k)*width
		made[k] = chart.Bar{Low: low, High: low + width, Y: float64(count)}
	}
	return made
}

// highest returns the end of the axis of counts.
func (p *Picture) highest() float64 {
	most := 0
	if len(p.drawn) > 0 {
		r := p.reach()
		most = slices.Max(p.bins(r.Low, r.High, binCount))
	}
	return 1.08 * float64(max(most, 3))
}

func (p *Picture) drawHistogram(b *draw.Builder, c *chart.Chart) {
	keys := []chart.Key{{Class: "band", Name: "±σ"}, {Class: "exact", Name: "exact"}}
	if len(p.drawn) > 0 {
		keys = append(keys, chart.Key{Class: "exact dashed", Name: "mean"})
	}
	low, high := c.X.At(p.mean-p.sigma), c.X.At(p.mean+p.sigma)
	b.Rect("band", low, c.Top, high-low, c.Height())
	c.Bars(b, "bars", p.binned(p.reach())...)
	c.Axes(b, keys...)
	c.Level(b, "axis", 0)
	c.Upright(b, "exact", p.exact)
	if len(p.drawn) > 0 {
		c.Upright(b, "exact dashed", p.average())
	}
	c.Dots(b, "dots big", chart.Point{X: p.estimate})
}

// estimateName names the estimate.
func (p *Picture) estimateName() string {
	if p.p.ShowY {
		return "⟨Cx, Cy⟩"
	}
	return "‖Cx‖²"
}
