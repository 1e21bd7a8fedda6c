package convolution

import (
	"strconv"

	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/vector"
)

// A drawing is the state of drawing a picture.
type drawing struct {
	*Picture
	*layout
	b draw.Builder
	r *relations
}

// SVG implements lesson.Picture. Unless it is standalone, it leaves the cells of the matrix to Paint.
func (c *Picture) SVG(size lesson.Size, look lesson.Item, standalone bool) string {
	d := &drawing{Picture: c, layout: c.layout(size), r: c.relate(look)}
	d.b.Grow(1 << 16)
	d.b.Open(size.Width, size.Height, size.Em, c.summary(), standalone)
	d.b.WriteString(draw.Hatch)
	d.drawStrip()
	if c.p.Show == Frequencies {
		d.drawSpectra()
	} else {
		d.drawMatrix(standalone)
		d.drawEdges()
	}
	d.drawResult()
	d.drawPairs()
	d.drawWork()
	d.b.Close()
	return d.b.String()
}

// drawStrip draws the coordinates of x as bars that can be dragged.
func (d *drawing) drawStrip() {
	scale := d.strip.Up(-1, 1)
	d.b.LabelOf("strong", d.strip.Left-2.2*d.em, scale.At(0)+.35*d.em, "end", "x")
	for _, value := range []float64{-1, 0, 1} {
		d.b.Label(d.strip.Left-.5*d.em, scale.At(value)+.35*d.em, "end", format.Short(value))
	}
	d.b.Line("axis", d.strip.Left, scale.At(0), d.strip.Left+d.column*float64(len(d.p.X)), scale.At(0))
	signed := signedBars{draw.Paths{}}
	barsOf(d.coordinates(), 0, 1, d.strip.Left, d.column, scale,
		func(i int, minus bool, s shape) { signed.add(minus, d.r.coordinates[i], d.beside(s)) })
	signed.draw(&d.b)
	var y []complex128
	for _, value := range d.y.x {
		y = append(y, complex(min(max(value, -1), 1), 0))
	}
	d.outlines(y, 1, d.strip.Left, d.column, scale, shape.itself)
	d.drawLabels(lesson.Coordinate, len(d.p.X), d.column, d.strip.Left, d.strip.Bottom+1.15*d.em)
}

// beside makes room for the bar of y beside a bar of x, if y is shown.
func (d *drawing) beside(s shape) shape {
	if d.p.ShowY {
		s.width *= .58
	}
	return s
}

// outlines draws the values of y as outlines beside the bars of x.
func (d *drawing) outlines(y []complex128, parts int, start, room float64, scale draw.Scale, turn func(shape) shape) {
	var path draw.Builder
	barsOf(y, silent*vector.Longest(y), parts, start, room, scale, func(_ int, _ bool, s shape) {
		s.x, s.width = s.x+.64*s.width, .36*s.width
		turn(s).write(&path)
	})
	d.b.Path("other", path.String())
}

// coordinates returns x as complex numbers.
func (c *Picture) coordinates() []complex128 {
	z := make([]complex128, len(c.p.X))
	for i, value := range c.p.X {
		z[i] = complex(value, 0)
	}
	return z
}

// bounds returns the rectangle of an item.
func (d *drawing) bounds(item lesson.Item) lesson.Rect { return lesson.Bounds(d.areas(d.layout), item) }

// gapOf returns the gap between bars that have the given room each.
func gapOf(room float64) float64 { return min(.3*room, 4) }

// signedBars collects bars by their sign.
type signedBars struct{ draw.Paths }

func (s signedBars) add(minus bool, level level, bar shape) {
	class := "plus"
	if minus {
		class = "minus"
	}
	bar.write(s.Of(level.class(class)))
}

func (s signedBars) draw(b *draw.Builder) {
	b.Filled(s.Paths, "plus", "plus faint", "minus", "minus faint")
}

// drawLabels numbers as many of n items as have room, from the corner (x, y) on. The label of the item in focus is
// bold, and labels that would touch it are left out.
func (d *drawing) drawLabels(kind lesson.Kind, n int, room, x, y float64) {
	label := func(class string, i int) {
		d.b.LabelOf(class, x+(float64(i)+.5)*room, y, "middle", strconv.Itoa(i))
	}
	need := draw.TextWidth(strconv.Itoa(n-1), d.em) + .6*d.em
	if kind == lesson.Second {
		need = 1.2 * d.em // they stand one below the other
		label = func(class string, i int) {
			d.b.LabelOf(class, x, y+(float64(i)+.5)*room+.35*d.em, "end", strconv.Itoa(i))
		}
	}
	focus := d.focused(d.r.focus, kind)
	for i := 0; i < n; i += draw.Stride(room, need) {
		if distance := float64(max(i-focus, focus-i)) * room; focus < 0 || distance >= need {
			label("", i)
		}
	}
	if focus >= 0 {
		label("strong", focus)
	}
}

// colouredBar writes a bar in the colour of a bucket.
func (d *drawing) colouredBar(k int, level level, s shape) {
	class := ""
	if level == faint {
		class = `" class="faint`
	}
	d.b.Text(`<path fill="`, d.cache.hues[k].String(), class, `" d="`)
	s.write(&d.b)
	d.b.WriteString(`"/>`)
}

// fitting returns the first text that fits the width, or "".
func (d *drawing) fitting(width float64, texts ...string) string {
	for _, text := range texts {
		if draw.TextWidth(text, d.em) <= width {
			return text
		}
	}
	return ""
}

// paragraph writes a text in lines of the given width, unless there is no room.
func (d *drawing) paragraph(x, y, width float64, text string) {
	if d.terse {
		return
	}
	for k, part := range draw.Wrap(text, width, d.em) {
		d.b.Label(x, y+float64(k)*line*d.em, "start", part)
	}
}
