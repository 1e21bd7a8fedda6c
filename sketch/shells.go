package sketch

import (
	"math"

	"tensorsketch.example/internal/portable"
)

// A shellMixture is the distribution of a random frequency in d dimensions whose direction is
// uniform and whose length r takes few values. Its characteristic function times the sum of the
// weights is
//
//	k(z) = Σ s_r · w_r · Ω_d(r·z),  Ω_d(t) = Γ(d/2)·(2/t)^(d/2−1)·J_(d/2−1)(t),
//
// with the signs s_r = 1 at first. It depends only on the norm z = ‖δ‖. Every positive definite
// function of the norm on ℝ^d has this form with weights ≥ 0, or is a limit of such functions
// (Schoenberg 1938).
//
// A signed mixture also has lengths of the sign −1. They are drawn with probability ∝ w_r, too; what
// is drawn has the sign of its length (Liu, Huang, Chen & Suykens 2021).
type shellMixture struct {
	omega    sphereTransform
	radii    []float64
	weights  []float64 // > 0
	positive int       // the number of lengths of the sign 1; the others follow
	total    float64
}

// at returns k(z), or with negative = 1 instead of −1 the sum without the signs.
func (m *shellMixture) at(z, negative float64) float64 {
	sum := 0.0
	for i, w := range m.weights {
		if i >= m.positive {
			w *= negative
		}
		sum += float64(w * m.omega.at(float64(m.radii[i]*z)))
	}
	return sum
}

// pick returns the index of the length that corresponds to a uniform number from 0 to 1.
func (m *shellMixture) pick(u float64) int {
	u = float64(u * m.total) // the conversion forces rounding, which prevents a fused subtraction
	last := len(m.weights) - 1
	for i, w := range m.weights[:last] {
		if u -= w; u < 0 {
			return i
		}
	}
	return last
}

// A sphereTransform computes Ω_d(t) = E cos(t·c), where c is a coordinate of a uniform unit vector:
// c = sin φ with density ∝ cos^(d−2) φ. It sums by the trapezoidal rule. For even d the rule
// converges faster than any power of the step; for odd d ≥ 5 it converges with power d − 1.
type sphereTransform struct {
	dimension      int
	nodes, weights []float64 // sin φ ≥ 0 in turns per unit of t
}

const sphereNodes = 256 // enough for t ≤ 500, or t ≤ 50·√d in many dimensions

func newSphereTransform(d int) sphereTransform {
	s := sphereTransform{dimension: d}
	if d == 1 || d == 3 {
		return s // in closed form
	}
	quarter := 0.25 // limit of φ: a quarter turn, or the point where e^(−dφ²/2) falls below 2^-72
	if d > 40 {
		quarter = 10 / math.Sqrt(float64(d)) / 6.283185307179586
	}
	sum := 0.0
	for k := 0; k <= sphereNodes; k++ {
		phi := quarter * float64(k) / sphereNodes
		w := 1.0
		if d > 2 {
			w = 0
			if c := portable.CosTurns(phi); c > 1e-300 {
				w = portable.Exp(float64(float64(d-2) * portable.Log(c)))
			}
		}
		if k == 0 || k == sphereNodes {
			w *= 0.5
		}
		s.nodes = append(s.nodes, portable.SinTurns(phi)/6.283185307179586)
		s.weights = append(s.weights, w)
		sum += w
	}
	for k := range s.weights {
		s.weights[k] /= sum
	}
	return s
}

func (s *sphereTransform) at(t float64) float64 {
	switch {
	case s.dimension == 1:
		return portable.CosTurns(t / 6.283185307179586)
	case s.dimension == 3 && t < 1e-4:
		return 1 - float64(t*t)/6
	case s.dimension == 3:
		return portable.SinTurns(t/6.283185307179586) / t
	}
	sum := 0.0
	for k, w := range s.weights {
		sum += float64(w * portable.CosTurns(float64(t*s.nodes[k])))
	}
	return sum
}

// fitShells returns the mixture nearest to kernel on 0 ≤ z ≤ 2 in mean square. Lengths are 0 and a
// geometric grid around scale·√d. The distances z lie on a grid with the same ratio, so that few
// products t = r·z differ. Each distance is weighted by the interval that it covers.
//
// A signed mixture has twice the columns, A and −A, and a row more: it minimises ‖A(u − v) − y‖² +
// (Σu + Σv)²/2048 over u, v ≥ 0. The last term is about the variance of estimates from 4,096
// features, 2·(Σw)²/4096. Without it the bias nearly vanishes, and the variance is far larger.
func fitShells(d int, scale float64, kernel func(z float64) float64, signed bool) *shellMixture {
	const ratio, distances, lengths = 0.94, 60, 54 // z from 2 to 0.05, r from 3 to 0.11 of the scale
	m := &shellMixture{omega: newSphereTransform(d)}
	largest := 3 * scale * math.Sqrt(float64(d))
	omega := make([]float64, distances+lengths)
	for i, t := 0, 2*largest; i < len(omega); i, t = i+1, t*ratio {
		omega[i] = m.omega.at(t)
	}
	columns := make([][]float64, lengths+1) // the last one is for length 0
	target := make([]float64, distances+1)
	for j, z := 0, 2.0; j <= distances; j, z = j+1, z*ratio {
		cover := math.Sqrt(z * (1 - ratio))
		if j == distances { // the rest, represented by its end z = 0
			cover, z = math.Sqrt(z), 0
		}
		target[j] = cover * kernel(z)
		for i := range columns {
			value := 1.0
			if i < lengths && j < distances {
				value = omega[i+j]
			}
			columns[i] = append(columns[i], cover*value)
		}
	}
	if signed {
		for _, column := range columns {
			negative := make([]float64, len(column))
			subtract(negative, 1, column)
			columns = append(columns, negative)
		}
		for i := range columns {
			columns[i] = append(columns[i], 1/math.Sqrt(2048))
		}
		target = append(target, 0)
	}
	r := largest
	for i, w := range nonnegativeLeastSquares(columns, target) {
		switch i {
		case lengths + 1:
			r = largest
		case lengths, 2*lengths + 1:
			r = 0
		}
		if w > 0 {
			m.radii, m.weights, m.total = append(m.radii, r), append(m.weights, w), m.total+w
			if i <= lengths {
				m.positive++
			}
		}
		r *= ratio
	}
	return m
}

// nonnegativeLeastSquares returns the x ≥ 0 for which Σ x_i·columns_i is nearest to the target. It
// is the active set method of Lawson & Hanson (Solving Least Squares Problems, 1974, chapter 23) on
// the normal equations.
func nonnegativeLeastSquares(columns [][]float64, target []float64) []float64 {
	x, passive := make([]float64, len(columns)), []int(nil)
	residual := append([]float64(nil), target...)
	limit := 1e-9 * dot64(target, target)
	for range 4 * len(columns) {
		best, most := -1, limit
		for i, column := range columns {
			if slope := dot64(column, residual); x[i] == 0 && slope > most {
				best, most = i, slope
			}
		}
		if best < 0 {
			break
		}
		passive = append(passive, best)
		for {
			solution := leastSquares(columns, passive, target)
			step, at := 1.0, -1
			for k, i := range passive {
				if solution[k] <= 0 && (at < 0 || x[i]/(x[i]-solution[k]) < step) {
					step, at = x[i]/(x[i]-solution[k]), k
				}
			}
			for k, i := range passive {
				x[i] += float64(step * (solution[k] - x[i]))
			}
			if at < 0 {
				break
			}
			x[passive[at]] = 0
			passive = append(passive[:at], passive[at+1:]...)
		}
		copy(residual, target)
		for _, i := range passive {
			for j, v := range columns[i] {
				residual[j] -= float64(x[i] * v)
			}
		}
	}
	return x
}

// leastSquares returns the coefficients of the chosen columns that come nearest to the target.
// Coefficients of columns that depend on earlier ones are 0.
func leastSquares(columns [][]float64, chosen []int, target []float64) []float64 {
	n := len(chosen)
	basis, projection := make([][]float64, n), make([]float64, n)
	triangle := make([][]float64, n) // of the QR decomposition, by twice modified Gram–Schmidt
	rest := append([]float64(nil), target...)
	for k, i := range chosen {
		q := append([]float64(nil), columns[i]...)
		size := dot64(q, q)
		triangle[k] = make([]float64, k+1)
		for range 2 {
			for l := range k {
				along := dot64(basis[l], q)
				triangle[k][l] += along
				subtract(q, along, basis[l])
			}
		}
		if norm := math.Sqrt(dot64(q, q)); norm*norm > 1e-20*size {
			triangle[k][k] = norm
			for j := range q {
				q[j] /= norm
			}
			projection[k] = dot64(q, rest)
			subtract(rest, projection[k], q)
		} else {
			clear(q)
		}
		basis[k] = q
	}
	for k := n - 1; k >= 0; k-- {
		if triangle[k][k] == 0 {
			projection[k] = 0
			continue
		}
		projection[k] /= triangle[k][k]
		for l := range k {
			projection[l] -= float64(projection[k] * triangle[k][l])
		}
	}
	return projection
}

// subtract sets x −= factor·y.
func subtract(x []float64, factor float64, y []float64) {
	for i, v := range y {
		x[i] -= float64(factor * v)
	}
}
