// Package scatter draws the page's picture: estimates against exact kernel
// values, and beside it how the errors spread in units of their own σ.
//
// Exact is a dark line, theory a grey band, samples are dots.
package scatter

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tensorsketch/tensorsketch/ui/internal/format"
	"github.com/tensorsketch/tensorsketch/ui/internal/report"
)

// Size is the room for a picture, in pixels, and the size of its letters.
type Size struct{ Width, Height, Em float64 }

// bins of the band; widest is σ at the ends of the histogram, and zBins its bars.
const (
	bandBins = 24
	widest   = 4.0
	zBins    = 16
)

// SVG draws a report. The description is for who cannot see it. A standalone
// picture brings its colours along; otherwise they come from the page.
func SVG(r *report.Report, size Size, description string, standalone bool) string {
	b := &builder{}
	b.text(`<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 `, size.Width, " ", size.Height, `" width="`, size.Width, `" height="`, size.Height,
		`" font-size="`, size.Em, `" aria-label="`, escape(description), `">`)
	if standalone {
		b.text("<style>", standaloneStyle, `</style><rect class="ground" width="100%" height="100%"/>`)
	}
	left, right := panels(size)
	drawScatter(b, r, left, size.Em)
	if right.width() > 0 {
		drawHistogram(b, r, right, size.Em)
	}
	b.text("</svg>")
	return b.String()
}

const standaloneStyle = `text{font-family:system-ui,sans-serif;fill:#5b6063}.ground{fill:#fff}.grid{stroke:#e6e6e0;fill:none}.band{fill:#8a8f8c;fill-opacity:.2}` +
	`.exact{stroke:#14181a;stroke-width:1.5;fill:none}.dots{stroke:#0f766e;stroke-opacity:.55;stroke-width:3;stroke-linecap:round;fill:none}.bars{fill:#0f766e;fill-opacity:.75}`

// A frame is the part of the picture inside the axes.
type frame struct{ left, top, right, bottom float64 }

func (f frame) width() float64 { return f.right - f.left }

// panels cuts the picture in two; a narrow one has no histogram.
func panels(size Size) (scatter, histogram frame) {
	em := size.Em
	scatter = frame{left: 4.2 * em, top: 3.4 * em, right: size.Width - 1.2*em, bottom: size.Height - 3.4*em}
	if size.Width < 44*em {
		return scatter, frame{}
	}
	histogram = frame{left: size.Width - 11*em, top: scatter.top, right: size.Width - 1.2*em, bottom: scatter.bottom}
	scatter.right = histogram.left - 5*em
	return scatter, histogram
}

// A scale maps numbers to pixels.
type scale struct{ low, high, from, to float64 }

func (s scale) at(x float64) float64 {
	return s.from + (x-s.low)/(s.high-s.low)*(s.to-s.from)
}

// padded returns the range with a margin, and some range where it is empty.
func padded(low, high float64) (float64, float64) {
	margin := .03 * (high - low)
	if margin == 0 {
		margin = max(.05*math.Abs(low), .5)
	}
	return low - margin, high + margin
}

// Ticks returns about n round numbers from low to high: multiples of 1, 2 or 5
// times a power of ten, whichever comes nearest.
func Ticks(low, high float64, n int) []float64 {
	rough := (high - low) / float64(n)
	if !(rough > 0) || math.IsInf(rough, 0) {
		return nil
	}
	step := math.Pow(10, math.Floor(math.Log10(rough)))
	switch factor := rough / step; {
	case factor > 7:
		step *= 10
	case factor > 3.2:
		step *= 5
	case factor > 1.4:
		step *= 2
	}
	var ticks []float64
	for k := math.Ceil(low / step); k*step <= high && len(ticks) <= 2*n; k++ {
		ticks = append(ticks, k*step+0) // +0 makes −0 a plain 0
	}
	return ticks
}

// A bin of the band: the mean of the exact values and the root mean variance.
type bin struct{ exact, sigma float64 }

// band averages the pairs, sorted by exact value, in bins of equally many.
func band(pairs []report.Pair) []bin {
	sorted := slices.Clone(pairs)
	slices.SortFunc(sorted, func(a, b report.Pair) int {
		switch {
		case a.Exact < b.Exact:
			return -1
		case a.Exact > b.Exact:
			return 1
		}
		return 0
	})
	n := min(bandBins, (len(sorted)+3)/4)
	var bins []bin
	for k := range n {
		part := sorted[k*len(sorted)/n : (k+1)*len(sorted)/n]
		exact, variance := 0.0, 0.0
		for _, pair := range part {
			exact += pair.Exact
			variance += pair.Sigma * pair.Sigma
		}
		bins = append(bins, bin{exact / float64(len(part)), math.Sqrt(variance / float64(len(part)))})
	}
	if n > 0 { // the band reaches to the ends
		bins[0].exact, bins[n-1].exact = sorted[0].Exact, sorted[len(sorted)-1].Exact
	}
	return bins
}

func drawScatter(b *builder, r *report.Report, f frame, em float64) {
	if len(r.Pairs) == 0 {
		b.label((f.left+f.right)/2, (f.top+f.bottom)/2, "middle", "at least two rows are needed to compare")
		return
	}
	bins := band(r.Pairs)
	low, high := math.Inf(1), math.Inf(-1)
	bottom, top := low, high
	for _, pair := range r.Pairs {
		low, high = min(low, pair.Exact), max(high, pair.Exact)
		bottom, top = min(bottom, pair.Exact, pair.Estimate), max(top, pair.Exact, pair.Estimate)
	}
	for _, bin := range bins {
		bottom, top = min(bottom, bin.exact-2*bin.sigma), max(top, bin.exact+2*bin.sigma)
	}
	low, high = padded(low, high)
	bottom, top = padded(bottom, top)
	ticks := Ticks(bottom, top, int((f.bottom-f.top)/(3.2*em)))
	for _, tick := range ticks {
		f.left = max(f.left, textWidth(format.Short(tick), em)+1.4*em)
	}
	x, y := scale{low, high, f.left, f.right}, scale{bottom, top, f.bottom, f.top}

	for _, tick := range ticks {
		b.line("grid", f.left, y.at(tick), f.right, y.at(tick))
		b.label(f.left-.6*em, y.at(tick)+.35*em, "end", format.Short(tick))
	}
	for _, tick := range Ticks(low, high, int(f.width()/(6*em))) {
		b.label(x.at(tick), f.bottom+1.5*em, "middle", format.Short(tick))
	}
	b.label(f.right, f.bottom+2.9*em, "end", "exact kernel κ(x, y)")
	b.label(.8*em, f.top-2.2*em, "start", "estimate ⟨f(x), f(y)⟩")

	b.text(`<path class="band" d="`)
	for k, bin := range bins {
		b.moveOrLine(k, x.at(bin.exact), y.at(bin.exact+2*bin.sigma))
	}
	for k := len(bins) - 1; k >= 0; k-- {
		b.moveOrLine(1, x.at(bins[k].exact), y.at(bins[k].exact-2*bins[k].sigma))
	}
	b.text(`Z"/>`)
	b.text(`<path class="dots" d="`)
	for _, pair := range r.Pairs {
		b.point(x.at(pair.Exact), y.at(pair.Estimate))
	}
	b.text(`"/>`)
	first, last := bins[0].exact, bins[len(bins)-1].exact
	b.line("exact", x.at(first), y.at(first), x.at(last), y.at(last))
	drawLegend(b, r, f, em)
}

// drawLegend names line, band and dots above the frame, right-aligned.
func drawLegend(b *builder, r *report.Report, f frame, em float64) {
	y := f.top - .8*em
	dots := format.Plural(len(r.Pairs), "pair")
	end := f.right
	b.label(end, y, "end", dots)
	end -= textWidth(dots, em) + .8*em
	b.text(`<path class="dots" d="M`, end, " ", y-.3*em, `h0"/>`)
	end -= 1.4 * em
	b.label(end, y, "end", "±2σ")
	end -= textWidth("±2σ", em) + 2.2*em
	b.text(`<rect class="band" x="`, end, `" y="`, y-.8*em, `" width="`, 1.5*em, `" height="`, em, `"/>`)
	end -= 1.2 * em
	b.label(end, y, "end", "exact")
	end -= textWidth("exact", em) + 2.2*em
	b.line("exact", end, y-.3*em, end+1.5*em, y-.3*em)
}

// textWidth estimates the width of a text; system fonts need about half an em
// per letter.
func textWidth(text string, em float64) float64 {
	return .54 * em * float64(len([]rune(text)))
}

// Histogram counts errors in units of their own σ, in bars of ½ from −4 to 4;
// the outer bars take what lies beyond.
func Histogram(pairs []report.Pair) (counts [zBins]int) {
	for _, pair := range pairs {
		if pair.Sigma > 0 {
			z := math.Floor((pair.Error()/pair.Sigma + widest) * zBins / (2 * widest))
			counts[int(min(max(z, 0), zBins-1))]++
		}
	}
	return counts
}

func drawHistogram(b *builder, r *report.Report, f frame, em float64) {
	y := scale{-widest, widest, f.bottom, f.top}
	b.text(`<rect class="band" x="`, f.left, `" y="`, y.at(2), `" width="`, f.width(), `" height="`, y.at(-2)-y.at(2), `"/>`)
	for _, tick := range []float64{-4, -2, 0, 2, 4} {
		b.label(f.left-.6*em, y.at(tick)+.35*em, "end", format.Short(tick))
	}
	counts := Histogram(r.Pairs)
	if most := slices.Max(counts[:]); most > 0 {
		b.text(`<path class="bars" d="`)
		for k, count := range counts {
			if count == 0 {
				continue
			}
			low := -widest + 2*widest/zBins*float64(k)
			height := y.at(low) - y.at(low+2*widest/zBins)
			b.text("M", f.left, " ", y.at(low)-.5, "h", f.width()*float64(count)/float64(most), "v", 1-height, "H", f.left, "Z")
		}
		b.text(`"/>`)
	}
	b.line("exact", f.left, y.at(0), f.right, y.at(0))
	b.label(f.left-2*em, f.top-2.2*em, "start", "error in units of σ")
}

// A builder writes SVG with coordinates of one decimal.
type builder struct{ strings.Builder }

func (b *builder) text(parts ...any) {
	for _, part := range parts {
		switch part := part.(type) {
		case string:
			b.WriteString(part)
		case float64:
			b.number(part)
		}
	}
}

// number writes x with at most one decimal. There are thousands of them, so it
// does without package strconv's search for the shortest digits.
func (b *builder) number(x float64) {
	tenths := int(math.Round(x * 10))
	if tenths < 0 {
		b.WriteByte('-')
		tenths = -tenths
	}
	b.WriteString(strconv.Itoa(tenths / 10))
	if tenths %= 10; tenths != 0 {
		b.WriteByte('.')
		b.WriteByte(byte('0' + tenths))
	}
}

// point writes a dot of a path.
func (b *builder) point(x, y float64) {
	b.WriteByte('M')
	b.number(x)
	b.WriteByte(' ')
	b.number(y)
	b.WriteString("h0")
}

func (b *builder) line(class string, x0, y0, x1, y1 float64) {
	b.text(`<path class="`, class, `" d="M`, x0, " ", y0, "L", x1, " ", y1, `"/>`)
}

func (b *builder) label(x, y float64, anchor, text string) {
	b.text(`<text x="`, x, `" y="`, y, `" text-anchor="`, anchor, `">`, escape(text), "</text>")
}

func (b *builder) moveOrLine(k int, x, y float64) {
	command := "L"
	if k == 0 {
		command = "M"
	}
	b.text(command, x, " ", y)
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

func escape(text string) string { return escaper.Replace(text) }
