package convergence

import (
	"math"
	"slices"

	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// drawHistogram draws the estimates at D beside the cloud, on the same axis. The longest bar takes the full width.
// The histogram of the column looked at is an outline.
func (p *Picture) drawHistogram(b *draw.Builder, l *layout, look lesson.Item) {
	f, em := l.histogram, l.em
	column := p.columns[p.at]
	title, count := "D = "+format.Count(column.NComponents), format.Plural(column.Seeds, "seed")
	b.LabelOf("strong", f.Right, f.Top-2.3*em, "end", title)
	b.Label(f.Right, f.Top-.8*em, "end", count)
	kernel, sigma := l.cloud.Y.At(p.kernel), math.Abs(l.cloud.Y.At(column.sigma)-l.cloud.Y.At(0))
	cut := min(sigma, f.Height()/2)
	b.Rect("band", f.Left, kernel-cut, f.Width(), 2*cut)
	p.drawBars(b, l, "bars", column)
	if p.has(look) && look.I != p.at {
		p.drawBars(b, l, "outline", p.columns[look.I])
	}
	b.Line("axis", f.Left, f.Top, f.Left, f.Bottom)
	b.Line("exact", f.Left, kernel, f.Right, kernel)
	b.LabelOf("ink", f.Left-.5*em, kernel+.35*em, "end", "κ")
	if sigma > 0 && sigma < f.Height()/2 {
		b.Text(`<path class="sigma" d="M`, f.Left, " ", kernel-sigma, "H", f.Right, "M", f.Left, " ", kernel+sigma, "H",
			f.Right, `"/>`)
		if sigma > 1.05*em {
			b.LabelOf("ink", f.Left-.5*em, kernel-sigma+.35*em, "end", "+σ")
			b.LabelOf("ink", f.Left-.5*em, kernel+sigma+.35*em, "end", "−σ")
		}
	}
	if n := column.histogram.above; n > 0 {
		b.Label(f.Right, f.Top+em, "end", format.Count(n)+" above")
	}
	if n := column.histogram.below; n > 0 {
		b.Label(f.Right, f.Bottom-.4*em, "end", format.Count(n)+" below")
	}
}

// drawBars draws a histogram with bars of whole bins, symmetric about the kernel. A bar is at least three pixels
// wide, and at least half as wide as 2·IQR/∛n, the width of Freedman and Diaconis (1981), where IQR is the
// interquartile range.
func (p *Picture) drawBars(b *draw.Builder, l *layout, class string, column column) {
	f := l.histogram
	if column.Seeds == 0 {
		return
	}
	pixels := math.Abs(l.cloud.Y.At(1) - l.cloud.Y.At(0))
	bin := pixels * column.sigma / binsPerSigma
	if bin == 0 {
		b.Text(`<path class="`, class, `" d="M`, f.Left, " ", l.cloud.Y.At(p.kernel)-2, "H", f.Right, "v4H", f.Left, `Z"/>`)
		return
	}
	least := max(3, pixels*(column.Quantiles[3]-column.Quantiles[1])/math.Cbrt(float64(column.Seeds)))
	together := 1
	for float64(together)*bin < least && together < reach {
		together *= 2
	}
	counts := make([]int, 2*reach/together)
	for k, count := range column.histogram.counts {
		counts[k/together] += count
	}
	most := slices.Max(counts)
	if most == 0 {
		return
	}
	height := float64(together) * bin
	b.Text(`<path class="`, class, `" d="`)
	for k, count := range counts {
		low := l.cloud.Y.At(p.kernel) + (float64(reach/together)-float64(k))*height
		high := max(low-height, f.Top)
		if low = min(low, f.Bottom); count > 0 && high < low {
			if class == "bars" {
				low -= min(.5, (low-high)/4) // background between bars
			}
			b.Text("M", f.Left, " ", high, "h", f.Width()*float64(count)/float64(most), "V", low, "H", f.Left, "Z")
		}
	}
	b.Text(`"/>`)
}
