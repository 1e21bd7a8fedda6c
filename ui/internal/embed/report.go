package embed

// This file summarises the errors of kernel estimates for sampled pairs of rows. The worker samples the pairs and has
// the map compute the numbers.

import (
	"math"

	"tensorsketch.example/sketch"
)

// A Pair holds the numbers of a pair of rows: its exact kernel, its estimate ⟨fx, fy⟩, and the bias and standard
// deviation of that estimate over seeds. The estimate's mean is Exact + Bias. If they are not known, Sigma is NaN
// and Bias is 0.
type Pair struct{ Exact, Estimate, Sigma, Bias float64 }

// Error returns the estimate minus the exact kernel.
func (p Pair) Error() float64 { return p.Estimate - p.Exact }

// Deviation returns the estimate minus its mean over seeds.
func (p Pair) Deviation() float64 { return p.Error() - p.Bias }

// A Report describes the errors under one seed.
type Report struct {
	Pairs  []Pair
	RMSE   float64     // root mean square of the errors
	Sigma  float64     // square root of the mean variance
	Bias   float64     // root mean square of the biases
	Kind   sketch.Kind // kind of Sigma: the weakest kind of any pair
	Self   float64     // mean kernel of a row with itself, over some of the rows
	Apart  float64     // largest kernel, in absolute value, of pairs of rows that differ
	Unlike int         // number of such pairs
}

// Predicted returns the root mean square error expected over all seeds, or NaN if it is not known.
func (r *Report) Predicted() float64 { return math.Sqrt(r.Sigma*r.Sigma + r.Bias*r.Bias) }

// IsRounding reports whether the predicted errors are smaller than the rounding errors of float32.
func (r *Report) IsRounding() bool { return r.Predicted() < r.rounding() }

// IsBiased reports whether the bias is visible: at least 1 % of σ and at least the rounding error of float32.
func (r *Report) IsBiased() bool { return r.Bias > 0 && r.Bias >= max(.01*r.Sigma, r.rounding()) }

// rounding returns the rounding error of float32 at the largest kernel. Kernels of rows with themselves count too,
// because features are as large as these.
func (r *Report) rounding() float64 {
	largest := r.Self
	for _, pair := range r.Pairs {
		largest = max(largest, math.Abs(pair.Exact))
	}
	return 1e-7 * largest
}

// IsPredicted reports whether σ is known.
func (r *Report) IsPredicted() bool { return r.Kind != sketch.Unknown }

// IsDegenerate reports whether the kernel of different rows is practically 0. Features then cannot tell which rows
// are alike.
func (r *Report) IsDegenerate() bool { return r.Unlike > 0 && r.Apart < 1e-6*r.Self }

// NewReport returns the report on some pairs. Self, Apart and Unlike are left at zero.
func NewReport(pairs []Pair, kind sketch.Kind) *Report {
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

// Within returns how many estimates differ from their mean by at most factor times their σ.
func (r *Report) Within(factor float64) int {
	n := 0
	for _, pair := range r.Pairs {
		if math.Abs(pair.Deviation()) <= factor*pair.Sigma {
			n++
		}
	}
	return n
}
