package sketch

import (
	"math"

	"tensorsketch.example/internal/portable"
)

// A taylorLaw is the law of a truncated series of independent tensor sketches. The covariance is
// the sum of their covariances,
//
//	g(a)·g(b)·g(c)·g(d) · Σ a_n² · Cov_n,
//
// with Cov_n as in tensorLaw for degree n and D_n components.
type taylorLaw struct{ *taylorSeries }

func (l *taylorLaw) kernel(x, y []float64) float64 {
	gamma := l.params.Gamma
	switch l.params.MethodParams.Kernel {
	case KernelGaussian:
		delta := combine(x, -1, y)
		return portable.Exp(-float64(gamma * dot64(delta, delta)))
	case KernelExponential:
		return portable.Exp(float64(gamma * dot64(x, y)))
	case KernelArcCosine:
		norms := math.Sqrt(dot64(x, x) * dot64(y, y))
		if norms == 0 {
			return 0
		}
		return float64(gamma * norms * arcCosineKernel(dot64(x, y)/norms))
	}
	return horner(l.params.MethodParams.Coefficients, float64(gamma*dot64(x, y)))
}

// arcCosineKernel returns (sin θ + (π − θ)·cos θ)/π for ρ = cos θ.
func arcCosineKernel(rho float64) float64 {
	rho = max(-1, min(1, rho))
	sine := math.Sqrt(1 - float64(rho*rho))
	return (sine + float64((math.Pi-portable.Arccosine(rho))*rho)) / math.Pi
}

// horner returns Σ a_n t^n.
func horner(coefficients []float64, t float64) float64 {
	sum := 0.0
	for n := len(coefficients) - 1; n >= 0; n-- {
		sum = float64(sum*t) + coefficients[n]
	}
	return sum
}

func (l *taylorLaw) unitNorm() bool { return l.params.MethodParams.Kernel == KernelGaussian }

func (l *taylorLaw) normKernel(square float64) float64 {
	gamma := l.params.Gamma
	switch l.params.MethodParams.Kernel {
	case KernelGaussian:
		return 1
	case KernelExponential:
		return portable.Exp(float64(gamma * square))
	case KernelArcCosine:
		return gamma * square
	}
	return horner(l.params.MethodParams.Coefficients, float64(gamma*square))
}

// bias is the negative of the omitted terms, of orders from Terms on. Its size is largest at x = y,
// and grows with the norm.
func (l *taylorLaw) bias(x, y []float64) float64 {
	t := l.gamma * dot64(x, y)
	weight := l.weight(l.gamma*dot64(x, x)) * l.weight(l.gamma*dot64(y, y))
	if l.params.MethodParams.Kernel == KernelArcCosine {
		if weight == 0 {
			return 0
		}
		t /= weight
	}
	return float64(weight*horner(l.coefficients, t)) - l.kernel(x, y)
}

func (l *taylorLaw) covariance(a, b, c, d []float64, nComponents float64) float64 {
	m, weight := pairingsOf(l.gamma, 0, a, b, c, d), 1.0
	for _, v := range [...][]float64{a, b, c, d} {
		weight *= l.weight(l.gamma * dot64(v, v))
	}
	if l.params.MethodParams.Kernel == KernelArcCosine {
		if weight == 0 {
			return 0
		}
		m = pairings{m.p / weight, m.q / weight, m.r / weight, m.s / weight}
	}
	sum, shares := 0.0, l.allot(nComponents)
	for k, n := range l.orders {
		a := l.coefficients[n]
		sum += float64(a * a * m.tensorSpread(n).at(shares[k]))
	}
	return weight * sum
}

func (l *taylorLaw) components() (least, step float64) { return l.least(), 1 }
