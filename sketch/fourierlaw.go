package sketch

import "tensorsketch.example/internal/portable"

// A fourierLaw is the law of random Fourier features with D/2 or D independent frequencies ω, whose
// characteristic function is φ(δ) = E cos ⟨ω, δ⟩. They estimate W·φ(x−y) without bias. W is the
// weight of φ: 1, except for kernels fitted by a mixture.
//
//	Cov(⟨fa,fb⟩, ⟨fc,fd⟩) = W²/D · { [φ(a−b+c−d) + φ(a−b−c+d)]/2 − μ(a−b)μ(c−d) + φ(a+b−c−d)/2 }
//
// Here μ = φ. If frequencies have signs s, which count in the estimates, then μ(δ) = E s·cos ⟨ω, δ⟩, and
// W·μ(x−y) is estimated; the other terms have s² = 1.
//
// This holds with offsets b, by 2·cos(A+b)·cos(B+b) = cos(A−B) + cos(A+B+2b) and the mean over b.
// With paired frequencies the last term is absent and D becomes D/2. Therefore
//
//	Var = W²/D · [1 + φ(2δ)/2 − φ(δ)²], paired W²/D · [1 + φ(2δ) − 2φ(δ)²],  δ = x − y
//
// (Sutherland & Schneider 2015, Propositions 1 and 2, for the Gaussian kernel).
type fourierLaw struct {
	paired bool
	weight float64
	phi    func(delta []float64) float64 // of unscaled vectors
	mean   func(delta []float64) float64 // μ
	block  int                           // orthogonal frequencies of a block, as pair has them; 0 if all are independent
	gamma  float64                       // for pair
	kind   Kind                          // of the variance
}

func newFourierLaw(p *Params) law {
	gamma := p.Gamma
	l := &fourierLaw{paired: p.MethodParams.Paired, weight: 1, gamma: gamma}
	switch p.MethodParams.Kernel {
	case KernelLaplacian:
		l.phi = func(delta []float64) float64 { return portable.Exp(-float64(gamma * norm1(delta))) }
	case KernelCauchy:
		l.phi = func(delta []float64) float64 {
			product := 1.0
			for _, v := range delta {
				product /= 1 + float64(gamma*float64(v*v))
			}
			return product
		}
	default:
		l.phi = func(delta []float64) float64 { return portable.Exp(-float64(gamma * dot64(delta, delta))) }
	}
	l.mean = l.phi
	switch p.MethodParams.Projection {
	case ProjectionOrthogonal:
		l.block = p.NFeatures
	case ProjectionStructured:
		l.block, l.kind = structuredLength(p.NFeatures), FirstOrder
	}
	return l
}

func (l *fourierLaw) kernel(x, y []float64) float64 {
	return float64(l.weight * l.mean(combine(x, -1, y)))
}

func (l *fourierLaw) normKernel(float64) float64 { return l.weight }

func (l *fourierLaw) unitNorm() bool { return l.weight == 1 }

func (l *fourierLaw) variance(x, y []float64, nComponents float64) (float64, Kind) {
	return l.covariance(x, y, x, y, nComponents), l.kind
}

func (l *fourierLaw) covariance(a, b, c, d []float64, nComponents float64) float64 {
	first, second, frequencies := combine(a, -1, b), combine(c, -1, d), nComponents
	sum := float64(0.5*(l.phi(combine(first, 1, second))+l.phi(combine(first, -1, second)))) -
		float64(l.mean(first)*l.mean(second))
	if l.paired {
		frequencies /= 2
	} else {
		sum += float64(0.5 * l.phi(combine(combine(a, 1, b), -1, combine(c, 1, d))))
	}
	if l.block > 1 {
		sum += float64(sharedPairs(frequencies, l.block) / frequencies * l.pair(first, second))
	}
	return l.weight * l.weight * sum / frequencies
}

func (l *fourierLaw) components() (least, step float64) {
	if l.paired {
		return 2, 2
	}
	return 1, 1
}

// combine returns x + b·y.
func combine(x []float64, b float64, y []float64) []float64 {
	z := make([]float64, len(x))
	for i, v := range x {
		z[i] = v + float64(b*y[i])
	}
	return z
}

// norm1 returns ‖x‖₁.
func norm1(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += max(v, -v)
	}
	return sum
}
