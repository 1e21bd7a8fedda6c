package sketch

import (
	"math"

	"tensorsketch.example/internal/engine/block"
	"tensorsketch.example/internal/portable"
)

// This file holds the orthogonal frequencies of random-fourier for the Gaussian kernel (Yu et al.
// 2016; Choromanski, Rowland & Weller 2017). A block of n frequencies is G = R·Q, with Q orthogonal
// and R a diagonal of independent lengths, χ-distributed with n degrees of freedom: the lengths of
// independent normal vectors.
//
// With "orthogonal" Q is uniform among the orthogonal matrices of order n = d. Each frequency then
// has the law of an independent one, and estimates have no bias.
//
// With "structured" n is the least power of two that is at least d and 64, and
// Q = n^(−3/2)·P·H·S_2·H·S_1·H·S_0 with the Walsh–Hadamard matrix H, diagonals S of random signs, and a
// random permutation P. A row then takes 3·n·log₂ n additions for every n frequencies. Up to order 3
// ⟨ω, z⟩ has the moments of a normal number. Its fourth cumulant is
//
//	24|z|⁴/n³ − 8(1 + 2/n)·Σ z_i⁴/n²,  z = √(2γ)·δ
//
// so that the bias is about κ·(|z|⁴/n³ − (1 + 2/n)·Σ z_i⁴/(3n²)): at most 1.8e-4 at n = 64, 7e-7 at 1,024.

// maxOrthogonal is the maximum d of orthogonal frequencies: drawing them takes d²·D steps.
const maxOrthogonal = 256

// drawOrthogonal draws frequencies in orthogonal blocks of d. Row j begins with the normal numbers
// Φ⁻¹(u) of drawFrequencies in float64. Its parts along the earlier rows of its block are subtracted in
// their order (Gram–Schmidt), and its length becomes the next number of stream (domainLength, 0).
func drawOrthogonal(p *Params, draw randomness, use func(i, j int, turns float32)) {
	d, n := p.NFeatures, frequencyCount(p)
	rows := make([]float64, n*d)
	for i := range d {
		s := draw.stream(domainFrequency, uint32(i))
		for j := range n {
			rows[j*d+i] = portable.NormalQuantile(s.unit())
		}
	}
	s := draw.stream(domainLength, 0)
	for j := range n {
		row := rows[j*d:][:d]
		for k := j - j%d; k < j; k++ {
			before := rows[k*d:][:d]
			along := dot64(row, before)
			for i, v := range before {
				row[i] -= float64(along * v)
			}
		}
		norm, length := math.Sqrt(dot64(row, row)), s.length(d)
		for i := range row {
			row[i] /= norm
			use(i, j, float32(length*row[i]))
		}
	}
}

// length returns a number of the χ distribution with n degrees of freedom (Marsaglia & Tsang 2000). With
// a = n/2 − ⅓, z = Φ⁻¹(u) and v = (1 + z/√(9a))³ it is √(2av) if v > 0 and
// ln u' < z²/2 + a − av + a·ln v; otherwise it draws z and u' again. u and u' are of one word each.
func (s *stream) length(n int) float64 {
	a := float64(n)/2 - 1.0/3
	for {
		z, u := portable.NormalQuantile(s.unit()), s.unit()
		v := 1 + z/math.Sqrt(9*a)
		v = float64(float64(v*v) * v)
		if v > 0 && portable.Log(u) < float64(0.5*z*z)+a-float64(a*v)+float64(a*portable.Log(v)) {
			return math.Sqrt(2*a*v) * normalTurn
		}
	}
}

// structuredLength returns n of structured frequencies.
func structuredLength(width int) int { return max(block.Tile, paddedLength(width)) }

func structuredConfig(p *Params, width int) srhtConfig {
	n := structuredLength(width)
	return srhtConfig{width: width, signed: n, degree: 1, again: 2, features: frequencyCount(p),
		signDomain: domainBlockSign, sampleDomain: domainBlockEntry,
		scale: float32(1 / (float64(n) * math.Sqrt(float64(n))))}
}

// newStructured draws structured frequencies: signs and entries as tensor-srht draws them, then the lengths.
// All n coordinates have signs. The signs of S_k are drawn as for degree k.
func newStructured(p *Params, width int, draw randomness) core {
	c := newSRHTCore(structuredConfig(p, width), draw)
	c.waves = newFourierCore(p, 1, draw, 1)
	s := draw.stream(domainLength, 0)
	for j := range c.features {
		c.waves.turns[j] = float32(s.length(c.length()))
	}
	return c
}

// wave makes the features of n frequencies, from frequency from on. The row has its projections on their directions
// at place. Features take their places; a cosine and a sine of each take these and the n places before. The only
// coordinate of the core's frequencies is their length.
//
//go:noinline
func (c *fourierCore) wave(row []float32, from, n, place int) {
	for j := 0; j < n; j += block.Tile {
		copy(c.sums[:], row[place+j:])
		multiplyBy(c.sums[:], c.turns[from+j:][:block.Tile])
		c.begin(from + j)
		c.wind()
		c.finish(row, from+j)
	}
}

// pair returns Cov(cos ⟨ω, u⟩, cos ⟨ω', v⟩) of two frequencies of one block. To the covariance of independent
// frequencies, blocks add c/F² times that, u = a − b and v = c − d, for the c ordered pairs of F frequencies
// that share a block. For u = ±v, ω + ω' is as long as a normal vector of 2n coordinates, and of any
// direction, so that with s = γ‖u‖²
//
//	E cos ⟨ω, u⟩ cos ⟨ω', u⟩ = E cos ⟨ω + ω', u⟩ = e^(−s)·₁F₁(−n/2; n/2; s)
//
// This is exact for "orthogonal". Any other pair has −2(γ⟨u, v⟩)²/n·κ(u)κ(v) to first order in 1/n: of
// the moments, E⟨ω, u⟩²⟨ω', v⟩² is the lowest that independent frequencies have otherwise. For rows
// a of Q, Σ⟨a, u⟩² = |u|² and Σ⟨a, v⟩² = |v|². Let C be the fourth cumulant of ⟨ω, u⟩, ⟨ω, u⟩, ⟨ω, v⟩ and
// ⟨ω, v⟩: 0 for "orthogonal". Then E⟨a, u⟩²⟨a, v⟩² = (|u|²|v|² + 2⟨u, v⟩² + C)/(n(n + 2)), and different
// rows, as P makes them exchangeable, have
//
//	E⟨ω, u⟩²⟨ω', v⟩² = |u|²|v|² + (2|u|²|v|² − 2n⟨u, v⟩² − n·C)/((n − 1)(n + 2))
//
// C is of order 1/n² for "structured", which has the same first order therefore.
func (l *fourierLaw) pair(u, v []float64) float64 {
	n, uu, uv, vv := float64(l.block), l.gamma*dot64(u, u), l.gamma*dot64(u, v), l.gamma*dot64(v, v)
	if uu != vv || uv != uu && uv != -uu {
		return 2 * (uu*vv - n*uv*uv) / ((n - 1) * (n + 2)) * portable.Exp(-uu-vv)
	}
	// The terms of the series alternate up to k = n/2. With e^(−s) none exceeds 1.
	sum, term := -portable.Exp(-2*uu), portable.Exp(-uu)
	for k := 0.0; term != 0 && (k <= uu || math.Abs(term) > 1e-18); k++ {
		sum += term
		term *= (k - n/2) / (n/2 + k) * uu / (k + 1)
	}
	return sum
}
