package sketch

import (
	"cmp"
	"math"
	"strconv"

	"tensorsketch.example/internal/portable"
)

// maclaurinMethod is Random Maclaurin (Kar & Karnick 2012), for kernels κ(x,y) = Σ a_n (γ⟨x,y⟩)^n
// with a_n ≥ 0. The order n of each feature is drawn with probability P(n) ∝ order^−n among the
// orders with a_n > 0. The feature is √(a_n/P(n)) · Π_{k<n} ⟨ω_k, √γ·x⟩/√D with random signs or
// normal numbers ω_k.
//
// With h01 the first 1 + d numbers are √a_0 and √(a_1 γ)·x, and the features have order 2 or more.
// With allOrders, as Kar & Karnick have it, the orders with a_n = 0 are drawn as well, without end,
// and their features are 0.
func maclaurinMethod() *method {
	return &method{
		defaults: maclaurinDefaults,
		check:    checkMaclaurin,
		scaling:  func(p *Params) (factor, constant float64) { return math.Sqrt(p.Gamma), 0 },
		law:      func(p *Params) law { return maclaurinLawOf(p) },
		core:     newMaclaurinCore,
		bytes:    maclaurinBytes,
	}
}

func maclaurinDefaults(p *Params) {
	m := &p.MethodParams
	m.Order = cmp.Or(m.Order, 2)
	defaultKernel(p, KernelPolynomial)
	if m.Kernel != KernelPolynomial && p.Degree == 0 {
		p.Degree = 1
	}
	defaultDistribution(p)
}

// maxOrder is the largest order parameter. Beyond it probabilities and weights leave the range of
// float64.
const maxOrder = 100

func checkMaclaurin(p *Params) error {
	m := &p.MethodParams
	if err := checkDistribution(p); err != nil {
		return err
	}
	if !(m.Order > 1 && m.Order <= maxOrder) && m.Order != 0 {
		return paramError("methodParams.order", portable.FormatNumber(m.Order),
			"be a number above 1 and up to "+strconv.Itoa(maxOrder))
	}
	if err := checkSeries(p); err != nil {
		return err
	}
	terms := seriesOf(p)
	if !m.H01 {
		return nil
	}
	if len(terms) < 3 {
		return paramError("methodParams.h01", "true", "be false for a kernel without terms beyond the linear one")
	}
	if p.NComponents < p.NFeatures+2 {
		return paramError("nComponents", strconv.Itoa(p.NComponents),
			"be at least nFeatures + 2 = "+strconv.Itoa(p.NFeatures+2)+
				" with methodParams.h01, which keeps 1 + nFeatures of them for the constant and the linear term")
	}
	return nil
}

// checkSeries checks the parameters that depend on the name of the kernel.
func checkSeries(p *Params) error {
	m := &p.MethodParams
	if m.Kernel != KernelSeries && m.Coefficients != nil {
		return paramError("methodParams.coefficients", strconv.Itoa(len(m.Coefficients))+" numbers",
			"be left out unless methodParams.kernel is "+quote(KernelSeries))
	}
	if m.Kernel != KernelPolynomial && m.Kernel != "" {
		of := " for methodParams.kernel " + quote(m.Kernel)
		if p.Degree != 1 {
			return paramError("degree", strconv.Itoa(p.Degree), "be 1"+of+", or be left out")
		}
		if p.Coef0 != 0 {
			return paramError("coef0", portable.FormatNumber(p.Coef0), "be 0"+of+", or be left out")
		}
	}
	if m.Kernel != KernelSeries {
		return nil
	}
	if n := len(m.Coefficients); n == 0 || n > MaxDegree+1 {
		return paramError("methodParams.coefficients", strconv.Itoa(n)+" numbers", "be 1 to "+strconv.Itoa(MaxDegree+1)+
			" numbers a_0, a_1, … for methodParams.kernel "+quote(KernelSeries))
	}
	positive := false
	for n, a := range m.Coefficients {
		if !(a >= 0) || !finite(a) {
			return paramError("methodParams.coefficients["+strconv.Itoa(n)+"]", portable.FormatNumber(a),
				"be a finite number ≥ 0: a kernel with a negative coefficient has no feature map of this kind")
		}
		positive = positive || a > 0
	}
	if !positive {
		return paramError("methodParams.coefficients", "only zeros", "hold a number above 0")
	}
	return nil
}

// seriesOf returns the coefficients a_0, a_1, … of the kernel as a series in γ⟨x,y⟩. The last one
// is not 0. They are C(p,n)·c^(p−n), or 1/n! up to n = MaxDegree, or the given coefficients.
func seriesOf(p *Params) []float64 {
	switch p.MethodParams.Kernel {
	case KernelExponential:
		terms := make([]float64, MaxDegree+1)
		terms[0] = 1
		for n := 1; n < len(terms); n++ {
			terms[n] = terms[n-1] / float64(n)
		}
		return terms
	case KernelSeries:
		terms := p.MethodParams.Coefficients
		for terms[len(terms)-1] == 0 {
			terms = terms[:len(terms)-1]
		}
		return terms
	}
	terms := make([]float64, p.Degree+1)
	binomial := 1.0
	for n := p.Degree; n >= 0; n-- {
		terms[n] = binomial * power(p.Coef0, p.Degree-n)
		binomial = binomial * float64(n) / float64(p.Degree-n+1)
	}
	return terms
}

// maclaurinLaw holds the coefficients and the probabilities of the orders. M is the fourth moment
// P + Q + R − 2s of the vectors scaled by √γ; for normal numbers without the term in s. Then
//
//	Cov(⟨fa,fb⟩, ⟨fc,fd⟩) = [Σ a_n²/P(n)·M^n − κ(a,b)·κ(c,d)] / D
//
// Sum and kernels run over the orders that are drawn and have a term, and D is the number of features
// of all orders that are drawn.
type maclaurinLaw struct {
	params        *Params
	terms         []float64 // a_n
	probabilities []float64 // P(n), 0 for orders that are not drawn or without a term
	exact         int       // components kept for the constant and the linear term
}

func maclaurinLawOf(p *Params) *maclaurinLaw {
	l := &maclaurinLaw{params: p, terms: seriesOf(p)}
	if p.MethodParams.H01 {
		l.exact = 1 + p.NFeatures
	}
	l.probabilities = make([]float64, len(l.terms))
	total, weight := 0.0, 1.0
	for n, a := range l.terms {
		if drawn := n >= 2 || !p.MethodParams.H01; drawn && a > 0 {
			l.probabilities[n] = weight
			total += weight
		} else if drawn && p.MethodParams.AllOrders {
			total += weight
		}
		weight /= p.MethodParams.Order
	}
	if q := p.MethodParams.Order; p.MethodParams.AllOrders {
		total += weight * q / (q - 1) // of the orders beyond
	}
	for n := range l.probabilities {
		l.probabilities[n] /= total
	}
	return l
}

// series returns Σ a_n t^n over all orders, or over the drawn orders only.
func (l *maclaurinLaw) series(t float64, drawn bool) float64 {
	sum := 0.0
	for n := len(l.terms) - 1; n >= 0; n-- {
		sum = float64(sum * t)
		if !drawn || l.probabilities[n] > 0 {
			sum += l.terms[n]
		}
	}
	return sum
}

func (l *maclaurinLaw) of(inner float64) float64 {
	switch l.params.MethodParams.Kernel {
	case KernelExponential:
		return portable.Exp(l.params.Gamma * inner)
	case KernelSeries:
		return l.series(l.params.Gamma*inner, false)
	}
	return polynomialKernel(l.params, inner)
}

func (l *maclaurinLaw) kernel(x, y []float64) float64     { return l.of(dot64(x, y)) }
func (l *maclaurinLaw) normKernel(square float64) float64 { return l.of(square) }

// bias returns the bias of the exponential kernel, whose orders end at MaxDegree: minus the rest of
// its series.
func (l *maclaurinLaw) bias(x, y []float64) float64 {
	if l.params.MethodParams.Kernel != KernelExponential {
		return 0
	}
	t := l.params.Gamma * dot64(x, y)
	term := l.terms[MaxDegree] * power(t, MaxDegree)
	rest := 0.0
	for n := MaxDegree + 1; n < MaxDegree+1000; n++ {
		if term = term * t / float64(n); rest+term == rest {
			break
		}
		rest += term
	}
	return -rest
}

func (l *maclaurinLaw) covariance(a, b, c, d []float64, nComponents float64) float64 {
	gamma := l.params.Gamma
	m := pairingsOf(gamma, 0, a, b, c, d).fourth(l.params.MethodParams.isNormal())
	sum, powerOfM := 0.0, 1.0
	for n, a := range l.terms {
		if l.probabilities[n] > 0 {
			sum += float64(float64(a*a) / l.probabilities[n] * powerOfM)
		}
		powerOfM *= m
	}
	mean := float64(l.series(gamma*dot64(a, b), true) * l.series(gamma*dot64(c, d), true))
	return (sum - mean) / (nComponents - float64(l.exact))
}

func (l *maclaurinLaw) components() (least, step float64) {
	if l.exact > 0 {
		return float64(l.exact + 1), 1
	}
	return 1, 1
}

// counts draws the order of each feature from stream (domainOrder, 0), one word w each: the least n
// with P(0) + … + P(n) > ⌊w/2^11⌋/2^53. It returns the number of features of each order. Those
// without an order, which allOrders has, are 0.
func (l *maclaurinLaw) counts(draw randomness) []int {
	counts := make([]int, len(l.terms))
	s := draw.stream(domainOrder, 0)
	for range l.params.NComponents - l.exact {
		u, n := float64(s.uint64()>>11)/(1<<53), 0
		sum := l.probabilities[0]
		for ; sum <= u && n < len(counts)-1; sum += l.probabilities[n] {
			n++
		}
		if sum > u || !l.params.MethodParams.AllOrders {
			counts[n]++
		}
	}
	return counts
}

func newMaclaurinCore(p *Params, width int, draw randomness) core {
	l := maclaurinLawOf(p)
	weights := make([]float32, len(l.terms))
	for n, probability := range l.probabilities {
		if probability > 0 {
			weights[n] = featureScale(math.Sqrt(l.terms[n]/probability), p.NComponents-l.exact)
		}
	}
	c := newProductCore(draw, width, l.counts(draw), weights, p.MethodParams.isNormal(), false)
	if l.exact > 0 {
		c.linear = &linearPart{float32(math.Sqrt(l.terms[0])), float32(math.Sqrt(l.terms[1]))}
	}
	return c
}

// maclaurinBytes assumes a sum of orders of the mean plus eight standard deviations. A seed exceeds
// it with a probability of about 10^−15.
func maclaurinBytes(p *Params, width int) int64 {
	l := maclaurinLawOf(p)
	mean, square := 0.0, 0.0
	for n, probability := range l.probabilities {
		mean += float64(float64(n) * probability)
		square += float64(float64(n*n) * probability)
	}
	features := float64(p.NComponents - l.exact)
	deviation := math.Sqrt(max(0, square-float64(mean*mean)) * features)
	rows := min(features*mean+8*deviation+64, features*float64(len(l.terms)-1))
	return productBytes(int(rows), width, p.MethodParams.isNormal())
}
