package buckets

import (
	"math"
	"slices"

	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/lesson"
)

// narrow is the width, in em, below which a picture is tall instead of wide.
const narrow = 34

// Fit returns the size of the picture. A wide picture is about half as high as wide, so that it fits the window
// together with what is above and below it. Others have the panel below the buckets.
func (p *Picture) Fit(width, window, em float64) lesson.Size {
	height := 36 * em
	if width >= narrow*em {
		height = max(min(.56*width, window-26*em), boardLowest*em)
	}
	if width < panelFrom*em {
		height += panelBelow * em
	}
	return lesson.Size{Width: width, Height: height, Em: em}
}

// IsElastic implements lesson.Elastic.
func (p *Picture) IsElastic() {}

// IsWhole implements lesson.Whole: the buckets do not end below the picture, and the panel has its histogram.
func (p *Picture) IsWhole(size lesson.Size) bool {
	l := p.layout(size)
	return l.nets < size.Height && l.panel.Height() > 0 && p.histogram(l).Height() >= leastHistogram*size.Em
}

// A layout holds the positions of the parts of a picture, from top to bottom.
type layout struct {
	em          float64
	left, right float64 // of the columns
	width       float64
	legend      [][]sample // rows of the legend
	caption     float64    // baseline
	numbers     float64    // baseline of the values x_i
	strip       draw.Frame // of the bars of the values, −1 to 1
	indices     float64    // baseline of the indices i
	signs       float64    // centre line of the signs s(i)
	wires       draw.Frame
	buckets     float64    // baseline of the bucket numbers k
	marks       float64    // baseline of the marks where coordinates meet
	wells       draw.Frame // of the buckets' contents, −limit to limit
	nets        float64    // baseline of the values of Cx
	limit       float64
	column      float64 // width of a coordinate
	bucket      float64 // width of a bucket
	parts       int     // slots of a bucket
	slot        float64 // width of a slot
	panel       draw.Frame
}

func (p *Picture) layout(size lesson.Size) *layout {
	em := size.Em
	l := &layout{em: em, left: 3.5 * em, limit: p.limit()}
	size = l.withPanel(size)
	l.width, l.right = size.Width, size.Width-.8*em
	l.column = (l.right - l.left) / float64(p.d())
	l.bucket = (l.right - l.left) / float64(p.n())
	l.parts, l.slot = p.parts(), l.bucket
	if p.p.isComplex() {
		l.slot = .47 * l.bucket // the two slots of a bucket are closer to each other than to other buckets
	}
	l.caption = 1.5 * em
	l.legend = p.legend(l)
	l.numbers = l.caption + 1.9*em
	if !l.beside(l.legend) {
		l.numbers += 1.5 * em * float64(len(l.legend))
	}
	const between = .9 + 1.5 + .95 + .65 + 1.2 + 1.4 + .8 + 2.3 // everything below that has a fixed height
	rest := max(size.Height-l.numbers-between*em, 6*em)
	l.strip = draw.Frame{Left: l.left, Top: l.numbers + .9*em, Right: l.right}
	l.strip.Bottom = l.strip.Top + .27*rest
	l.indices = l.strip.Bottom + 1.5*em
	l.signs = l.indices + .95*em
	l.wires = draw.Frame{Left: l.left, Top: l.signs + .65*em, Right: l.right}
	l.wires.Bottom = l.wires.Top + .3*rest
	l.buckets = l.wires.Bottom + 1.2*em
	l.marks = l.buckets + 1.4*em
	l.wells = draw.Frame{Left: l.left, Top: l.marks + .8*em, Right: l.right}
	l.wells.Bottom = l.wells.Top + .43*rest
	l.nets = l.wells.Bottom + 1.5*em
	return l
}

// withPanel places the panel, if there is room, and returns the size of what remains.
func (l *layout) withPanel(size lesson.Size) lesson.Size {
	em := size.Em
	switch whole := size; {
	case size.Width >= panelFrom*em:
		size.Width -= panelWidth(size.Width, em)
		l.panel = draw.Frame{Left: size.Width + 1.2*em, Right: whole.Width - .8*em, Bottom: size.Height - .3*em}
	case size.Height >= (boardLowest+panelBelow)*em:
		size.Height -= panelBelow * em
		l.panel = draw.Frame{Left: em, Top: size.Height + .6*em, Right: size.Width - .8*em, Bottom: whole.Height - .3*em}
	}
	return size
}

// limit returns the end of the axis of the buckets. It is a round number that no stack and no value exceeds at any
// step.
func (p *Picture) limit() float64 {
	up, down := make([]float64, p.p.NComponents), make([]float64, p.p.NComponents)
	most := 0.0
	for i, k := range p.slot {
		if c := p.contribution(i); c > 0 {
			up[k] += c
		} else {
			down[k] -= c
		}
		most = max(most, up[k], down[k])
	}
	if p.p.ShowY {
		net := make([]float64, p.p.NComponents)
		for i, k := range p.slot {
			net[k] += p.inSlot(i, p.y[i])
			most = max(most, math.Abs(net[k]))
		}
	}
	for scale := 1.0; ; scale *= 10 {
		for _, round := range []float64{1, 1.5, 2, 3, 4, 5, 6, 8} {
			if most <= round*scale+1e-9 {
				return round * scale
			}
		}
	}
}

// coordinateAt, bucketAt and slotAt return the middle of a column in pixels.
func (l *layout) coordinateAt(i int) float64 { return l.left + (float64(i)+.5)*l.column }
func (l *layout) bucketAt(k int) float64     { return l.left + (float64(k)+.5)*l.bucket }

func (l *layout) slotAt(j int) float64 {
	return l.bucketAt(j/l.parts) + (float64(j%l.parts)-.5*float64(l.parts-1))*l.slot
}

// bars returns the positions and widths of the bars of x and y in a column, relative to its middle.
func (l *layout) bars(y bool) (x, width, yx, yWidth float64) {
	switch {
	case !y:
		width = min(.56*l.column, 2.4*l.em)
		return -width / 2, width, 0, 0
	case l.column < l.em: // one in front of the other
		width = .8 * l.column
		return -width / 2, width, -width / 2, width
	}
	width = min(.36*l.column, 1.6*l.em)
	return -1.06 * width, width, .06 * width, width
}

// A content holds the positions of the parts in a slot, relative to its middle.
type content struct {
	stack, stackWidth, net, netWidth, y, yWidth float64
	named                                       bool // there is room for the names of blocks
}

// content places the parts of a slot. The stack is in the middle, as far as the names to its left allow, with the
// values of Cx and Cy to its right. A narrow slot is filled from the left; the narrowest has no room for Cy.
func (l *layout) content(y bool) content {
	w := l.slot
	stack, net, values := min(.34*w, 2*l.em), min(.2*w, l.em), 1.0
	if y {
		net, values = min(.13*w, .7*l.em), 2
	}
	gap := min(.03*w, .3*l.em)
	start := -stack / 2
	named := max(start, -.47*w+2.75*l.em)
	hasNames := named+stack+values*(gap+net) < .47*w
	if hasNames {
		start = named
	}
	if w < 3*l.em {
		stack, net, start = .48*w, .36*w, -.47*w
		if y = y && l.showsCy(); y {
			stack, net = .44*w, .22*w
		}
	}
	c := content{stack: start, stackWidth: stack, net: start + stack + gap, netWidth: net, named: hasNames}
	if y {
		c.y, c.yWidth = c.net+net+gap, net
	}
	return c
}

// showsCy reports whether a slot is wide enough for a value of Cy.
func (l *layout) showsCy() bool { return l.slot >= .5*l.em }

// Areas implements lesson.Picture.
func (p *Picture) Areas(size lesson.Size) []lesson.Area { return p.areas(p.layout(size)) }

// areas returns the columns of the coordinates, from their values down to their wires, and of the buckets, from the
// wires down to their values.
func (p *Picture) areas(l *layout) []lesson.Area {
	top, bottom := l.numbers-1.1*l.em, l.nets+.5*l.em
	return []lesson.Area{
		{Kind: lesson.Coordinate, Rows: 1, Columns: p.d(),
			Rect: lesson.Rect{X: l.left, Y: top, Width: l.right - l.left, Height: l.wires.Top - top}},
		{Kind: lesson.Bucket, Rows: 1, Columns: p.n(), Rect: lesson.Rect{X: l.left, Y: l.wires.Bottom,
			Width: l.right - l.left, Height: bottom - l.wires.Bottom}},
	}
}

// namesSlots reports whether all buckets have room for the names of their slots.
func (l *layout) namesSlots() bool { return l.bucket >= draw.TextWidth("Re 64 Im", l.em)+3*rowGap*l.em }

// A sample is an entry of the legend. An entry without a shape has only words.
type sample struct {
	shape, text string
	width       float64 // including its text
}

const (
	lineSample = 1.6 // width of a line and of a bar, in em
	barSample  = .7
	sampleGap  = 1.1
)

// legend returns the entries in as few rows as the width allows.
func (p *Picture) legend(l *layout) [][]sample {
	if l.width >= narrow*l.em {
		if rows := p.legendOf(l, true); l.beside(rows) {
			return rows
		}
	}
	return p.legendOf(l, false)
}

// legendOf returns the entries. Those for the blocks in the buckets are included if blocks is set; they are left out
// where there is little room.
func (p *Picture) legendOf(l *layout, blocks bool) [][]sample {
	entries := []sample{{shape: "wire", text: p.either("sign +", "→ 1, ↑ i")},
		{shape: "wire minus", text: p.either("sign −", "← −1, ↓ −i")}}
	if p.p.Signless {
		entries = []sample{{shape: "wire", text: "without signs"}}
	}
	if blocks {
		entries = append(entries, sample{shape: "plus", text: "adds"}, sample{shape: "minus", text: "takes away"})
	}
	entries = append(entries, sample{shape: "net", text: "Cx"})
	if p.p.isComplex() && !l.namesSlots() {
		entries = append(entries, sample{text: "left Re, right Im"})
	}
	if p.p.ShowY {
		text := "y"
		if l.showsCy() {
			text = "y and Cy"
		}
		if slices.ContainsFunc(p.y, isBeyond) {
			text += " (open: beyond ±1)"
		}
		entries = append(entries, sample{shape: "other", text: text})
	}
	rows, used := [][]sample{nil}, 0.0
	for _, entry := range entries {
		entry.width = lineSample * l.em
		switch entry.shape {
		case "net", "other", "plus", "minus":
			entry.width = barSample * l.em
		case "":
			entry.width = -.5 * l.em // subtracts the gap after it
		}
		entry.width += .5*l.em + draw.TextWidth(entry.text, l.em)
		if used > 0 && used+sampleGap*l.em+entry.width > l.width-1.6*l.em {
			rows, used = append(rows, nil), 0
		}
		used += sampleGap*l.em + entry.width
		rows[len(rows)-1] = append(rows[len(rows)-1], entry)
	}
	return rows
}

// isBeyond reports whether a value exceeds the axis of the bars.
func isBeyond(value float64) bool { return math.Abs(value) > 1+1e-6 }

// beside reports whether the legend has room beside the caption.
func (l *layout) beside(legend [][]sample) bool {
	width := 0.0
	for _, entry := range legend[0] {
		width += entry.width + sampleGap*l.em
	}
	return len(legend) == 1 && l.left+draw.TextWidth("x, 64 coordinates: drag a bar", l.em)+width+l.em < l.right
}
