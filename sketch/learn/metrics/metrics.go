// Package metrics says how good predictions of classes, numbers and probabilities are, and which columns they need.
// Rows come block by block, and memory does not grow with them.
package metrics

import "math"

// An Interval is a value with its 95 % confidence interval. All three are NaN where there are no rows.
type Interval struct{ Value, Low, High float64 }

// z95 is the normal quantile of 0.975.
const z95 = 1.959963984540054

// Wilson returns the share k/n with its 95 % interval by Wilson (1927):
//
//	(p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n),   p = k/n.
func Wilson(k, n int64) Interval {
	if n == 0 {
		return Interval{math.NaN(), math.NaN(), math.NaN()}
	}
	p, size := float64(k)/float64(n), float64(n)
	square := z95 * z95 / size
	centre := p + square/2
	half := z95 * math.Sqrt(float64(p*(1-p))/size+square/(4*size))
	return Interval{p, max(0, (centre-half)/(1+square)), min(1, (centre+half)/(1+square))}
}

// Variance returns the mean squared difference of numbers from their mean.
func Variance(y []float64) (spread float64) {
	mean := 0.0
	for _, v := range y {
		mean += v / float64(len(y))
	}
	for _, v := range y {
		spread += float64((v-mean)*(v-mean)) / float64(len(y))
	}
	return spread
}
