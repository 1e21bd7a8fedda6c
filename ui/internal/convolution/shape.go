package convolution

import (
	"math"

	"tensorsketch.example/ui/internal/bars"
	"tensorsketch.example/ui/internal/draw"
)

// flatBelow is a width in CSS pixels. Cells or halves of cells below it are too small to show values by size and
// minus by hollow squares. There the opacity shows the value, and minus is flat: half as high as plus.
const flatBelow = 6.0

// A shape is the rectangle that a cell is drawn as: filled, or a ring with a given thickness.
type shape struct {
	x, y, width, height float64
	ring                float64 // thickness; 0: filled
	shade               int     // index into opacities
}

// opacities are the opacities of small cells, by size of the value. Larger cells have the last one.
var opacities = [...]float64{.5, .67, .83, 1}

// shapeOf returns the shape for the value of a cell, or of half a cell, with its upper left corner at (x, y). It is
// a rectangle whose area shows the size, filled for plus and hollow for minus.
func shapeOf(x, y, width, height, value, most float64) shape {
	ratio := math.Sqrt(min(math.Abs(value)/most, 1))
	if width < flatBelow {
		s := shape{x: x, y: y, width: max(.9*width, min(width, 2)), height: max(.9*height, min(height, 2)),
			shade: min(int(ratio*float64(len(opacities))), len(opacities)-1)}
		if value < 0 {
			s.y, s.height = y+.25*height, .45*height
		}
		return s
	}
	s := shape{width: max(.9*width*ratio, 3), height: max(.9*height*ratio, 3), shade: len(opacities) - 1}
	s.x, s.y = x+(width-s.width)/2, y+(height-s.height)/2
	if value < 0 {
		s.ring = min(max(.12*s.width, 1), 2.5)
	}
	return s
}

// barsOf calls draw for each part of the values that exceeds the noise. The bars are side by side from start on;
// each value has the width room.
func barsOf(values []complex128, noise float64, parts int, start, room float64, scale draw.Scale,
	draw func(i int, minus bool, s shape)) {
	gap := gapOf(room)
	width := (room - gap) / float64(parts)
	between := min(.16*width, 1.5) * float64(parts-1)
	for i, z := range values {
		for part := range parts {
			if value := bars.Part(z, part); math.Abs(value) > noise {
				x := start + float64(i)*room + gap/2 + float64(part)*width
				draw(i, value < 0, barOf(x+float64(part)*between/2, width-between/2, scale.At(0), scale.At(value)))
			}
		}
	}
}

// write adds the shape to a path. The inner rectangle of a ring has the opposite direction, which cuts a hole.
func (s shape) write(b *draw.Builder) {
	b.Text("M", s.x, " ", s.y, "h", s.width, "v", s.height, "h", -s.width, "Z")
	if t := s.ring; t > 0 {
		b.Text("M", s.x+t, " ", s.y+t, "v", s.height-2*t, "h", s.width-2*t, "v", 2*t-s.height, "Z")
	}
}

// barOf returns the bar from the pixel of zero to the pixel of a value, at least one pixel long.
func barOf(from, width, zero, at float64) shape {
	low, high := min(zero, at), max(zero, at)
	if high-low < 1 && low < zero {
		low = high - 1
	}
	return shape{x: from, width: width, y: low, height: max(high-low, 1)}
}

// hollow makes a shape that stands for minus a ring, if it is large enough.
func (s shape) hollow(minus bool) shape {
	if side := min(s.width, s.height); minus && side >= 5 {
		s.ring = min(max(.12*s.width, 1.5), 2.5, (side-1)/2)
	}
	return s
}

// itself returns the shape.
func (s shape) itself() shape { return s }

// turned returns the shape with its axes swapped.
func (s shape) turned() shape {
	s.x, s.y, s.width, s.height = s.y, s.x, s.height, s.width
	return s
}
