package convolution

import (
	"math"
	"strconv"

	"tensorsketch.example/ui/internal/bars"
	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/vector"
)

// drawResult draws the computed buckets of the result in their colours.
func (d *drawing) drawResult() {
	d.drawHeading()
	low, high := 0.0, 0.0
	for _, values := range [][]complex128{d.result, d.whole, d.y.whole} {
		for _, value := range values {
			low, high = min(low, real(value), imag(value)), max(high, real(value), imag(value))
		}
	}
	if high-low == 0 {
		low, high = -1, 1
	}
	margin := .04 * (high - low)
	scale := d.plot.Up(low-margin, high+margin)
	d.grid(d.plot, scale, tickText, draw.Ticks(low-margin, high+margin, max(int(d.plot.Height()/(3.4*d.em)), 2))...)
	if k := d.focused(d.r.focus, lesson.Bucket); k >= 0 {
		d.mark(k, d.bounds(lesson.Item{Kind: lesson.Bucket, I: k}), d.plot.Bottom+.2*d.em)
	} else if k := d.washed(d.r.focus); k >= 0 {
		r := d.bounds(lesson.Item{Kind: lesson.Bucket, I: k})
		d.b.Rect("wash", r.X, r.Y, r.Width, r.Height)
	}
	d.drawSlots(scale)
	d.drawBars(scale)
	d.drawLabels(lesson.Bucket, d.p.buckets(), d.slot, d.plot.Left, d.plot.Bottom+1.1*d.em)
	d.drawNote()
}

// mark shades the column of item k. From height tab on, where the number of the item is, the shade is as wide as the
// number needs.
func (d *drawing) mark(k int, r lesson.Rect, tab float64) {
	right, bottom := r.X+r.Width, r.Y+r.Height
	d.b.Text(`<path class="mark" d="M`, r.X, " ", r.Y, "H", right, "V", tab)
	if room := draw.TextWidth(strconv.Itoa(k), d.em) + .8*d.em; room > r.Width && tab < bottom {
		to := min(r.X+(r.Width+room)/2, max(d.strip.Right, d.plot.Right)+.6*d.em)
		d.b.Text("H", to, "V", bottom, "H", to-room, "V", tab)
	} else {
		d.b.Text("V", bottom, "H", r.X)
	}
	d.b.Text("H", r.X, `Z"/>`)
}

// computed returns the number of buckets that the steps so far have computed. The inverse FFT computes all at once.
func (c *Picture) computed() int {
	if c.isDone() {
		return c.p.buckets()
	}
	if c.p.Show == Frequencies {
		return 0
	}
	return c.p.Step
}

// drawSlots draws an empty slot for each bucket that is not computed yet.
func (d *drawing) drawSlots(scale draw.Scale) {
	d.b.Line("axis", d.plot.Left, scale.At(0), d.plot.Right, scale.At(0))
	if d.computed() == d.p.buckets() {
		return
	}
	if d.slot < gridFrom { // too many to tell apart
		left := d.plot.Left + float64(d.computed())*d.slot
		d.b.Text(`<path class="grid" d="M`, left, " ", d.plot.Top, "H", d.plot.Left+float64(d.p.buckets())*d.slot, "V",
			d.plot.Bottom, "H", left, `Z"/>`)
		return
	}
	gap := gapOf(d.slot)
	d.b.WriteString(`<path class="grid" d="`)
	for k := d.computed(); k < d.p.buckets(); k++ {
		x, width := d.plot.Left+float64(k)*d.slot+gap/2, d.slot-gap
		d.b.Text("M", x, " ", d.plot.Top, "h", width, "V", d.plot.Bottom, "h", -width, "Z")
	}
	d.b.WriteString(`"/>`)
}

// drawBars draws the buckets, and for a slice also a line at the sum of all slices.
func (d *drawing) drawBars(scale draw.Scale) {
	parts := d.p.parts()
	barsOf(d.result[:d.computed()], silent*vector.Longest(d.result), parts, d.plot.Left, d.slot, scale,
		func(k int, minus bool, s shape) { d.colouredBar(k, d.r.buckets[k], d.beside(s).hollow(minus)) })
	if d.p.ShowY && !d.sliced() {
		d.outlines(d.y.whole[:d.computed()], parts, d.plot.Left, d.slot, scale, shape.itself)
	}
	if !d.sliced() || d.computed() == 0 {
		return
	}
	d.b.WriteString(`<path class="exact" d="`)
	for k, value := range d.whole[:d.computed()] {
		for part := range parts {
			width := d.slot / float64(parts)
			d.b.Text("M", d.plot.Left+float64(k)*d.slot+float64(part)*width, " ", scale.At(bars.Part(value, part)), "h", width)
		}
	}
	d.b.WriteString(`"/>`)
}

func (d *drawing) drawHeading() {
	left := d.plot.Left - tickRoom*d.em
	width := d.plot.Right - left
	name, all := d.resultName(), tensorName(d.order())
	texts := []string{name + ", the sketch of " + all, name + ", the sketch", name}
	switch {
	case d.sliced():
		texts = []string{"the sketch of this slice; lines: " + name, "this slice; lines: " + name, "this slice"}
	case d.p.Show == Frequencies:
		texts = []string{"inverse FFT: " + texts[0], "inverse FFT: " + name, name}
	}
	if d.p.ShowY && !d.sliced() {
		texts = append([]string{texts[0] + "; open: of y"}, texts...)
	}
	if d.p.isComplex() {
		const parts = ": Re left, Im right"
		texts = append([]string{texts[0] + parts, texts[1] + parts}, texts...)
	}
	d.b.LabelOf("strong", left, d.plot.Top-1.5*d.em, "start", d.fitting(width/1.08, texts...)) // bold letters are wider
}

// drawNote writes the result of the comparison once it is finished.
func (d *drawing) drawNote() {
	difference, done := d.Direct()
	if !done {
		return
	}
	left := d.plot.Left - tickRoom*d.em
	width := d.plot.Right - left
	products := d.allProductsText()
	text := d.fitting(2*width-6*d.em, "same as sketching "+products+": largest difference "+differenceText(difference),
		products+": largest difference "+differenceText(difference),
		"largest difference "+differenceText(difference))
	d.paragraph(left, d.note, width, text)
}

// grid draws the ticks of a vertical axis.
func (d *drawing) grid(f draw.Frame, scale draw.Scale, label func(float64) string, ticks ...float64) {
	d.b.Grid(f, draw.Axis{Ticks: ticks, Label: label, At: scale.At, Em: d.em})
}

func differenceText(difference float64) string { return format.Number(difference, 1) }

// tickText writes a tick with no more letters than fit. From 100,000 on it uses a power of ten.
func tickText(x float64) string {
	if math.Abs(x) < 1e5 {
		return format.Short(x)
	}
	return format.Scientific(x)
}
