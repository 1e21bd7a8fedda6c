package solve

import (
	"tensorsketch.example/internal/engine/matrix"
)

// A Centred is a centred problem of least squares: (A + λI)·w_k = b_k for all k, with
//
//	A = Σ (z − z̄)(z − z̄)ᵀ = (n·G − Z·Zᵀ)/n, b_k = Σ (t − t̄)(z − z̄) = (n·B_k − T_k·Z)/n.
//
// Without an intercept nothing is taken off. Sums of integers below 2^53 are exact, so a constant feature has zeros
// here, and so has a constant target.
type Centred struct {
	N      float64
	D, K   int
	A      []float64 // D × D
	B      []float64 // D × K
	yy     []float64 // K: Σ (t − t̄)²
	target targets
}

// targets are the sums of a System's targets. Without an intercept they are sums of y, not of y − Middle.
type targets struct{ b, t, tt []float64 }

func targetsOf(s *System, intercept bool) targets {
	t := targets{s.B, s.T, s.TT}
	if intercept || s.Middle == 0 {
		return t
	}
	middle := s.Middle
	t = targets{make([]float64, len(s.B)), make([]float64, s.K), make([]float64, s.K)}
	for k := range s.K {
		t.t[k] = s.T[k] + float64(middle*s.Rows)
		t.tt[k] = s.TT[k] + float64(2*middle*s.T[k]) + float64(middle*middle*s.Rows)
		for j, z := range s.Z {
			t.b[k*s.D+j] = s.B[k*s.D+j] + float64(middle*z)
		}
	}
	return t
}

// Centre returns the problem of a System. With a nil a, it allocates the matrix.
func Centre(s *System, intercept bool, a []float64) *Centred {
	D, K, n := s.D, s.K, s.Rows
	if a == nil {
		a = make([]float64, D*D)
	}
	c := &Centred{N: n, D: D, K: K, A: a, B: make([]float64, D*K), yy: make([]float64, K), target: targetsOf(s, intercept)}
	s.CentredGram(a, intercept)
	for k := range K {
		t := c.target.t[k]
		for j := range D {
			c.B[j*K+k] = c.target.b[k*D+j]
			if intercept && n > 0 {
				c.B[j*K+k] = (float64(n*c.target.b[k*D+j]) - float64(t*s.Z[j])) / n
			}
		}
		c.yy[k] = c.target.tt[k]
		if intercept && n > 0 {
			c.yy[k] = max(0, (float64(n*c.target.tt[k])-float64(t*t))/n)
		}
	}
	return c
}

// CentredGram writes A, or G without an intercept, to dst.
func (s *System) CentredGram(dst []float64, intercept bool) {
	D, n := s.D, s.Rows
	copy(dst, s.G)
	if !intercept || n == 0 {
		return
	}
	for i, zi := range s.Z {
		row := dst[i*D:][:D]
		for j, g := range row {
			row[j] = (float64(n*g) - float64(zi*s.Z[j])) / n
		}
	}
}

// A Path solves a problem for many λ from one tridiagonal form A = Q·T·Qᵀ (Eldén, A note on the computation of the
// generalized cross-validation function for ill-conditioned least squares problems, BIT 24, 1984): for each λ it takes
// O(D) operations for each target.
type Path struct {
	problem *Centred
	Form    *matrix.Tridiagonal
	c       []float64 // K × D: Qᵀ·b
	ready   int       // targets that c has
	d, e    []float64 // T
	largest float64   // on its diagonal
	pivots  []float64
	upper   []float64
	y       []float64 // D: (T + λI)⁻¹·c_k
}

// atOnce returns the number of targets that are solved for at a time.
func atOnce(D int) int { return max(4, min(32, 1<<25/(D*D))) }

// NewPath returns the path of a problem, whose A it overwrites.
func NewPath(problem *Centred) *Path {
	return &Path{problem: problem, Form: matrix.NewTridiagonal(problem.A, problem.D),
		c: make([]float64, problem.K*problem.D), pivots: make([]float64, problem.D),
		upper: make([]float64, problem.D), y: make([]float64, problem.D)}
}

// Step does some milliseconds of work and returns true when the tridiagonal form and c are there.
func (p *Path) Step() bool {
	D, K := p.problem.D, p.problem.K
	if p.d == nil {
		if p.Form.Step() {
			p.d, p.e = p.Form.Diagonals()
			for _, d := range p.d {
				p.largest = max(p.largest, d)
			}
		}
		return false
	}
	count := min(atOnce(D), K-p.ready)
	b := p.problem.Columns(p.ready, count)
	p.Form.ApplyTransposed(b, count)
	copy(p.c[p.ready*D:], matrix.Transpose(b, D, count))
	p.ready += count
	return p.ready == K
}

// done returns about which part of the work is done, from 0 to 1.
func (p *Path) done() float64 {
	form, targets := p.problem.formWork()
	return (form*p.Form.Done() + targets*float64(p.ready)/float64(p.problem.K)) / (form + targets)
}

// formWork and factorWork return how long the tridiagonal form and the Cholesky factor take, and the solutions with
// them. The unit is the time for the factor.
func (c *Centred) formWork() (form, targets float64)     { return 4, 9 * float64(c.K) / float64(c.D) }
func (c *Centred) factorWork() (factor, targets float64) { return 1, 6 * float64(c.K) / float64(c.D) }

// Columns returns a copy of some columns of b.
func (c *Centred) Columns(from, count int) []float64 {
	b := make([]float64, c.D*count)
	for j := range c.D {
		copy(b[j*count:][:count], c.B[j*c.K+from:])
	}
	return b
}

// Factor computes the pivots of T + λI and returns df(λ) = tr A(A + λI)⁻¹. It returns false if a pivot is not above the
// rounding errors: λ is too small.
//
//	(T + λI)⁻¹_ii = 1/(p_i + u_i − t_ii − λ)
//
// with the pivots p from the first row down, and u from the last row up.
func (p *Path) Factor(lambda float64) (df float64, ok bool) {
	n := len(p.d)
	tolerance := (p.largest + lambda) * (4 * 0x1p-52) * float64(n)
	for i, d := range p.d {
		pivot := d + lambda
		if i > 0 {
			pivot -= float64(p.e[i-1]*p.e[i-1]) / p.pivots[i-1]
		}
		if !(pivot > tolerance) {
			return 0, false
		}
		p.pivots[i] = pivot
	}
	for i := n - 1; i >= 0; i-- {
		pivot := p.d[i] + lambda
		if i < n-1 {
			pivot -= float64(p.e[i]*p.e[i]) / p.upper[i+1]
		}
		if !(pivot > tolerance) {
			return 0, false
		}
		p.upper[i] = pivot
		df += 1 - lambda/max(p.pivots[i]+pivot-(p.d[i]+lambda), lambda)
	}
	return df, true
}

// solve writes y = (T + λI)⁻¹·c_k for the λ that was factored last.
func (p *Path) solve(k int) []float64 {
	n := len(p.d)
	y := p.y
	copy(y, p.c[k*n:][:n])
	for i := 1; i < n; i++ {
		y[i] -= float64(p.e[i-1] / p.pivots[i-1] * y[i-1])
	}
	for i := n - 1; i >= 0; i-- {
		y[i] /= p.pivots[i]
		if i < n-1 {
			y[i] -= float64(p.e[i] / p.pivots[i] * y[i+1])
		}
	}
	return y
}

// residual returns Σ_k ‖t_k − fit‖² on the rows of the problem, for the λ that was factored last:
// with (A + λI)·w = b,
//
//	‖t − fit‖² = yy − 2·bᵀw + wᵀA·w = yy − bᵀw − λ·‖w‖².
func (p *Path) residual(lambda float64) float64 {
	n, total := len(p.d), 0.0
	for k := range p.problem.K {
		inner, square := 0.0, 0.0
		c := p.c[k*n:][:n]
		for i, y := range p.solve(k) {
			inner += float64(c[i] * y)
			square += float64(y * y)
		}
		total += max(0, p.problem.yy[k]-inner-float64(lambda*square))
	}
	return total
}

// Weights writes the weights of all targets for the λ that was factored last to columns at … at + K − 1 of w, D × count
// numbers, in the basis of T: multiply by Q later.
func (p *Path) Weights(w []float64, at, count int) {
	for k := range p.problem.K {
		for i, y := range p.solve(k) {
			w[i*count+at+k] = y
		}
	}
}
