package algorithm

import (
	"math"
	"math/cmplx"
	"strconv"
	"strings"

	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/vector"
)

// SVG draws the picture. A standalone picture includes its colours.
func (p *Picture) SVG(size lesson.Size, standalone bool) string {
	c := &canvas{layout: p.layout(size.Width, size.Em)}
	c.Open(size.Width, size.Height, size.Em, p.Summary(), standalone)
	c.vectorOf(p)
	c.wires(p)
	longest := max(vector.Longest(p.lanes[0].spectrum), vector.Longest(p.lanes[1].spectrum))
	for k := range p.lanes {
		c.sketch(k, &p.lanes[k])
		c.spectrum(k, &p.lanes[k], longest)
	}
	c.multiply(p)
	c.invert(p)
	c.paragraph(4, c.compared)
	c.paragraph(5, c.spread)
	c.Close()
	return c.String()
}

// A canvas is a Builder that draws with a layout.
type canvas struct {
	draw.Builder
	layout
}

// vectorOf draws x.
func (c *canvas) vectorOf(p *Picture) {
	equals := " = "
	if c.narrow {
		equals = "=" // letters may be spaced
	}
	c.badge(1, c.vector.top+.8*c.em)
	c.bars("net", c.vector, p.x)
	for i, value := range p.x {
		c.LabelOf("ink", c.vector.center(i), c.vector.top+(barHeight+line)*c.em, "middle", coordinate(i)+equals+number(value))
	}
	if !c.narrow {
		c.name(c.vector, 0, "x")
	}
}

// wires draws h_k and s_k as wires from each coordinate to its bucket in each sketch. The sign is at the start of
// the wire; wires with sign minus are dashed.
func (c *canvas) wires(p *Picture) {
	paths := draw.Paths{}
	top := c.vector.top + (barHeight+2*line)*c.em
	start, end := top+.4*c.em, c.sketches[0].top-1.2*c.em
	for k, l := range p.lanes {
		for i, bucket := range l.bucket {
			wire, class, sign := "wire", "plus", "+"
			if l.sign[i] < 0 {
				wire, class, sign = "wire minus", "minus", "−"
			}
			from := c.vector.center(i) + float64(2*k-1)*min(.2*c.vector.cell, c.em)
			to := c.sketches[k].center(bucket) + l.beside(i)*.5*c.em
			middle := (start + end) / 2
			paths.Of(wire).Text("M", from, " ", start, "C", from, " ", middle, " ", to, " ", middle, " ", to, " ", end)
			c.LabelOf(class, from, top, "middle", sign)
		}
	}
	c.Filled(paths, "wire", "wire minus")
	for k, s := range c.sketches {
		if index := format.Subscript(k + 1); !c.narrow {
			c.Label(s.left-.8*c.em, s.top-.35*c.em, "end", "h"+index+", s"+index)
		}
	}
	c.badge(2, top+.6*c.em)
}

// beside returns where the wire of coordinate i ends relative to the middle of its bucket. Wires into the same
// bucket end side by side.
func (l *lane) beside(i int) float64 {
	before, all := 0, 0
	for j, bucket := range l.bucket {
		if bucket == l.bucket[i] {
			all++
			if j < i {
				before++
			}
		}
	}
	return float64(before) - float64(all-1)/2
}

// sketch draws a count sketch: its buckets, their values and, if there is room, the sums that give the values.
func (c *canvas) sketch(k int, l *lane) {
	s := c.sketches[k]
	c.bars("net", s, l.sketch)
	y := s.top + (barHeight+line)*c.em
	room := !c.narrow
	for j, value := range l.sketch {
		c.Label(s.center(j), s.top-.35*c.em, "middle", strconv.Itoa(j))
		c.LabelOf("ink", s.center(j), y, "middle", number(value))
		room = room && draw.TextWidth(l.sum(j), c.em) < s.cell
	}
	for j := range l.sketch {
		if sum := l.sum(j); room && sum != "" {
			c.Label(s.center(j), y+line*c.em, "middle", sum)
		}
	}
	c.name(s, barHeight+2*line, "C"+format.Subscript(k+1)+"x")
}

// spectrum draws the Fourier transform of a count sketch.
func (c *canvas) spectrum(k int, l *lane, longest float64) {
	s := c.spectra[k]
	if k == 0 {
		c.badge(3, s.top-1.1*c.em)
	}
	c.arrow(s.middle(), s.top-1.8*c.em, s.top-.4*c.em, "FFT")
	c.rings(s, l.spectrum, longest)
	c.name(s, 2*ringRadius+3*line, "FFT(C"+format.Subscript(k+1)+"x)")
}

// multiply draws how the two spectra are joined in their product.
func (c *canvas) multiply(p *Picture) {
	y := c.product.top - 2.7*c.em
	c.Text(`<path class="sigma" d="M`, c.spectra[0].middle(), " ", y, "v", .8*c.em, "H", c.spectra[1].middle(), "v",
		-.8*c.em, `"/>`)
	c.arrow(c.product.middle(), y+.8*c.em, c.product.top-.4*c.em, "multiply")
	c.rings(c.product, p.product, vector.Longest(p.product))
	c.name(c.product, 2*ringRadius+3*line, "FFT(C₁x)", "· FFT(C₂x)")
}

// invert draws the inverse transform and the features.
func (c *canvas) invert(p *Picture) {
	s := c.features
	c.arrow(s.middle(), s.top-1.8*c.em, s.top-.4*c.em, "inverse FFT")
	c.bars("bars", s, p.features)
	y := s.top + (barHeight+line)*c.em
	for j, value := range p.features {
		c.LabelOf("ink", s.center(j), y, "middle", number(value))
		c.Label(s.center(j), y+line*c.em, "middle", strconv.Itoa(j))
	}
	c.name(s, barHeight+3*line, "f(x)", "= C₁x ∗ C₂x")
}

// bars draws numbers as bars up and down, in one path. The range of the numbers fills the strip.
func (c *canvas) bars(class string, s strip, values []float64) {
	low, high := 0.0, 0.0
	for _, value := range values {
		low, high = min(low, value), max(high, value)
	}
	y := draw.Scale{Low: low, High: max(high, low+1e-9), From: s.top + barHeight*c.em, To: s.top}
	width := min(.5*s.cell, 2*c.em)
	c.Text(`<path class="`, class, `" d="`)
	for i, value := range values {
		c.Text("M", s.center(i)-width/2, " ", y.At(0), "h", width, "V", y.At(value), "h", -width, "Z")
	}
	c.Text(`"/>`)
	c.Line("axis", s.center(0)-.4*s.cell, y.At(0), s.center(s.count-1)+.4*s.cell, y.At(0))
}

// rings draws complex numbers as hands in circles. The radius of the circles stands for the longest number.
func (c *canvas) rings(s strip, z []complex128, longest float64) {
	radius := min(ringRadius*c.em, .46*s.cell)
	y := s.top + ringRadius*c.em
	c.Text(`<path class="axis" d="`)
	for f := range z {
		c.Text("M", s.center(f)-radius, " ", y, "a", radius, " ", radius, " 0 1 1 ", 2*radius, " 0a", radius, " ", radius,
			" 0 1 1 ", -2*radius, " 0")
	}
	c.Text(`"/><path class="exact" d="`)
	for f, value := range z {
		c.hand(s.center(f), y, value*complex(radius/max(longest, 1e-9), 0))
	}
	c.Text(`"/>`)
	y = s.top + (2*ringRadius+line)*c.em
	for f, value := range z {
		c.LabelOf("ink", s.center(f), y, "middle", number(real(value)))
		if !isReal(value) {
			c.LabelOf("ink", s.center(f), y+line*c.em, "middle", imaginary(imag(value)))
		}
	}
}

// hand draws an arrow from the centre of a ring. The imaginary part points up.
func (c *canvas) hand(x, y float64, z complex128) {
	c.Text("M", x, " ", y, "l", real(z), " ", -imag(z))
	length := cmplx.Abs(z)
	if length < 1 {
		return
	}
	head := complex(min(.5*c.em, .6*length)/length, 0)
	for _, turn := range []float64{.85, -.85} {
		barb := z * head * cmplx.Rect(1, math.Pi*turn)
		c.Text("m", real(barb), " ", -imag(barb), "l", -real(barb), " ", imag(barb))
	}
}

// arrow draws a downward arrow and labels it with what it does.
func (c *canvas) arrow(x, from, to float64, does string) {
	head := .45 * c.em
	c.Text(`<path class="sigma" d="M`, x, " ", from, "V", to, "M", x-head, " ", to-head, "L", x, " ", to, "L", x+head, " ",
		to-head, `"/>`)
	c.LabelOf("ink", x+.8*c.em, to-.2*c.em, "start", does)
}

// name writes the name of a strip: to its left, or in a narrow picture below its top.
func (c *canvas) name(s strip, below float64, lines ...string) {
	if c.narrow {
		c.LabelOf("strong", s.middle(), s.top+below*c.em, "middle", strings.Join(lines, " "))
		return
	}
	baseline := barHeight/2 + .35 - line*float64(len(lines)-1)/2
	for k, text := range lines {
		c.LabelOf("strong", s.left-.8*c.em, s.top+(baseline+line*float64(k))*c.em, "end", text)
	}
}

// paragraph writes the text of a step under the picture.
func (c *canvas) paragraph(step int, t text) {
	baseline := t.top + c.em
	c.badge(step, baseline-.35*c.em)
	for k, text := range t.lines {
		c.LabelOf("ink", c.left+badges*c.em, baseline+line*c.em*float64(k), "start", text)
	}
}

// badge draws the number of a step, which links the text to the picture.
func (c *canvas) badge(step int, y float64) {
	x := c.left + .75*c.em
	c.Text(`<circle class="outline" cx="`, x, `" cy="`, y, `" r="`, .75*c.em, `"/>`)
	c.LabelOf("ink", x, y+.35*c.em, "middle", strconv.Itoa(step))
}
