package convergence

import (
	"math"

	"tensorsketch.example/internal/papers"
	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/chart"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/format"
)

// MostDegree is the maximum degree p.
const MostDegree = 8

// ByDegree is the value of Below that shows σ/|κ| against p, at the D of the marker.
const ByDegree = "degree"

// byDegree reports whether the lower axis is the degree. In a comparison it is not.
func (p *Picture) byDegree() bool { return p.degrees != nil }

// ownAxis reports whether the lower part has a horizontal axis of its own.
func (p *Picture) ownAxis() bool { return p.byTime() || p.byDegree() }

// lawsByDegree returns the laws of p = 1, 2, … at D, each divided by the root mean square of its kernels. They are NaN
// where all kernels are 0. An error is a *sketch.Error.
func lawsByDegree(params Params, pairs []pair, D int) (laws []law, err error) {
	for degree := 1; degree <= MostDegree; degree++ {
		theory, err := sketch.NewTensorFormulas(sketch.Params{NFeatures: params.NFeatures, NComponents: D, Degree: degree,
			Coef0: params.Coef0})
		if err != nil {
			return nil, err
		}
		var kernel, sigma, theorem9, lemma6 float64
		for _, pair := range pairs {
			xy, xx, yy := theory.Kernel(pair.x, pair.y), theory.Kernel(pair.x, pair.x), theory.Kernel(pair.y, pair.y)
			s, _ := theory.StdError(pair.x, pair.y)
			kernel += float64(xy * xy)
			sigma += float64(s * s)
			theorem9 += papers.Theorem9Variance(xx, yy, degree, D)
			lemma6 += papers.Lemma6Variance(xy, xx, yy, D)
		}
		if kernel < rounding*rounding*float64(len(pairs)) {
			kernel = math.NaN()
		}
		laws = append(laws, law{math.Sqrt(sigma / kernel), math.Sqrt(theorem9 / kernel), math.Sqrt(lemma6 / kernel)})
	}
	return laws, nil
}

// degreeAxis is the horizontal axis of degrees.
func degreeAxis() chart.Axis {
	a := chart.Axis{Range: chart.Range{Low: .5, High: MostDegree + .5}}
	for degree := 1.0; degree <= MostDegree; degree++ {
		a.Ticks = append(a.Ticks, degree)
	}
	return a
}

// drawDegrees draws σ/|κ| against p, and the spread that the seeds have shown at the p of the picture.
func (p *Picture) drawDegrees(b *draw.Builder, l *layout) {
	f, em := l.errors, l.em
	D := "D = " + format.Count(Components(p.at))
	f.Axes(b)
	b.Label(f.Right+1.2*em, f.Bottom+1.5*em, "start", "degree p")
	b.LabelOf("strong", f.Right, f.Top-.9*em, "end", D)
	if !(p.degrees[0].sigma > formulaRounding) {
		text := "no error at any p"
		if p.degrees[0].sigma != p.degrees[0].sigma {
			text = "κ is 0: no error relative to it"
		}
		b.Label(f.Left+.5*em, f.Bottom-.5*em, "start", text)
		return
	}
	x := func(k int) float64 { return float64(k + 1) }
	p.drawLaws(b, l, p.degrees, x)
	c := p.columns[p.at]
	spread := chart.Point{X: float64(p.params.Degree), Y: c.Spread / math.Abs(p.kernel)}
	if _, y, ok := f.At(spread); c.Seeds >= 2 && ok && y <= f.Bottom { // of what is only rounding, it is far below
		f.Dots(b, "dots big", spread)
	}
}

// degreesText says how σ/|κ| grows with p, or returns "".
func (p *Picture) degreesText() string {
	if !p.byDegree() || !(p.degrees[0].sigma > formulaRounding) {
		return ""
	}
	return " At D = " + format.Count(Components(p.at)) + " σ/|κ| is " + number(p.degrees[0].sigma) + " at p = 1 and " +
		number(p.degrees[MostDegree-1].sigma) + " at p = 8."
}

// drawUnlucky draws the estimates of the seed that misses at every D, from column to column.
func (p *Picture) drawUnlucky(b *draw.Builder, l *layout) {
	if p.unlucky == "" || len(p.fate) == 0 {
		return
	}
	f := l.cloud
	y := func(c int) float64 { return min(max(f.Y.At(p.fate[c]), f.Top+.2*l.em), f.Bottom-.2*l.em) }
	var line, dots draw.Builder
	for c := range p.fate {
		line.MoveOrLine(c, l.x(c), y(c))
		dots.Circle(l.x(c), y(c), .28*l.em)
	}
	b.Path("other", line.String())
	b.Path("outline", dots.String())
	last := Columns - 1
	at := y(last) - .8*l.em
	if at < f.Top+2.6*l.em {
		at = y(last) + 1.6*l.em
	}
	b.LabelOf("ink", l.x(last)+.4*l.step(), at, "end", "seed "+p.unlucky)
}

// belowParameters are what the lower part shows, and whether bounds are drawn.
func (s *State) belowParameters() []control.Parameter {
	below := control.Choice("against", "Errors against", control.Options(ByComponents, "D", ByDegree, "Degree p"),
		&s.Below)
	below.Unseen = s.Compare != ""
	below.Unlinked = s.Below == ByComponents
	bounds := control.Choice("bounds", "Bounds", control.Options("", "Hidden", "shown", "Shown"), &s.Bounds)
	bounds.Unseen, bounds.Unlinked = s.Compare != "", s.Bounds == ""
	return []control.Parameter{below, bounds}
}
