package draw

import "math"

// A Frame is the part of a picture inside its axes.
type Frame struct{ Left, Top, Right, Bottom float64 }

// Width returns the width of the frame.
func (f Frame) Width() float64 { return f.Right - f.Left }

// Height returns the height of the frame.
func (f Frame) Height() float64 { return f.Bottom - f.Top }

// Up returns the scale of the numbers from low at the bottom of the frame to high at its top.
func (f Frame) Up(low, high float64) Scale {
	return Scale{Low: low, High: high, From: f.Bottom, To: f.Top}
}

// A Scale maps the numbers from Low to High to the pixels from From to To.
type Scale struct{ Low, High, From, To float64 }

// At returns the pixel of a number.
func (s Scale) At(x float64) float64 {
	return s.From + (x-s.Low)/(s.High-s.Low)*(s.To-s.From)
}

// Of returns the number at a pixel.
func (s Scale) Of(pixel float64) float64 {
	return s.Low + (pixel-s.From)/(s.To-s.From)*(s.High-s.Low)
}

// Padded returns the range with a margin. A range of rounding errors gets some width.
func Padded(low, high float64) (float64, float64) {
	margin := .03 * (high - low)
	if margin <= 1e-6*math.Abs(low) {
		margin = max(.05*math.Abs(low), .5)
	}
	return low - margin, high + margin
}

// Ticks returns about n round numbers from low to high. They are multiples of 1, 2 or 5 times a power of ten,
// whichever gives closest to n.
func Ticks(low, high float64, n int) []float64 {
	rough := (high - low) / float64(n)
	if !(rough > 0) || math.IsInf(rough, 0) {
		return nil
	}
	step := math.Pow(10, math.Floor(math.Log10(rough)))
	switch factor := rough / step; {
	case factor > 7:
		step *= 10
	case factor > 3.2:
		step *= 5
	case factor > 1.4:
		step *= 2
	}
	var ticks []float64
	for k := math.Ceil(low / step); k*step <= high && len(ticks) <= 2*n; k++ {
		ticks = append(ticks, k*step+0) // +0 makes −0 a plain 0
	}
	return ticks
}

// Stride returns k such that the labels of every k-th column have the room that they need. room is the width of a
// column.
func Stride(room, need float64) int {
	for _, k := range []int{1, 2, 5, 10, 20, 50} {
		if float64(k)*room >= need {
			return k
		}
	}
	return 100
}

// LogTicks returns at most n round numbers from low to high for a logarithmic axis. It tries 1, 2 and 5 times powers
// of ten, then 1 and 3, then 1 alone, then every second power and so on, and takes the first set that fits.
func LogTicks(low, high float64, n int) []float64 {
	if !(low > 0) || !(high > low) || math.IsInf(high, 0) {
		return nil
	}
	for _, factors := range [][]float64{{1, 2, 5}, {1, 3}, {1}} {
		var ticks []float64
		for power := math.Floor(math.Log10(low)); power <= math.Ceil(math.Log10(high)); power++ {
			for _, factor := range factors {
				if tick := factor * math.Pow(10, power); tick >= low*(1-1e-12) && tick <= high*(1+1e-12) {
					ticks = append(ticks, tick)
				}
			}
		}
		if len(ticks) <= n {
			return ticks
		}
		if len(factors) == 1 {
			var few []float64
			for k := 0; k < len(ticks); k += (len(ticks) + n - 1) / n {
				few = append(few, ticks[k])
			}
			return few
		}
	}
	return nil
}
