package draw

import "math"

// An Axis has ticks, their labels and their positions.
type Axis struct {
	Ticks []float64
	Label func(float64) string
	At    func(float64) float64
	Em    float64 // of the labels
}

// Room returns the width that the labels need left of a frame, or least if that is more.
func (a Axis) Room(least float64) float64 {
	for _, tick := range a.Ticks {
		least = max(least, TextWidth(a.Label(tick), a.Em)+1.4*a.Em)
	}
	return least
}

// Grid draws a vertical axis: a line across the frame at each tick, with its label on the left.
func (b *Builder) Grid(f Frame, a Axis) {
	for _, tick := range a.Ticks {
		y := a.At(tick)
		b.Line("grid", f.Left, y, f.Right, y)
		b.Label(f.Left-.6*a.Em, y+.35*a.Em, "end", a.Label(tick))
	}
}

// Across writes those labels of a horizontal axis that have room, at height y. They end before the given pixel, and
// at least gap is left between two of them.
func (b *Builder) Across(y, end, gap float64, a Axis) {
	free := 0.0 // the first pixel that is still free
	for _, tick := range a.Ticks {
		label, middle := a.Label(tick), a.At(tick)
		if half := TextWidth(label, a.Em) / 2; middle-half > free && middle+half < end {
			b.Label(middle, y, "middle", label)
			free = middle + half + gap
		}
	}
}

// Log returns the logarithmic scale from s.Low to s.High.
func (s Scale) Log() func(float64) float64 {
	s.Low, s.High = math.Log10(s.Low), math.Log10(s.High)
	return func(x float64) float64 { return s.At(math.Log10(x)) }
}
