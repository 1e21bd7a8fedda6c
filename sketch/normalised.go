package sketch

import "math"

// Under kernel normalisation the estimate of κ = κ(x,y) is A·√(κx·κy/(B·C)) with A = ⟨fx,fy⟩, B = ‖fx‖², C = ‖fy‖²,
// κx = κ(x,x) and κy = κ(y,y). With a, b, c the means of A, B, C it tends to L = r·a, r = √(κx·κy/(b·c)), as D grows.
// To second order in the deviations from the means
//
//	Var  = r²·[Var A + a²/4·(Var B/b² + Var C/c² + 2 Cov(B,C)/(b·c)) − a·(Cov(A,B)/b + Cov(A,C)/c)]
//	bias = L − κ + r·{a·[⅜(Var B/b² + Var C/c²) + Cov(B,C)/(4·b·c)] − ½(Cov(A,B)/b + Cov(A,C)/c)}
//
// Repeats divide the variance, because each sketch is normalised separately. They do not change the
// bias.

// A normalised holds the expansion of the normalised estimate of one pair by a law.
type normalised struct {
	law            covariant
	x, y           []float64
	variance, bias [6]float64 // factors of the six covariances, ordered as in pairing
	limit          float64    // L − κ
}

// pairing returns the vectors of covariance i. The covariances are Var A, Var B, Var C, Cov(B,C),
// Cov(A,B), Cov(A,C).
func (n *normalised) pairing(i int) (a, b, c, d []float64) {
	const vectors = "xyxy" + "xxxx" + "yyyy" + "xxyy" + "xyxx" + "xyyy"
	of := func(k int) []float64 {
		if vectors[4*i+k] == 'x' {
			return n.x
		}
		return n.y
	}
	return of(0), of(1), of(2), of(3)
}

// newNormalised returns the expansion for a pair; ok is false if the mean or covariances are not
// known.
func newNormalised(l law, x, y []float64) (n *normalised, ok bool) {
	n = &normalised{x: x, y: y}
	if n.law, ok = l.(covariant); !ok {
		return n, false
	}
	var kernel, mean [3]float64
	for i := range kernel {
		v, w, _, _ := n.pairing(i)
		kernel[i] = l.kernel(v, w)
		mean[i] = kernel[i] + biasOf(l, v, w)
		if mean[i] != mean[i] {
			return n, false
		}
	}
	a, b, c := mean[0], mean[1], mean[2]
	if kernel[1] == 0 || kernel[2] == 0 || b == 0 || c == 0 { // one feature vector is zero, and so is the estimate
		n.limit = 0 - kernel[0]
		return n, true
	}
	r2 := float64((kernel[1] / b) * (kernel[2] / c)) // 1 if the method is unbiased
	r := math.Sqrt(r2)
	for i, f := range [...]float64{1, a / b / b, a / c / c, a / b / c, 1 / b, 1 / c} {
		inVariance, inBias := -a, -0.5
		switch {
		case i == 0:
			inVariance, inBias = 1, 0
		case i < 3:
			inVariance, inBias = a/4, 0.375
		case i == 3:
			inVariance, inBias = a/2, 0.25
		}
		n.variance[i], n.bias[i] = r2*(inVariance*f), r*(inBias*f)
	}
	n.limit = float64(r*a) - kernel[0]
	return n, true
}

// biasOf returns the bias of a law without kernel normalisation.
func biasOf(l law, x, y []float64) float64 {
	if b, ok := l.(biased); ok {
		return b.bias(x, y)
	}
	return 0
}

// at returns the variance without repeats, and the bias minus its limit.
func (n *normalised) at(nComponents float64) (variance, bias float64) {
	for i := range n.variance {
		if n.variance[i] == 0 { // a factor is 0 if a feature vector is zero
			continue
		}
		a, b, c, d := n.pairing(i)
		covariance := n.law.covariance(a, b, c, d, nComponents)
		variance += float64(n.variance[i] * covariance)
		bias += float64(n.bias[i] * covariance)
	}
	return variance, bias
}

// wholeBias returns the bias, or NaN if it exceeds float64.
func (n *normalised) wholeBias(nComponents int) float64 {
	_, bias := n.at(float64(nComponents))
	if bias += n.limit; finite(bias) {
		return bias
	}
	return math.NaN()
}

// typical returns a D at which |bias| + z·σ is at most epsilon. It adds the sizes of both parts of
// the bias, as if they had one sign.
func (n *normalised) typical(epsilon, z float64, repeats int, least, step float64) float64 {
	return leastWhere(func(nComponents float64) float64 {
		variance, bias := n.at(nComponents)
		return math.Abs(bias) + float64(z*math.Sqrt(max(0, variance)/float64(repeats)))
	}, epsilon-math.Abs(n.limit), least, step)
}
