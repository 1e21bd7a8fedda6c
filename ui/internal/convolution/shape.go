package convolution

import (
	"math"

	"github.com/tensorsketch/tensorsketch/ui/internal/draw"
)

// flatBelow is the side in CSS pixels below which cells are too small for sizes
// and hollow squares: there the value is in the opacity, and minus is flat, half
// as high as plus.
const flatBelow = 6.0

// A shape is how a cell is drawn: a rectangle, full or as a ring of that
// thickness.
type shape struct {
	x, y, width, height float64
	ring                float64 // 0: full
	shade               int     // of the opacities
}

// opacities of small cells, by size of the value. Larger cells have the last.
var opacities = [...]float64{.5, .67, .83, 1}

// shapeOf draws the value of a cell with its upper left corner at (x, y): a
// square whose area tells the size, full for plus and hollow for minus.
func shapeOf(x, y, pitch, value, most float64) shape {
	ratio := math.Sqrt(min(math.Abs(value)/most, 1))
	if pitch < flatBelow {
		side := max(.9*pitch, min(pitch, 2))
		s := shape{x: x, y: y, width: side, height: side, shade: min(int(ratio*float64(len(opacities))), len(opacities)-1)}
		if value < 0 {
			s.y, s.height = y+.25*pitch, .45*pitch
		}
		return s
	}
	side := max(.9*pitch*ratio, 3)
	s := shape{x: x + (pitch-side)/2, y: y + (pitch-side)/2, width: side, height: side, shade: len(opacities) - 1}
	if value < 0 {
		s.ring = thickness(side)
	}
	return s
}

// thickness is that of a hollow shape.
func thickness(side float64) float64 { return min(max(.12*side, 1), 2.5) }

// write draws the shape as a part of a path. The inner rectangle of a ring runs
// the other way round and so cuts a hole.
func (s shape) write(b *draw.Builder) {
	b.Text("M", s.x, " ", s.y, "h", s.width, "v", s.height, "h", -s.width, "Z")
	if t := s.ring; t > 0 {
		b.Text("M", s.x+t, " ", s.y+t, "v", s.height-2*t, "h", s.width-2*t, "v", 2*t-s.height, "Z")
	}
}

// barOf draws a value from the pixel of zero to its own, at least one pixel long.
func barOf(from, width, zero, at float64) shape {
	low, high := min(zero, at), max(zero, at)
	if high-low < 1 && low < zero {
		low = high - 1
	}
	return shape{x: from, width: width, y: low, height: max(high-low, 1)}
}

// hollow makes a ring of a shape that stands for minus and has room for it.
func (s shape) hollow(minus bool) shape {
	if side := min(s.width, s.height); minus && side >= 5 {
		s.ring = min(max(.12*s.width, 1.5), 2.5, (side-1)/2)
	}
	return s
}

// turned swaps the axes.
func (s shape) turned() shape {
	s.x, s.y, s.width, s.height = s.y, s.x, s.height, s.width
	return s
}
