package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tensorsketch.example/tools/internal/lab"
)

// A curve is a method in a panel.
type curve struct {
	method  *method
	xs      []float64
	spreads []spread  // of the y at each x
	normal  []float64 // drawn dashed; nil for none
}

// A panel is a picture with axes of its own.
type panel struct {
	title  string
	xName  string
	curves []curve
}

// A panelRow is panels side by side, perhaps under a heading.
type panelRow struct {
	heading string
	panels  []panel
}

// A plot is rows of panels whose axes, both logarithmic, are the same.
type plot struct {
	description  string
	yName        string
	xLow, xHigh  float64
	yLow, yHigh  float64
	xTicks       []float64
	yTicks       []float64
	panelWidth   float64
	panelHeight  float64
	strongTick   float64 // a y whose gridline is stronger
	strongNote   string  // what that line means, in the first panel
	rows         []panelRow
	explanations []string // lines under the panels
}

const (
	plotLeft, plotRight = 52.0, 142.0 // for tick labels, and for the names of curves
	panelGap            = 34.0
	nameHeight          = 15.0 // of a line of text
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
text.ts,text.rm,text.other{font-weight:600}
@media(prefers-color-scheme:dark){text{fill:#a3a9ad}.ground{fill:#1a1d21}.strong,.heading{fill:#f1f3f2}
.grid{stroke:#2d3136}.one{stroke:#70777c}
.ts.line,.ts.normal{stroke:#4fd1bd}.ts.band,.ts.mark,text.ts{fill:#4fd1bd}
.rm.line,.rm.normal{stroke:#ff9a5c}.rm.band,.rm.mark,text.rm{fill:#ff9a5c}
.other.line,.other.normal{stroke:#7db0ff}.other.band,.other.mark,text.other{fill:#7db0ff}}
`

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// svg draws the plot.
func (p *plot) svg() string {
	columns := len(p.rows[0].panels)
	width := plotLeft + float64(columns)*(p.panelWidth+panelGap) - panelGap + plotRight
	var b strings.Builder
	top := 10.0
	for i, row := range p.rows {
		if row.heading != "" {
			top += 26
			label(&b, "heading", plotLeft, top, "start", row.heading)
		}
		top += 26
		label(&b, "", 8, top-8, "start", p.yName)
		for k, panel := range row.panels {
			f := &frame{plot: p, left: plotLeft + float64(k)*(p.panelWidth+panelGap), top: top}
			f.draw(&b, panel, k == 0, i == 0 && k == 0)
			if k == columns-1 {
				f.nameCurves(&b, panel)
			}
		}
		top += p.panelHeight + 38
	}
	for _, line := range p.explanations {
		top += nameHeight + 2
		label(&b, "", plotLeft, top-4, "start", line)
	}
	height := top + 10
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 %g %g" width="%g" `+
		`height="%g" aria-label="%s">`+
		"\n<style>%s</style>\n"+`<rect class="ground" width="100%%" height="100%%"/>`+"\n%s</svg>\n",
		width, height, width, height, escaper.Replace(p.description), stylesheet, b.String())
}

// A frame is the place of a panel.
type frame struct {
	*plot
	left, top float64
}

func (f *frame) x(v float64) float64 {
	return f.left + math.Log(v/f.xLow)/math.Log(f.xHigh/f.xLow)*f.panelWidth
}

func (f *frame) y(v float64) float64 {
	return f.top + math.Log(f.yHigh/v)/math.Log(f.yHigh/f.yLow)*f.panelHeight
}

func (f *frame) draw(b *strings.Builder, p panel, yLabels, note bool) {
	label(b, "strong", f.left+f.panelWidth/2, f.top-8, "middle", p.title)
	bottom := f.top + f.panelHeight
	for _, tick := range f.xTicks {
		path(b, "grid", fmt.Sprintf("M%.1f %.1fV%.1f", f.x(tick), f.top, bottom))
		label(b, "", f.x(tick), bottom+15, "middle", lab.Grouped(tick))
	}
	label(b, "", f.left+f.panelWidth/2, bottom+30, "middle", p.xName)
	for _, tick := range f.yTicks {
		class := "grid"
		if tick == f.strongTick {
			class = "one"
		}
		path(b, class, fmt.Sprintf("M%.1f %.1fH%.1f", f.left, f.y(tick), f.left+f.panelWidth))
		if yLabels {
			label(b, "", f.left-6, f.y(tick)+4, "end", lab.Grouped(tick))
		}
	}
	if note && f.strongNote != "" {
		label(b, "", f.left+f.panelWidth-2, f.y(f.strongTick)-5, "end", f.strongNote)
	}
	for _, c := range p.curves {
		f.drawCurve(b, c)
	}
}

func (f *frame) drawCurve(b *strings.Builder, c curve) {
	class := c.method.class
	var upper, lower, line, normal, marks strings.Builder
	for i, x := range c.xs {
		s := c.spreads[i]
		f.to(&upper, i, x, s.High)
		f.to(&line, i, x, s.Middle)
		if c.normal != nil {
			f.to(&normal, i, x, c.normal[i])
		}
		fmt.Fprintf(&marks, c.method.mark, f.x(x), f.y(s.Middle))
	}
	for i := range slices.Backward(c.xs) {
		f.to(&lower, 1, c.xs[i], c.spreads[i].Low)
	}
	path(b, class+" band", upper.String()+lower.String()+"Z")
	if c.normal != nil {
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
func (f *frame) nameCurves(b *strings.Builder, p panel) {
	var ends []float64
	order := make([]int, len(p.curves))
	for i, c := range p.curves {
		order[i] = i
		ends = append(ends, f.y(c.spreads[len(c.spreads)-1].Middle))
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
		m := p.curves[order[k]].method
		label(b, m.class, f.left+f.panelWidth+8, y+4, "start", m.name)
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
