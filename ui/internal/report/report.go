// Package report compares estimated with exact kernel values on sampled pairs of
// rows.
package report

import (
	"math"
	"slices"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/splitmix"
)

// pairsCompared bounds the pairs of a report.
const pairsCompared = 2000

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

// Formulas are those of a map: of pairs of rows, whose numbers are one after the
// other, they return four numbers each, the kernel, bias and σ of its estimate, and
// which sketch.Kind of σ it is.
type Formulas func(rows []float32) ([]float64, error)

// A Comparison computes a report in slices, so that a page stays responsive.
type Comparison struct {
	formulas Formulas
	rows     []Row
	left     [][2]int // pairs of positions in rows still to compare
	report   Report
}

// Compare prepares the comparison of sampled pairs by the formulas of their map.
func (r *Reservoir) Compare(formulas Formulas) *Comparison {
	return &Comparison{formulas: formulas, rows: r.rows, left: samplePairs(len(r.rows))}
}

// samplePairs returns all pairs i < j < n, or 2,000 of them, all different.
func samplePairs(n int) [][2]int {
	var pairs [][2]int
	if n*(n-1)/2 <= pairsCompared {
		for j := range n {
			for i := range j {
				pairs = append(pairs, [2]int{i, j})
			}
		}
		return pairs
	}
	random := splitmix.Source(2)
	taken := make(map[[2]int]bool, pairsCompared)
	for len(pairs) < pairsCompared {
		i, j := random.Below(n), random.Below(n)
		if pair := [2]int{min(i, j), max(i, j)}; i != j && !taken[pair] {
			taken[pair] = true
			pairs = append(pairs, pair)
		}
	}
	return pairs
}

// stepNumbers bounds the numbers of the rows that are compared at a time.
const stepNumbers = 1 << 12

// Step compares some of the pairs and tells whether any are left.
func (c *Comparison) Step() (more bool, err error) {
	if len(c.report.Pairs) == 0 {
		if err := c.compareSelves(); err != nil {
			return false, err
		}
	}
	var x []float32
	n := 0
	for ; n < len(c.left) && (n == 0 || len(x) < stepNumbers); n++ {
		a, b := c.pair(n)
		x = append(append(x, a.X...), b.X...)
	}
	formulas, err := c.formulas(x)
	if err != nil {
		return false, err
	}
	for i := range n {
		a, b := c.pair(i)
		said := formulas[4*i : 4*i+4]
		c.report.Kind = max(c.report.Kind, sketch.Kind(said[3]))
		c.report.Pairs = append(c.report.Pairs, Pair{Exact: said[0], Estimate: sketch.Dot(a.Z, b.Z), Sigma: said[2],
			Bias: said[1]})
		if !slices.Equal(a.X, b.X) {
			c.report.Unlike++
			c.report.Apart = max(c.report.Apart, math.Abs(said[0]))
		}
	}
	c.left = c.left[n:]
	return len(c.left) > 0, nil
}

// compareSelves averages the kernel of rows with themselves, of as many as a step has.
func (c *Comparison) compareSelves() error {
	var x []float32
	n := 0
	for ; n < len(c.rows) && (n == 0 || len(x) < stepNumbers); n++ {
		x = append(append(x, c.rows[n].X...), c.rows[n].X...)
	}
	formulas, err := c.formulas(x)
	if err != nil {
		return err
	}
	for i := range n {
		c.report.Self += formulas[4*i]
	}
	c.report.Self /= float64(max(n, 1))
	return nil
}

func (c *Comparison) pair(i int) (a, b *Row) { return &c.rows[c.left[i][0]], &c.rows[c.left[i][1]] }

// Report returns the report on the pairs compared so far.
func (c *Comparison) Report() *Report {
	squares, variances, biases := 0.0, 0.0, 0.0
	for _, pair := range c.report.Pairs {
		squares += pair.Error() * pair.Error()
		variances += pair.Sigma * pair.Sigma
		biases += pair.Bias * pair.Bias
	}
	if n := float64(len(c.report.Pairs)); n > 0 {
		c.report.RMSE, c.report.Sigma, c.report.Bias = math.Sqrt(squares/n), math.Sqrt(variances/n), math.Sqrt(biases/n)
	}
	return &c.report
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
