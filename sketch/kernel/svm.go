package kernel

import (
	"math"
	"strconv"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// Options are the options of a SVM. The zero value of a field stands for its default.
type Options struct {
	C         float64 // as in LIBSVM; default 1
	Tolerance float64 // how far from the optimality conditions a solution may be; default 1e-5
	Cache     int64   // bytes for columns of the kernel matrix; default 200 MB
}

// A SVM fits support vector machines with the exact kernel as LIBSVM does: one for each pair
// of classes, which then vote. Each solves
//
//	minimise ½ Σ α_i α_j y_i y_j κ(x_i, x_j) − Σ α_i,  0 ≤ α_i ≤ C,  Σ y_i α_i = 0,
//
// two α at a time, chosen by second-order information (R.-E. Fan, P.-H. Chen, C.-J. Lin, Working set
// selection using second order information, JMLR 2005). Step does some milliseconds of work.
type SVM struct {
	machine *Machine
	options Options
	classes [][]int32 // rows of each class
	first   int       // the classes of the pair at work
	second  int
	pairs   int
	smo     *smo
	memory  [][]float64 // of the cache of the last pair
	used    []bool      // rows that are support vectors
	report  Report
}

// A Report says how a SVM was fitted.
type Report struct {
	Iterations int  // pairs of α that were changed
	Columns    int  // columns of the kernel matrix that were computed
	Converged  bool // of all pairs of classes
}

// NewSVM begins a fit to the rows of X with the kernel of the formulas. The errors are
// *sketch.Errors; more than MaxSVMRows rows are one.
func NewSVM(f *sketch.Formulas, X sketch.Rows, labels solve.RowLabels, classes int,
	o Options) (*SVM, error) {
	if o.Tolerance == 0 {
		o.Tolerance = 1e-5
	}
	if !(o.Tolerance > 0 && o.Tolerance < 1) {
		return nil, sketch.ErrParam.New("tolerance", portable.FormatNumber(o.Tolerance), "be a number between 0 and 1")
	}
	if o.Cache == 0 {
		o.Cache = 200 << 20
	}
	p := solve.Problem{Loss: learn.LossSquaredHinge, NComponents: 1, Classes: classes, C: o.C}
	machine, err := newMachine(f, X, labels, p, MaxSVMRows)
	if err != nil {
		return nil, err
	}
	if o.Cache < 0 {
		return nil, sketch.ErrParam.New("cache", strconv.FormatInt(o.Cache, 10), "be a number of bytes ≥ 0")
	}
	if o.C == 0 {
		o.C = 1
	}
	s := &SVM{machine: machine, options: o, second: 1, classes: make([][]int32, classes),
		used: make([]bool, len(machine.rows)/machine.kernel.d)}
	s.report.Converged = true
	for _, row := range machine.support {
		class := labels.Classes[row]
		s.classes[class] = append(s.classes[class], row)
	}
	return s, nil
}

// Step does some milliseconds of work. It returns how much is done, from 0 to 1 by pairs of classes,
// and whether that is all. The error, with code ErrNonFinite, names a row whose kernel is not finite.
func (s *SVM) Step() (done float64, finished bool, err error) {
	K := len(s.classes)
	total := K * (K - 1) / 2
	if s.pairs == total {
		return 1, true, nil
	}
	if s.smo == nil {
		a, b := s.classes[s.first], s.classes[s.second]
		if len(a) > 0 && len(b) > 0 { // else no row is of this pair, and nothing votes for a class without rows
			if s.smo, err = newSMO(&s.machine.kernel, s.machine.rows, a, b, &s.options, s.memory); err != nil {
				return 0, false, err
			}
		}
	}
	if s.smo != nil {
		if !s.smo.work(stepProducts) {
			return float64(s.pairs) / float64(total), false, nil
		}
		s.collect()
	}
	s.smo = nil
	if s.pairs++; s.second == K-1 {
		s.first++
		s.second = s.first
	}
	s.second++
	if s.pairs == total {
		s.finish()
		s.memory = nil
		return 1, true, nil
	}
	return float64(s.pairs) / float64(total), false, nil
}

// collect keeps what a pair of classes has found. The support are rows until finish.
func (s *SVM) collect() {
	p := pairMachine{first: s.first, second: s.second, rho: s.smo.rho()}
	for i, alpha := range s.smo.alpha {
		if alpha > 0 {
			row := s.smo.rows[i]
			s.used[row] = true
			p.support = append(p.support, row)
			p.weights = append(p.weights, float64(s.smo.y[i]*alpha))
		}
	}
	s.machine.pairs = append(s.machine.pairs, p)
	s.memory = append(s.smo.cache.slots, s.smo.cache.spare...)
	s.report.Iterations += s.smo.iterations
	s.report.Columns += s.smo.columns
	s.report.Converged = s.report.Converged && s.smo.converged
}

// finish leaves only the rows that are support vectors.
func (s *SVM) finish() {
	m := s.machine
	position := make([]int32, len(s.used))
	m.support = m.support[:0]
	for row, used := range s.used {
		if used {
			position[row] = int32(len(m.support))
			m.support = append(m.support, int32(row))
		}
	}
	for i := range m.pairs {
		for at, row := range m.pairs[i].support {
			m.pairs[i].support[at] = position[row]
		}
	}
}

// Report says how far the fit has come.
func (s *SVM) Report() Report { return s.report }

// Machine returns the fitted machine, or nil before the fit has finished.
func (s *SVM) Machine() *Machine {
	if K := len(s.classes); s.pairs < K*(K-1)/2 {
		return nil
	}
	return s.machine
}

// An smo solves the problem of one pair of classes by sequential minimal optimisation.
type smo struct {
	kernel    *exactKernel
	matrix    []float32
	rows      []int32   // of the matrix: those with y = +1 first
	y         []float64 // ±1
	alpha     []float64
	gradient  []float64 // Σ_j y_i y_j κ_ij α_j − 1
	diagonal  []float64 // κ_ii
	c         float64
	tolerance float64

	cache      columnCache
	scratch    []float64
	iterations int
	columns    int
	converged  bool
}

var inf = math.Inf(1)

// maxIterations is LIBSVM's limit.
const maxIterations = 10000000

func newSMO(k *exactKernel, matrix []float32, positive, negative []int32, o *Options,
	memory [][]float64) (*smo, error) {
	n := len(positive) + len(negative)
	s := &smo{kernel: k, matrix: matrix, c: o.C, tolerance: o.Tolerance, scratch: make([]float64, k.scratchLength()),
		rows: append(append(make([]int32, 0, n), positive...), negative...),
		y:    make([]float64, n), alpha: make([]float64, n), gradient: make([]float64, n), diagonal: make([]float64, n)}
	for i, row := range s.rows {
		s.y[i], s.gradient[i] = 1, -1
		if i >= len(positive) {
			s.y[i] = -1
		}
		k.column(s.diagonal[i:i+1], matrix[int(row)*k.d:int(row+1)*k.d], matrix, s.rows[i:i+1], s.scratch)
		if v := s.diagonal[i]; v-v != 0 {
			return nil, notFinite(int(row), -1, v, "have a finite kernel with itself: scale the rows down")
		}
	}
	s.cache = newColumnCache(n, o.Cache, memory)
	return s, nil
}

// work changes pairs of α until some products are computed, and returns whether it has finished.
func (s *smo) work(products int) bool {
	for products > 0 {
		i, j, found := s.choose(&products)
		if !found {
			s.converged = true
			return true
		}
		if s.iterations >= max(maxIterations, 100*len(s.rows)) {
			return true
		}
		s.iterations++
		s.change(i, j, &products)
		products -= 4 * len(s.rows)
	}
	return false
}

// column returns κ(x_i, ·) for all rows.
func (s *smo) column(i int, products *int) []float64 {
	column, there := s.cache.get(i)
	if !there {
		d := s.kernel.d
		row := int(s.rows[i])
		s.kernel.column(column, s.matrix[row*d:(row+1)*d], s.matrix, s.rows, s.scratch)
		s.columns++
		*products -= d * len(s.rows)
	}
	return column
}

// isUp reports whether y_i·α_i may grow, and isLow whether it may fall.
func (s *smo) isUp(i int) bool {
	if s.y[i] > 0 {
		return s.alpha[i] < s.c
	}
	return s.alpha[i] > 0
}

func (s *smo) isLow(i int) bool {
	if s.y[i] > 0 {
		return s.alpha[i] > 0
	}
	return s.alpha[i] < s.c
}

// smallest stands for a curvature that is not positive.
const smallest = 1e-12

// choose returns the pair to change: i with the largest −y_i·∇_i among those that may grow, and j
// among those that may fall, by which the objective falls most. It returns false where no pair
// violates the optimality conditions by more than the tolerance.
func (s *smo) choose(products *int) (i, j int, found bool) {
	i, largest := -1, -inf
	for t, g := range s.gradient {
		if v := -float64(s.y[t] * g); v >= largest && s.isUp(t) {
			i, largest = t, v
		}
	}
	if i < 0 {
		return 0, 0, false
	}
	column := s.column(i, products)
	j, best, lowest := -1, inf, -inf
	for t, g := range s.gradient {
		if !s.isLow(t) {
			continue
		}
		v := float64(s.y[t] * g)
		lowest = max(lowest, v)
		if difference := largest + v; difference > 0 {
			curvature := s.diagonal[i] + s.diagonal[t] - 2*column[t]
			if !(curvature > 0) {
				curvature = smallest
			}
			if gain := -float64(difference*difference) / curvature; gain <= best {
				j, best = t, gain
			}
		}
	}
	return i, j, j >= 0 && largest+lowest >= s.tolerance
}

// change moves α_i and α_j to the least objective on their line, within 0 … C.
func (s *smo) change(i, j int, products *int) {
	first := s.column(i, products)
	second := s.column(j, products)
	curvature := s.diagonal[i] + s.diagonal[j] - 2*first[j]
	if !(curvature > 0) {
		curvature = smallest
	}
	// y_i·α_i grows by step, and y_j·α_j falls by it.
	step := (float64(s.y[j]*s.gradient[j]) - float64(s.y[i]*s.gradient[i])) / curvature
	step = min(step, s.room(i, 1), s.room(j, -1))
	oldI, oldJ := s.alpha[i], s.alpha[j]
	s.alpha[i] = s.moved(i, float64(s.y[i]*step), step == s.room(i, 1))
	s.alpha[j] = s.moved(j, -float64(s.y[j]*step), step == s.room(j, -1))
	byI, byJ := float64(s.y[i]*(s.alpha[i]-oldI)), float64(s.y[j]*(s.alpha[j]-oldJ))
	for t := range s.gradient {
		s.gradient[t] += float64(s.y[t] * (float64(byI*first[t]) + float64(byJ*second[t])))
	}
}

// room returns how far y_i·α_i can go in a direction, +1 or −1.
func (s *smo) room(i int, direction float64) float64 {
	if s.y[i] == direction {
		return s.c - s.alpha[i]
	}
	return s.alpha[i]
}

// moved returns α_i + change, or the end that it reaches.
func (s *smo) moved(i int, change float64, end bool) float64 {
	switch {
	case end && change > 0:
		return s.c
	case end:
		return 0
	}
	return min(s.c, max(0, s.alpha[i]+change))
}

// rho returns the threshold: y_i·∇_i of the α that are neither 0 nor C on average, else the middle
// of what the conditions leave.
func (s *smo) rho() float64 {
	upper, lower, sum, free := inf, -inf, 0.0, 0
	for i, g := range s.gradient {
		v := float64(s.y[i] * g)
		if s.alpha[i] > 0 && s.alpha[i] < s.c {
			sum += v
			free++
		} else if s.isUp(i) {
			upper = min(upper, v)
		} else {
			lower = max(lower, v)
		}
	}
	if free > 0 {
		return sum / float64(free)
	}
	if math.IsInf(upper, 0) {
		return lower
	}
	if math.IsInf(lower, 0) {
		return upper
	}
	return (upper + lower) / 2
}

// A columnCache keeps the columns that were used last, at least two.
type columnCache struct {
	n     int
	most  int
	slots [][]float64
	spare [][]float64 // memory for further slots
	owner []int32     // of each slot
	slot  []int32     // of each column, or −1
	newer []int32     // the slots from the oldest to the newest, a ring through slot most
	older []int32
}

// newColumnCache returns a cache of columns of n numbers that uses the memory of an earlier one, or nil.
func newColumnCache(n int, bytes int64, earlier [][]float64) columnCache {
	c := columnCache{n: n, most: int(min(int64(n), max(2, bytes/8/int64(n)))), slot: make([]int32, n)}
	for i := range c.slot {
		c.slot[i] = -1
	}
	c.newer, c.older = []int32{0}, []int32{0}
	for _, memory := range earlier {
		if cap(memory) >= n && len(c.spare) < c.most {
			c.spare = append(c.spare, memory[:n])
		}
	}
	return c
}

// get returns the memory of a column, and whether the column is in it.
func (c *columnCache) get(column int) (memory []float64, there bool) {
	s := c.slot[column]
	there = s >= 0
	switch {
	case there:
		c.unlink(s)
	case len(c.slots) < c.most:
		s = int32(len(c.slots)) + 1 // slot 0 is the ring's head
		if last := len(c.spare) - 1; last >= 0 {
			c.slots, c.spare = append(c.slots, c.spare[last]), c.spare[:last]
		} else {
			c.slots = append(c.slots, make([]float64, c.n))
		}
		c.owner = append(c.owner, 0)
		c.newer, c.older = append(c.newer, 0), append(c.older, 0)
	default:
		s = c.newer[0]
		c.unlink(s)
		c.slot[c.owner[s-1]] = -1
	}
	c.owner[s-1], c.slot[column] = int32(column), s
	last := c.older[0]
	c.newer[last], c.older[s], c.newer[s], c.older[0] = s, last, 0, s
	return c.slots[s-1], there
}

func (c *columnCache) unlink(s int32) {
	c.newer[c.older[s]], c.older[c.newer[s]] = c.newer[s], c.older[s]
}
