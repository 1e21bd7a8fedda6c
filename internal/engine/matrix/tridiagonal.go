package matrix

import "math"

// A Tridiagonal computes A = Q·T·Qᵀ for a symmetric matrix, where T is tridiagonal and Q is a product of reflections
// (Golub & Van Loan, Matrix Computations, section 8.3.1), from the last row to the first as EISPACK's tred2 does:
//
//	H = I − β·v·vᵀ turns row i into (0, …, 0, e), and A into A − v·wᵀ − w·vᵀ
//	with p = β·A·v and w = p − (β·vᵀp/2)·v.
//
// One pass over the rows above applies that update and forms A·v of the next reflection at the same time, so that
// every number is read and written once for each reflection. Two thirds of n³ multiplications and as many sums are in
// these passes.
type Tridiagonal struct {
	n     int
	a     []float64 // row i of the lower triangle becomes v of its reflection
	scale float64   // a power of two: a is A/scale
	beta  []float64 // of the reflection of row i; 0 if there is none
	d, e  []float64 // T: its diagonal, and e[i] beside d[i] and d[i+1]
	row   int       // the reflection in progress: of row i
	next  int       // the first row that its pass has not reached
	x     []float64 // A·v so far
	v, w  []float64 // of the update to apply
}

// NewTridiagonal begins with the lower triangle of a, n × n finite numbers, which it overwrites.
func NewTridiagonal(a []float64, n int) *Tridiagonal {
	t := &Tridiagonal{n: n, a: a[:n*n], beta: make([]float64, n), d: make([]float64, n), e: make([]float64, max(n-1, 0)),
		row: n, x: make([]float64, n), v: make([]float64, n), w: make([]float64, n)}
	largest := 0.0
	for i := range n {
		for _, x := range a[i*n:][:i+1] {
			largest = max(largest, math.Abs(x))
		}
	}
	// A power of two keeps all bits, and squares stay in range.
	t.scale = powerOfTwo(largest)
	if t.scale != 1 {
		for i := range n {
			row := a[i*n:][:i+1]
			for j := range row {
				row[j] /= t.scale
			}
		}
	}
	t.begin()
	return t
}

// powerOfTwo returns the largest power of two that is at most x, or 1 if x is 0 or too small or large to divide by.
func powerOfTwo(x float64) float64 {
	if x < 0x1p-1000 || x > 0x1p1000 {
		return 1
	}
	return math.Float64frombits(math.Float64bits(x) &^ (1<<52 - 1))
}

// begin makes the reflection of the row below those that are finished.
func (t *Tridiagonal) begin() {
	if t.row == 0 {
		return
	}
	t.row--
	i, n := t.row, t.n
	row := t.a[i*n:][:i+1]
	if i < n-1 { // the update, which the row waits for
		vi, wi := t.v[i], t.w[i]
		for j := range row {
			row[j] = row[j] - float64(t.v[j]*wi) - float64(t.w[j]*vi)
		}
	}
	t.d[i] = row[i]
	if i == 0 {
		return
	}
	last, rest := row[i-1], 0.0
	for _, x := range row[:i-1] {
		rest += float64(x * x)
	}
	t.e[i-1], t.next = last, 0
	clear(t.x[:i])
	if rest < 0x1p-900 { // of numbers up to 1: there is nothing to reflect
		clear(row[:i])
		return
	}
	norm := math.Sqrt(rest + float64(last*last))
	if last > 0 {
		norm = -norm
	}
	// v = x − norm·e_{i−1}, so vᵀv = 2·norm·(norm − last).
	t.e[i-1], row[i-1] = norm, last-norm
	t.beta[i] = 1 / (norm * (norm - last))
}

// Step does some milliseconds of work and returns true after the last.
func (t *Tridiagonal) Step() bool {
	for work := 0; work < stepWork && t.row > 0; {
		i, n := t.row, t.n
		// 2^21 numbers, and an even count of rows.
		rows := min(i-t.next, max(2, (stepWork/(i+1))&^1))
		v := t.a[i*n:][:i]
		updateSymmetric(t.a, n, t.next, t.next+rows, t.v, t.w, v, t.x)
		t.next += rows
		work += rows * (i + 1) / 2
		if t.next < i {
			continue
		}
		beta, inner := t.beta[i], 0.0
		p := t.x[:i]
		for j := range p {
			p[j] = float64(p[j] * beta)
			inner += float64(p[j] * v[j])
		}
		half := beta * inner / 2
		for j := range p {
			t.w[j] = p[j] - float64(half*v[j])
		}
		copy(t.v, v)
		t.begin()
	}
	if t.row > 0 {
		return false
	}
	t.finish()
	return true
}

// finish takes the scale back.
func (t *Tridiagonal) finish() {
	for i := range t.d {
		t.d[i] *= t.scale
	}
	for i := range t.e {
		t.e[i] *= t.scale
	}
	t.scale = 1
}

// Done returns the part of the work that is done, from 0 to 1.
func (t *Tridiagonal) Done() float64 {
	left := float64(t.row) / float64(max(t.n, 1))
	return 1 - left*left*left
}

// Diagonals returns the diagonal of T and the numbers beside it.
func (t *Tridiagonal) Diagonals() (d, e []float64) { return t.d, t.e }

// ApplyTransposed replaces the columns of x, n × k numbers, by Qᵀ·x.
func (t *Tridiagonal) ApplyTransposed(x []float64, k int) {
	t.inFours(x, k, func(x []float64, k int) {
		for i := t.n - 1; i > 0; i-- {
			t.reflect(x, k, i)
		}
	})
}

// Apply replaces the columns of x, n × k numbers, by Q·x.
func (t *Tridiagonal) Apply(x []float64, k int) {
	t.inFours(x, k, func(x []float64, k int) {
		for i := 1; i < t.n; i++ {
			t.reflect(x, k, i)
		}
	})
}

// inFours calls use with the columns of x, and columns of zeros so that their number is one or a multiple of four.
func (t *Tridiagonal) inFours(x []float64, k int, use func(x []float64, k int)) {
	wide := (k + 3) &^ 3
	if k < 2 || k == wide {
		use(x, k)
		return
	}
	padded := make([]float64, t.n*wide)
	for i := range t.n {
		copy(padded[i*wide:], x[i*k:][:k])
	}
	use(padded, wide)
	for i := range t.n {
		copy(x[i*k:][:k], padded[i*wide:])
	}
}

// reflect applies the reflection of row i to all columns of x.
func (t *Tridiagonal) reflect(x []float64, k, i int) {
	beta, v := t.beta[i], t.a[i*t.n:][:i]
	if beta == 0 {
		return
	}
	if k > 1 {
		reflect(x, v, k, beta)
		return
	}
	sum := 0.0 // the same numbers, faster
	for j, vj := range v {
		sum += float64(vj * x[j])
	}
	addScaled(x, v, -float64(sum*beta))
}
