package embed

// This file draws estimates against exact kernel values, and beside them a histogram of the errors in units of their
// own σ. The exact value is a dark line, theory a grey band, samples are dots.

import (
	"cmp"
	"math"
	"slices"

	"tensorsketch.example/ui/internal/chart"
	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// bandBins is the number of bins of the band. The histogram has zBins bars and ends at ±widest σ.
const (
	bandBins = 24
	widest   = 4.0
	zBins    = 16
)

// SVG draws the report. description is the picture in words, for visitors who cannot see it. A standalone picture
// includes its colours; otherwise the page supplies them.
func (r *Report) SVG(size lesson.Size, description string, standalone bool) string {
	b := &draw.Builder{}
	b.Open(size.Width, size.Height, size.Em, description, standalone)
	left, right := panels(size, r.IsPredicted())
	drawScatter(b, r, left, size.Em)
	if right.Width() > 0 {
		drawHistogram(b, r, right, size.Em)
	}
	if !standalone {
		b.Text(`<g class="pair"></g>`) // what a pointer points at
	}
	b.Close()
	return b.String()
}

// panels divides the picture in two. A narrow picture, or one without σ, has no histogram.
func panels(size lesson.Size, isPredicted bool) (scatter, histogram draw.Frame) {
	em := size.Em
	scatter = draw.Frame{Left: 4.2 * em, Top: chart.AboveLegend * em, Right: size.Width - 1.2*em,
		Bottom: size.Height - chart.Below*em}
	if size.Width < 44*em || !isPredicted {
		return scatter, draw.Frame{}
	}
	histogram = draw.Frame{Left: size.Width - 11*em, Top: scatter.Top, Right: size.Width - 1.2*em, Bottom: scatter.Bottom}
	scatter.Right = histogram.Left - 5*em
	return scatter, histogram
}

// A bin of the band holds the mean exact value, the mean over seeds of the estimates, and the square root of the
// mean variance, which is 0 if it is not known.
type bin struct{ exact, mean, sigma float64 }

// band averages the pairs, sorted by exact value, in bins of equal counts.
func band(pairs []Pair) []bin {
	// sorts the indices, because package sketch contains this sort already: sorts are large in WebAssembly
	sorted := make([]int32, len(pairs))
	for i := range sorted {
		sorted[i] = int32(i)
	}
	slices.SortFunc(sorted, func(a, b int32) int { return cmp.Compare(pairs[a].Exact, pairs[b].Exact) })
	n := min(bandBins, (len(sorted)+3)/4)
	var bins []bin
	for k := range n {
		part := sorted[k*len(sorted)/n : (k+1)*len(sorted)/n]
		exact, bias, variance := 0.0, 0.0, 0.0
		for _, i := range part {
			pair := &pairs[i]
			exact += pair.Exact
			bias += pair.Bias
			if pair.Sigma > 0 {
				variance += pair.Sigma * pair.Sigma
			}
		}
		count := float64(len(part))
		bins = append(bins, bin{exact / count, bias / count, math.Sqrt(variance / count)})
	}
	if n > 0 { // the band reaches to the ends
		bins[0].exact, bins[n-1].exact = pairs[sorted[0]].Exact, pairs[sorted[len(sorted)-1]].Exact
	}
	for k := range bins {
		bins[k].mean += bins[k].exact
	}
	return bins
}

func drawScatter(b *draw.Builder, r *Report, f draw.Frame, em float64) {
	if len(r.Pairs) == 0 {
		b.Label((f.Left+f.Right)/2, (f.Top+f.Bottom)/2, "middle", "at least two rows are needed to compare")
		return
	}
	bins := band(r.Pairs)
	var upper, lower []chart.Point
	c, dots := r.chart(f, em, bins)
	for _, bin := range bins {
		low, high := bin.mean-2*bin.sigma, bin.mean+2*bin.sigma
		upper = append(upper, chart.Point{X: bin.exact, Y: high})
		lower = append(lower, chart.Point{X: bin.exact, Y: low})
	}
	c.Axes(b, legend(r)...)
	if r.IsPredicted() {
		c.Area(b, "band", upper, lower)
	}
	c.Dots(b, "dots", dots...)
	first, last := bins[0].exact, bins[len(bins)-1].exact
	c.Path(b, "exact", chart.Point{X: first, Y: first}, chart.Point{X: last, Y: last})
}

// chart returns the axes of the estimates with their bins, and the dots of the pairs.
func (r *Report) chart(f draw.Frame, em float64, bins []bin) (*chart.Chart, []chart.Point) {
	var all bounds
	dots := make([]chart.Point, len(r.Pairs))
	for i, pair := range r.Pairs {
		dots[i] = chart.Point{X: pair.Exact, Y: pair.Estimate}
		all.add(pair.Exact, pair.Exact)
		all.add(pair.Exact, pair.Estimate)
	}
	for _, bin := range bins {
		all.add(bin.exact, bin.mean-2*bin.sigma)
		all.add(bin.exact, bin.mean+2*bin.sigma)
	}
	x, y := all.ranges()
	return chart.New(f, em, chart.Axis{Title: "exact kernel κ(x, y)", Range: x},
		chart.Axis{Title: "estimate ⟨f(x), f(y)⟩", Range: y}), dots
}

// bounds collect the coordinates of points.
type bounds struct{ xs, ys []float64 }

func (b *bounds) add(x, y float64) { b.xs, b.ys = append(b.xs, x), append(b.ys, y) }

// ranges returns the ranges of both coordinates, with a margin.
func (b *bounds) ranges() (x, y chart.Range) {
	return chart.Around(nil, b.xs...).Padded(), chart.Around(nil, b.ys...).Padded()
}

// PairAt returns the index of the pair whose dot is within an em of a pixel of the picture, and the circle around the
// nearest one; −1 if there is none.
func (r *Report) PairAt(size lesson.Size, x, y float64) (nearest int, circle string) {
	left, _ := panels(size, r.IsPredicted())
	c, dots := r.chart(left, size.Em, band(r.Pairs))
	return around(c, dots, x, y)
}

// around returns the index of the point within an em of a pixel that is nearest, or −1, and a circle around it.
func around(c *chart.Chart, points []chart.Point, x, y float64) (nearest int, circle string) {
	nearest = -1
	var b draw.Builder
	for i, least := 0, c.Em*c.Em; i < len(points); i++ {
		px, py, ok := c.At(points[i])
		if d := (px-x)*(px-x) + (py-y)*(py-y); ok && d < least {
			nearest, least = i, d
			b = draw.Builder{}
			b.Circle(px, py, .5*c.Em)
		}
	}
	var path draw.Builder
	path.Path("outline", b.String())
	return nearest, path.String()
}

// legend names the line, the band and the dots.
func legend(r *Report) []chart.Key {
	keys := []chart.Key{{Class: "exact", Name: "exact"}}
	switch {
	case r.IsBiased() && r.IsPredicted():
		keys = append(keys, chart.Key{Class: "band", Name: "bias ± 2σ"})
	case r.IsPredicted():
		keys = append(keys, chart.Key{Class: "band", Name: "±2σ"})
	}
	return append(keys, chart.Key{Class: "dots", Name: format.Plural(len(r.Pairs), "pair")})
}

// Histogram counts, in bars of ½ from −4 to 4, by how many of its own σ each estimate is above its mean over seeds.
// The outer bars also count everything beyond.
func Histogram(pairs []Pair) (counts [zBins]int) {
	for _, pair := range pairs {
		if pair.Sigma > 0 {
			z := math.Floor((pair.Deviation()/pair.Sigma + widest) * zBins / (2 * widest))
			counts[int(min(max(z, 0), zBins-1))]++
		}
	}
	return counts
}

func drawHistogram(b *draw.Builder, r *Report, f draw.Frame, em float64) {
	y := f.Up(-widest, widest)
	b.Rect("band", f.Left, y.At(2), f.Width(), y.At(-2)-y.At(2))
	for _, tick := range []float64{-4, -2, 0, 2, 4} {
		b.Label(f.Left-.6*em, y.At(tick)+.35*em, "end", format.Short(tick))
	}
	counts := Histogram(r.Pairs)
	if most := slices.Max(counts[:]); most > 0 {
		b.Text(`<path class="bars" d="`)
		for k, count := range counts {
			if count == 0 {
				continue
			}
			low := -widest + 2*widest/zBins*float64(k)
			height := y.At(low) - y.At(low+2*widest/zBins)
			b.Text("M", f.Left, " ", y.At(low)-.5, "h", f.Width()*float64(count)/float64(most), "v", 1-height, "H", f.Left, "Z")
		}
		b.Text(`"/>`)
	}
	b.Line("exact", f.Left, y.At(0), f.Right, y.At(0))
	title := "error in units of σ"
	if r.IsBiased() {
		title = "(error − bias) / σ"
	}
	b.Label(f.Left-2*em, f.Top-2.3*em, "start", title)
}
