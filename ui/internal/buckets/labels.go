package buckets

import (
	"strconv"

	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// A row is a line of texts that do not touch each other. Texts placed earlier have priority.
type row struct {
	*layout
	b      *draw.Builder
	y, gap float64
	taken  [][2]float64
}

const rowGap = .8 // between two texts, in em

func (l *layout) row(b *draw.Builder, y float64) *row {
	return &row{layout: l, b: b, y: y, gap: rowGap * l.em}
}

// place writes a text centred at x, or as near to x as the ends of the row allow. It writes nothing if there is no
// room.
func (r *row) place(class string, x float64, text string) {
	half := draw.TextWidth(text, r.em) / 2
	x = max(min(x, r.right-half), r.left+half)
	for _, other := range r.taken {
		if x-half-r.gap < other[1] && x+half+r.gap > other[0] {
			return
		}
	}
	r.taken = append(r.taken, [2]float64{x - half, x + half})
	r.b.LabelOf(class, x, r.y, "middle", text)
}

// drawNumbers writes the numbers of coordinates and buckets, and their values. The item pointed at has priority.
func (p *Picture) drawNumbers(b *draw.Builder, l *layout, f focus) {
	values, indices := l.row(b, l.numbers), l.row(b, l.indices)
	strong := func(i int) {
		values.place("strong", l.coordinateAt(i), number(p.p.X[i]))
		indices.place("strong", l.coordinateAt(i), strconv.Itoa(i))
	}
	if f.item.Kind == lesson.Coordinate {
		strong(f.item.I)
	}
	for i := range p.d() {
		if p.related(f, i) {
			strong(i)
		}
	}
	if l.column >= draw.TextWidth("−0.00", l.em)+values.gap {
		for i := range p.d() {
			values.place("", l.coordinateAt(i), number(p.p.X[i]))
		}
	}
	for i := 0; i < p.d(); i += l.every(p.d(), l.column) {
		indices.place("", l.coordinateAt(i), strconv.Itoa(i))
	}

	nets, buckets := l.row(b, l.nets), l.row(b, l.buckets)
	if f.bucket >= 0 {
		nets.place("strong", l.bucketAt(f.bucket), p.net(f.bucket))
		buckets.place("strong", l.bucketAt(f.bucket), strconv.Itoa(f.bucket))
	}
	if l.bucket >= draw.TextWidth(p.either("−00.00", "−0.00 − 0.00i"), l.em)+nets.gap {
		for k := range p.n() {
			nets.place("ink", l.bucketAt(k), p.net(k))
		}
	}
	for k := 0; k < p.n(); k += l.every(p.n(), l.bucket) {
		buckets.place("", l.bucketAt(k), strconv.Itoa(k))
	}
	p.nameSlots(l, buckets)
	if len(values.taken) > 0 {
		l.name(b, l.numbers, "x")
	}
	if len(nets.taken) > 0 {
		l.name(b, l.nets, "Cx")
	}
}

// nameSlots writes beside the bucket numbers which slot is real and which is imaginary.
func (p *Picture) nameSlots(l *layout, r *row) {
	if !p.p.isComplex() || !l.namesSlots() {
		return
	}
	for j := range p.p.NComponents {
		r.place("", l.slotAt(j), [2]string{"Re", "Im"}[j%2])
	}
}

// net writes the value of bucket k, or 0 if nothing has fallen into it.
func (p *Picture) net(k int) string {
	if held, _ := p.held(k, p.p.Step); len(held) == 0 {
		return "0"
	}
	return format.Complex(p.valueOf(p.cx, k), 2)
}

// every returns k such that the labels of every k-th of n columns have room. column is the width of a column.
func (l *layout) every(n int, column float64) int {
	return draw.Stride(column, draw.TextWidth(strconv.Itoa(n-1), l.em)+.65*l.em)
}
