// Package plot draws the SVG figures of the documents.
package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"tensorsketch.example/tools/internal/lab"
)

// A Style is a name for a curve, and how it is drawn.
type Style struct {
	Name  string
	Class string // of the stylesheet: ts, rm, other, fourth or fifth
	Mark  string // a path from its middle, given as x and y
}

// The marks of points.
const (
	Circle  = "M%.1f %.1fm-2.6 0a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0 -5.2 0"
	Square  = "M%.1f %.1fm-2.5 -2.5h5v5h-5Z"
	Diamond = "M%.1f %.1fm0 -3.6l3.6 3.6l-3.6 3.6l-3.6 -3.6Z"
	Up      = "M%.1f %.1fm0 -3.4l3.2 5.8h-6.4Z"
	Down    = "M%.1f %.1fm0 3.4l3.2 -5.8h-6.4Z"
)

// A Spread is the mean or median of a figure, and its range.
type Spread struct{ Middle, Low, High float64 }

// String writes the middle and the range with three digits.
func (s Spread) String() string {
	return fmt.Sprintf("%s (%s–%s)", lab.Digits(s.Middle), lab.Digits(s.Low), lab.Digits(s.High))
}

// A Curve is a method in a panel.
type Curve struct {
	Style   *Style
	Xs      []float64
	Spreads []Spread  // of the y at each x
	Normal  []float64 // drawn dashed; nil for none
}

// A Panel is a picture with axes of its own.
type Panel struct {
	Title  string
	XName  string
	Curves []Curve
	Axes   *Axes // nil for the axes of the plot
}

// A Row is panels side by side, perhaps under a heading.
type Row struct {
	Heading string
	Panels  []Panel
}

// Axes are the axes of a panel. x is logarithmic; y is too, unless it is linear.
type Axes struct {
	XLow, XHigh float64
	YLow, YHigh float64
	XTicks      []float64
	YTicks      []float64
	Linear      bool
}

// A Plot is rows of panels.
type Plot struct {
	Axes
	Description  string
	YName        string
	PanelWidth   float64
	PanelHeight  float64
	Gap          float64 // between panels; 0 for 34
	StrongTick   float64 // a y whose gridline is stronger
	StrongNote   string  // what that line means, in the first panel
	Rows         []Row
	Explanations []string // lines under the panels
}

const (
	plotLeft, plotRight = 52.0, 142.0 // for tick labels, and for the names of curves
	nameHeight          = 15.0        // of a line of text
)

// stylesheet has the colours of the page's two themes. It takes no variables, which
// some viewers of SVG do not know.
const stylesheet = `
text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",Arial,sans-serif;` +
	`font-size:12px;font-variant-numeric:tabular-nums;fill:#585e61}
.ground{fill:#fff}.strong{fill:#14181a;font-weight:600}.heading{fill:#14181a;font-size:15px;font-weight:600}
.grid{stroke:#e2e2da;fill:none}.one{stroke:#8b908d;fill:none}
.line{fill:none;stroke-width:1.8;stroke-linejoin:round}.normal{fill:none;stroke-width:1;stroke-dasharray:2 3}` +
	`.band{fill-opacity:.14}.mark{stroke:none}
.ts.line,.ts.normal{stroke:#0f766e}.ts.band,.ts.mark,text.ts{fill:#0f766e}
.rm.line,.rm.normal{stroke:#b8480a}.rm.band,.rm.mark,text.rm{fill:#b8480a}
.other.line,.other.normal{stroke:#1d5fc4}.other.band,.other.mark,text.other{fill:#1d5fc4}
.fourth.line,.fourth.normal{stroke:#8a3ea8}.fourth.band,.fourth.mark,text.fourth{fill:#8a3ea8}
.fifth.line,.fifth.normal{stroke:#7a6a00}.fifth.band,.fifth.mark,text.fifth{fill:#7a6a00}
text.ts,text.rm,text.other,text.fourth,text.fifth{font-weight:600}
@media(prefers-color-scheme:dark){text{fill:#a3a9ad}.ground{fill:#1a1d21}.strong,.heading{fill:#f1f3f2}
.grid{stroke:#2d3136}.one{stroke:#70777c}
.ts.line,.ts.normal{stroke:#4fd1bd}.ts.band,.ts.mark,text.ts{fill:#4fd1bd}
.rm.line,.rm.normal{stroke:#ff9a5c}.rm.band,.rm.mark,text.rm{fill:#ff9a5c}
.other.line,.other.normal{stroke:#7db0ff}.other.band,.other.mark,text.other{fill:#7db0ff}
.fourth.line,.fourth.normal{stroke:#d79bf0}.fourth.band,.fourth.mark,text.fourth{fill:#d79bf0}
.fifth.line,.fifth.normal{stroke:#d9c74a}.fifth.band,.fifth.mark,text.fifth{fill:#d9c74a}}
`

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// SVG draws the plot.
func (p *Plot) SVG() string {
	columns, gap := len(p.Rows[0].Panels), cmp.Or(p.Gap, 34)
	width := plotLeft + float64(columns)*(p.PanelWidth+gap) - gap + plotRight
	var b strings.Builder
	top := 10.0
	for i, row := range p.Rows {
		if row.Heading != "" {
			top += 26
			label(&b, "heading", plotLeft, top, "start", row.Heading)
		}
		top += 26
		label(&b, "", 8, top-8, "start", p.YName)
		for k, panel := range row.Panels {
			f := &frame{Plot: p, axes: &p.Axes, left: plotLeft + float64(k)*(p.PanelWidth+gap), top: top}
			if panel.Axes != nil {
				f.axes = panel.Axes
			}
			f.draw(&b, panel, k == 0 || panel.Axes != nil, i == 0 && k == 0)
			if k == columns-1 {
				f.nameCurves(&b, panel)
			}
		}
		top += p.PanelHeight + 38
	}
	for _, line := range p.Explanations {
		top += nameHeight + 2
		label(&b, "", plotLeft, top-4, "start", line)
	}
	height := top + 10
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 %g %g" width="%g" `+
		`height="%g" aria-label="%s">`+
		"\n<style>%s</style>\n"+`<rect class="ground" width="100%%" height="100%%"/>`+"\n%s</svg>\n",
		width, height, width, height, escaper.Replace(p.Description), stylesheet, b.String())
}

// A frame is the place of a panel.
type frame struct {
	*Plot
	axes      *Axes // of the panel
	left, top float64
}

func (f *frame) x(v float64) float64 {
	return f.left + math.Log(v/f.axes.XLow)/math.Log(f.axes.XHigh/f.axes.XLow)*f.PanelWidth
}

func (f *frame) y(v float64) float64 {
	if f.axes.Linear {
		return f.top + (f.axes.YHigh-v)/(f.axes.YHigh-f.axes.YLow)*f.PanelHeight
	}
	return f.top + math.Log(f.axes.YHigh/v)/math.Log(f.axes.YHigh/f.axes.YLow)*f.PanelHeight
}

func (f *frame) draw(b *strings.Builder, p Panel, yLabels, note bool) {
	label(b, "strong", f.left+f.PanelWidth/2, f.top-8, "middle", p.Title)
	bottom := f.top + f.PanelHeight
	for _, tick := range f.axes.XTicks {
		path(b, "grid", fmt.Sprintf("M%.1f %.1fV%.1f", f.x(tick), f.top, bottom))
		label(b, "", f.x(tick), bottom+15, "middle", lab.Grouped(tick))
	}
	label(b, "", f.left+f.PanelWidth/2, bottom+30, "middle", p.XName)
	for _, tick := range f.axes.YTicks {
		class := "grid"
		if tick == f.StrongTick {
			class = "one"
		}
		path(b, class, fmt.Sprintf("M%.1f %.1fH%.1f", f.left, f.y(tick), f.left+f.PanelWidth))
		if yLabels {
			label(b, "", f.left-6, f.y(tick)+4, "end", lab.Grouped(tick))
		}
	}
	if note && f.StrongNote != "" {
		label(b, "", f.left+f.PanelWidth-2, f.y(f.StrongTick)-5, "end", f.StrongNote)
	}
	for _, c := range p.Curves {
		f.drawCurve(b, c)
	}
}

func (f *frame) drawCurve(b *strings.Builder, c Curve) {
	class := c.Style.Class
	var upper, lower, line, normal, marks strings.Builder
	for i, x := range c.Xs {
		s := c.Spreads[i]
		f.to(&upper, i, x, s.High)
		f.to(&line, i, x, s.Middle)
		if c.Normal != nil {
			f.to(&normal, i, x, c.Normal[i])
		}
		fmt.Fprintf(&marks, c.Style.Mark, f.x(x), f.y(s.Middle))
	}
	for i := range slices.Backward(c.Xs) {
		f.to(&lower, 1, c.Xs[i], c.Spreads[i].Low)
	}
	path(b, class+" band", upper.String()+lower.String()+"Z")
	if c.Normal != nil {
		path(b, class+" normal", normal.String())
	}
	path(b, class+" line", line.String())
	path(b, class+" mark", marks.String())
}

// to writes the next point of a path: i is 0 for the first.
func (f *frame) to(b *strings.Builder, i int, x, y float64) {
	command := "L"
	if i == 0 {
		command = "M"
	}
	fmt.Fprintf(b, "%s%.1f %.1f", command, f.x(x), f.y(y))
}

// nameCurves writes the names of a panel's curves at their ends, moved apart where
// they would meet.
func (f *frame) nameCurves(b *strings.Builder, p Panel) {
	var ends []float64
	order := make([]int, len(p.Curves))
	for i, c := range p.Curves {
		order[i] = i
		ends = append(ends, f.y(c.Spreads[len(c.Spreads)-1].Middle))
	}
	slices.SortFunc(order, func(i, j int) int {
		if ends[i] < ends[j] {
			return -1
		}
		return 1
	})
	sorted := make([]float64, len(order))
	for k, i := range order {
		sorted[k] = ends[i]
	}
	for k, y := range apart(sorted, nameHeight) {
		style := p.Curves[order[k]].Style
		label(b, style.Class, f.left+f.PanelWidth+8, y+4, "start", style.Name)
	}
}

// apart moves rising numbers until neighbours differ by the gap at least: those that
// are too near become a group around its mean.
func apart(sorted []float64, gap float64) []float64 {
	type group struct {
		sum float64 // of the members' places, each less its offset in the group
		n   int
	}
	first := func(g group) float64 { return g.sum / float64(g.n) }
	var groups []group
	for _, y := range sorted {
		groups = append(groups, group{y, 1})
		for len(groups) > 1 {
			a, b := groups[len(groups)-2], groups[len(groups)-1]
			if first(a)+float64(a.n)*gap <= first(b) {
				break
			}
			groups = append(groups[:len(groups)-2], group{a.sum + b.sum - float64(a.n*b.n)*gap, a.n + b.n})
		}
	}
	var moved []float64
	for _, g := range groups {
		for k := range g.n {
			moved = append(moved, first(g)+float64(k)*gap)
		}
	}
	return moved
}

func path(b *strings.Builder, class, d string) {
	fmt.Fprintf(b, `<path class="%s" d="%s"/>`+"\n", class, d)
}

func label(b *strings.Builder, class string, x, y float64, anchor, text string) {
	if class != "" {
		class = ` class="` + class + `"`
	}
	fmt.Fprintf(b, `<text%s x="%.1f" y="%.1f" text-anchor="%s">%s</text>`+"\n", class, x, y, anchor, escaper.Replace(text))
}
