package convolution

import (
	"math"
	"slices"

	"tensorsketch.example/ui/internal/bars"
	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/vector"
)

// mostPixels is the maximum side of the canvas. On a sharper screen the picture is coarser, so that it is not drawn
// late.
const mostPixels = 1200.0

// levels are the opacities of cells by how closely they belong to the item in focus.
var levels = [...]float64{faint: .18, near: .55, strong: 1}

// opacityOf returns the opacity of a cell. Cells that belong to the item in focus are opaque, whatever their values.
func opacityOf(focus lesson.Item, level level, shade int) float64 {
	if level == strong && focus.Kind != "" {
		return 1
	}
	return levels[level] * opacities[shade]
}

// Paint implements lesson.Painter: it paints the cells of the matrix.
func (c *Picture) Paint(size lesson.Size, look lesson.Item, scale float64, dark bool, pixels []byte) (part lesson.Rect,
	width, height int, painted []byte) {
	if c.p.Show == Frequencies {
		return lesson.Rect{}, 0, 0, pixels[:0]
	}
	l := c.layout(size)
	part = l.square
	side := int(math.Round(min(part.Width*scale, mostPixels)))
	canvas := &raster{side: side, pixels: slices.Grow(pixels[:0], 4*side*side)[:4*side*side]}
	clear(canvas.pixels)
	c.paintCells(canvas, l.pitch, c.focus(look), dark)
	return part, side, side, canvas.pixels
}

func (c *Picture) paintCells(canvas *raster, pitch float64, focus lesson.Item, dark bool) {
	zoom := float64(canvas.side) / (pitch * float64(c.matrix.size))
	wash, washed := draw.RGB{R: 20, G: 24, B: 26}, byte(20)
	if dark {
		wash, washed = draw.RGB{R: 255, G: 255, B: 255}, 26
	}
	c.eachCell(focus, 0, 0, pitch,
		func(s shape) { canvas.fill(s, zoom, wash, washed) },
		func(bucket int, level level, s shape) {
			canvas.fill(s, zoom, c.cache.hues[bucket], byte(255*opacityOf(focus, level, s.shade)+.5))
		})
}

// eachCell calls wash for each cell that is marked, and fill for the shapes of each cell that is not zero. Complex
// values have their real part on the left and their imaginary part on the right. left and top are the corner of the
// matrix.
func (c *Picture) eachCell(focus lesson.Item, left, top, pitch float64, wash func(s shape),
	fill func(bucket int, level level, s shape)) {
	c.eachOf(&c.matrix, func(i, j int) level { return c.cell(focus, i, j) }, focus.Kind != "", c.washed(focus), left, top,
		pitch, wash, fill)
}

// eachOf is eachCell for a matrix whose cells have these levels. soft is the bucket that is softly marked.
func (c *Picture) eachOf(m *matrix, levelOf func(i, j int) level, hasFocus bool, soft int, left, top, pitch float64,
	wash func(s shape), fill func(bucket int, level level, s shape)) {
	most := vector.Longest(m.first) * vector.Longest(m.second)
	parts, width := c.p.parts(), pitch/float64(c.p.parts())
	for i := range m.size {
		for j := range m.size {
			level, bucket := levelOf(i, j), m.bucket(i, j)
			x, y := left+float64(i)*pitch, top+float64(j)*pitch
			if level == strong && hasFocus || bucket == soft {
				wash(shape{x: x, y: y, width: pitch, height: pitch})
			}
			for part := range parts {
				value := bars.Part(m.value(i, j), part)
				if m.set(i, j) && (parts == 1 || math.Abs(value) > silent*most) {
					fill(bucket, level, shapeOf(x+float64(part)*width, y, width, pitch, value, most))
				}
			}
		}
	}
}

// A raster is a square of pixels, four bytes each: red, green, blue, alpha.
type raster struct {
	side   int
	pixels []byte
}

// fill paints a shape on whole pixels, at least one pixel.
func (r *raster) fill(s shape, zoom float64, colour draw.RGB, alpha byte) {
	x0, x1 := r.span(s.x*zoom, (s.x+s.width)*zoom)
	y0, y1 := r.span(s.y*zoom, (s.y+s.height)*zoom)
	if s.ring == 0 {
		r.rect(x0, y0, x1, y1, colour, alpha)
		return
	}
	t := max(int(math.Round(s.ring*zoom)), 1)
	r.rect(x0, y0, x1, min(y0+t, y1), colour, alpha)
	r.rect(x0, max(y1-t, y0), x1, y1, colour, alpha)
	r.rect(x0, y0, min(x0+t, x1), y1, colour, alpha)
	r.rect(max(x1-t, x0), y0, x1, y1, colour, alpha)
}

func (r *raster) span(low, high float64) (int, int) {
	from := min(int(low+.5), r.side-1)
	return from, min(max(int(high+.5), from+1), r.side)
}

func (r *raster) rect(x0, y0, x1, y1 int, colour draw.RGB, alpha byte) {
	for y := y0; y < y1; y++ {
		row := r.pixels[4*(y*r.side+x0) : 4*(y*r.side+x1)]
		for x := 0; x < len(row); x += 4 {
			row[x], row[x+1], row[x+2], row[x+3] = colour.R, colour.G, colour.B, alpha
		}
	}
}
