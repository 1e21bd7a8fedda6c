package portable

import "math"

// ln 2 in two parts. The first ends in 21 zero bits, so that its integer multiples up to 2^11 are
// exact.
const (
	ln2High = 0x1.62e42fee00000p-1
	ln2Low  = 0x1.a39ef35793c76p-33
)

// Exp returns e^x to 1 or 2 units in the last place, with the same bits on every platform, unlike
// math.Exp. It uses e^x = 2^k·e^r, with k the integer nearest to x/ln 2, and the Taylor series of
// e^r.
func Exp(x float64) float64 {
	switch {
	case x != x || x > 709.782712893384:
		return x + math.Inf(1)
	case x < -745.1332191019412:
		return 0
	}
	k := math.Floor(float64(x*1.4426950408889634) + 0.5)
	high, low := x-float64(k*ln2High), float64(k*ln2Low)
	r := high - low
	rest := (high - r) - low // the rounding error of r
	// e^r = 1 + r + r²/2 + …, |r| ≤ 0.35: the omitted terms are below 2^-60.
	series := 0.0
	for n := 15; n >= 2; n-- {
		series = float64(series*r)/float64(n+1) + 1
	}
	return math.Ldexp(1+(r+(float64(float64(series*r)*r)/2+rest)), int(k))
}
