package convolution

import (
	"cmp"
	"strconv"
	"strings"

	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/vector"
)

// gridFrom is the side, in CSS pixels, from which cells are separated by lines.
const gridFrom = 7.0

// drawEdges draws the factors along the matrix: two sketches in the colours of their buckets, or the coordinates of
// x in the colours of their signs.
func (d *drawing) drawEdges() {
	d.drawNames()
	d.drawWires()
	m := &d.matrix
	d.washEdges()
	d.drawLabels(lesson.First, m.size, d.pitch, d.square.X, d.square.Y-.4*d.em)
	d.drawLabels(lesson.Second, m.size, d.pitch, d.square.X-.5*d.em, d.square.Y)
	up := d.first.Up(-1, 1)
	across := draw.Scale{Low: -1, High: 1, From: d.second.Left, To: d.second.Right}
	d.b.Line("axis", d.first.Left, up.At(0), d.first.Right, up.At(0))
	d.b.Line("axis", across.At(0), d.second.Top, across.At(0), d.second.Bottom)
	if d.p.Show == Coordinates {
		signed := signedBars{draw.Paths{}}
		x := d.coordinates()
		barsOf(x, 0, 1, d.first.Left, d.pitch, up, func(i int, minus bool, s shape) { signed.add(minus, d.r.first[i], s) })
		barsOf(x, 0, 1, d.second.Top, d.pitch, across,
			func(j int, minus bool, s shape) { signed.add(minus, d.r.second[j], s.turned()) })
		signed.draw(&d.b)
		return
	}
	up.High = cmp.Or(max(largestPart(m.first), largestPart(d.y.first)), 1)
	across.High = cmp.Or(max(largestPart(m.second), largestPart(d.y.second)), 1)
	up.Low, across.Low = -up.High, -across.High
	parts := d.p.parts()
	barsOf(known(m.first, m.firstSet), silent*vector.Longest(m.first), parts, d.first.Left, d.pitch, up,
		func(i int, minus bool, s shape) { d.colouredBar(i, d.r.first[i], d.beside(s).hollow(minus)) })
	barsOf(known(m.second, m.secondSet), silent*vector.Longest(m.second), parts, d.second.Top, d.pitch, across,
		func(j int, minus bool, s shape) { d.colouredBar(j, d.r.second[j], d.beside(s).hollow(minus).turned()) })
	d.outlines(d.y.first, parts, d.first.Left, d.pitch, up, shape.itself)
	d.outlines(d.y.second, parts, d.second.Top, d.pitch, across, shape.turned)
}

// known returns the values with 0 where a value is exactly zero.
func known(values []complex128, set []bool) []complex128 {
	all := make([]complex128, len(values))
	for i, value := range values {
		if set[i] {
			all[i] = value
		}
	}
	return all
}

// washEdges softly marks the factors that enter the softly marked bucket.
func (d *drawing) washEdges() {
	k := d.washed(d.r.focus)
	if k < 0 {
		return
	}
	r := d.relate(lesson.Item{Kind: lesson.Bucket, I: k})
	var wash draw.Builder
	add := func(kind lesson.Kind, i int, level level) {
		if level == strong {
			at := d.bounds(lesson.Item{Kind: kind, I: i})
			shape{x: at.X, y: at.Y, width: at.Width, height: at.Height}.write(&wash)
		}
	}
	for i := range d.matrix.size {
		add(lesson.First, i, r.first[i])
		add(lesson.Second, i, r.second[i])
	}
	d.b.Path("wash", wash.String())
}

// drawNames writes the names of the edges into the corner between them.
func (d *drawing) drawNames() {
	upper, left := []string{d.firstName()}, d.secondName()
	if d.p.Stage == 3 { // too long for one line
		upper = []string{sketchName(0, 2), "∗ " + sketchName(2, 1)}
	}
	if d.p.Show == Coordinates {
		upper, left = []string{"x, by i"}, "x, by j"
	}
	middle := (d.first.Top + d.first.Bottom) / 2
	for k, text := range upper {
		d.b.LabelOf("strong", d.left, middle+.35*d.em+(float64(k)-.5*float64(len(upper)-1))*1.2*d.em, "start", text)
	}
	d.b.LabelOf("strong", d.left, d.square.Y-.8*d.em, "start", left)
}

// drawMatrix draws the grid with its marks. In a standalone picture it also draws the cells.
func (d *drawing) drawMatrix(standalone bool) {
	if standalone {
		d.drawCells()
	}
	s := d.square
	if d.pitch >= gridFrom {
		d.b.WriteString(`<path class="grid" d="`)
		for k := range d.matrix.size + 1 {
			at := float64(k) * d.pitch
			d.b.Text("M", s.X, " ", s.Y+at, "H", s.X+s.Width, "M", s.X+at, " ", s.Y, "V", s.Y+s.Height)
		}
		d.b.WriteString(`"/>`)
	} else {
		d.b.Text(`<path class="grid" d="M`, s.X, " ", s.Y, "h", s.Width, "v", s.Height, "h", -s.Width, `Z"/>`)
	}
	if d.p.Show == Products {
		d.drawWrap()
	}
	d.drawFocus()
	text := d.legend()
	if d.layout.wide && len(draw.Wrap(text, d.captionWidth, d.em)) > 2 {
		text, _, _ = strings.Cut(text, ";")
	}
	d.paragraph(d.left, d.caption, d.captionWidth, text)
}

// drawWrap draws the stairs between m + n = D−1 and m + n = D. Beyond them the sum of the indices starts at 0 again.
func (d *drawing) drawWrap() {
	s := d.square
	d.b.Text(`<path class="bound" d="M`, s.X+s.Width, " ", s.Y)
	for k := range d.matrix.size {
		d.b.Text("V", s.Y+float64(k+1)*d.pitch, "H", s.X+s.Width-float64(k+1)*d.pitch)
	}
	d.b.WriteString(`"/>`)
}

// drawFocus frames the cells that belong to the item in focus.
func (d *drawing) drawFocus() {
	f := d.r.focus
	switch k := d.focused(f, lesson.Bucket); {
	case k >= 0 && d.pitch >= gridFrom:
		d.frameCells(k)
	case f.Kind == lesson.Bucket && d.p.Show == Products:
		d.frameDiagonal(k)
	}
	switch f.Kind {
	case lesson.Cell, lesson.First, lesson.Second:
		d.frame(f)
	case lesson.Coordinate:
		m, n := d.home(f.I)
		if m >= 0 {
			d.frame(lesson.Item{Kind: lesson.First, I: m})
		}
		d.frame(lesson.Item{Kind: lesson.Second, I: n})
	}
}

// frameCells draws the borders of all cells of bucket k.
func (d *drawing) frameCells(k int) {
	d.b.WriteString(`<path class="axis" d="`)
	for i := range d.matrix.size {
		for j := range d.matrix.size {
			if d.matrix.bucket(i, j) == k {
				shape{x: d.square.X + float64(i)*d.pitch, y: d.square.Y + float64(j)*d.pitch, width: d.pitch,
					height: d.pitch}.write(&d.b)
			}
		}
	}
	d.b.WriteString(`"/>`)
}

// frameDiagonal draws lines along both parts of the wrapped diagonal: m + n = k and m + n = k+D.
func (d *drawing) frameDiagonal(k int) {
	s, n := d.square, d.matrix.size
	d.b.WriteString(`<path class="axis" d="`)
	for _, at := range []int{k, k + 1, k + n, k + n + 1} { // lines m + n = at, between the corners of cells
		if at == 0 || at >= 2*n {
			continue
		}
		from, to := max(at-n, 0), min(at, n)
		d.b.Text("M", s.X+float64(at-from)*d.pitch, " ", s.Y+float64(from)*d.pitch, "L", s.X+float64(at-to)*d.pitch, " ",
			s.Y+float64(to)*d.pitch)
	}
	d.b.WriteString(`"/>`)
}

// frame draws the border of an item. A row or column is framed together with its bar.
func (d *drawing) frame(item lesson.Item) {
	r := d.bounds(item)
	switch item.Kind {
	case lesson.First:
		r.Height += d.square.Height
	case lesson.Second:
		r.Width += d.square.Width
	}
	if d.pitch < gridFrom { // keeps the item itself visible
		r.X, r.Y, r.Width, r.Height = r.X-1.5, r.Y-1.5, r.Width+3, r.Height+3
	}
	d.b.Rect("outline", r.X, r.Y, r.Width, r.Height)
}

// drawCells draws the cells of the matrix.
func (d *drawing) drawCells() {
	d.drawGrid(d.washed(d.r.focus) < 0, func(wash func(shape), fill func(int, level, shape)) {
		d.eachCell(d.r.focus, d.square.X, d.square.Y, d.pitch, wash, fill)
	})
}

// drawGrid draws the cells that each calls wash and fill for, with one path per bucket, sign, level and shade.
func (d *drawing) drawGrid(isBand bool, each func(wash func(shape), fill func(int, level, shape))) {
	type look struct {
		bucket, shade int
		level         level
	}
	paths := map[look]*draw.Builder{}
	var order []look
	var wash draw.Builder
	class := "wash"
	if isBand {
		class = "band"
	}
	each(func(s shape) { s.write(&wash) },
		func(bucket int, level level, s shape) {
			key := look{bucket, s.shade, level}
			if paths[key] == nil {
				paths[key] = new(draw.Builder)
				order = append(order, key)
			}
			s.write(paths[key])
		})
	d.b.Path(class, wash.String())
	for _, key := range order {
		opacity := strconv.FormatFloat(opacityOf(d.r.focus, key.level, key.shade), 'g', 2, 64)
		d.b.Text(`<path fill="`, d.cache.hues[key.bucket].String(), `" fill-opacity="`, opacity, `" d="`, paths[key].String(),
			`"/>`)
	}
}
