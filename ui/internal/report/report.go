// Package report says how far estimates are from the kernel of sampled pairs of rows. public/page/preview.js samples
// them and has the map compute the numbers.
package report

import (
	"math"

	"tensorsketch.example/sketch"
)

// A Pair of rows: its kernel, the estimate ⟨fx, fy⟩, and the standard deviation
// over seeds of that estimate, whose mean is Exact + Bias. Where they are not known,
// Sigma is NaN and Bias 0.
type Pair struct{ Exact, Estimate, Sigma, Bias float64 }

// Error is what the estimate is too large by.
func (p Pair) Error() float64 { return p.Estimate - p.Exact }

// Deviation is how far the estimate is from its mean.
func (p Pair) Deviation() float64 { return p.Error() - p.Bias }

// A Report on one seed.
type Report struct {
	Pairs  []Pair
	RMSE   float64     // root mean square of the errors
	Sigma  float64     // root mean of the variances
	Bias   float64     // root mean square of the biases
	Kind   sketch.Kind // of Sigma: the weakest of the pairs' kinds
	Self   float64     // mean kernel of a row with itself, over some of the rows
	Apart  float64     // largest kernel, in absolute value, of pairs of rows that differ
	Unlike int         // such pairs
}

// Predicted is what RMSE is over all seeds, NaN where that is not known.
func (r *Report) Predicted() float64 { return math.Sqrt(r.Sigma*r.Sigma + r.Bias*r.Bias) }

// IsRounding tells whether the errors predicted are below those of rounding to
// float32.
func (r *Report) IsRounding() bool { return r.Predicted() < r.rounding() }

// IsBiased tells whether the bias can be seen: it is not below 1 % of σ, nor below
// rounding to float32.
func (r *Report) IsBiased() bool { return r.Bias > 0 && r.Bias >= max(.01*r.Sigma, r.rounding()) }

// rounding is that of the largest kernel to float32, also of those of rows with
// themselves: features are as large as these.
func (r *Report) rounding() float64 {
	largest := r.Self
	for _, pair := range r.Pairs {
		largest = max(largest, math.Abs(pair.Exact))
	}
	return 1e-7 * largest
}

// IsPredicted tells whether σ is known.
func (r *Report) IsPredicted() bool { return r.Kind != sketch.Unknown }

// IsDegenerate tells whether rows that differ have practically no kernel, so that
// features cannot tell which of them are alike.
func (r *Report) IsDegenerate() bool { return r.Unlike > 0 && r.Apart < 1e-6*r.Self }

// New returns the report on pairs of rows, without Self, Apart and Unlike.
func New(pairs []Pair, kind sketch.Kind) *Report {
	r := &Report{Pairs: pairs, Kind: kind}
	squares, variances, biases := 0.0, 0.0, 0.0
	for _, pair := range pairs {
		squares += pair.Error() * pair.Error()
		variances += pair.Sigma * pair.Sigma
		biases += pair.Bias * pair.Bias
	}
	if n := float64(len(pairs)); n > 0 {
		r.RMSE, r.Sigma, r.Bias = math.Sqrt(squares/n), math.Sqrt(variances/n), math.Sqrt(biases/n)
	}
	return r
}

// Within returns how many estimates are at most factor times their own σ from their
// mean.
func (r *Report) Within(factor float64) int {
	n := 0
	for _, pair := range r.Pairs {
		if math.Abs(pair.Deviation()) <= factor*pair.Sigma {
			n++
		}
	}
	return n
}
