// Package convergence is the place where estimates close in on the kernel. It shows many seeds at D = 2³ … 2¹⁴
// against the exact kernel, its exact σ, the journal's Theorem 9 and the conference's Lemma 6.
//
// Every vector has length 1 and γ is 1. So a pair at the angle θ has the kernel (cos θ + c)ᵖ, and all pairs of a
// sample share one axis.
//
// Other feature maps can be compared with Tensor Sketch, at equal D or at equal time per row.
package convergence

import (
	"math"

	"tensorsketch.example/ui/internal/splitmix"
	"tensorsketch.example/ui/internal/vector"
)

// Columns is the number of D compared, ManyPairs the size of a sample of pairs, and MaxSeeds the maximum number of
// seeds.
const (
	Columns   = 12
	ManyPairs = 20
	MaxSeeds  = 2000
)

// Components returns the D of a column: 8, 16, …, 16,384.
func Components(column int) int { return 8 << column }

// Params are the parameters of the place. State.Parameters keeps them in range.
type Params struct {
	Vector      string  // a preset of package vector
	NFeatures   int     // d, 2 … 256
	NonZero     int     // maximum percentage of coordinates kept, 1 … 100; at least one coordinate is kept
	Angle       float64 // θ between x and y in degrees, 0 … 180
	Pairs       int     // 1, or ManyPairs: draws 0 … 19 of the preset
	Degree      int     // p, 1 … 8
	Coef0       float64 // c, 0 … 1
	NComponents int     // D of the marker: 8, 16, …, 16,384
	Seeds       int     // 10 … MaxSeeds
	Seed        uint64  // the first seed; the others follow it, modulo 2⁶⁴
	Epsilon     float64 // the maximum error in the planner's question, 0.001 … 1
	Delta       float64 // the probability of a larger error, 0.001 … 0.5
	Question    int     // the question answered, 1 … 3, or 0
	Compare     string  // other methods, as ParseCompare writes them
	Axis        string  // axis of a comparison: ByComponents or ByTime
	Below       string  // axis of the errors without one: ByComponents or ByDegree
	Bounds      string  // "shown" if Theorem 9 and Lemma 6 are drawn, or ""
}

// The axes of a comparison.
const (
	ByComponents = "components"
	ByTime       = "time"
)

// columnOf returns the last column whose D is at most nComponents, or 0 if there is none.
func columnOf(nComponents int) int {
	column := 0
	for column < Columns-1 && Components(column+1) <= nComponents {
		column++
	}
	return column
}

// sameEstimates reports whether p and q have the same estimates for each seed.
func (p Params) sameEstimates(q Params) bool {
	return p.Vector == q.Vector && p.NFeatures == q.NFeatures && p.NonZero == q.NonZero && p.Angle == q.Angle &&
		p.Pairs == q.Pairs && p.Degree == q.Degree && p.Coef0 == q.Coef0 && p.Seed == q.Seed
}

// Rows returns the vectors as the core takes them: 2·Pairs rows of d numbers. Each x is followed by its y.
func (p Params) Rows() []float32 {
	rows := make([]float32, 0, 2*p.Pairs*p.NFeatures)
	for draw := range p.Pairs {
		x := p.x(draw)
		rows = append(rows, vector.Float32(x)...)
		rows = append(rows, vector.Float32(vector.At(x, p.Angle, draw))...)
	}
	return rows
}

// x returns vector number draw of the preset, thinned and scaled to length 1.
func (p Params) x(draw int) []float64 {
	x := vector.Preset(p.Vector, p.NFeatures, draw)
	thin(x, p.NonZero, draw)
	norm := math.Sqrt(vector.Dot(x, x))
	if norm == 0 { // for example the corner of a digit
		x[len(x)/2], norm = 1, 1
	}
	for i := range x {
		x[i] /= norm
	}
	return x
}

// thin keeps at most percent per cent of the coordinates, but at least one, and sets the others to zero. A smaller
// percentage keeps a subset of what a larger one keeps.
func thin(x []float64, percent, draw int) {
	var support []int
	for i, value := range x {
		if value != 0 {
			support = append(support, i)
		}
	}
	random := splitmix.Source(1973 + 1_000_003*uint64(draw))
	splitmix.Shuffle(&random, support)
	keep := max(1, (len(x)*percent+50)/100)
	for k := keep; k < len(support); k++ {
		x[support[k]] = 0
	}
}
