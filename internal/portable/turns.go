package portable

import "math"

// Angles of random features are counted in turns. Reducing them loses nothing, however large they
// are; radians would need hundreds of digits of π.

// nearestTurn returns the multiple q of a quarter turn nearest to t modulo 4, and the rest t − q/4
// in radians, at most π/4 in size.
func nearestTurn(t float64) (quarter int, radians float64) {
	t -= math.Floor(t) // exact, or 1 for t just below 0
	q := math.Floor(float64(4*t) + 0.5)
	return int(q) & 3, float64(6.283185307179586 * (t - float64(0.25*q)))
}

// CosTurns returns cos 2πt to an error of about 2^-52, with the same bits on every platform, unlike
// math.Cos.
func CosTurns(t float64) float64 {
	switch q, r := nearestTurn(t); q {
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

// SinTurns returns sin 2πt with the same accuracy and the same bits on every platform.
func SinTurns(t float64) float64 {
	switch q, r := nearestTurn(t); q {
	case 0:
		return sinSeries(r)
	case 1:
		return cosSeries(r)
	case 2:
		return -sinSeries(r)
	default:
		return -cosSeries(r)
	}
}

// cosSeries sums the Taylor series of cos for |r| ≤ π/4. Here and in sinSeries the omitted terms
// are below 2^-58.
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
