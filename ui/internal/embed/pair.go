package embed

import (
	"math"

	"tensorsketch.example/ui/internal/format"
)

// spread is the maximum number of nonzero coordinates of the pair.
const spread = 64

// TradeoffPair returns the two rows that the picture is computed for. They depend only on the number of coordinates and
// the radius, so the advice on D reveals nothing about any file. Both have norm radius and coordinates of equal size.
// Their inner product is half of radius², or as near to that as the number of coordinates allows.
func TradeoffPair(d int, radius float64) (x, y []float32) {
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

// PairNote says which rows the picture is computed for.
func PairNote(radius float64) string {
	return "The picture, and the best D in it, are of two made-up rows of length R = " + format.Short(radius) +
		". No row of your file is in them, so D may be chosen by them."
}
