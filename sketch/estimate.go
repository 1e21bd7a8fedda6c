package sketch

import (
	"math"

	"tensorsketch.example/internal/engine/order"
	"tensorsketch.example/internal/portable"
)

// This file holds the estimators of a map with t repeats: a feature vector is t
// sketches of D components one after another, each divided by √t.

// EstimateMedian returns the median of the estimates of κ(x,y) from the t = Repeats independent
// sketches in two feature vectors. For even t it is the mean of the two middle estimates. It
// resists single sketches that are far off, but has a small bias if the estimates are skewed. With
// MethodParams.Signed multiply one of the two by FeatureMap.Signs first. It panics if the lengths
// differ or are not a multiple of t.
func (f *Formulas) EstimateMedian(zx, zy []float32) float64 {
	repeats := f.params.Repeats
	if len(zx) != len(zy) || len(zx)%repeats != 0 {
		panic("sketch: EstimateMedian of slices that are not Repeats sketches of one length")
	}
	estimates, D := make([]float64, repeats), len(zx)/repeats
	for r := range estimates {
		estimates[r] = float64(repeats) * Dot(zx[r*D:(r+1)*D], zy[r*D:(r+1)*D])
	}
	return order.Median(estimates)
}

// chebyshevProbability returns Chebyshev's bound min(1, variance/epsilon²) on the
// probability that an unbiased estimate misses its mean by epsilon or more.
// The variance may be exact or itself a bound.
func chebyshevProbability(variance, epsilon float64) float64 {
	return min(1, variance/(epsilon*epsilon))
}

// hoeffdingProbability returns Hoeffding's bound min(1, 2·exp(−t·ε²/(2b²))) on the probability that
// the mean of t = repeats independent estimates, each from −b to +b, misses its expectation by
// epsilon or more. It is Lemma 9 of KDD 2013, where b is R^2p for vectors of 1-norm up to R. It
// does not depend on D. With b from EstimateBound it is the only bound that falls exponentially in
// the work.
func hoeffdingProbability(bound float64, repeats int, epsilon float64) float64 {
	ratio := epsilon / bound
	return min(1, 2*portable.Exp(float64(-float64(repeats)*float64(ratio*ratio))/2))
}

// bounded is a law whose estimates from one sketch have a bound.
type bounded interface {
	// bound returns b with |⟨f(x), f(y)⟩| ≤ b whatever the seed.
	bound(x, y []float64) float64
}

// EstimateBound returns a b with |estimate of κ(x,y)| ≤ b for every seed and every D, for each
// single sketch of a map without kernel normalisation. hoeffdingProbability uses it. With random
// signs it is r^p, where r is the product of the 1-norms of the two vectors, scaled and with the
// constant coordinate √c. It is NaN for methods without such a bound, such as those with normal
// entries. It is also NaN under kernel normalisation, which biases the estimate. It panics on a
// wrong length.
func (f *Formulas) EstimateBound(x, y []float64) float64 {
	f.checkLengths(x, y)
	if b, ok := f.law.(bounded); ok && f.params.Normalize == NormalizeNone {
		return b.bound(x, y)
	}
	return math.NaN()
}

// MissProbability returns upper bounds, at most 1, on the probability that the estimate of κ(x,y)
// misses it by epsilon or more. chebyshev and hoeffding are for the mean of the t = repeats
// sketches. median is for their median, by medianProbability. A bound is NaN if it is not known:
// hoeffding without EstimateBound, and all three without an exact or bounded variance, as under
// kernel normalisation. It panics on a wrong length; epsilon ≤ 0 is an error.
func (f *Formulas) MissProbability(x, y []float64, epsilon float64) (chebyshev, hoeffding, median float64, err error) {
	if err := checkQuestion(epsilon, 0.5); err != nil {
		return 0, 0, 0, err
	}
	repeats, bias := f.params.Repeats, f.Bias(x, y)
	chebyshev, hoeffding, median = math.NaN(), math.NaN(), math.NaN()
	variance, kind := f.variance(x, y, float64(f.params.NComponents))
	if (kind == Exact || kind == Bound) && finite(variance) && finite(bias) {
		squared := float64(bias * bias)
		chebyshev = chebyshevProbability(max(0, variance)+squared, epsilon)
		single := chebyshevProbability(float64(max(0, variance)*float64(repeats))+squared, epsilon)
		median = medianProbability(repeats, single)
	}
	if bound := f.EstimateBound(x, y); finite(bound) {
		hoeffding = 1
		if room := epsilon - math.Abs(bias); room > 0 {
			hoeffding = hoeffdingProbability(bound, repeats, room)
		}
	}
	return chebyshev, hoeffding, median, nil
}

// oneNorm returns √γ·‖x‖₁ + √c.
func oneNorm(gamma, coef0 float64, x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += math.Abs(v)
	}
	return float64(math.Sqrt(gamma)*sum) + math.Sqrt(coef0)
}

// bound follows from the size of features: each of D is at most √(2/D), and each pair of paired
// features has norm √(2/D).
func (l *fourierLaw) bound([]float64, []float64) float64 {
	if l.paired {
		return l.weight
	}
	return 2 * l.weight
}

// bound adds the bound on the largest feature and the terms that h01 keeps exactly.
func (l *maclaurinLaw) bound(x, y []float64) float64 {
	if l.params.MethodParams.isNormal() {
		return math.NaN()
	}
	r := oneNorm(l.params.Gamma, 0, x) * oneNorm(l.params.Gamma, 0, y)
	largest, exact, powerOfR := 0.0, 0.0, 1.0
	for n, a := range l.terms {
		if l.probabilities[n] > 0 {
			largest = max(largest, a/l.probabilities[n]*powerOfR)
		} else {
			exact += float64(a * powerOfR)
		}
		powerOfR *= r
	}
	return largest + exact
}
