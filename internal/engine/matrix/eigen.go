package matrix

import "math"

// An Eigen computes the largest eigenvalues of a symmetric matrix and their vectors: from the tridiagonal form, by
// implicit QL steps (Golub & Van Loan, section 8.3), which rotate the vectors along if many are wanted, or else by
// inverse iteration for one vector after another.
type Eigen struct {
	n, k    int
	form    *Tridiagonal
	ql      *ql
	values  []float64 // k of them, descending
	vectors []float64 // k × n, of T until they are finished
	found   int       // vectors by inverse iteration
	applied int       // vectors that are multiplied by Q
	bare    bool      // k is 0, and all eigenvalues are taken
}

// applyVectors is the number of vectors that are multiplied by Q at a time.
const applyVectors = 16

// NewEigen begins to compute the k largest eigenvalues from the lower triangle of a, n × n finite numbers, which it
// overwrites.
func NewEigen(a []float64, n, k int) *Eigen {
	return &Eigen{n: n, k: min(k, n), form: NewTridiagonal(a, n)}
}

// NewEigenvalues is NewEigen for all n eigenvalues, without their vectors.
func NewEigenvalues(a []float64, n int) *Eigen {
	return &Eigen{n: n, form: NewTridiagonal(a, n), bare: true}
}

// Step does some milliseconds of work and returns true after the last.
//
//go:noinline
func (g *Eigen) Step() bool {
	switch {
	case g.ql == nil:
		if g.form.Step() {
			d, e := g.form.Diagonals()
			g.ql = newQL(d, e, 4*g.k > g.n)
		}
	case g.values == nil:
		if g.ql.step() {
			g.sort()
		}
	case g.found < g.k:
		d, e := g.form.Diagonals()
		for work := 0; work < stepWork/4 && g.found < g.k; work += g.n * (g.found + 20) {
			inverseIteration(g.vectors[:(g.found+1)*g.n], g.values, d, e, g.found)
			g.found++
		}
	case g.applied < g.k:
		count := min(applyVectors, g.k-g.applied)
		part := g.vectors[g.applied*g.n : (g.applied+count)*g.n]
		columns := Transpose(part, count, g.n)
		g.form.Apply(columns, count)
		for i := range count {
			v := part[i*g.n:][:g.n]
			for j := range v {
				v[j] = columns[j*count+i]
			}
			PositiveLargest(v)
		}
		g.applied += count
	}
	return g.values != nil && g.applied == g.k
}

// Done returns about which part of the work is done, from 0 to 1.
func (g *Eigen) Done() float64 {
	all := 1.0
	if 4*g.k > g.n {
		all = 2.5
	}
	own := 0.0
	switch {
	case g.ql == nil:
		return 0.8 * g.form.Done() / all
	case g.values == nil:
		if g.ql.z != nil {
			own = 1.5 * float64(g.ql.at) / float64(g.n)
		}
	default:
		own = all - 1 + 0.2*float64(g.found+g.applied)/float64(2*max(1, g.k))
	}
	return (0.8 + own) / all
}

// Finish does what is left of the work.
func (g *Eigen) Finish() *Eigen {
	for !g.Step() {
	}
	return g
}

// Values returns the eigenvalues, in descending order.
func (g *Eigen) Values() []float64 { return g.values }

// Vectors returns the eigenvectors, k × n: rows of length 1, with the largest entry of each positive. Of NewEigenvalues
// there are none.
func (g *Eigen) Vectors() []float64 { return g.vectors }

// sort takes the largest eigenvalues, and their vectors if QL steps made them.
func (g *Eigen) sort() {
	order := Descending(g.ql.d)
	if g.bare {
		for _, i := range order {
			g.values = append(g.values, g.ql.d[i])
		}
		return
	}
	g.values, g.vectors = make([]float64, g.k), make([]float64, g.k*g.n)
	for i := range g.k {
		g.values[i] = g.ql.d[order[i]]
		if g.ql.z != nil {
			copy(g.vectors[i*g.n:][:g.n], g.ql.z[order[i]*g.n:])
		}
	}
	if g.ql.z != nil {
		g.found = g.k
	}
}

// Descending returns the indices of values from the largest to the smallest, equal ones in their order.
func Descending(values []float64) []int {
	order, buffer := make([]int, len(values)), make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	for width := 1; width < len(order); width *= 2 { // merge sort
		for from := 0; from < len(order); from += 2 * width {
			middle, end := min(from+width, len(order)), min(from+2*width, len(order))
			i, j := from, middle
			for at := from; at < end; at++ {
				if i < middle && (j == end || values[order[i]] >= values[order[j]]) {
					buffer[at] = order[i]
					i++
				} else {
					buffer[at] = order[j]
					j++
				}
			}
		}
		order, buffer = buffer, order
	}
	return order
}

// PositiveLargest changes the sign of v if its largest entry, the first of equals, is negative. It returns whether it
// did.
func PositiveLargest(v []float64) (negative bool) {
	size := 0.0
	for _, x := range v {
		if a := math.Abs(x); a > size {
			size, negative = a, x < 0
		}
	}
	if negative {
		for i := range v {
			v[i] = -v[i]
		}
	}
	return negative
}

// A ql makes a tridiagonal matrix diagonal.
type ql struct {
	d, e  []float64 // e[i] is beside d[i] and d[i+1]
	z     []float64 // n × n: row i becomes the eigenvector of d[i]; nil if none are wanted
	at    int       // eigenvalues before this one are found
	tries int       // steps for it
	small float64   // numbers beside the diagonal below this are rounding errors
}

func newQL(d, e []float64, vectors bool) *ql {
	n := len(d)
	q := &ql{d: append([]float64(nil), d...), e: append(append([]float64(nil), e...), 0)}
	for i, x := range d {
		q.small = max(q.small, math.Abs(x)+math.Abs(q.e[i]))
	}
	q.small *= epsilon / 4
	if vectors {
		q.z = make([]float64, n*n)
		for i := range n {
			q.z[i*n+i] = 1
		}
	}
	return q
}

// maxTries is the number of steps after which an eigenvalue is taken as it is. Two are usual.
const maxTries = 60

// step does some milliseconds of work and returns true after the last.
func (q *ql) step() bool {
	n := len(q.d)
	for work := 0; work < stepWork && q.at < n; {
		l, m := q.at, q.at
		for m < n-1 && math.Abs(q.e[m]) > max(q.small, epsilon*(math.Abs(q.d[m])+math.Abs(q.d[m+1]))/2) {
			m++
		}
		if q.tries == maxTries {
			q.e[l], m = 0, l
		}
		if m == l {
			q.at++
			q.tries = 0
			continue
		}
		q.tries++
		q.sweep(l, m)
		work += (m - l) * 30
		if q.z != nil {
			work += (m - l) * n
		}
	}
	return q.at == n
}

// sweep is one implicit QL step for rows l … m with Wilkinson's shift.
func (q *ql) sweep(l, m int) {
	n, d, e := len(q.d), q.d, q.e
	g := (d[l+1] - d[l]) / (2 * e[l])
	r := hypotenuse(g, 1)
	if g < 0 {
		r = -r
	}
	g = d[m] - d[l] + e[l]/(g+r)
	s, c, p := 1.0, 1.0, 0.0
	for i := m - 1; i >= l; i-- {
		f, b := float64(s*e[i]), float64(c*e[i])
		r = hypotenuse(f, g)
		e[i+1] = r
		if r == 0 { // it has fallen apart early
			d[i+1] -= p
			e[m] = 0
			return
		}
		s, c = f/r, g/r
		g = d[i+1] - p
		r = float64((d[i]-g)*s) + float64(2*c*b)
		p = float64(s * r)
		d[i+1] = g + p
		g = float64(c*r) - b
		if q.z != nil {
			// z_{i+1} = s·z_i + c·z_{i+1}, z_i = c·z_i − s·z_{i+1}
			rotate(q.z[(i+1)*n:][:n], q.z[i*n:][:n], c, s)
		}
	}
	d[l] -= p
	e[l] = g
	e[m] = 0
}

func hypotenuse(a, b float64) float64 {
	a, b = math.Abs(a), math.Abs(b)
	if a < b {
		a, b = b, a
	}
	if a == 0 {
		return 0
	}
	b /= a
	return a * math.Sqrt(1+float64(b*b))
}

// inverseIteration writes the eigenvector of eigenvalue number j of T as row j of vectors; the vectors of larger
// eigenvalues are above it, and it is made orthogonal to them (LAPACK's dstein, which does so for close ones only).
func inverseIteration(vectors, values, d, e []float64, j int) {
	n := len(d)
	size := 0.0
	for i, x := range d {
		size = max(size, math.Abs(x))
		if i < n-1 {
			size = max(size, math.Abs(e[i]))
		}
	}
	v := vectors[j*n:][:n]
	if size == 0 {
		v[j] = 1
		return
	}
	// Equal eigenvalues get shifts that differ.
	shift, close := values[j], 0
	for i := j - 1; i >= 0 && values[i]-values[j] < 8*epsilon*size*float64(j-i); i-- {
		close++
	}
	shift -= float64(8 * epsilon * size * float64(close))
	lu := newShifted(d, e, shift, epsilon*size)
	state := uint64(j+1) * 0x9e3779b97f4a7c15
	for i := range v { // any start will do
		state = state*6364136223846793005 + 1442695040888963407
		v[i] = float64(int64(state>>11)-1<<52) * 0x1p-52
	}
	orthogonalise(v, vectors[:j*n])
	good := 0
	for range 12 {
		grown := lu.solve(v)
		orthogonalise(v, vectors[:j*n])
		if grown*size*epsilon*float64(n) > 1e-3 {
			if good++; good == 3 {
				break
			}
		}
	}
}

// orthogonalise takes from v its parts along the rows of others, twice, and gives it length 1.
func orthogonalise(v, others []float64) {
	n := len(v)
	for range 2 {
		for i := 0; i < len(others); i += n {
			other := others[i:][:n]
			addScaled(v, other, -Dot(v, other))
		}
	}
	normalise(v)
}

// normalise divides v by its length, which it returns.
func normalise(v []float64) float64 {
	size := 0.0
	for _, x := range v {
		size = max(size, math.Abs(x))
	}
	if size == 0 {
		return 0
	}
	for i := range v {
		v[i] /= size
	}
	length := math.Sqrt(Dot(v, v))
	for i := range v {
		v[i] /= length
	}
	return float64(length * size)
}

// Dot returns the inner product, in four partial sums of every fourth term.
func Dot(x, y []float64) float64 {
	var a, b, c, d float64
	y = y[:len(x)]
	i := 0
	for ; i+4 <= len(x); i += 4 {
		x, y := x[i:i+4:i+4], y[i:i+4:i+4]
		a += float64(x[0] * y[0])
		b += float64(x[1] * y[1])
		c += float64(x[2] * y[2])
		d += float64(x[3] * y[3])
	}
	for ; i < len(x); i++ {
		a += float64(x[i] * y[i])
	}
	return (a + b) + (c + d)
}

// A shifted is T − shift·I = L·U with row interchanges.
type shifted struct {
	diagonal, first, second []float64 // U: its diagonal, and the numbers one and two columns beside it
	factor                  []float64 // L
	swapped                 []bool
}

func newShifted(d, e []float64, shift, tiny float64) *shifted {
	n := len(d)
	s := &shifted{make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]bool, n)}
	a, b := d[0]-shift, 0.0 // the row that is being eliminated: its first two numbers
	if n > 1 {
		b = e[0]
	}
	for i := range n {
		if i == n-1 {
			s.diagonal[i] = a
		} else {
			below, next, after := e[i], d[i+1]-shift, 0.0
			if i < n-2 {
				after = e[i+1]
			}
			if math.Abs(a) >= math.Abs(below) {
				if a == 0 {
					a = tiny
				}
				f := below / a
				s.factor[i], s.diagonal[i], s.first[i] = f, a, b
				a, b = next-float64(f*b), after
			} else {
				f := a / below
				s.swapped[i] = true
				s.factor[i], s.diagonal[i], s.first[i], s.second[i] = f, below, next, after
				a, b = b-float64(f*next), -float64(f*after)
			}
		}
		if math.Abs(s.diagonal[i]) < tiny {
			s.diagonal[i] = math.Copysign(tiny, s.diagonal[i])
		}
	}
	return s
}

// solve replaces v by the solution, of length 1, and returns how much longer than v it was.
func (s *shifted) solve(v []float64) float64 {
	n := len(v)
	for i := range n - 1 {
		if s.swapped[i] {
			v[i], v[i+1] = v[i+1], v[i]
		}
		v[i+1] -= float64(s.factor[i] * v[i])
	}
	for i := n - 1; i >= 0; i-- {
		x := v[i]
		if i < n-1 {
			x -= float64(s.first[i] * v[i+1])
		}
		if i < n-2 {
			x -= float64(s.second[i] * v[i+2])
		}
		v[i] = x / s.diagonal[i]
	}
	return normalise(v)
}
