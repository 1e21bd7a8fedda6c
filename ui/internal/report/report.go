// Package report compares estimated with exact kernel values on sampled pairs of
// rows.
package report

import (
	"math"

	"github.com/tensorsketch/tensorsketch/sketch"
	"github.com/tensorsketch/tensorsketch/ui/internal/splitmix"
)

// pairsCompared bounds the pairs of a report.
const pairsCompared = 2000

// A Pair of rows: its kernel, the estimate ⟨fx, fy⟩, and the standard deviation
// over seeds of that estimate.
type Pair struct{ Exact, Estimate, Sigma float64 }

// Error is what the estimate is too large by.
func (p Pair) Error() float64 { return p.Estimate - p.Exact }

// A Report on one seed.
type Report struct {
	Pairs []Pair
	RMSE  float64     // root mean square of the errors
	Sigma float64     // root mean of the variances: what RMSE is over all seeds
	Kind  sketch.Kind // of Sigma: the weakest of the pairs' kinds
}

// A Comparison computes a report in slices, so that a page stays responsive.
type Comparison struct {
	formulas *sketch.Theory
	rows     []Row
	left     [][2]int // pairs of positions in rows still to compare
	x, y     []float64
	report   Report
}

// Compare prepares the comparison of sampled pairs by the formulas of a map.
func (r *Reservoir) Compare(formulas *sketch.Theory) *Comparison {
	d := formulas.NFeatures()
	return &Comparison{formulas: formulas, rows: r.rows, left: samplePairs(len(r.rows)), x: make([]float64, d), y: make([]float64, d)}
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

// Step compares at most n further pairs and tells whether any are left.
func (c *Comparison) Step(n int) bool {
	n = min(n, len(c.left))
	for _, pair := range c.left[:n] {
		c.report.Pairs = append(c.report.Pairs, c.compare(&c.rows[pair[0]], &c.rows[pair[1]]))
	}
	c.left = c.left[n:]
	return len(c.left) > 0
}

func (c *Comparison) compare(a, b *Row) Pair {
	for i := range c.x {
		c.x[i], c.y[i] = float64(a.X[i]), float64(b.X[i])
	}
	sigma, kind := c.formulas.StdError(c.x, c.y)
	c.report.Kind = max(c.report.Kind, kind)
	return Pair{Exact: c.formulas.Kernel(c.x, c.y), Estimate: sketch.Dot(a.Z, b.Z), Sigma: sigma}
}

// Report returns the report on the pairs compared so far.
func (c *Comparison) Report() *Report {
	squares, variances := 0.0, 0.0
	for _, pair := range c.report.Pairs {
		squares += pair.Error() * pair.Error()
		variances += pair.Sigma * pair.Sigma
	}
	if n := float64(len(c.report.Pairs)); n > 0 {
		c.report.RMSE, c.report.Sigma = math.Sqrt(squares/n), math.Sqrt(variances/n)
	}
	return &c.report
}

// Within returns how many pairs have an error of at most factor times their own σ.
func (r *Report) Within(factor float64) int {
	n := 0
	for _, pair := range r.Pairs {
		if math.Abs(pair.Error()) <= factor*pair.Sigma {
			n++
		}
	}
	return n
}
