package buckets

import (
	"strconv"

	"tensorsketch.example/ui/internal/bars"
	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// SVG draws the vector at the top, its buckets at the bottom, and wires between them. All shapes of a kind are one
// path.
func (p *Picture) SVG(size lesson.Size, look lesson.Item, standalone bool) string {
	l, f := p.layout(size), p.focusOn(look)
	b := &draw.Builder{}
	b.Open(size.Width, size.Height, size.Em, p.summary(), standalone)
	b.WriteString(draw.Hatch)
	p.drawMarks(b, l, f)
	p.drawAxes(b, l)
	p.drawLegend(b, l, standalone)
	p.drawVector(b, l, f)
	p.drawWires(b, l, f)
	p.drawBuckets(b, l, f)
	p.drawMeeting(b, l, f)
	p.drawNumbers(b, l, f)
	p.drawPanel(b, l)
	b.Close()
	return b.String()
}

// drawMarks shades what is pointed at: a bucket, or a coordinate and its bucket. If nothing is, it softly shades the
// bucket that the sum is about. A shade is exactly as wide as its column, except for tabs behind its number and its
// value.
func (p *Picture) drawMarks(b *draw.Builder, l *layout, f focus) {
	areas := p.areas(l)
	if f.bucket < 0 {
		if p.done() {
			r := lesson.Bounds(areas, lesson.Item{Kind: lesson.Bucket, I: p.fullest()})
			b.Rect("wash", r.X, r.Y, r.Width, r.Height)
		}
		return
	}
	r := lesson.Bounds(areas, lesson.Item{Kind: lesson.Bucket, I: f.bucket})
	l.mark(b, r, l.buckets+.4*l.em, strconv.Itoa(f.bucket), l.wells.Bottom+.3*l.em, p.net(f.bucket))
	if f.item.Kind == lesson.Coordinate {
		r := lesson.Bounds(areas, f.item)
		l.mark(b, r, l.numbers+.4*l.em, number(p.p.X[f.item.I]), l.indices-1.1*l.em, strconv.Itoa(f.item.I))
	}
}

// mark shades a column. A tab for the upper text reaches from the top down to upTo; a tab for the lower text reaches
// from height from to the bottom.
func (l *layout) mark(b *draw.Builder, r lesson.Rect, upTo float64, upper string, from float64, lower string) {
	tab := func(text string) (left, right float64) {
		half := draw.TextWidth(text, l.em)/2 + .5*l.em
		middle := max(min(r.X+r.Width/2, l.right-half+.5*l.em), l.left+half-.5*l.em)
		return min(r.X, middle-half), max(r.X+r.Width, middle+half)
	}
	right, bottom := r.X+r.Width, r.Y+r.Height
	upperLeft, upperRight := tab(upper)
	lowerLeft, lowerRight := tab(lower)
	b.Text(`<path class="mark" d="M`, upperLeft, " ", r.Y, "H", upperRight, "V", upTo, "H", right, "V", from, "H",
		lowerRight, "V", bottom,
		"H", lowerLeft, "V", from, "H", r.X, "V", upTo, "H", upperLeft, `Z"/>`)
}

// drawAxes draws both axes with their ticks, and the names of the rows.
func (p *Picture) drawAxes(b *draw.Builder, l *layout) {
	axis := func(scale draw.Scale, ticks ...float64) {
		for _, tick := range ticks {
			class := "grid"
			if tick == 0 {
				class = "axis"
			}
			b.Line(class, l.left, scale.At(tick), l.right, scale.At(tick))
			b.Label(l.left-.6*l.em, scale.At(tick)+.35*l.em, "end", format.Short(tick))
		}
	}
	axis(l.strip.Up(-1, 1), 1, 0, -1)
	axis(l.wells.Up(-l.limit, l.limit), l.limit, 0, -l.limit)
	l.name(b, l.indices, "i")
	l.name(b, l.signs+.35*l.em, "s(i)")
	l.name(b, l.buckets, "k")
}

// name writes the name of a row, to its left.
func (l *layout) name(b *draw.Builder, y float64, text string) {
	b.Label(l.left-.6*l.em, y, "end", text)
}

// drawLegend writes the caption and the legend above the bars.
func (p *Picture) drawLegend(b *draw.Builder, l *layout, standalone bool) {
	caption := "x, " + format.Plural(p.d(), "coordinate")
	if !standalone {
		caption += ": drag a bar"
	}
	b.Label(l.em, l.caption, "start", caption)
	x, y := l.em, l.caption
	if l.beside(l.legend) {
		x = l.right + sampleGap*l.em
		for _, entry := range l.legend[0] {
			x -= entry.width + sampleGap*l.em
		}
		y -= 1.5 * l.em
	}
	for _, row := range l.legend {
		y += 1.5 * l.em
		at := x
		for _, entry := range row {
			switch entry.shape {
			case "minus":
				b.Rect(entry.shape, at, y-.8*l.em, barSample*l.em, l.em)
				b.Text(`<rect fill="url(#hatch)" x="`, at, `" y="`, y-.8*l.em, `" width="`, barSample*l.em, `" height="`, l.em,
					`"/>`)
			case "":
			case "net", "plus":
				b.Rect(entry.shape, at, y-.8*l.em, barSample*l.em, l.em)
			case "other":
				b.Rect(entry.shape, at+.6, y-.8*l.em, barSample*l.em-1.2, l.em)
			default:
				b.Line(entry.shape, at, y-.3*l.em, at+lineSample*l.em, y-.3*l.em)
			}
			b.Label(at+entry.width, y, "end", entry.text)
			at += entry.width + sampleGap*l.em
		}
	}
}

// bar adds a rectangle to a path.
func bar(b *draw.Builder, x, width, from, to float64) {
	b.Text("M", x, " ", from, "h", width, "V", to, "h", -width, "Z")
}

// drawVector draws x as solid bars and y as outlines. An outline that exceeds the axis is open
// at its end.
func (p *Picture) drawVector(b *draw.Builder, l *layout, f focus) {
	scale := l.strip.Up(-1, 1)
	x, width, yx, yWidth := l.bars(p.p.ShowY)
	paths := draw.Paths{}
	for i, value := range p.p.X {
		at, state := l.coordinateAt(i), p.bar(f, i)
		grey, other := state.class("grey"), state.class("other")
		if state == strong {
			grey, other = "net", "other"
		}
		if value != 0 {
			bar(paths.Of(grey), at+x, width, scale.At(0), scale.At(value))
		}
		if p.p.ShowY && p.y[i] != 0 {
			outline(paths.Of(other), at+yx, yWidth, scale.At(0), scale.At(min(max(p.y[i], -1), 1)),
				isBeyond(p.y[i]))
		}
	}
	b.Filled(paths, "grey", "grey faint", "net", "other", "other faint")
}

// outline adds a bar without its base, and without its end if open is set.
func outline(b *draw.Builder, x, width, from, to float64, open bool) {
	across, end := "h", ""
	if open {
		across, end = "m", " 0"
	}
	b.Text("M", x, " ", from, "V", to, across, width, end, "V", from)
}

// drawWires draws a wire from each coordinate to its slot, with its sign. Plus is blue and solid, minus is orange
// and dashed, and complex signs are arrows. Prominent wires are drawn last.
func (p *Picture) drawWires(b *draw.Builder, l *layout, f focus) {
	paths := draw.Paths{}
	top, bottom := l.wires.Top, l.wires.Bottom
	middle := (top + bottom) / 2
	for i, k := range p.slot {
		wireClass, signClass := "wire", "plus"
		if p.s[i].IsMinus() {
			wireClass, signClass = "wire minus", "minus"
		}
		from, to := l.coordinateAt(i), l.slotAt(k)
		state, drawn := p.wire(f, i)
		if drawn {
			wire := paths.Of(state.class(wireClass))
			wire.Text("M", from, " ", top, "C", from, " ", middle, " ", to, " ", middle, " ", to, " ", bottom)
		} else {
			state = faint
		}
		arm := min(.36*l.em, .42*l.column)
		if p.p.isComplex() {
			arrow(paths.Of(state.class(signClass)), from, l.signs, 1.3*arm, p.s[i])
		} else {
			sign(paths.Of(state.class(signClass)), from, l.signs, arm, p.s[i].IsMinus())
		}
	}
	for _, state := range []level{faint, plain, strong} {
		for _, name := range []string{"wire", "plus", "wire minus", "minus"} {
			b.Path(state.class(name), paths.Of(state.class(name)).String())
		}
	}
}

// sign adds a plus or minus sign to a path; arm is the length of its arms.
func sign(b *draw.Builder, x, y, arm float64, minus bool) {
	half := max(.22*arm, .5)
	bar(b, x-arm, 2*arm, y-half, y+half)
	if !minus {
		bar(b, x-half, 2*half, y-arm, y-half)
		bar(b, x-half, 2*half, y+half, y+arm)
	}
}

// arrow adds an arrow that points in the direction of a complex sign: right for 1, up for i.
func arrow(b *draw.Builder, x, y, arm float64, sign bars.Turn) {
	dx, dy := real(sign.Of(arm)), -imag(sign.Of(arm))
	const half, barb = .13, .55 // widths of the shaft and of the head, in arms
	for k, at := range [...][2]float64{{-1, half}, {.1, half}, {.1, barb}, {1, 0}, {.1, -barb}, {.1, -half}, {-1, -half}} {
		along, across := at[0], at[1]
		b.MoveOrLine(k, x+along*dx-across*dy, y+along*dy+across*dx)
	}
	b.WriteString("Z")
}

// drawBuckets draws the contents of the buckets. Positive contributions are stacked up from zero; negative ones are
// stacked down and hatched. Beside the stack are the values of Cx and Cy.
func (p *Picture) drawBuckets(b *draw.Builder, l *layout, f focus) {
	scale, c := l.wells.Up(-l.limit, l.limit), l.content(p.p.ShowY)
	var wells draw.Builder
	for k := 0; k < p.n() && l.bucket >= 1.2*l.em; k++ {
		x, half := l.bucketAt(k), .47*l.bucket
		wells.Text("M", x-half, " ", l.wells.Top, "V", l.wells.Bottom, "h", 2*half, "V", l.wells.Top)
	}
	b.Path("grid", wells.String())

	paths := draw.Paths{}
	up, down := make([]float64, p.p.NComponents), make([]float64, p.p.NComponents)
	for i, k := range p.slot[:p.p.Step] {
		term := p.contribution(i)
		if term == 0 {
			continue
		}
		height, class := up, "plus"
		if term < 0 {
			height, class = down, "minus"
		}
		from, to := scale.At(height[k]), scale.At(height[k]+term)
		height[k] += term
		if gap := .5; from-to > 4*gap { // a hairline between two blocks
			from, to = from-gap, to+gap
		} else if to-from > 4*gap {
			from, to = from+gap, to-gap
		}
		bar(paths.Of(f.content(p.h[i]).class(class)), l.slotAt(k)+c.stack, c.stackWidth, from, to)
		p.nameBlock(b, l, c, f, i, from, to)
	}
	for k := range p.p.NComponents {
		state := f.content(k / p.parts())
		if p.cx[k] != 0 {
			bar(paths.Of(state.class("net")), l.slotAt(k)+c.net, c.netWidth, scale.At(0), scale.At(float64(p.cx[k])))
		}
		if c.yWidth > 0 && p.cy[k] != 0 {
			outline(paths.Of(state.class("other")), l.slotAt(k)+c.y, c.yWidth, scale.At(0), scale.At(float64(p.cy[k])), false)
		}
	}
	for _, state := range []level{faint, plain} {
		b.Filled(paths, state.class("plus"), state.class("minus"), state.class("net"), state.class("other"))
	}
}

// nameBlock writes the term beside a block of the stack, if there is room.
func (p *Picture) nameBlock(b *draw.Builder, l *layout, c content, f focus, i int, from, to float64) {
	if !c.named || max(from-to, to-from) < 1.15*l.em {
		return
	}
	class := ""
	if p.related(f, i) {
		class = "strong"
	}
	b.LabelOf(class, l.slotAt(p.slot[i])+c.stack-.3*l.em, (from+to)/2+.35*l.em, "end",
		format.Term(p.s[i].IsMinus(), "x"+format.Subscript(i), true))
}

// drawMeeting marks the buckets in which two or more nonzero coordinates meet. It draws a sign and as many words as
// there is room for.
func (p *Picture) drawMeeting(b *draw.Builder, l *layout, f focus) {
	em, gap := l.em, .45*l.em
	words, numbers := l.bucket >= draw.TextWidth("64 meet", em)+1.7*em, l.bucket >= draw.TextWidth("64", em)+1.7*em
	radius := min(.3*em, .28*l.bucket)
	var signs draw.Builder
	for k, count := range p.meeting() {
		if count < 2 {
			continue
		}
		x, text := l.bucketAt(k), strconv.Itoa(count)
		if words {
			text += " meet"
		}
		if numbers {
			x -= (gap + draw.TextWidth(text, em)) / 2
			class := "ink"
			if k == f.bucket {
				class = "strong"
			}
			b.LabelOf(class, x+1.6*radius+gap, l.marks, "start", text)
		}
		for _, way := range []float64{-.6, .6} { // two overlapping circles are the sign of a collision
			signs.Circle(x+way*radius, l.marks-.35*em, radius)
		}
	}
	if signs.Len() > 0 && !words {
		l.name(b, l.marks, "meet")
	}
	b.Path("sigma", signs.String())
}
