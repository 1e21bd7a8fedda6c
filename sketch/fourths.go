package sketch

// This file holds the fourth moments of features, E Σ_j f_j(a) f_j(b) f_j(c) f_j(d), which CRAFT's
// law needs from its base map. P, Q, R and s are the pairings of the scaled vectors.

// fourths: for the tensor sketch, four indices must meet in one bucket. In each degree their
// coordinates are all equal, which counts s, or they pair up as in P, Q or R. Over all degrees with
// one pairing, the two pairs differ by an amount that is uniform modulo D; without such a degree
// they do not differ. The four meet if the amounts of P, Q and R are equal and twice that amount is
// 0. With no, one, two or three pairings the probability is 1, 1/D, 1/D² or q/D³, q = gcd(2, D).
func (l *tensorLaw) fourths(a, b, c, d []float64, nComponents float64) float64 {
	m, p, D := pairingsOf(l.params.Gamma, l.params.Coef0, a, b, c, d), l.params.Degree, nComponents
	q := 1.0
	if half := D / 2; half == float64(int64(half)) {
		q = 2
	}
	none := power(m.s, p)
	one := power(m.p, p) + power(m.q, p) + power(m.r, p)
	two := power(m.p+m.q-m.s, p) + power(m.p+m.r-m.s, p) + power(m.q+m.r-m.s, p)
	three := power(m.p+m.q+m.r-2*m.s, p)
	return none + (one-3*none)/D + (two-2*one+3*none)/float64(D*D) +
		float64(q*(three-two+one-none))/float64(float64(D*D)*D)
}

// fourths: independent features, or dependent ones with one distribution, have D times the fourth
// moment of one feature.
func (l *tensorizedLaw) fourths(a, b, c, d []float64, nComponents float64) float64 {
	m := pairingsOf(l.params.Gamma, l.params.Coef0, a, b, c, d)
	return power(m.fourth(l.params.MethodParams.isNormal()), l.params.Degree) / nComponents
}

// complexSum returns the fourth moment of complex features z, for which Re z and Im z both count.
// The sum of their fourth moments is an eighth of a sum over the products of z(a) … z(d). In each
// product, none, two or four factors are conjugated.
func (m pairings) complexSum(degree int, all float64, normal bool) float64 {
	s := m.s
	if normal {
		s, all = 0, 0
	}
	return (power(m.p+m.q-s, degree) + power(m.p+m.r-s, degree) + power(m.q+m.r-s, degree) + power(all, degree)) / 2
}

// fourths: signs (±1 ± i)/√2 have the fourth power −1.
func (l *complexTensorizedLaw) fourths(a, b, c, d []float64, nComponents float64) float64 {
	m := pairingsOf(l.params.Gamma, l.params.Coef0, a, b, c, d)
	return m.complexSum(l.params.Degree, -m.s, l.params.MethodParams.isNormal()) / nComponents
}

// fourths: signs 1, i, −1 and −i have the fourth power 1.
func (l *complexSRHTLaw) fourths(a, b, c, d []float64, nComponents float64) float64 {
	m := pairingsOf(l.params.Gamma, l.params.Coef0, a, b, c, d)
	return m.complexSum(l.params.Degree, m.s, false) / nComponents
}

// fourths: Random Maclaurin's features are independent with one distribution, apart from the exact
// terms of h01.
func (l *maclaurinLaw) fourths(a, b, c, d []float64, nComponents float64) float64 {
	gamma, exact := l.params.Gamma, 0.0
	if l.params.MethodParams.H01 {
		constant, linear := l.terms[0], l.terms[1]
		exact = float64(constant*constant) + float64(float64(linear*linear)*pairingsOf(gamma, 0, a, b, c, d).s)
	}
	mean := l.series(gamma*dot64(a, b), true) * l.series(gamma*dot64(c, d), true)
	return exact + l.covariance(a, b, c, d, nComponents) + mean/(nComponents-float64(l.exact))
}

// fourths: for the complex tensor sketch, the fourth moment of one pattern of conjugates is as for
// the real one, with two pairings A and B instead of three, and D/2 buckets.
func (l *complexSketchLaw) fourths(a, b, c, d []float64, nComponents float64) float64 {
	m, p, buckets := pairingsOf(l.params.Gamma, l.params.Coef0, a, b, c, d), l.params.Degree, nComponents/2
	none := power(m.s, p)
	of := func(a, b float64) float64 {
		one, two := power(a, p)+power(b, p), power(a+b-m.s, p)
		return none + (one-2*none)/buckets + (two-one+none)/float64(buckets*buckets)
	}
	return (of(m.p, m.q) + of(m.p, m.r) + of(m.q, m.r) + none) / 4
}
