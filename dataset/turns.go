package dataset

import "math"

// sinTurns returns sin 2πt and cosTurns cos 2πt to about 2^-52 for 0 ≤ t ≤ 1, the
// same bits on every platform, which those of package math are not.
func sinTurns(t float64) float64 { return cosTurns(t - 0.25) }

func cosTurns(t float64) float64 {
	q := math.Floor(float64(4*t) + 0.5)
	r := float64(6.283185307179586 * (t - float64(0.25*q)))
	switch int(q) & 3 {
	case 0:
		return cosSeries(r)
	case 1:
		return -sinSeries(r)
	case 2:
		return -cosSeries(r)
	default:
		return sinSeries(r)
	}
}

// The Taylor series of cos and sin for |r| ≤ π/4: the terms left out are below 2^-58.
func cosSeries(r float64) float64 {
	z := float64(r * r)
	s := float64(z*(-1.0/6402373705728000)) + 1.0/20922789888000
	s = float64(z*s) - 1.0/87178291200
	s = float64(z*s) + 1.0/479001600
	s = float64(z*s) - 1.0/3628800
	s = float64(z*s) + 1.0/40320
	s = float64(z*s) - 1.0/720
	s = float64(z*s) + 1.0/24
	s = float64(z*s) - 0.5
	return float64(z*s) + 1
}

func sinSeries(r float64) float64 {
	z := float64(r * r)
	s := float64(z*(1.0/355687428096000)) - 1.0/1307674368000
	s = float64(z*s) + 1.0/6227020800
	s = float64(z*s) - 1.0/39916800
	s = float64(z*s) + 1.0/362880
	s = float64(z*s) - 1.0/5040
	s = float64(z*s) + 1.0/120
	s = float64(z*s) - 1.0/6
	return float64(r*float64(z*s)) + r
}
