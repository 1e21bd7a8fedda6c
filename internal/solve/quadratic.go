package solve

import (
	"math"

	"tensorsketch.example/internal/portable"
)

// maxHalf is the largest half of degrees of freedom that a quadraticTail takes. The power of a number next to 1 then
// has a relative error of about 1e-7.
const maxHalf = 1 << 30

// tailStep is the step of the integral of a quadraticTail in t. Half of it changes no result by more than 1e-13 of it.
const tailStep = 1.0 / 32

// quadraticTail returns
//
//	p = P(Σ w_i·χ²_i > x·V/2h), with χ²_i of one degree of freedom each and V of 2h, all independent,
//
// for x > 0, h from 1 to maxHalf, and weights ≥ 0 that are not all 0. At h = maxHalf, V/2h is nearly 1, and p is the
// tail of a weighted sum of χ². The generating function of the difference Q of both sides and p are
//
//	M(s) = E e^{sQ} = Π (1 − 2w_i·s)^{−1/2}·(1 + x·s/h)^{−h},   p = 1/(2πi)·∫ M(s)/s ds,
//
// along a line that crosses the real axis at a c between 0 and 1/(2·max w). Imhof's integral (Biometrika 48, 1961) is
// this one with the line moved to c = 0. There it oscillates, and a small p is the difference of large numbers. So c is
// the saddle point, where M(s)/s is smallest on the axis, and the line is bent along the steepest descent to its third
// order (Rice, Distribution of quadratic forms in normal random variables, SIAM Journal on Scientific and Statistical
// Computing 1, 1980):
//
//	s(t) = c + i·y + κ·y², y = r·sinh t, r = Φ″^{−1/2}, κ = Φ‴/(6Φ″), of Φ = ln(M(s)/s) at c.
//
// All singularities are then at least 0.7·r away from c, so that the trapezoidal rule has one step for all weights. The
// relative error of p is below 1e-10 for h up to 1e5, and below 1e-6 for all others.
func quadraticTail(weights []float64, x, h float64) float64 {
	largest := 0.0
	for _, w := range weights {
		largest = max(largest, w)
	}
	scaled := make([]float64, 0, len(weights)) // the largest is 1
	for _, w := range weights {
		if w > 0x1p-60*largest {
			scaled = append(scaled, w/largest)
		}
	}
	x /= largest
	if !(x > 0) {
		return 1
	}
	q := quadratic{scaled, x, h}
	gap := q.saddle()
	c := (1 - gap) / 2
	under := 1 + float64(x*c)/h // of V

	second, third := 1/(c*c)+float64(x*x)/h/(under*under), -2/(c*c*c)
	logarithm := -float64(h * log1p(float64(x*c)/h)) // of M(c)
	third -= 2 * float64(x/under) * float64(x/under) * float64(x/under) / (h * h)
	for i, w := range scaled {
		scaled[i] = w / ((1 - w) + float64(w*gap))
		ratio := scaled[i]
		second += float64(2 * ratio * ratio)
		third += float64(8 * ratio * ratio * ratio)
		logarithm -= portable.Log((1-w)+float64(w*gap)) / 2
	}
	r := 1 / math.Sqrt(second)
	// Where the pole at 0 is near, the line must bend to the right all the same, so that M(s) falls; but not so far
	// that it grows, at a rate of 1/c there, more than it falls along the line.
	bend := max(min(0.1, float64(second*c-1/c)*r/4, r/gap/4), float64(third*r)*r*r/6)
	return max(0, min(1, portable.Exp(logarithm)*(r/(math.Pi*c))*q.integral(c, r, bend, x/h/under)))
}

// A quadratic has the weights of a quadraticTail, the largest 1, with its x and h. After the saddle point is known the
// weights are w/(1 − 2wc).
type quadratic struct {
	weights []float64
	x, h    float64
}

// saddle returns 1 − 2c of the c where Φ′ is 0. It need not be exact.
func (q *quadratic) saddle() float64 {
	low, high := 0.0, 1.0
	for range 60 {
		gap := low/2 + high/2
		c := (1 - gap) / 2
		slope := -q.x/(1+float64(q.x*c)/q.h) - 1/c
		for _, w := range q.weights {
			slope += w / ((1 - w) + float64(w*gap))
		}
		if slope > 0 { // too near to the singularity
			low = gap
		} else {
			high = gap
		}
	}
	return high
}

// integral returns ∫ Im(M(s)/M(c)·c/s·ds/dt)/r dt over t from 0 to ∞. power is x/h/(1 + xc/h).
func (q *quadratic) integral(c, r, bend, power float64) float64 {
	sum := 0.0
	for k := range int(40 / tailStep) {
		t := tailStep * float64(k)
		grown := portable.Exp(t)
		sinh, cosh := (grown-1/grown)/2, (grown+1/grown)/2
		away := complex(float64(bend*r)*float64(sinh*sinh), r*sinh) // s − c
		under := complex(1+real(away)/c, imag(away)/c)              // s/c · M(c)/M(s)
		for _, w := range q.weights {
			under = multiply(under, root(complex(1-float64(2*w*real(away)), -float64(2*w*imag(away)))))
			if isHuge(under) {
				return sum * tailStep
			}
		}
		under = timesPower(under, complex(1+float64(power*real(away)), power*imag(away)), int(q.h))
		if isHuge(under) {
			break
		}
		slope := complex(2*float64(bend*sinh)*cosh, cosh)
		size := float64(real(under)*real(under)) + float64(imag(under)*imag(under))
		term := (float64(imag(slope)*real(under)) - float64(real(slope)*imag(under))) / size
		if k == 0 {
			term /= 2
		}
		sum += term
		if cosh*(1+2*bend*sinh) < 0x1p-60*sum*math.Sqrt(size) {
			break
		}
	}
	return sum * tailStep
}

// isHuge reports whether a term with z below it does not count.
func isHuge(z complex128) bool { return math.Abs(real(z))+math.Abs(imag(z)) > 1e100 }

// multiply returns the product, with the same bits everywhere.
func multiply(a, b complex128) complex128 {
	return complex(float64(real(a)*real(b))-float64(imag(a)*imag(b)), float64(real(a)*imag(b))+float64(imag(a)*real(b)))
}

// timesPower returns z·base^n. It may stop early where that is huge; |base| is at least 1.
func timesPower(z, base complex128, n int) complex128 {
	for ; n > 0 && !isHuge(z); n >>= 1 {
		if n&1 == 1 {
			z = multiply(z, base)
		}
		if isHuge(base) {
			return multiply(z, base)
		}
		base = multiply(base, base)
	}
	return z
}

// root returns the square root with a real part ≥ 0.
func root(z complex128) complex128 {
	a, b := real(z), imag(z)
	length := math.Sqrt(float64(a*a) + float64(b*b))
	if a >= 0 {
		u := math.Sqrt((length + a) / 2)
		return complex(u, b/(2*u))
	}
	v := math.Sqrt((length - a) / 2)
	if b < 0 {
		v = -v
	}
	return complex(b/(2*v), v)
}

// log1p returns ln(1 + v) for v ≥ 0: the rounding error of 1 + v is taken back by the factor (Kahan).
func log1p(v float64) float64 {
	u := 1 + v
	if u == 1 {
		return v
	}
	return portable.Log(u) * (v / (u - 1))
}
