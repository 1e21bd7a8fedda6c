package metrics

import (
	"math"
	"slices"

	"tensorsketch.example/internal/solve"
)

// A Quantile is the least number that a share of numbers is not above.
type Quantile struct{ Share, Value float64 }

// residualShares are the quantiles of Residuals.
var residualShares = []float64{0.025, 0.05, 0.25, 0.5, 0.75, 0.95, 0.975}

// Residuals count by how much targets are above what was predicted: in bins a 32nd wide of their size, so that their
// memory does not grow with the rows. The zero value has none.
type Residuals struct {
	rows  int64
	count map[int]int64 // by the bin of the size, negative for residuals below 0
}

// Add counts a residual: a target less the prediction.
func (r *Residuals) Add(residual float64) {
	if r.count == nil {
		r.count = map[int]int64{}
	}
	r.rows++
	r.count[residualBin(residual)]++
}

// residualBin returns 0 for 0, and else the number of the bin with the sign of the residual.
func residualBin(residual float64) int {
	fraction, exponent := math.Frexp(math.Abs(residual)) // fraction is from ½ to 1
	if fraction == 0 || residual != residual {
		return 0
	}
	bin := solve.OctaveBins*(exponent+1100) + int(solve.OctaveBins*(2*fraction-1)) + 1
	if residual < 0 {
		return -bin
	}
	return bin
}

// middleOf returns the middle of a bin.
func middleOf(bin int) float64 {
	if bin == 0 {
		return 0
	}
	size := max(bin, -bin) - 1
	middle := math.Ldexp(0.5+(float64(size%solve.OctaveBins)+0.5)/(2*solve.OctaveBins), size/solve.OctaveBins-1100)
	return math.Copysign(middle, float64(bin))
}

// Quantiles returns quantiles of the residuals, each within a 64th of its size, or nil if there are none.
func (r *Residuals) Quantiles() (all []Quantile) {
	bins := []int{}
	for bin := range r.count {
		bins = append(bins, bin)
	}
	slices.Sort(bins)
	for _, share := range residualShares {
		sum := int64(0)
		for _, bin := range bins {
			if sum += r.count[bin]; float64(sum) >= share*float64(r.rows) {
				all = append(all, Quantile{share, middleOf(bin)})
				break
			}
		}
	}
	return all
}
