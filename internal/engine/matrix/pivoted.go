package matrix

import "math"

// A Pivoted computes PᵀAP = Rᵀ·R for a positive semidefinite matrix, where P brings the largest number that is left on
// the diagonal to the front each time (Higham, Accuracy and Stability of Numerical Algorithms, section 10.3). It ends
// when that number is at most 10^-12 of the first: R has that many rows, the rank of A.
type Pivoted struct {
	n     int
	r     []float64
	order []int     // row i of R belongs to row order[i] of A
	left  []float64 // what is left on the diagonal
	limit float64   // it ends where no more than this is left
	row   int       // the row of R to compute next
	panel int       // the first row that was not applied to all others
	next  int       // the row that the panel is applied to next, or 0
	rank  int       // −1 until it is known
	pack  packing
}

// pivotLimit is the part of the first pivot below which there is nothing but rounding errors.
const pivotLimit = 1e-12

// NewPivoted begins with the upper triangle of a, n × n finite numbers, which it overwrites.
func NewPivoted(a []float64, n int) *Pivoted {
	p := &Pivoted{n: n, r: a[:n*n], order: make([]int, n), left: make([]float64, n), rank: -1}
	for i := range n {
		p.order[i], p.left[i] = i, a[i*n+i]
	}
	return p
}

// StopAt ends the decomposition where the largest number that is left is at most floor, if that is before its usual
// end. Call it before the first Step.
func (p *Pivoted) StopAt(floor float64) { p.limit = floor }

// Step does some milliseconds of work and returns true after the last.
//
//go:noinline
func (p *Pivoted) Step() bool {
	for work := 0; work < stepWork*4 && p.rank < 0; {
		switch {
		case p.next > 0:
			n, depth, rest := p.n, p.row-p.panel, p.n-p.row
			rows := min(tileRows*16, n-p.next)
			p.pack.addRows(p.r[p.row*n+p.row:], n, p.next-p.row, p.next-p.row+rows, rest, rest, depth, true)
			work += rows * rest * depth / 2
			if p.next += rows; p.next == n {
				p.panel, p.next = p.row, 0
			}
		case p.row == p.n:
			p.rank = p.n
		default:
			work += (p.n - p.row) * (p.row - p.panel + 1)
			p.factorRow()
		}
	}
	return p.rank >= 0
}

// factorRow computes a row of R. Rows of its panel have not been applied to it yet.
func (p *Pivoted) factorRow() {
	n, k := p.n, p.row
	best := k
	for i := k + 1; i < n; i++ {
		if p.left[i] > p.left[best] {
			best = i
		}
	}
	if k == 0 {
		p.limit = max(p.limit, pivotLimit*p.left[best])
	}
	if !(p.left[best] > p.limit) {
		p.rank = k
		return
	}
	p.swap(k, best)
	row := p.r[k*n:][:n]
	row[k] = p.left[k]
	for i := p.panel; i < k; i++ {
		above := p.r[i*n:][:n]
		addScaled(row[k+1:], above[k+1:], -above[k])
	}
	root := math.Sqrt(row[k])
	row[k] = root
	for j := k + 1; j < n; j++ {
		row[j] /= root
		p.left[j] -= float64(row[j] * row[j])
	}
	p.row++
	if depth, rest := p.row-p.panel, n-p.row; depth == panelRows && rest > 0 {
		panel := p.r[p.panel*n+p.row:]
		p.pack.packLeft(panel, n, 1, depth, rest, -1)
		p.pack.packRight(panel, n, depth, rest)
		p.next = p.row
	}
}

// swap exchanges rows and columns k < i of what is left, and columns of R.
func (p *Pivoted) swap(k, i int) {
	if k == i {
		return
	}
	n, a := p.n, p.r
	p.order[k], p.order[i] = p.order[i], p.order[k]
	p.left[k], p.left[i] = p.left[i], p.left[k]
	a[k*n+k], a[i*n+i] = a[i*n+i], a[k*n+k]
	for r := range k {
		a[r*n+k], a[r*n+i] = a[r*n+i], a[r*n+k]
	}
	for j := k + 1; j < i; j++ {
		a[k*n+j], a[j*n+i] = a[j*n+i], a[k*n+j]
	}
	for j := i + 1; j < n; j++ {
		a[k*n+j], a[i*n+j] = a[i*n+j], a[k*n+j]
	}
}

// Done returns the part of the work that is done, from 0 to 1.
func (p *Pivoted) Done() float64 {
	if p.rank >= 0 {
		return 1
	}
	left := 1 - float64(p.row)/float64(p.n)
	return 1 - left*left*left
}

// Rank returns the number of rows of R.
func (p *Pivoted) Rank() int { return p.rank }

// Order returns which row of A each row of PᵀAP is: the first Rank of them are linearly independent.
func (p *Pivoted) Order() []int { return p.order }

// Factor returns the square, invertible part of R, Rank × Rank, to solve with.
func (p *Pivoted) Factor() *Cholesky {
	return &Cholesky{n: p.rank, stride: p.n, r: p.r, from: p.rank, failed: -1}
}
