package sketch

import (
	"math"

	"tensorsketch.example/internal/portable"
)

// This file holds the exact kernel and the error of its estimate, in float64. docs/theory.md has the covariances
// Cov(⟨fa,fb⟩, ⟨fc,fd⟩) of all methods, and the sums P, Q, R and s in them. Where the tensor sketch's comes from:
//
// Let the h_k be 2-wise and the s_k 4-wise independent. In ⟨fa,fb⟩⟨fc,fd⟩ the signs of a degree have mean 1 only if its
// four indices pair up. Counting four equal indices once, the first kind of pairing has weight P, the second Q − s, the
// third R − s. The first kind adds nothing to the two bucket differences. The second adds a uniform δ to both, the
// third δ to one and −δ to the other. Let A and B be the sums of these δ. Both differences vanish if
// A + B ≡ A − B ≡ 0 mod D: with probability 1 if all kinds are first, 1/D with second or third kinds alone, and q/D²
// with both, since 2B ≡ 0 and A ≡ −B. Inclusion and exclusion over the degrees gives the formula.
//
// In the complex tensor sketch, z(a,b) z̄(c,d) has P and Q, z(a,b) z(c,d) has P and R. There are D/2 buckets, and the
// real part takes half the sum.
//
// Vectors here are the ones that a map takes: of length d, or for maps of products of unlike
// vectors the p vectors one after another.

// Kind is the kind of a standard error.
type Kind int

// The kinds of standard error.
const (
	Exact      Kind = iota // standard deviation over seeds
	FirstOrder             // first-order approximation of it: under kernel normalisation, or of structured frequencies
	Bound                  // upper bound
	Unknown                // not known
	Measured               // measured on a sample over up to 1 + ⌊64/D⌋ seeds; only from Plan
)

func (k Kind) String() string {
	return [...]string{"exact", "first-order", "bound", "unknown", "measured"}[k]
}

// Dot returns ⟨a, b⟩ of two feature vectors, the estimate of the kernel. With MethodParams.Signed
// multiply one of them by FeatureMap.Signs first. It panics if their lengths differ.
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

// A law holds the known formulas for the estimates of one method, for one sketch of D components
// before kernel normalisation. Vectors are raw, as the map takes them, and have the right length. A
// law is also covariant or varied, and may be biased.
type law interface {
	// kernel returns κ(x, y).
	kernel(x, y []float64) float64
	// normKernel returns κ(x, x) from ‖x‖², with the same bits on every platform; of features with signs E‖f(x)‖².
	normKernel(square float64) float64
}

// varied is a law whose variance is not exact or not always known.
type varied interface {
	// variance returns the variance of ⟨f(x), f(y)⟩ over seeds for D components. If kind is
	// Unknown, v is ignored.
	variance(x, y []float64, nComponents float64) (v float64, kind Kind)
}

// varianceOf returns the variance of a law: from varied, or as the covariance of ⟨fx,fy⟩ with
// itself.
func varianceOf(l law, x, y []float64, nComponents float64) (v float64, kind Kind) {
	if v, ok := l.(varied); ok {
		return v.variance(x, y, nComponents)
	}
	return l.(covariant).covariance(x, y, x, y, nComponents), Exact
}

// covariant is a law that knows the exact covariance of ⟨fa,fb⟩ and ⟨fc,fd⟩. It determines the
// first-order error under kernel normalisation.
type covariant interface {
	covariance(a, b, c, d []float64, nComponents float64) float64
}

// biased is a law whose estimates have a mean other than the kernel.
type biased interface {
	// bias returns E⟨f(x), f(y)⟩ − κ(x, y), or NaN if it is not known.
	bias(x, y []float64) float64
}

// unitNormed is a law whose κ(x, x) can be 1 for every row that the map takes.
type unitNormed interface {
	unitNorm() bool
}

// solvable is a law whose variance does not fall steadily with D.
type solvable interface {
	// leastComponents returns the least D at which the variance is at most v.
	leastComponents(x, y []float64, v float64) float64
}

// componentRange is a law whose map has a least D, or a step between valid D.
type componentRange interface {
	components() (least, step float64)
}

// Formulas holds the known formulas for the estimates of a map of any method. It needs the map's
// parameters but no tables. It may be used concurrently.
type Formulas struct {
	params Params
	law    law
}

// NewFormulas returns the formulas of the map that NewFeatureMap would make. The error is an *Error
// with code ErrParam.
func NewFormulas(params Params) (*Formulas, error) { return newFormulas(&params, allMethods) }

// NewTensorFormulas returns the formulas of the map that New would make, for programs that link no
// other methods' code. The error is an *Error with code ErrParam.
func NewTensorFormulas(params Params) (*Formulas, error) {
	if err := params.checkForNew(); err != nil {
		return nil, err
	}
	return newFormulas(&params, tensorMethods)
}

func newFormulas(params *Params, known lookup) (*Formulas, error) {
	f := new(Formulas)
	if err := f.init(params, known); err != nil {
		return nil, err
	}
	return f, nil
}

// init makes f the formulas of the parameters, and fills in their defaults.
func (f *Formulas) init(params *Params, known lookup) error {
	params.setDefaults(known)
	if err := params.validate(known); err != nil {
		return err
	}
	params.copyTo(&f.params)
	f.law = known.of(params.Method).law(&f.params)
	return nil
}

// Params returns the parameters with every default filled in.
func (f *Formulas) Params() Params { return f.params }

// NFeatures returns d, the length of an input row. For a map of products of unlike vectors it is
// the sum over degrees.
func (f *Formulas) NFeatures() int { return f.params.allFeatures() }

// NComponents returns the length of an output row: D, or t·D with t repeats.
func (f *Formulas) NComponents() int { return f.params.Repeats * f.params.NComponents }

func (f *Formulas) checkLengths(vectors ...[]float64) {
	for _, v := range vectors {
		if len(v) != f.NFeatures() {
			panic("sketch: a vector's length is not the map's NFeatures")
		}
	}
}

// Kernel returns κ(x, y), exact in float64. It panics on a wrong length.
func (f *Formulas) Kernel(x, y []float64) float64 {
	f.checkLengths(x, y)
	return f.law.kernel(x, y)
}

// NormKernel returns κ(x, x) of a row with this ‖x‖², with the same bits on every platform. For
// products of unlike vectors, every vector has this squared norm. With MethodParams.Signed it returns
// the mean of ‖f(x)‖², which is larger.
func (f *Formulas) NormKernel(square float64) float64 { return f.law.normKernel(square) }

// UnitNorm reports whether κ(x, x) is 1 for every row that the map takes.
func (f *Formulas) UnitNorm() bool {
	l, ok := f.law.(unitNormed)
	return ok && l.unitNorm()
}

// Bias returns E⟨f(x), f(y)⟩ − κ(x, y) over seeds: 0 for the unbiased methods. Under kernel
// normalisation it is a second-order approximation, which repeats do not reduce. It is NaN if not
// known.
func (f *Formulas) Bias(x, y []float64) float64 {
	f.checkLengths(x, y)
	if f.params.Normalize == NormalizeKernel {
		if n, ok := newNormalised(f.law, x, y); ok {
			return n.wholeBias(f.params.NComponents)
		}
		return math.NaN()
	}
	return biasOf(f.law, x, y)
}

// StdError returns the standard deviation over seeds of the estimate of κ(x,y). Its kind is Exact
// or Bound, or FirstOrder under kernel normalisation and of structured frequencies. If it is not
// known, or exceeds float64, the result is NaN and Unknown. It panics on a wrong length.
func (f *Formulas) StdError(x, y []float64) (sigma float64, kind Kind) {
	f.checkLengths(x, y)
	variance, kind := f.variance(x, y, float64(f.params.NComponents))
	if kind == Unknown || !finite(variance) {
		return math.NaN(), Unknown
	}
	return math.Sqrt(max(0, variance)), kind
}

// Variance returns the square of StdError for a map with nComponents in each repeat and otherwise
// the same parameters, or NaN if it is not known. Below the least D of the method it is
// extrapolated as 1/D. It panics on a wrong length.
func (f *Formulas) Variance(x, y []float64, nComponents float64) float64 {
	f.checkLengths(x, y)
	least := 1.0
	if r, ok := f.law.(componentRange); ok {
		least, _ = r.components()
	}
	at := max(least, nComponents)
	v, kind := f.variance(x, y, at)
	if kind == Unknown {
		return math.NaN()
	}
	return max(0, v) * (at / nComponents)
}

// variance returns the variance of the map's estimate, with nComponents in each repeat.
func (f *Formulas) variance(x, y []float64, nComponents float64) (float64, Kind) {
	repeats := float64(f.params.Repeats)
	if f.params.Normalize != NormalizeKernel {
		v, kind := varianceOf(f.law, x, y, nComponents)
		return v / repeats, kind
	}
	n, ok := newNormalised(f.law, x, y)
	if !ok {
		return math.NaN(), Unknown
	}
	v, _ := n.at(nComponents)
	return v / repeats, FirstOrder
}

// ChooseComponents returns a D, for each repeat, that keeps the estimate of κ(x,y) within ±epsilon
// with probability 1 − delta. guaranteed suffices by Chebyshev's inequality; typical suffices by
// the normal approximation. Both take a bias into account.
//
// A smaller D may suffice too if the variance does not fall steadily with D, but one step less does
// not. Both may exceed MaxComponents, and are infinite if no D suffices. An error of first order
// guarantees nothing, and guaranteed is NaN. If no variance is known, both are NaN. The errors are
// epsilon ≤ 0 and delta outside (0, 1).
func (f *Formulas) ChooseComponents(x, y []float64, epsilon, delta float64) (guaranteed, typical float64, err error) {
	if err := checkQuestion(epsilon, delta); err != nil {
		return 0, 0, err
	}
	f.checkLengths(x, y)
	least, step := 1.0, 1.0
	if r, ok := f.law.(componentRange); ok {
		least, step = r.components()
	}
	z := -portable.NormalQuantile(delta / 2) // not of 1 − δ/2, which rounds to 1
	if f.params.Normalize == NormalizeKernel {
		n, ok := newNormalised(f.law, x, y)
		if !ok {
			return math.NaN(), math.NaN(), nil
		}
		return math.NaN(), n.typical(epsilon, z, f.params.Repeats, least, step), nil
	}
	bias := f.Bias(x, y)
	_, kind := f.variance(x, y, least)
	if kind == Unknown || bias != bias {
		return math.NaN(), math.NaN(), nil
	}
	typical, guaranteed = math.Inf(1), math.Inf(1)
	if room := epsilon - math.Abs(bias); room > 0 {
		typical = f.leastFor(x, y, room*room/(z*z), least, step)
	}
	if room := float64(epsilon*epsilon*delta) - float64(bias*bias); room > 0 { // Markov on the squared error
		guaranteed = f.leastFor(x, y, room, least, step)
	}
	if kind == FirstOrder {
		guaranteed = math.NaN()
	}
	return guaranteed, typical, nil
}

// leastFor returns a D at which the variance is at most v.
func (f *Formulas) leastFor(x, y []float64, v, least, step float64) float64 {
	if s, ok := f.law.(solvable); ok {
		return s.leastComponents(x, y, v*float64(f.params.Repeats))
	}
	return leastWhere(func(nComponents float64) float64 {
		variance, _ := f.variance(x, y, nComponents)
		return variance
	}, v, least, step)
}

// checkQuestion returns an error if epsilon or delta is out of range.
func checkQuestion(epsilon, delta float64) error {
	if !(epsilon > 0) || !finite(epsilon) {
		return paramError("epsilon", portable.FormatNumber(epsilon), "be a finite number > 0")
	}
	if !(delta > 0 && delta < 1) {
		return paramError("delta", portable.FormatNumber(delta), "be a number between 0 and 1")
	}
	return nil
}

// leastWhere returns a D = least + k·step at which the error is at most v, and one step below which
// it is not. It returns infinity if it finds none below 2^52. If the error falls with D, the result
// is the least such D.
func leastWhere(error func(nComponents float64) float64, v, least, step float64) float64 {
	at := func(k float64) bool { return error(least+float64(k*step)) <= v }
	if at(0) {
		return least
	}
	low, high := 0.0, 1.0
	for !at(high) {
		if low, high = high, 2*high; high > 1<<52 {
			return math.Inf(1)
		}
	}
	for high-low > 1 {
		if middle := math.Floor((low + high) / 2); at(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return least + float64(high*step)
}

func power(base float64, exponent int) float64 {
	result := 1.0
	for range exponent {
		result *= base
	}
	return result
}
