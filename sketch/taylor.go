package sketch

import (
	"math"
	"strconv"

	"tensorsketch.example/internal/portable"
)

// taylorMethod estimates a kernel Σ a_n ⟨x,y⟩^n with a_n ≥ 0 by the terms of its Taylor series up
// to some order, each by a tensor sketch of that degree. The conference paper (Pham & Pagh 2013)
// mentions it in its outlook, and Scetbon & Harchaoui (2021) analyse it. The rest of the series is
// a bias, which Formulas.Bias returns.
//
//	gaussian     exp(−γ‖x−y‖²) = g(x)·g(y)·exp(2γ⟨x,y⟩),  g(x) = exp(−γ‖x‖²)
//	exponential  exp(γ⟨x,y⟩)
//	arc-cosine   γ‖x‖‖y‖·(sin θ + (π − θ)·cos θ)/π, θ the angle between x and y:
//	             order 1 of Cho & Saul (2009)
//	series       Σ a_n (γ⟨x,y⟩)^n of given coefficients
func taylorMethod() *method {
	return &method{
		defaults: defaultTaylor,
		check:    checkTaylor,
		scaling:  taylorScaling,
		law:      func(p *Params) law { return &taylorLaw{newTaylorSeries(p)} },
		core:     newTaylorCore,
		bytes:    taylorBytes,
	}
}

const defaultTerms = 8

func defaultTaylor(p *Params) {
	m := &p.MethodParams
	defaultKernel(p, KernelGaussian)
	if m.Terms == 0 {
		if m.Terms = defaultTerms; m.Kernel == KernelSeries {
			m.Terms = len(m.Coefficients)
		}
	}
}

func checkTaylor(p *Params) error {
	m := &p.MethodParams
	if err := checkSeries(p); err != nil {
		return err
	}
	most := MaxDegree + 1
	if m.Kernel == KernelSeries {
		most = len(m.Coefficients)
	}
	if most < 2 {
		return paramError("methodParams.coefficients", "1 number", "hold at least two: a_0 alone is a constant")
	}
	if m.Terms < 2 || m.Terms > most {
		return paramError("methodParams.terms", strconv.Itoa(m.Terms),
			"be an integer from 2 to "+strconv.Itoa(most)+": the orders from 0 on that are kept")
	}
	s := newTaylorSeries(p)
	if len(s.orders) == 0 {
		return paramError("methodParams.coefficients", "a constant",
			"hold a number above 0 for an order from 1 to methodParams.terms − 1 = "+strconv.Itoa(m.Terms-1))
	}
	if least := s.least(); float64(p.NComponents) < least {
		return paramError("nComponents", strconv.Itoa(p.NComponents),
			"be at least "+portable.FormatNumber(least)+": one for each term of the series")
	}
	return nil
}

// taylorScaling returns the scaling after which the kernel is a series in ⟨x,y⟩ with the
// coefficients a_n.
func taylorScaling(p *Params) (factor, constant float64) {
	gamma := p.Gamma
	if p.MethodParams.Kernel == KernelGaussian {
		gamma *= 2
	}
	return math.Sqrt(gamma), 0
}

// A taylorSeries holds the terms kept of the series of a kernel, for scaled rows.
type taylorSeries struct {
	params       *Params
	coefficients []float64 // a_0, a_1, … of the terms kept
	orders       []int     // orders from 1 on with a_n > 0
	gamma        float64   // factor of the inner product
}

func newTaylorSeries(p *Params) *taylorSeries {
	factor, _ := taylorScaling(p)
	s := &taylorSeries{params: p, gamma: float64(factor * factor)}
	for n := range p.MethodParams.Terms {
		a := taylorCoefficient(p, n)
		s.coefficients = append(s.coefficients, a)
		if n > 0 && a > 0 {
			s.orders = append(s.orders, n)
		}
	}
	return s
}

// taylorCoefficient returns a_n of ⟨x,y⟩^n for scaled rows; for the arc-cosine kernel, for unit
// rows. There a_0 = 1/π and a_1 = 1/2, and the others follow from the second derivative
// 1/π·(1 − ρ²)^−½ with respect to ρ = cos θ.
func taylorCoefficient(p *Params, n int) float64 {
	switch p.MethodParams.Kernel {
	case KernelSeries:
		return p.MethodParams.Coefficients[n]
	case KernelArcCosine:
		switch {
		case n == 0:
			return 1 / math.Pi
		case n == 1:
			return 0.5
		case n%2 == 1:
			return 0
		}
		binomial := 1.0 // C(n−2, n/2−1)/2^(n−2)
		for k := 1; k < n/2; k++ {
			binomial *= float64(2*k-1) / float64(2*k)
		}
		return binomial / float64(n*(n-1)) / math.Pi
	}
	a := 1.0
	for k := 2; k <= n; k++ {
		a /= float64(k)
	}
	return a
}

// least returns the smallest number of components: one for each term.
func (s *taylorSeries) least() float64 {
	return s.constants() + float64(len(s.orders))
}

// constants returns the number of components for the term a_0: 1, or 0 if a_0 is 0.
func (s *taylorSeries) constants() float64 {
	if s.coefficients[0] > 0 {
		return 1
	}
	return 0
}

// allot shares D components among the orders so that the sum of the variances is least for some
// unit vectors x = y of many coordinates, before scaling. There the variance of order n is
// a_n²·(2^(n+1) − 2)/D_n times a power of γ, and D_n is proportional to its root. Each order has at
// least one component. Shares of orders after the first are rounded down to a product of 2, 3 and
// 5, for which the FFT is quick. The first order takes the rest.
func (s *taylorSeries) allot(nComponents float64) []float64 {
	weights, sum, scale := make([]float64, len(s.orders)), 0.0, s.gamma
	if s.params.MethodParams.Kernel == KernelArcCosine {
		scale = 1
	}
	for k, n := range s.orders {
		weights[k] = float64(s.coefficients[n] * power(scale, n) * math.Sqrt(power(2, n+1)-2))
		sum += weights[k]
	}
	spare := nComponents - s.least()
	rest := nComponents - s.constants()
	shares := make([]float64, len(s.orders))
	for k := len(weights) - 1; k > 0; k-- {
		share := weights[k] / sum
		if !finite(sum) {
			share = 1 / float64(len(weights))
		}
		shares[k] = smooth(1 + math.Floor(spare*share))
		rest -= shares[k]
	}
	shares[0] = rest
	return shares
}

// smooth returns the largest product of powers of 2, 3 and 5 that is at most n ≥ 1. Above
// MaxComponents it returns n itself.
func smooth(n float64) float64 {
	if n > MaxComponents {
		return n
	}
	best := 1
	for five := 1; five <= int(n); five *= 5 {
		for three := five; three <= int(n); three *= 3 {
			m := three
			for 2*m <= int(n) {
				m *= 2
			}
			best = max(best, m)
		}
	}
	return float64(best)
}

// weight returns g of a row with this ‖x‖² after scaling.
func (s *taylorSeries) weight(square float64) float64 {
	switch s.params.MethodParams.Kernel {
	case KernelGaussian:
		return portable.Exp(-0.5 * square)
	case KernelArcCosine:
		return math.Sqrt(square)
	}
	return 1
}

// smoothFrom returns the least product of powers of 2, 3 and 5 that is at least n ≥ 1.
func smoothFrom(n float64) float64 {
	best := math.Inf(1)
	for five := 1.0; five < 5*n; five *= 5 {
		for three := five; three < 3*n; three *= 3 {
			m := three
			for m < n {
				m *= 2
			}
			best = min(best, m)
		}
	}
	return best
}
