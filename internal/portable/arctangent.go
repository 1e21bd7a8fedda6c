package portable

import "math"

// Arctangent returns arctan x for x ≥ 0 to a few units in the last place, with the same bits on
// every platform. It halves the angle twice by tan(θ/2) = tan θ/(1 + √(1 + tan² θ)) and sums the
// series. The omitted terms are below 2^-58.
func Arctangent(x float64) float64 {
	if x > 1 {
		return 1.5707963267948966 - Arctangent(1/x)
	}
	for range 2 {
		x /= 1 + math.Sqrt(1+float64(x*x))
	}
	z, sum := float64(x*x), 0.0
	for n := 23; n >= 1; n -= 2 {
		sum = 1/float64(n) - float64(z*sum)
	}
	return float64(4 * float64(x*sum))
}

// Arccosine returns the angle from 0 to π whose cosine is c, with c limited to −1 … 1.
func Arccosine(c float64) float64 {
	if c <= -1 {
		return 3.141592653589793
	}
	return 2 * Arctangent(math.Sqrt(max(0, 1-c)/(1+c)))
}
