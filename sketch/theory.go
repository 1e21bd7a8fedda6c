package sketch

import (
	"math"
)

// This file holds the exact kernel and the error of its estimate, in float64.
// The derivation of the covariance is in docs/theory.md.
//
// Vectors here are those a map takes: of length d, or for maps of products of
// unlike vectors the p vectors one after another.

// Kind says what a standard error is.
type Kind int

// The kinds of standard error.
const (
	Exact      Kind = iota // the standard deviation over seeds
	FirstOrder             // its first-order approximation, under kernel normalisation
	Bound                  // an upper bound
	Unknown                // none is known
	Measured               // what a sample showed over up to 1 + ⌊64/D⌋ seeds; of Plan alone
)

func (k Kind) String() string {
	return [...]string{"exact", "first-order", "bound", "unknown", "measured"}[k]
}

// Dot returns ⟨a, b⟩ of two feature vectors, the estimate of the kernel.
// It panics where their lengths differ.
func Dot(a, b []float32) float64 {
	if len(a) != len(b) {
		panic("sketch: Dot of slices of unlike lengths")
	}
	sum := 0.0
	for i, v := range a {
		sum += float64(float64(v) * float64(b[i]))
	}
	return sum
}

// Theory holds the formulas of a feature map: what they tell needs its
// parameters, but neither tables nor transforms. It may be used concurrently.
type Theory struct{ params Params }

// NewTheory returns the formulas of the map that New would make; NewFormulas has
// those of any method. The error is an *Error with code ErrParam.
func NewTheory(params Params) (*Theory, error) {
	if err := params.resolveTensor(); err != nil {
		return nil, err
	}
	return &Theory{params}, nil
}

// resolveTensor fills in the defaults and validates parameters for New.
func (p *Params) resolveTensor() error {
	p.setDefaults(tensorMethodOf)
	if tensorMethodOf(p.Method) == nil {
		return paramError("method", quote(p.Method),
			`be "`+MethodTensorSketch+`", "`+MethodCountSketch+`" or "`+MethodComplexTensorSketch+`" for New: call NewFeatureMap for the others`)
	}
	return p.validate(tensorMethodOf)
}

// Params returns the parameters with every default filled in.
func (t *Theory) Params() Params { return t.params }

// NFeatures returns d, the length of an input row; the sum over degrees for a
// map of products of unlike vectors.
func (t *Theory) NFeatures() int { return t.params.allFeatures() }

// NComponents returns the length of an output row: D, or t·D with t repeats.
func (t *Theory) NComponents() int { return t.params.Repeats * t.params.NComponents }

// Kernel returns κ(x, y) = Π_k (γ⟨x_k, y_k⟩ + c), which is (γ⟨x,y⟩ + c)^p where
// every degree takes the same vector. It panics on a wrong length.
func (t *Theory) Kernel(x, y []float64) float64 {
	kernel := 1.0
	t.eachDegree(func(from, to int) {
		kernel *= t.inner(x[from:to], y[from:to])
	}, x, y)
	return kernel
}

// inner returns γ⟨x,y⟩ + c, the inner product of scaled vectors with the
// constant coordinate.
func (t *Theory) inner(x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += float64(v * y[i])
	}
	return float64(t.params.Gamma*sum) + t.params.Coef0
}

// eachDegree calls f with the part of the vectors that each degree takes, after
// checking the vectors' lengths.
func (t *Theory) eachDegree(f func(from, to int), vectors ...[]float64) {
	for _, v := range vectors {
		if len(v) != t.NFeatures() {
			panic("sketch: a vector's length is not the map's NFeatures")
		}
	}
	from := 0
	for k := range t.params.Degree {
		to := from + t.params.FeaturesOf(k)
		f(from, to)
		if t.params.isProduct() {
			from = to
		}
	}
}

// A spread holds a variance or covariance for every D at once: a/D + q·b/D²
// with q = gcd(2, D).
type spread struct{ a, b float64 }

func (s spread) at(nComponents float64) float64 {
	q := 1.0
	if math.Mod(nComponents, 2) == 0 {
		q = 2
	}
	return s.a/nComponents + float64(q*s.b)/float64(nComponents*nComponents)
}

// covariance returns that of ⟨fa,fb⟩ and ⟨fc,fd⟩ over seeds, before any
// normalisation: with P = (a·b)(c·d), Q = (a·c)(b·d), R = (a·d)(b·c) and
// s = Σ a_i b_i c_i d_i of each degree, after scaling and with the constant
// coordinate,
//
//	[Π(P+Q−s) + Π(P+R−s) − 2ΠP] / D + q [Π(P+Q+R−2s) − Π(P+Q−s) − Π(P+R−s) + ΠP] / D²
//
// where the products over the degrees are p-th powers if all take one vector. That
// of the complex tensor sketch is the first bracket alone.
func (t *Theory) covariance(a, b, c, d []float64) spread {
	p, pq, pr, pqr := 1.0, 1.0, 1.0, 1.0
	gamma2, coef2 := float64(t.params.Gamma*t.params.Gamma), float64(t.params.Coef0*t.params.Coef0)
	t.eachDegree(func(from, to int) {
		a, b, c, d := a[from:to], b[from:to], c[from:to], d[from:to]
		P := float64(t.inner(a, b) * t.inner(c, d))
		Q := float64(t.inner(a, c) * t.inner(b, d))
		R := float64(t.inner(a, d) * t.inner(b, c))
		s := 0.0
		for i, v := range a {
			s += float64(float64(v*b[i]) * float64(c[i]*d[i]))
		}
		s = float64(gamma2*s) + coef2
		p *= P
		pq *= P + Q - s
		pr *= P + R - s
		pqr *= P + Q + R - 2*s
	}, a, b, c, d)
	// The accumulated products are rounded before they are summed.
	p, pq, pr, pqr = float64(p), float64(pq), float64(pr), float64(pqr)
	if t.params.isComplexSketch() {
		return spread{a: pq + pr - 2*p}
	}
	return spread{pq + pr - 2*p, pqr - pq - pr + p}
}

// Covariance returns the exact covariance over seeds of the estimates ⟨fa,fb⟩ and
// ⟨fc,fd⟩ of a map without kernel normalisation. It panics on a wrong length.
func (t *Theory) Covariance(a, b, c, d []float64) float64 {
	return t.covariance(a, b, c, d).at(float64(t.params.NComponents)) / float64(t.params.Repeats)
}

// Variance returns the exact variance over seeds of the estimate ⟨fx,fy⟩ of a map
// without kernel normalisation. At degree 1 it is Lemma 2 of KDD 2013. It panics
// on a wrong length.
func (t *Theory) Variance(x, y []float64) float64 { return t.Covariance(x, y, x, y) }

// StdError returns the standard deviation over seeds of the estimate of κ(x,y),
// Exact, or FirstOrder for a kernel-normalised map. Where the variance is beyond
// float64 it is NaN and Unknown. It panics on a wrong length.
func (t *Theory) StdError(x, y []float64) (sigma float64, kind Kind) {
	variance, kind := t.Variance(x, y), Exact
	if t.params.Normalize == NormalizeKernel {
		variance, _ = t.normalised(x, y).at(float64(t.params.NComponents))
		variance, kind = variance/float64(t.params.Repeats), FirstOrder
	}
	if !finite(variance) {
		return math.NaN(), Unknown
	}
	return math.Sqrt(max(0, variance)), kind
}

// normalised returns the expansion of the estimate. It panics on a wrong length.
func (t *Theory) normalised(x, y []float64) *normalised {
	t.eachDegree(func(int, int) {}, x, y) // checks the lengths
	n, _ := newNormalised(&tensorLaw{t}, x, y)
	return n
}

// Bias returns E⟨f(x), f(y)⟩ − κ(x, y) over seeds: 0, or under kernel normalisation its second-order
// approximation, which repeats do not lessen. Where that is beyond float64 it is NaN. It panics on a wrong length.
func (t *Theory) Bias(x, y []float64) float64 {
	n := t.normalised(x, y)
	if t.params.Normalize != NormalizeKernel {
		return 0
	}
	return n.wholeBias(t.params.NComponents)
}

// Theorem9Variance returns the bound on the variance of the journal version's
// Theorem 9, (3^p − 1)/D · ‖x‖^2p ‖y‖^2p, the norms taken after scaling and with
// the constant coordinate. It holds for maps without kernel normalisation.
func (t *Theory) Theorem9Variance(x, y []float64) float64 {
	return (power(3, t.params.Degree) - 1) / float64(t.NComponents()) * t.Kernel(x, x) * t.Kernel(y, y)
}

// Lemma6Variance returns the bound on the variance that Lemma 6 of the conference version (KDD 2013) claims,
// (T^p + N^p)/D = (⟨x,y⟩^2p + ‖x‖^2p ‖y‖^2p)/D. It fails for p > 1 where many coordinates have a part in vectors that
// are not nearly orthogonal, and is far above the variance where one coordinate dominates. It is here to be compared
// with Variance.
func (t *Theory) Lemma6Variance(x, y []float64) float64 {
	kernel := t.Kernel(x, y)
	return (float64(kernel*kernel) + float64(t.Kernel(x, x)*t.Kernel(y, y))) / float64(t.NComponents())
}

// Lemma7Probability returns the bound that Lemma 7 of the conference version draws from its Lemma 6 and Chebyshev's
// inequality, on the probability that the estimate misses κ by ε·κ or more: 2/(Dε²)·cos^−2p θ, at most 1. It fails
// where Lemma 6 does.
func (t *Theory) Lemma7Probability(x, y []float64, epsilon float64) float64 {
	kernel := t.Kernel(x, y)
	cosines := float64(kernel*kernel) / float64(t.Kernel(x, x)*t.Kernel(y, y)) // cos^2p θ
	return min(1, 2/float64(float64(t.NComponents())*epsilon*epsilon*cosines))
}

func power(base float64, exponent int) float64 {
	result := 1.0
	for range exponent {
		result *= base
	}
	return result
}

// ChebyshevProbability returns Chebyshev's bound min(1, variance/epsilon²) on the
// probability that an unbiased estimate misses its mean by epsilon or more.
// The variance may be exact or itself a bound.
func ChebyshevProbability(variance, epsilon float64) float64 {
	return min(1, variance/(epsilon*epsilon))
}

// ChooseComponents answers which D keeps the estimate of κ(x,y) within ±epsilon
// with probability 1 − delta: the least D for which Chebyshev's inequality with
// the exact variance guarantees it, and the least for which the normal
// approximation says so, which is what one sees. Both may exceed MaxComponents,
// and are infinite where the variance is beyond float64.
// Under kernel normalisation the variance is first-order and the bias second-order: typical is a D that suffices for
// both, nothing is guaranteed, and guaranteed is NaN. With repeats D is that of each. The errors are epsilon ≤ 0 and
// delta outside (0, 1).
func (t *Theory) ChooseComponents(x, y []float64, epsilon, delta float64) (guaranteed, typical float64, err error) {
	if err := checkQuestion(epsilon, delta); err != nil {
		return 0, 0, err
	}
	repeats := float64(t.params.Repeats)
	z := -normalQuantile(delta / 2) // not of 1 − δ/2, which rounds to 1
	if t.params.Normalize == NormalizeKernel {
		step := 1.0
		if t.params.isComplexSketch() {
			step = 2
		}
		return math.NaN(), t.normalised(x, y).typical(epsilon, z, t.params.Repeats, step, step), nil
	}
	s := t.covariance(x, y, x, y)
	typical = t.leastComponents(s, epsilon*epsilon/(z*z)*repeats)
	return t.leastComponents(s, epsilon*epsilon*delta*repeats), typical, nil
}

// leastComponents returns the least D that the map can have at which the variance is
// at most v.
func (t *Theory) leastComponents(s spread, v float64) float64 {
	least := s.leastComponents(v)
	if t.params.isComplexSketch() {
		return 2 * math.Ceil(least/2)
	}
	return least
}

// checkQuestion returns the error of an epsilon or delta that is out of range.
func checkQuestion(epsilon, delta float64) error {
	if !(epsilon > 0) || !finite(epsilon) {
		return paramError("epsilon", FormatNumber(epsilon), "be a finite number > 0")
	}
	if !(delta > 0 && delta < 1) {
		return paramError("delta", FormatNumber(delta), "be a number between 0 and 1")
	}
	return nil
}

// leastComponents returns the least D at which the variance is at most v, infinity
// where the variance is beyond float64.
func (s spread) leastComponents(v float64) float64 {
	if !finite(s.a) || !finite(s.b) {
		return math.Inf(1)
	}
	for _, D := range [...]float64{1, 2} { // below which it may rise with D
		if s.at(D) <= v {
			return D
		}
	}
	best := math.Inf(1)
	for _, q := range [...]float64{1, 2} { // odd D, even D
		root := float64(s.a*s.a) + float64(4*v*q*s.b) // of v·D² − a·D − q·b = 0
		guess := math.Floor((s.a + math.Sqrt(max(0, root))) / (2 * v))
		if !(guess < 1<<52) { // neighbours differ in nothing that counts
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
