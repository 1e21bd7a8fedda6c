package convolution

import (
	"math"
	"strconv"

	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// Beside the matrix stand x ⊗ x, whose products the cells of two sketches are sums of, and how much work it is to make
// all products, all cells, or the transforms.

// Lengths, in em.
const (
	pairsSide   = 10.0 // of x ⊗ x
	workWidth   = 7.0  // of a column of the work
	asideTitle  = 1.9
	asideLines  = 3 * line
	asideHeight = asideTitle + pairsSide + asideLines + 2.2
	wiresHeight = 2.4 // of the lines from x to its sketches
	wiresFrom   = 36  // the height of a picture that has them
	plainPairs  = 24  // the most coordinates whose products and lines are all drawn; of more only those in focus are
)

// hasWires reports whether there are lines from x to its two sketches.
func (c *Picture) hasWires() bool { return c.pairs.size > 0 }

func (c *Picture) wiresRoom() float64 {
	if c.hasWires() {
		return wiresHeight
	}
	return 0
}

// placeAside places x ⊗ x and the work side by side, or one below the other where there is no room.
func (l *layout) placeAside(c *Picture, left, top, right float64) {
	em, below := l.em, top
	if c.pairs.size > 0 {
		l.pairArea = lesson.Rect{X: left, Y: top + asideTitle*em, Width: pairsSide * em, Height: pairsSide * em}
		if right-left < (pairsSide+2+3*workWidth)*em {
			below += (asideTitle + pairsSide + 2) * em
		} else {
			left += (pairsSide + 2) * em
		}
	}
	l.work = lesson.Rect{X: left, Y: below + asideTitle*em, Width: min(3*workWidth*em, right-left), Height: pairsSide * em}
}

// placeCorner places x ⊗ x beside the strip of x, where there is no room for more.
func (l *layout) placeCorner(c *Picture, right, gap float64) {
	if c.pairs.size == 0 {
		return
	}
	side := l.strip.Bottom + .9*l.em
	l.pairArea = lesson.Rect{X: right - side, Y: .5 * l.em, Width: side, Height: side}
	l.strip.Right = l.pairArea.X - gap*l.em
}

// narrowAside returns the height of the aside of a picture that is stacked.
func (c *Picture) narrowAside() float64 {
	if c.pairs.size > 0 {
		return asideHeight + asideTitle + pairsSide + 2
	}
	return asideHeight
}

// pairLevel returns the level of the product of coordinates i and j.
func (c *Picture) pairLevel(r *relations, i, j int) level {
	m, n := c.cellOf(i, j)
	k := c.pairs.bucket(i, j)
	is := false
	switch f := r.focus; f.Kind {
	case "":
		is = true
	case lesson.Cell:
		is = f.I == m && f.J == n
		if is && r.look.Kind == lesson.Pair && (r.look.I != i || r.look.J != j) {
			return near
		}
	case lesson.Bucket:
		is = f.I == k
	case lesson.First:
		is = f.I == m
	case lesson.Second:
		is = f.I == n
	case lesson.Coordinate:
		is = f.I == i || f.I == j
	}
	if is {
		return strong
	}
	return faint
}

// drawPairs draws x ⊗ x, and lights what belongs to the item in focus.
func (d *drawing) drawPairs() {
	s, n := d.pairArea, d.pairs.size
	if s.Width <= 0 {
		return
	}
	if d.work.Width > 0 && !d.terse && !d.shortWork {
		d.b.LabelOf("strong", s.X, s.Y-.6*d.em, "start",
			d.fitting(s.Width+1.2*d.em, "x ⊗ x: "+format.Plural(n*n, "product"), "x ⊗ x"))
	} else if s.X-d.strip.Right > 3*d.em {
		d.b.LabelOf("strong", s.X-.5*d.em, s.Y+s.Height/2, "end", "x ⊗ x")
	}
	d.b.Text(`<path class="grid" d="M`, s.X, " ", s.Y, "h", s.Width, "v", s.Height, "h", -s.Width, `Z"/>`)
	hasFocus := d.r.focus.Kind != ""
	d.drawGrid(hasFocus, func(wash func(shape), fill func(int, level, shape)) {
		d.eachOf(&d.pairs, func(i, j int) level { return d.pairLevel(d.r, i, j) }, hasFocus,
			d.washed(d.r.focus), s.X, s.Y, s.Width/float64(n), wash, func(bucket int, l level, s shape) {
				if n <= plainPairs || hasFocus && l != faint {
					fill(bucket, l, s)
				}
			})
	})
	if n > plainPairs && !hasFocus && s.Width >= pairsSide*d.em {
		for k, text := range [2]string{format.Plural(n*n, "product"), "Press a cell."} {
			d.b.Label(s.X+s.Width/2, s.Y+s.Height/2+float64(k)*line*d.em, "middle", text)
		}
	}
	if at := d.r.look; at.Kind == lesson.Pair {
		r := lesson.Bounds(d.areas(d.layout), at)
		d.b.Rect("outline", r.X, r.Y, r.Width, r.Height)
	}
}

// A load is an amount of work.
type load struct {
	name, formula string
	steps         float64
	class         string
}

// loads returns the work to sketch all products of q coordinates: one by one, by all cells of q − 1 squares, and by the
// transforms of q sketches and one back, n log₂ n steps each.
func (c *Picture) loads() [3]load {
	q, n := c.order(), float64(c.p.buckets())
	times := func(k int) string {
		if k == 1 {
			return ""
		}
		return strconv.Itoa(k) + " "
	}
	D := c.either("D", "D/2")
	return [3]load{
		{"products", "d" + power(q), math.Pow(float64(len(c.p.X)), float64(q)), "grey"},
		{"cells", times(q-1) + c.either("D", "(D/2)") + power(2), float64(q-1) * n * n, "grey"},
		{strconv.Itoa(q+1) + " FFTs", times(q+1) + D + " log₂ " + D, float64(q+1) * n * math.Log2(n), "bars"},
	}
}

// power writes an exponent from 2 to 4.
func power(q int) string { return [...]string{2: "²", 3: "³", 4: "⁴"}[q] }

// drawWork draws the loads as squares: their areas are the numbers of steps.
func (d *drawing) drawWork() {
	s := d.work
	if s.Width <= 0 {
		return
	}
	if d.shortWork {
		d.b.LabelOf("strong", s.X, s.Y+d.em, "start", "The work, as areas")
	} else if !d.terse {
		d.b.LabelOf("strong", s.X, s.Y-.6*d.em, "start", "The work, as areas")
	}
	loads, most := d.loads(), 1.0
	for _, load := range loads {
		most = max(most, load.steps)
	}
	bottom := s.Y + s.Height
	for k, load := range loads {
		room := s.Width/3 - .6*d.em
		side := max(math.Sqrt(load.steps/most)*min(room, s.Height), 1)
		left := s.X + float64(k)*s.Width/3
		d.b.Rect(load.class, left, bottom-side, side, side)
		texts := []string{load.name, d.fitting(room+.6*d.em, load.formula),
			d.fitting(room, "= "+format.Count(int(math.Round(load.steps))), "≈ "+format.Scientific(load.steps))}
		if d.terse || d.shortWork {
			texts = []string{d.fitting(room+.6*d.em, load.name, load.formula), texts[2]}
		}
		for n, text := range texts {
			class := ""
			if n == 0 {
				class = "ink"
			}
			d.b.LabelOf(class, left, bottom+(1.2+float64(n)*line)*d.em, "start", text)
		}
	}
}

// drawWires draws lines from the coordinates of x to their buckets of C₁x, above the matrix, and of C₂x, on its left.
// Plus is solid and minus dashed. Of many lines only those in focus are drawn.
func (d *drawing) drawWires() {
	if !d.hasWires() || !d.wired {
		return
	}
	paths, tables := draw.Paths{}, &d.cache.tables
	top := d.strip.Bottom + 1.6*d.em
	hasFocus := d.r.focus.Kind != ""
	hasFew := hasFocus && d.r.focus.Kind != lesson.Bucket
	for i, value := range d.p.X {
		x := d.strip.Left + (float64(i)+.5)*d.column
		for k := range 2 {
			at := tables.bucket[k][i]
			edge := [...][]level{d.r.first, d.r.second}[k]
			other := [...]lesson.Kind{lesson.Second, lesson.First}[k]
			isLit := d.r.coordinates[i] == strong && edge[at] == strong && d.r.focus.Kind != other
			if value == 0 || len(d.p.X) > plainPairs && !(isLit && hasFew) {
				continue
			}
			class := "wire"
			if tables.sign[k][i].IsMinus() {
				class = "wire minus"
			}
			switch {
			case !isLit:
				class += " faint"
			case k == 1 && !hasFocus: // the lines to C₂x all lie side by side
				class += " thin"
			}
			d.wire(paths.Of(class), k, x, top, at)
		}
	}
	for _, class := range []string{"wire faint", "wire minus faint", "wire thin", "wire minus thin", "wire",
		"wire minus"} {
		d.b.Path(class, paths.Of(class).String())
	}
}

// wire adds the line to bucket at of the first or the second sketch.
func (d *drawing) wire(path *draw.Builder, k int, x, top float64, at int) {
	if k == 0 {
		to, bottom := d.square.X+(float64(at)+.5)*d.pitch, d.first.Top-.2*d.em
		middle := (top + bottom) / 2
		path.Text("M", x, " ", top, "C", x, " ", middle, " ", to, " ", middle, " ", to, " ", bottom)
		return
	}
	left, to := d.second.Left-.1*d.em, d.square.Y+(float64(at)+.5)*d.pitch
	path.Text("M", x, " ", top, "C", left-.8*d.em, " ", top+d.em, " ", left-1.6*d.em, " ",
		top+.1*(to-top), " ", left, " ", to)
}
