package portable

import "math"

// NormalQuantile returns z with Φ(z) = p for 0 < p < 1. It uses the rational approximations of
// Wichura, Algorithm AS 241 (1988), accurate to 1 part in 10^16, with Log, because math.Log differs
// by platform.
func NormalQuantile(p float64) float64 {
	q := p - 0.5
	if math.Abs(q) <= 0.425 {
		return q * rational(0.180625-float64(q*q), quantileCentre)
	}
	r := math.Sqrt(-Log(min(p, 1-p)))
	var z float64
	if r <= 5 {
		z = rational(r-1.6, quantileMiddle)
	} else {
		z = rational(r-5, quantileTail)
	}
	if q < 0 {
		return -z
	}
	return z
}

// rational evaluates the quotient of two polynomials, constant terms first.
func rational(x float64, coefficients [2][8]float64) float64 {
	var value [2]float64
	for side, c := range coefficients {
		for i := 7; i >= 0; i-- {
			value[side] = float64(value[side]*x) + c[i]
		}
	}
	return value[0] / value[1]
}

// Log returns ln x for finite x > 0: x = m·2^e with √½ ≤ m < √2, and
// ln m = 2·(u + u³/3 + u⁵/5 + …), u = (m − 1)/(m + 1).
func Log(x float64) float64 {
	m, e := math.Frexp(x)
	if m < 0.70710678118654752440 {
		m, e = 2*m, e-1
	}
	u := (m - 1) / (m + 1)
	square, series := float64(u*u), 0.0
	for i := 25; i >= 1; i -= 2 {
		series = float64(series*square) + 1/float64(i)
	}
	return float64(2*u*series) + float64(float64(e)*0.69314718055994530942)
}

// Coefficients of AS 241, PPND16: numerator and denominator.
var (
	quantileCentre = [2][8]float64{
		{3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
			4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3},
		{1, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
			2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3},
	}
	quantileMiddle = [2][8]float64{
		{1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
			1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4},
		{1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
			1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9},
	}
	quantileTail = [2][8]float64{
		{6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
			2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7},
		{1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
			7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15},
	}
)
