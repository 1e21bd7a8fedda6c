package tradeoff

import (
	"math"

	"tensorsketch.example/ui/internal/format"
)

// spread is how many coordinates of the pair are not 0, where there are as many.
const spread = 64

// Pair returns the two rows that the picture is of. They are made of the number of coordinates and
// the radius alone, so that the advice on D tells nothing about any file: both have norm radius,
// their coordinates are equal in size, and their inner product is half of radius², or as near to
// that as so many coordinates allow.
func Pair(d int, radius float64) (x, y []float32) {
	n := min(d, spread)
	size := float32(radius / math.Sqrt(float64(n)))
	x, y = make([]float32, d), make([]float32, d)
	for i := range n {
		x[i], y[i] = size, size
		if i >= n-n/4 {
			y[i] = -size
		}
	}
	return x, y
}

// PairNote says what the picture is of.
func PairNote(radius float64) string {
	return "The picture, and the best D in it, are of two made-up rows of length R = " + format.Short(radius) +
		". No row of your file is in them, so D may be chosen by them."
}
