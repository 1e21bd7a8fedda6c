package sketch

import (
	"cmp"
	"math"
)

// tensorizedMethod is the tensorized random projection of Meister, Sarlós & Woodruff (2019): D
// features f_j(x) = Π_k ⟨ω_jk, x⟩/√D, where the ω_jk are independent and have random signs or
// normal numbers as entries. A product of p AMS sketches, as in Lemma 8 of the journal version of
// Tensor Sketch, is the same map.
func tensorizedMethod() *method {
	return &method{
		defaults: defaultDistribution,
		check:    checkDistribution,
		law:      func(p *Params) law { return &tensorizedLaw{polynomialLaw{p}} },
		core:     newTensorizedCore,
		bytes:    tensorizedBytes,
	}
}

// complexTensorizedMethod is the same with D/2 complex features, whose entries are complex signs or
// normal numbers. Real and imaginary parts alternate in a row. The inner product of rows is the
// real part of the complex inner product (Wacker, Ohana & Filippone 2022). Complex signs here are
// (±1 ± i)/√2, the fourth roots of 1 turned by 45°. Inner products of features do not depend on
// that rotation.
func complexTensorizedMethod() *method {
	m := tensorizedMethod()
	m.law = func(p *Params) law { return &complexTensorizedLaw{complexLaw{polynomialLaw{p}}} }
	return m
}

func defaultDistribution(p *Params) {
	p.MethodParams.Distribution = cmp.Or(p.MethodParams.Distribution, DistributionRademacher)
}

func checkDistribution(p *Params) error {
	return checkName("distribution", p.MethodParams.Distribution, DistributionRademacher, DistributionGaussian)
}

// isNormal reports whether the entries are normal numbers.
func (m *MethodParams) isNormal() bool { return m.Distribution == DistributionGaussian }

// newTensorizedCore makes the real and the complex core. A complex factor has the entries of two
// real projections divided by √2.
func newTensorizedCore(p *Params, width int, draw randomness) core {
	isComplex := methodOf(p.Method).Even
	features, scale := p.NComponents, featureScale(1, p.NComponents)
	if isComplex {
		features, scale = features/2, featureScale(root2Power(1-p.Degree), p.NComponents)
	}
	counts, weights := make([]int, p.Degree+1), make([]float32, p.Degree+1)
	counts[p.Degree], weights[p.Degree] = features, scale
	return newProductCore(draw, width, counts, weights, p.MethodParams.isNormal(), isComplex)
}

func tensorizedBytes(p *Params, width int) int64 {
	return productBytes(p.Degree*p.NComponents, width, p.MethodParams.isNormal())
}

// root2Power returns √2^n for any integer n.
func root2Power(n int) float64 {
	value := 1.0
	for ; n >= 2; n -= 2 {
		value *= 2
	}
	for ; n < 0; n += 2 {
		value /= 2
	}
	if n == 1 {
		value *= 1.41421356237309504880
	}
	return value
}

// polynomialLaw has the kernel (γ⟨x,y⟩ + c)^p, and the bound of estimates with signs or normal
// numbers.
type polynomialLaw struct{ params *Params }

func (l *polynomialLaw) kernel(x, y []float64) float64 {
	return polynomialKernel(l.params, dot64(x, y))
}

func (l *polynomialLaw) normKernel(square float64) float64 {
	return polynomialKernel(l.params, square)
}

// bound uses the 1-norms of the vectors for signs, real or complex. Normal numbers have no bound.
func (l *polynomialLaw) bound(x, y []float64) float64 {
	if l.params.MethodParams.isNormal() {
		return math.NaN()
	}
	return power(oneNorm(l.params.Gamma, l.params.Coef0, x)*oneNorm(l.params.Gamma, l.params.Coef0, y), l.params.Degree)
}

// tensorizedLaw is the law of tensorized-random-projection. With the pairings of the scaled
// vectors,
//
//	Cov(⟨fa,fb⟩, ⟨fc,fd⟩) = [(P + Q + R − 2s)^p − P^p] / D
//
// for signs, and without s for normal numbers.
type tensorizedLaw struct{ polynomialLaw }

func (l *tensorizedLaw) covariance(a, b, c, d []float64, nComponents float64) float64 {
	m := pairingsOf(l.params.Gamma, l.params.Coef0, a, b, c, d)
	fourth := m.fourth(l.params.MethodParams.isNormal())
	return (power(fourth, l.params.Degree) - power(m.p, l.params.Degree)) / nComponents
}

// complexTensorizedLaw is the law of complex-tensorized-random-projection. With z(a,b) = Π_k
// ⟨ω_k,a⟩⟨ω̄_k,b⟩, the covariance of Re z(a,b) and Re z(c,d) is ½·Re(E z(a,b) z̄(c,d) + E z(a,b)
// z(c,d)) − P^p. With D/2 features it follows that
//
//	Cov(⟨fa,fb⟩, ⟨fc,fd⟩) = [(P + Q − s)^p + (P + R − s)^p − 2P^p] / D
//
// for signs, and without s for normal numbers.
type complexTensorizedLaw struct{ complexLaw }

// A complexLaw is the law of D/2 complex features with the covariance of complexTensorizedLaw.
type complexLaw struct{ polynomialLaw }

func (l *complexLaw) covariance(a, b, c, d []float64, nComponents float64) float64 {
	m, p := pairingsOf(l.params.Gamma, l.params.Coef0, a, b, c, d), l.params.Degree
	conjugate, plain := m.complexFourths(l.params.MethodParams.isNormal())
	return (power(conjugate, p) + power(plain, p) - 2*power(m.p, p)) / nComponents
}

func (l *complexLaw) components() (least, step float64) { return 2, 2 }
