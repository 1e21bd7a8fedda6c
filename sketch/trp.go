package sketch

import "math"

// tensorizedMethod is the tensorized random projection of Meister, Sarlós &
// Woodruff (2019): D features f_j(x) = Π_k ⟨ω_jk, x⟩/√D with independent ω_jk of
// random signs or normal numbers. A product of p AMS sketches, as in Lemma 8 of
// the journal version of Tensor Sketch, is the same map.
func tensorizedMethod() *method {
	return &method{
		defaults: defaultDistribution,
		check:    checkDistribution,
		law:      func(p *Params) law { return &tensorizedLaw{polynomialLaw{p}} },
		core:     newTensorizedCore,
		bytes:    tensorizedBytes,
	}
}

// complexTensorizedMethod is the same with D/2 complex features, whose entries are
// complex signs or normal numbers; real and imaginary parts alternate in a row.
// The inner product of rows is the real part of the complex one (Wacker, Ohana &
// Filippone 2022). Complex signs are (±1 ± i)/√2 here, which are the fourth roots
// of 1 turned by 45°: no inner product of features sees that.
func complexTensorizedMethod() *method {
	m := tensorizedMethod()
	m.law = func(p *Params) law { return &complexTensorizedLaw{complexLaw{polynomialLaw{p}}} }
	return m
}

func defaultDistribution(p *Params) {
	if p.MethodParams.Distribution == "" {
		p.MethodParams.Distribution = DistributionRademacher
	}
}

func checkDistribution(p *Params) error {
	return checkName("distribution", p.MethodParams.Distribution, DistributionRademacher, DistributionGaussian)
}

// isNormal tells whether the entries are normal numbers.
func (m *MethodParams) isNormal() bool { return m.Distribution == DistributionGaussian }

// newTensorizedCore makes both cores. A complex factor has the entries of two real
// projections over √2.
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

// root2Power returns √2^n, n negative or not.
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

// polynomialLaw is the kernel (γ⟨x,y⟩ + c)^p, estimated with signs or normal numbers.
type polynomialLaw struct{ params *Params }

func (l *polynomialLaw) kernel(x, y []float64) float64 {
	return polynomialKernel(l.params, dot64(x, y))
}

func (l *polynomialLaw) normKernel(square float64) float64 {
	return polynomialKernel(l.params, square)
}

// bound: signs, real and complex, have the 1-norms for one; normal numbers have none.
func (l *polynomialLaw) bound(x, y []float64) float64 {
	if l.params.MethodParams.isNormal() {
		return math.NaN()
	}
	return power(oneNorm(l.params.Gamma, l.params.Coef0, x)*oneNorm(l.params.Gamma, l.params.Coef0, y), l.params.Degree)
}

// tensorizedLaw: with the pairings of the scaled vectors,
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

// complexTensorizedLaw: with z(a,b) = Π_k ⟨ω_k,a⟩⟨ω̄_k,b⟩, the covariance of Re z(a,b)
// and Re z(c,d) is ½·Re(E z(a,b) z̄(c,d) + E z(a,b) z(c,d)) − P^p, so that with D/2
// features
//
//	Cov(⟨fa,fb⟩, ⟨fc,fd⟩) = [(P + Q − s)^p + (P + R − s)^p − 2P^p] / D
//
// for signs, and without s for normal numbers.
type complexTensorizedLaw struct{ complexLaw }

// A complexLaw is that of D/2 complex features with this covariance.
type complexLaw struct{ polynomialLaw }

func (l *complexLaw) covariance(a, b, c, d []float64, nComponents float64) float64 {
	m, p := pairingsOf(l.params.Gamma, l.params.Coef0, a, b, c, d), l.params.Degree
	conjugate, plain := m.complexFourths(l.params.MethodParams.isNormal())
	return (power(conjugate, p) + power(plain, p) - 2*power(m.p, p)) / nComponents
}

func (l *complexLaw) components() (least, step float64) { return 2, 2 }
