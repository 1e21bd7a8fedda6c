package sketch

import "tensorsketch.example/internal/engine/matrix"

// A kspaceSolution computes M, m × k, from the moments, in steps:
//
//	G = YᵀY = RᵀR by pivoted Cholesky decomposition, B = R⁻ᵀ·YᵀZ = QᵀZ,
//	W: the first k eigenvectors of B·Bᵀ, with the largest entry of each positive,
//	X = R⁻¹·W, made orthonormal once more: X·L⁻ᵀ with L·Lᵀ = Xᵀ·G·X.
//
// The decomposition ends where the rest of the diagonal is at most 10^−12 of its largest entry, or
// at most one square of the step for each row: what is left then is rounding to the grid.
//
// B is never there as a whole: its columns are computed in blocks of solveColumns and added to
// B·Bᵀ. In the same way Xᵀ·G·X takes blocks of rows of G.
type kspaceSolution struct {
	s       *kspaceSums
	pivoted *matrix.Pivoted
	factor  *matrix.Cholesky // R
	order   []int            // the rows of Y that R belongs to
	from    int              // the next column of Z, feature of X, or row of G
	part    []float64
	product []float64 // B·Bᵀ, then Xᵀ·G·X
	eigen   *matrix.Eigen
	x       []float64 // X
	solved  bool      // X is complete
	matrix  []float64 // M, at the end
}

// solveColumns is the number of columns, or rows, that are computed at a time.
const solveColumns = 64

func newKSpaceSolution(s *kspaceSums) *kspaceSolution {
	G := make([]float64, s.m*s.m)
	for i := range s.m {
		for j := i; j < s.m; j++ {
			G[i*s.m+j] = s.yy(i, j)
		}
	}
	c := &kspaceSolution{s: s, pivoted: matrix.NewPivoted(G, s.m)}
	c.pivoted.StopAt(float64(s.rows))
	return c
}

// step does some milliseconds of work and returns about which part of all is done.
func (c *kspaceSolution) step() (done float64, finished bool) {
	switch {
	case c.factor == nil:
		if c.pivoted.Step() {
			c.factor = c.pivoted.Factor()
			c.order = c.pivoted.Order()[:c.pivoted.Rank()]
			n := len(c.order)
			c.product, c.part = make([]float64, n*n), make([]float64, n*solveColumns)
		}
		return c.pivoted.Done() / 8, false
	case c.from < c.s.r && c.eigen == nil:
		c.addColumns()
		return (1 + 3*float64(c.from)/float64(c.s.r)) / 8, false
	case c.eigen == nil:
		c.eigen = matrix.NewEigen(c.product, len(c.order), c.s.k)
		return 4.0 / 8, false
	case c.x == nil:
		if c.eigen.Step() {
			n, k := len(c.order), c.rank()
			c.x = matrix.Transpose(c.eigen.Vectors(), k, n)
			c.product, c.from = make([]float64, k*k), 0
		}
		return (4 + 3*c.eigen.Done()) / 8, false
	case !c.solved:
		c.solveFeatures()
		return 7.0 / 8, false
	case c.from < len(c.order):
		c.addRows()
		return (7 + float64(c.from)/float64(len(c.order))) / 8, false
	}
	if c.matrix == nil {
		c.orthonormalise()
	}
	return 1, true
}

// rank returns the number of features that are not 0.
func (c *kspaceSolution) rank() int { return min(c.s.k, len(c.order)) }

// addColumns adds the products of the next columns of B.
func (c *kspaceSolution) addColumns() {
	n, width := len(c.order), min(solveColumns, c.s.r-c.from)
	part := c.part[:n*width]
	for i, row := range c.order {
		for j := range width {
			part[i*width+j] = c.s.yz(row, c.from+j)
		}
	}
	c.factor.SolveTransposed(part, width)
	matrix.AddProduct(c.product, part, matrix.Transpose(part, n, width), n, width, n, 1)
	c.from += width
}

// solveFeatures computes R⁻¹·W for the next features.
func (c *kspaceSolution) solveFeatures() {
	n, k := len(c.order), c.rank()
	width := min(solveColumns, k-c.from)
	part := c.part[:n*width]
	for i := range n {
		copy(part[i*width:][:width], c.x[i*k+c.from:])
	}
	c.factor.SolveFactor(part, width)
	for i := range n {
		copy(c.x[i*k+c.from:][:width], part[i*width:])
	}
	if c.from += width; c.from == k {
		c.from, c.solved = 0, true
	}
}

// addRows adds the products of the next rows of X and of G·X.
func (c *kspaceSolution) addRows() {
	n, k := len(c.order), c.rank()
	depth := min(solveColumns, n-c.from)
	rows := c.part[:depth*n] // of G
	for i := range depth {
		for j, row := range c.order {
			rows[i*n+j] = c.s.yy(c.order[c.from+i], row)
		}
	}
	images := make([]float64, depth*k) // rows of G·X
	matrix.AddProduct(images, rows, c.x, depth, n, k, 1)
	matrix.AddTransposedProduct(c.product, c.x[c.from*k:], images, depth, k, k, 1)
	c.from += depth
}

// orthonormalise makes M of X.
func (c *kspaceSolution) orthonormalise() {
	n, k, s := len(c.order), c.rank(), c.s
	lower := matrix.NewCholesky(c.product, k)
	lower.Finish()
	x := matrix.Transpose(c.x, n, k)
	lower.SolveTransposed(x, n)
	c.matrix = make([]float64, s.m*s.k)
	for i, row := range c.order {
		for j := range k {
			c.matrix[row*s.k+j] = x[j*n+i] / s.step
		}
	}
}
