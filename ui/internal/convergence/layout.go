package convergence

import (
	"math"

	"tensorsketch.example/ui/internal/chart"
	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/lesson"
)

// A layout holds the positions of the parts: the cloud, the histogram beside it, and the errors on logarithmic axes
// below it. A narrow picture has the same arrangement, with a narrower histogram and shorter texts.
type layout struct {
	em            float64
	wide          bool         // there is room for full labels
	cloud, errors *chart.Chart // of the columns, or errors of the microseconds
	histogram     draw.Frame
	bottom        float64 // lower end of the parts that belong to a column
	legend        []placed
	legendTop     float64
	labelStride   int // D is written under every labelStride-th column
}

// wideEms is the width, in em, from which there is room for full labels.
const wideEms = 48

// lowest is the minimum height of a wide picture, in em.
const lowest = 38

// leastLegend is the height, in em, from which a narrow picture has room for its whole legend.
const leastLegend = 38

// Fit implements lesson.Picture.
func (p *Picture) Fit(width, window, em float64) lesson.Size {
	height := 42 * em
	if width >= wideEms*em {
		height = max(min(.52*width, window-26*em), lowest*em)
	}
	if p.contenders != nil {
		height += 8 * em
	}
	return lesson.Size{Width: width, Height: height, Em: em}
}

// IsElastic implements lesson.Elastic.
func (p *Picture) IsElastic() {}

func (p *Picture) layout(size lesson.Size) *layout {
	em := size.Em
	l := &layout{em: em, wide: size.Width >= wideEms*em}
	var cloud, errors draw.Frame
	bars, gap, edge := min(.2*size.Width, 13*em), 2.8*em, 1.2*em
	if !l.wide {
		bars, gap, edge = min(max(.2*size.Width, 4.6*em), 9*em), 2.2*em, .6*em
		if p.contenders != nil { // room for the names of the methods
			bars = max(bars, 7.2*em)
		}
	}
	cloud.Right = size.Width - edge - bars - gap
	l.histogram.Left, l.histogram.Right = cloud.Right+gap, cloud.Right+gap+bars
	errors.Right = cloud.Right

	legendWidth := cloud.Right - .8*em
	if !l.wide { // the histogram's title is below it
		legendWidth = size.Width - 1.4*em
	}
	var rows int
	keys := p.legend(l.wide)
	if !l.wide && size.Height < leastLegend*em { // for the title, a seed and the exact value
		keys = append(keys[:2:2], keys[3])
	}
	l.legend, rows = flow(keys, legendWidth, em)
	l.legendTop = 1.7 * em
	top := max(float64(rows)*1.6*em+1.2*em, 3.8*em)
	if !l.wide {
		top += 3.2 * em
	}
	bottom := size.Height - 1.2*em
	const under = 5.4 // ems from the cloud to the errors: the labels D, and a title
	share := .6
	switch {
	case p.contenders != nil:
		share = .45
	case l.wide && size.Height < 24*em: // in lecture mode
		share = .7
	}
	if p.ownAxis() {
		bottom -= 1.6 * em
	}
	cloudHeight := share * (bottom - top - under*em)
	cloud.Top, cloud.Bottom = top, top+cloudHeight
	l.histogram.Top, l.histogram.Bottom = cloud.Top, cloud.Bottom
	errors.Top, errors.Bottom = cloud.Bottom+under*em, bottom
	if l.bottom = bottom; p.ownAxis() {
		l.bottom = cloud.Bottom
	}
	columns := chart.Axis{Range: chart.Range{Low: -.5, High: Columns - .5}, Ticks: []float64{}}
	below := columns
	if p.byTime() {
		below = p.timeAxis()
	} else if p.byDegree() {
		below = degreeAxis()
	}
	for left := 3 * em; cloud.Left != left; left = max(l.cloud.Left, l.errors.Left) {
		cloud.Left, errors.Left = left, left
		l.cloud = chart.New(cloud, em, columns, chart.Axis{Range: chart.Range{Low: p.low, High: p.high}, Space: 3.2})
		l.errors = chart.New(errors, em, below, chart.Axis{Title: p.errorTitle(l.wide), Range: p.errorRange(), IsLog: true})
	}
	l.labelStride = 1
	for float64(l.labelStride)*l.step() < draw.TextWidth("16,384", em)+.5*em && l.labelStride < Columns {
		l.labelStride++
	}
	return l
}

// errorRange returns the range of the axis of errors. It includes the three laws, with room below for the errors of a
// few seeds.
func (p *Picture) errorRange() chart.Range {
	if p.contenders != nil {
		return p.comparedRange()
	}
	shown := p.degrees
	if shown == nil {
		for _, c := range p.columns {
			shown = append(shown, c.law)
		}
	}
	var laws []float64
	for _, c := range shown {
		if laws = append(laws, c.sigma); p.hasBounds() || c.sigma == 0 {
			laws = append(laws, c.theorem9, c.lemma6)
		}
	}
	r := chart.Around(chart.Positive, laws...)
	if r.High < r.Low {
		r = chart.Range{Low: .01, High: 1}
	}
	return chart.Range{Low: r.Low / 1.7, High: r.High * 1.3}
}

// step returns the width of a column, and x the middle of a column.
func (l *layout) step() float64 { return l.cloud.Width() / Columns }

func (l *layout) x(column int) float64 { return l.cloud.X.At(float64(column)) }

// columnAt returns the column at x, or the one nearest to x.
func (l *layout) columnAt(x float64) int {
	return int(min(max(math.Floor((x-l.cloud.Left)/l.step()), 0), Columns-1))
}

// A key is an entry of the legend: a sample of a shape, and its name.
type key struct{ shape, text string }

// placed is a key with its position: x from the left, and its row.
type placed struct {
	key
	x   float64
	row int
}

const specimen = 2.1 // width of a shape in the legend, in em

// flow arranges keys in rows of the given width.
func flow(keys []key, width, em float64) (all []placed, rows int) {
	x, row := 0.0, 0
	for _, k := range keys {
		need := draw.TextWidth(k.text, em)
		if k.shape != "" {
			need += specimen * em
		}
		if x > 0 && x+need > width {
			x, row = 0, row+1
		}
		all = append(all, placed{k, x, row})
		x += need + 1.6*em
	}
	return all, row + 1
}

// hasBounds reports whether Theorem 9 and Lemma 6 are drawn.
func (p *Picture) hasBounds() bool { return p.params.Bounds != "" }

// legend returns the entries for the shapes of the cloud. In a narrow picture, Theorem 9 and Lemma 6 are named only
// at the errors.
func (p *Picture) legend(wide bool) []key {
	one := "one seed"
	if p.params.Pairs > 1 {
		one = "one seed, one pair"
	}
	keys := []key{
		{"", "estimate of κ(x, y)"},
		{"dots", one},
		{"bars", "middle 50 % and 90 % of all"},
		{"exact", "exact κ"},
		{"band", "exact ±σ, ±2σ"},
	}
	if wide && !p.noError() && p.hasBounds() {
		keys = append(keys, key{"bound", "Theorem 9 of the journal, a bound"}, key{"wrong", "Lemma 6 of KDD 2013"})
	}
	return keys
}

// apart moves ascending ys so that they are at least gap apart and between top and bottom, if there is room.
func apart(ys []float64, gap, top, bottom float64) []float64 {
	moved := append([]float64(nil), ys...)
	for k := range moved {
		least := top
		if k > 0 {
			least = moved[k-1] + gap
		}
		moved[k] = max(moved[k], least)
	}
	for k := len(moved) - 1; k >= 0; k-- {
		most := bottom
		if k < len(moved)-1 {
			most = moved[k+1] - gap
		}
		moved[k] = min(moved[k], most)
	}
	return moved
}
