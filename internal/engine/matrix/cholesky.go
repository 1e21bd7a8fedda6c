package matrix

import "math"

// panelRows is the number of rows of a Cholesky factor that are finished before they are applied to all others.
const panelRows = 32

// A Cholesky computes A = Rᵀ·R for a symmetric matrix, where R is upper triangular, one panel of rows after another:
//
//	r_kk = √a_kk, r_kj = a_kj/r_kk, a_ij ← a_ij − r_ki·r_kj for i, j > k.
//
// It fails at the first pivot a_kk that is at most 4·n·2^-52 of the largest number on A's diagonal, or not a number: as
// far as rounding errors let anyone say, A is not positive definite then.
type Cholesky struct {
	n         int       // of R
	stride    int       // from a row of r to the next
	r         []float64 // R in the upper triangle; what is below the diagonal is of no use
	tolerance float64
	from      int // the first row of the panel that is being applied
	next      int // the first row that it was not applied to
	failed    int
	pack      packing
}

// NewCholesky begins with the upper triangle of a, n × n numbers, which it overwrites.
func NewCholesky(a []float64, n int) *Cholesky {
	c := &Cholesky{n: n, stride: n, r: a[:n*n], failed: -1}
	for i := range n {
		c.tolerance = max(c.tolerance, a[i*n+i])
	}
	c.tolerance *= 4 * float64(n) * epsilon
	c.factorPanel()
	return c
}

// Failed returns the index of the pivot that was too small, or −1.
func (c *Cholesky) Failed() int { return c.failed }

// Done returns the part of the work that is done, from 0 to 1.
func (c *Cholesky) Done() float64 {
	if c.n == 0 || c.from >= c.n {
		return 1
	}
	left := 1 - float64(c.from)/float64(c.n)
	return 1 - left*left*left
}

// Step does some milliseconds of work. It returns true after the last, and after a failure.
func (c *Cholesky) Step() bool {
	for work := 0; work < stepWork*8 && c.failed < 0 && c.from < c.n; {
		n, first := c.n, min(c.from+panelRows, c.n)
		rows := min(tileRows*16, n-c.next)
		depth, rest := first-c.from, n-first
		if rest > 0 {
			c.pack.addRows(c.r[first*n+first:], n, c.next-first, c.next-first+rows, rest, rest, depth, true)
		}
		c.next += rows
		work += rows * rest * depth / 2
		if c.next == n {
			c.from = first
			c.factorPanel()
		}
	}
	return c.failed >= 0 || c.from >= c.n
}

// factorPanel computes the rows of R of a panel, and packs what the rows below need.
func (c *Cholesky) factorPanel() {
	n, first := c.n, min(c.from+panelRows, c.n)
	for k := c.from; k < first; k++ {
		row := c.r[k*n:][:n]
		pivot := row[k]
		if !(pivot > c.tolerance) || pivot-pivot != 0 {
			c.failed = k
			return
		}
		root := math.Sqrt(pivot)
		row[k] = root
		for j := k + 1; j < n; j++ {
			row[j] /= root
		}
		for i := k + 1; i < first; i++ {
			addScaled(c.r[i*n+i:][:n-i], row[i:], -row[i])
		}
	}
	depth, rest := first-c.from, n-first
	c.next = first
	if rest > 0 {
		panel := c.r[c.from*n+first:]
		c.pack.packLeft(panel, n, 1, depth, rest, -1)
		c.pack.packRight(panel, n, depth, rest)
	}
}

// Finish does what is left of the work, and returns the index of the pivot that was too small, or −1.
func (c *Cholesky) Finish() int {
	for !c.Step() {
	}
	return c.failed
}

// Factor returns R: its upper triangle counts.
func (c *Cholesky) Factor() []float64 { return c.r }

// SolveTransposed replaces the columns of x, n × k numbers, by (Rᵀ)⁻¹·x.
func (c *Cholesky) SolveTransposed(x []float64, k int) {
	n := c.n
	x = x[:n*k]
	for i := range n {
		row, z := c.r[i*c.stride:][:n], x[i*k:][:k]
		for j := range z {
			z[j] /= row[i]
		}
		if k == 1 {
			addScaled(x[i+1:], row[i+1:], -z[0])
			continue
		}
		for j := i + 1; j < n; j++ {
			addScaled(x[j*k:], z, -row[j])
		}
	}
}

// SolveFactor replaces the columns of x, n × k numbers, by R⁻¹·x.
func (c *Cholesky) SolveFactor(x []float64, k int) {
	n := c.n
	x = x[:n*k]
	for i := n - 1; i >= 0; i-- {
		row, z := c.r[i*c.stride:][:n], x[i*k:][:k]
		if k == 1 {
			sum := z[0]
			for j, v := range x[i+1:] {
				sum -= float64(row[i+1+j] * v)
			}
			z[0] = sum
		} else {
			for j := i + 1; j < n; j++ {
				addScaled(z, x[j*k:][:k], -row[j])
			}
		}
		for j := range z {
			z[j] /= row[i]
		}
	}
}

// Solve replaces the columns of x, n × k numbers, by A⁻¹·x.
func (c *Cholesky) Solve(x []float64, k int) {
	c.SolveTransposed(x, k)
	c.SolveFactor(x, k)
}

// inverseColumns is the number of columns of an inverse that are computed side by side.
const inverseColumns = 32

// An InverseTrace computes tr A⁻¹ = ‖R⁻¹‖² from a Cholesky factor, some columns of (Rᵀ)⁻¹ at a time.
type InverseTrace struct {
	factor *Cholesky
	from   int
	trace  float64
	x      []float64
}

// InverseTrace begins to compute tr A⁻¹. The factor must be finished.
func (c *Cholesky) InverseTrace() *InverseTrace {
	return &InverseTrace{factor: c, x: make([]float64, c.n*inverseColumns)}
}

// Step does some milliseconds of work and returns true after the last.
func (t *InverseTrace) Step() bool {
	c := t.factor
	for work := 0; work < stepWork && t.from < c.n; {
		n, k := c.n-t.from, min(inverseColumns, c.n-t.from)
		x := t.x[:n*k]
		clear(x)
		for i := range k {
			x[i*k+i] = 1
		}
		for i := range n {
			row, z := c.r[(t.from+i)*c.stride+t.from:][:n], x[i*k:][:k]
			for j := range z {
				z[j] /= row[i]
				t.trace += float64(z[j] * z[j])
			}
			for j := i + 1; j < n; j++ {
				addScaled(x[j*k:], z, -row[j])
			}
		}
		t.from += k
		work += n * n * k / 2
	}
	return t.from >= c.n
}

// Done returns the part of the work that is done, from 0 to 1.
func (t *InverseTrace) Done() float64 {
	left := 1 - float64(t.from)/float64(max(1, t.factor.n))
	return 1 - left*left*left
}

// Trace returns tr A⁻¹ after the last step.
func (t *InverseTrace) Trace() float64 { return t.trace }
