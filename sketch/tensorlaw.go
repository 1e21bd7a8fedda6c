package sketch

import "math"

// This file holds the methods tensor-sketch and count-sketch, and the law of their estimates.

func tensorSketchMethod() *method {
	return &method{
		law:   func(p *Params) law { return &tensorLaw{p} },
		core:  newTensorPart,
		bytes: tensorPartBytes,
	}
}

// A spread holds a variance or covariance for every D at once: a/D + q·b/D² with q = gcd(2, D).
type spread struct{ a, b float64 }

func (s spread) at(nComponents float64) float64 {
	q := 1.0
	if math.Mod(nComponents, 2) == 0 {
		q = 2
	}
	return s.a/nComponents + float64(q*s.b)/float64(nComponents*nComponents)
}

// tensorLaw is the law of tensor-sketch and count-sketch. For each degree let P = (a·b)(c·d),
// Q = (a·c)(b·d), R = (a·d)(b·c) and s = Σ a_i b_i c_i d_i, after scaling and with the constant
// coordinate. Then the covariance of ⟨fa,fb⟩ and ⟨fc,fd⟩ over seeds is
//
//	[Π(P+Q−s) + Π(P+R−s) − 2ΠP] / D + q [Π(P+Q+R−2s) − Π(P+Q−s) − Π(P+R−s) + ΠP] / D²
//
// The products run over the degrees; they are p-th powers if all degrees take one vector. At degree
// 1 the variance is Lemma 2 of KDD 2013.
type tensorLaw struct{ params *Params }

// overDegrees returns the product over the degrees of value, called with the range of coordinates
// that the degree takes. If all degrees take one vector, its length n may leave out coordinates
// that are 0.
func (l *tensorLaw) overDegrees(n int, value func(from, to int) float64) float64 {
	if !l.params.isProduct() {
		return power(value(0, n), l.params.Degree)
	}
	product, from := 1.0, 0
	for _, d := range l.params.NFeaturesEach {
		product *= value(from, from+d)
		from += d
	}
	return product
}

func (l *tensorLaw) kernel(x, y []float64) float64 {
	return l.overDegrees(len(x), func(from, to int) float64 {
		return float64(l.params.Gamma*dot64(x[from:to], y[from:to])) + l.params.Coef0
	})
}

func (l *tensorLaw) normKernel(square float64) float64 { return polynomialKernel(l.params, square) }

func (l *tensorLaw) covariance(a, b, c, d []float64, nComponents float64) float64 {
	return l.spread(a, b, c, d).at(nComponents)
}

func (l *tensorLaw) leastComponents(x, y []float64, v float64) float64 {
	return l.spread(x, y, x, y).leastComponents(v)
}

// spread returns the covariance as a function of D.
func (l *tensorLaw) spread(a, b, c, d []float64) spread {
	gamma, coef0 := l.params.Gamma, l.params.Coef0
	if !l.params.isProduct() {
		return pairingsOf(gamma, coef0, a, b, c, d).tensorSpread(l.params.Degree)
	}
	products := [4]float64{1, 1, 1, 1}
	l.overDegrees(0, func(from, to int) float64 {
		for i, v := range pairingsOf(gamma, coef0, a[from:to], b[from:to], c[from:to], d[from:to]).patterns() {
			products[i] = float64(products[i] * v)
		}
		return 1
	})
	return spreadOf(products)
}

// tensorSpread returns the spread of degree n if all degrees take one vector.
func (m pairings) tensorSpread(n int) spread {
	products := m.patterns()
	for i, v := range products {
		products[i] = power(v, n)
	}
	return spreadOf(products)
}

// patterns returns the factors of the products over degrees.
func (m pairings) patterns() [4]float64 {
	return [...]float64{m.p, m.p + m.q - m.s, m.p + m.r - m.s, m.p + m.q + m.r - 2*m.s}
}

func spreadOf(products [4]float64) spread {
	p, pq, pr, pqr := products[0], products[1], products[2], products[3]
	return spread{pq + pr - 2*p, pqr - pq - pr + p}
}

func (l *tensorLaw) bound(x, y []float64) float64 {
	return l.overDegrees(len(x), func(from, to int) float64 {
		return oneNorm(l.params.Gamma, l.params.Coef0, x[from:to]) * oneNorm(l.params.Gamma, l.params.Coef0, y[from:to])
	})
}

// polynomialKernel returns (γ·inner + c)^p.
func polynomialKernel(p *Params, inner float64) float64 {
	return power(float64(p.Gamma*inner)+p.Coef0, p.Degree)
}

// dot64 returns ⟨x, y⟩.
func dot64(x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += float64(v * y[i])
	}
	return sum
}

// leastComponents returns the least D at which the variance is at most v, or infinity if the
// variance exceeds float64.
func (s spread) leastComponents(v float64) float64 {
	if !finite(s.a) || !finite(s.b) {
		return math.Inf(1)
	}
	for _, D := range [...]float64{1, 2} { // the variance may rise with D here
		if s.at(D) <= v {
			return D
		}
	}
	best := math.Inf(1)
	for _, q := range [...]float64{1, 2} { // odd D, even D
		root := float64(s.a*s.a) + float64(4*v*q*s.b) // discriminant of v·D² − a·D − q·b = 0
		guess := math.Floor((s.a + math.Sqrt(max(0, root))) / (2 * v))
		if !(guess < 1<<52) { // so large that neighbouring D make no difference
			best = min(best, guess)
			continue
		}
		guess = max(1, guess-2)
		if math.Mod(guess, 2) != math.Mod(q, 2) {
			guess++
		}
		for range 4 {
			if s.at(guess) <= v {
				best = min(best, guess)
				break
			}
			guess += 2
		}
	}
	return best
}
