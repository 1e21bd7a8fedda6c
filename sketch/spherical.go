package sketch

import (
	"cmp"
	"math"
	"sync/atomic"

	"tensorsketch.example/internal/portable"
)

// sphericalMethod is the spherical random features of Pennington, Yu & Kumar (2015) for the kernel
// (1 − ‖x−y‖²/a²)^p = (1 − 2/a² + 2⟨x,y⟩/a²)^p of unit vectors, a ≥ 2. On the sphere it is a
// function of the distance alone. That function is not positive definite on ℝ^d, so no random
// frequencies have it as their mean. The features are random Fourier features of the nearest
// positive definite function, and the difference is their bias. The paper searches mixtures of ten
// Gaussian functions of either sign. This code takes the best function of all, a mixture of shells
// with weights ≥ 0. With MethodParams.Signed the weights have either sign, for a smaller bias, and
// Σ s_j·f_j(x)·f_j(y) is the estimate, with the signs s of FeatureMap.Signs.
func sphericalMethod() *method {
	return &method{
		defaults: defaultSpherical,
		check:    checkSpherical,
		scaling:  func(*Params) (factor, constant float64) { return 1, 0 },
		law:      newSphericalLaw,
		core:     newSphericalCore,
		bytes:    sphericalBytes,
	}
}

func defaultSpherical(p *Params) {
	p.MethodParams.A = cmp.Or(p.MethodParams.A, 2)
}

func checkSpherical(p *Params) error {
	if a := p.MethodParams.A; !(a >= 2) || !finite(a) {
		return paramError("methodParams.a", portable.FormatNumber(a),
			"be a finite number ≥ 2, so that the kernel is nowhere negative on the sphere")
	}
	if p.MethodParams.Signed && p.Normalize == NormalizeKernel {
		return paramError("normalize", quote(p.Normalize),
			"be "+quote(NormalizeNone)+" where methodParams.signed is true: such features do not have the norm κ(x,x)^½")
	}
	return checkPaired(p)
}

// sphericalKernel returns (1 − 2/a² + 2·inner/a²)^p.
func sphericalKernel(p *Params, inner float64) float64 {
	a := p.MethodParams.A
	return power(1-2*(1-inner)/float64(a*a), p.Degree)
}

// lastFit caches the mixture fitted last, which repeats and the maps of several seeds share.
var lastFit atomic.Pointer[sphericalFit]

type sphericalFit struct {
	dimension, degree int
	a                 float64
	signed            bool
	mixture           *shellMixture
}

// fitSpherical returns the mixture for the kernel, (1 − z²/a²)^p at the distance z. The kernel is
// approximately the Gaussian function exp(−p·z²/a²), whose frequencies have entries of variance
// 2p/a².
func fitSpherical(p *Params) *shellMixture {
	a, signed := p.MethodParams.A, p.MethodParams.Signed
	if f := lastFit.Load(); f != nil && f.dimension == p.NFeatures && f.degree == p.Degree && f.a == a &&
		f.signed == signed {
		return f.mixture
	}
	scale := math.Sqrt(2*float64(p.Degree)) / a
	m := fitShells(p.NFeatures, scale, func(z float64) float64 {
		return sphericalKernel(p, 1-float64(z*z)/2)
	}, signed)
	lastFit.Store(&sphericalFit{p.NFeatures, p.Degree, a, signed, m})
	return m
}

// sphericalLaw is the law of random Fourier features of the fitted mixture, with their bias.
type sphericalLaw struct {
	params  *Params
	fourier fourierLaw
}

func newSphericalLaw(p *Params) law {
	m := fitSpherical(p)
	of := func(negative float64) func(delta []float64) float64 {
		return func(delta []float64) float64 { return m.at(math.Sqrt(dot64(delta, delta)), negative) / m.total }
	}
	return &sphericalLaw{p, fourierLaw{paired: p.MethodParams.Paired, weight: m.total, phi: of(1), mean: of(-1)}}
}

func (l *sphericalLaw) kernel(x, y []float64) float64 {
	return sphericalKernel(l.params, dot64(x, y))
}

func (l *sphericalLaw) unitNorm() bool { return true }

// normKernel returns the mean of ‖f(x)‖², W, if frequencies have signs: κ(x,x) is then a sum with signs.
func (l *sphericalLaw) normKernel(square float64) float64 {
	if l.params.MethodParams.Signed {
		return l.fourier.weight
	}
	return sphericalKernel(l.params, square)
}

// variance is Unknown for rows that the map does not accept.
func (l *sphericalLaw) variance(x, y []float64, nComponents float64) (float64, Kind) {
	if !areUnit(x, y) {
		return math.NaN(), Unknown
	}
	return l.fourier.covariance(x, y, x, y, nComponents), Exact
}

// covariance is NaN for rows that the map does not accept.
func (l *sphericalLaw) covariance(a, b, c, d []float64, nComponents float64) float64 {
	if !areUnit(a, b) || !areUnit(c, d) {
		return math.NaN()
	}
	return l.fourier.covariance(a, b, c, d, nComponents)
}

func (l *sphericalLaw) bias(x, y []float64) float64 {
	if !areUnit(x, y) {
		return math.NaN()
	}
	return l.fourier.kernel(x, y) - l.kernel(x, y)
}

func (l *sphericalLaw) components() (least, step float64) { return l.fourier.components() }

// A sphericalCore accepts only rows of norm 1.
type sphericalCore struct{ *fourierCore }

// newSphericalCore draws the frequencies. Directions are normal numbers Φ⁻¹(u), rounded to float32,
// with u from stream (domainDirection, i) for coordinate i. Lengths use u from stream (domainShell,
// 0), the largest length first. Both are in the order of the features, and u is as in
// newRandomFourier.
func newSphericalCore(p *Params, width int, draw randomness) core {
	m := fitSpherical(p)
	c := newFourierCore(p, width, draw, m.total)
	n := c.frequencies
	squares := make([]float64, n)
	for i := range width {
		s := draw.stream(domainDirection, uint32(i))
		for j := range n {
			v := float32(portable.NormalQuantile(s.unit()))
			*c.at(i, j) = v
			squares[j] += float64(float64(v) * float64(v))
		}
	}
	s := draw.stream(domainShell, 0)
	for j := range n {
		squares[j] = m.radii[m.pick(s.unit())] / math.Sqrt(squares[j]) / 6.283185307179586
	}
	for i := range width {
		for j, factor := range squares {
			*c.at(i, j) = float32(factor * float64(*c.at(i, j)))
		}
	}
	return sphericalCore{c}
}

// Signs returns the signs s_j, 1 or −1, of the features of a map with MethodParams.Signed, in the
// length of NComponents(). The kernel is approximately Σ s_j·f_j(x)·f_j(y): multiply the features of
// one of two rows by their signs before Dot, EstimateMedian, or products of package pairs. For other
// maps Signs returns nil, and the inner product is the estimate. Linear models need no signs.
func (m *FeatureMap) Signs() []float32 {
	p := &m.params
	if !p.MethodParams.Signed {
		return nil
	}
	signs, mixture, n := make([]float32, 0, m.NComponents()), fitSpherical(p), frequencyCount(p)
	for r := range p.Repeats {
		s := p.Seed.randomness(r).stream(domainShell, 0)
		for range n {
			sign := float32(1)
			if mixture.pick(s.unit()) >= mixture.positive {
				sign = -1
			}
			for range p.NComponents / n {
				signs = append(signs, sign)
			}
		}
	}
	return signs
}

func sphericalBytes(p *Params, width int) int64 {
	return fourierBytes(p, width) + 8*int64(frequencyCount(p)) + 1<<20 // for the fit
}

func (c sphericalCore) clone() core {
	return sphericalCore{c.fourierCore.clone().(*fourierCore)}
}

// areUnit reports whether both vectors have norm 1. isUnit allows for the rounding of float32 rows
// that were divided by their norm.
func areUnit(x, y []float64) bool { return isUnit(dot64(x, x)) && isUnit(dot64(y, y)) }

func isUnit(square float64) bool { return math.Abs(square-1) <= 1e-4 }

func (c sphericalCore) checkRow(row int, square float64) error {
	if isUnit(square) {
		return nil
	}
	return rowError(ErrParam, row, -1, "‖x‖² = "+portable.FormatNumber(square), wantUnit)
}

// wantUnit says in errors what a row must do.
const wantUnit = "have norm 1 for method \"spherical\": divide it by its norm"
