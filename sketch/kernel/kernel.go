// Package kernel has machines of the exact kernel, which show what sketching loses: ridge regression and support vector
// machines. They keep the rows that they learned from, and compare each new row with all of them, so the number of rows
// is limited. The models of package learn are nearly as good, at a cost that does not grow with the rows.
package kernel

import (
	"slices"
	"strconv"

	"tensorsketch.example/internal/engine/dispatch"
	"tensorsketch.example/internal/engine/matrix"
	"tensorsketch.example/internal/portable"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// MaxRidgeRows is the maximum number of rows of a Ridge, and MaxSVMRows of an SVM. A Ridge keeps the kernel of every
// pair of rows: 128 MB.
const (
	MaxRidgeRows = 4000
	MaxSVMRows   = 100000
)

// exactKernel computes κ(x, y) between rows of d numbers.
type exactKernel struct {
	formulas *sketch.Formulas
	d        int
	ofDot    bool // κ(x, y) is what NormKernel makes of ⟨x, y⟩
}

func newExactKernel(f *sketch.Formulas) exactKernel {
	p := f.Params()
	k := exactKernel{formulas: f, d: f.NFeatures()}
	if len(p.NFeaturesEach) == 0 && (p.MethodParams.Kernel == "" || p.MethodParams.Kernel == sketch.KernelPolynomial) {
		for _, m := range sketch.Methods() {
			k.ofDot = k.ofDot || m.Name == p.Method && slices.Contains(m.Takes, "coef0")
		}
	}
	return k
}

// column writes κ(x, row) for the listed rows of a matrix to dst. Its scratch has scratchLength() numbers.
func (k *exactKernel) column(dst []float64, x, rows []float32, list []int32, scratch []float64) {
	wide := scratch[:k.d]
	for j, v := range x {
		wide[j] = float64(v)
	}
	if k.ofDot {
		dispatch.Dots(dst, wide, rows, list, scratch[k.d:])
		for i := range list {
			dst[i] = k.formulas.NormKernel(dst[i])
		}
		return
	}
	other := scratch[k.d : 2*k.d]
	for i, row := range list {
		for j, v := range rows[int(row)*k.d : (int(row)+1)*k.d] {
			other[j] = float64(v)
		}
		dst[i] = k.formulas.Kernel(wide, other)
	}
}

// scratchLength returns the length of the scratch memory of column.
func (k *exactKernel) scratchLength() int { return k.d + max(k.d, dispatch.DotScratch) }

// keep returns the rows with weight 1, dense, and their indices. It checks their shape and numbers.
func (k *exactKernel) keep(X sketch.Rows, weights []uint8) (rows []float32, kept []int32, err error) {
	switch X := X.(type) {
	case sketch.Dense:
		if len(X)%k.d != 0 {
			return nil, nil, sketch.ErrShape.New("X", strconv.Itoa(len(X)),
				"hold a multiple of nFeatures = "+strconv.Itoa(k.d)+" values")
		}
		rows = X
	case sketch.CSR:
		if _, err := solve.SparseSource(X, k.d); err != nil {
			return nil, nil, err
		}
		rows = make([]float32, (len(X.Indptr)-1)*k.d)
		for r := range len(X.Indptr) - 1 {
			for i := X.Indptr[r]; i < X.Indptr[r+1]; i++ {
				rows[r*k.d+int(X.Indices[i])] = X.Data[i]
			}
		}
	}
	for r := range len(rows) / k.d {
		if weights != nil && weights[r] == 0 {
			continue
		}
		for j, v := range rows[r*k.d : (r+1)*k.d] {
			if v-v != 0 {
				return nil, nil, notFinite(r, j, float64(v), beFinite)
			}
		}
		kept = append(kept, int32(r))
	}
	return rows, kept, nil
}

const beFinite = "be finite: remove or replace NaN and infinite values"

// notFinite is the error of a number of a row, or of its kernel, that is NaN or infinite.
func notFinite(row, column int, value float64, want string) error {
	e := sketch.ErrNonFinite.New("X", portable.FormatNumber(value), want)
	e.Row, e.Column = row, column
	return e
}

// axpy adds a·x to y.
func axpy(y []float64, a float64, x []float64) {
	for i, v := range x {
		y[i] += float64(a * v)
	}
}

// countRows returns the number of rows of X, of d numbers each.
func countRows(X sketch.Rows, d int) int {
	if X, ok := X.(sketch.CSR); ok {
		return max(0, len(X.Indptr)-1)
	}
	return len(X.(sketch.Dense)) / d
}

// A Machine predicts by the exact kernel from the rows that it learned from. It keeps scratch
// memory, so it is not safe for concurrent use.
type Machine struct {
	kernel    exactKernel
	rows      []float32 // those it learned from, as they were given
	support   []int32   // the rows that it uses, ascending
	outputs   int       // K
	weights   []float64 // of ridge: support × K
	intercept []float64 // of ridge: K
	pairs     []pairMachine

	values  []float64 // kernels with the support
	scratch []float64
}

// A pairMachine tells two classes apart: first if Σ weights·κ − rho > 0, else second.
type pairMachine struct {
	first, second int
	support       []int32 // indices into the support of the Machine
	weights       []float64
	rho           float64
}

// Support returns the number of rows that predictions use.
func (m *Machine) Support() int { return len(m.support) }

// K returns the number of scores of a row: classes or targets.
func (m *Machine) K() int { return m.outputs }

// Scores writes K scores for each dense row of X to dst and returns it; nil allocates. The scores of
// a Ridge are its predicted targets. A SVM has the number of votes for each class, or with
// two classes the decision value and its opposite. It panics if a length does not fit.
func (m *Machine) Scores(dst []float64, X []float32) []float64 {
	d := m.kernel.d
	n := len(X) / d
	if dst == nil {
		dst = make([]float64, n*m.outputs)
	}
	if len(X) != n*d || len(dst) != n*m.outputs {
		panic("kernel: Scores of rows of a wrong length, or for too few or too many scores")
	}
	if m.scratch == nil {
		m.scratch, m.values = make([]float64, m.kernel.scratchLength()), make([]float64, len(m.support))
	}
	for r := range n {
		m.kernel.column(m.values, X[r*d:(r+1)*d], m.rows, m.support, m.scratch)
		scores := dst[r*m.outputs : (r+1)*m.outputs]
		if m.pairs == nil {
			copy(scores, m.intercept)
			for i, v := range m.values {
				axpy(scores, v, m.weights[i*m.outputs:(i+1)*m.outputs])
			}
			continue
		}
		m.vote(scores)
	}
	return dst
}

// vote counts the votes of all pairs for a row.
func (m *Machine) vote(scores []float64) {
	clear(scores)
	for i := range m.pairs {
		p := &m.pairs[i]
		value := -p.rho
		for at, s := range p.support {
			value += float64(p.weights[at] * m.values[s])
		}
		switch {
		case m.outputs == 2:
			scores[0], scores[1] = value, -value
		case value > 0:
			scores[p.first]++
		default:
			scores[p.second]++
		}
	}
}

// Predict writes the class with the largest score of each row to dst and returns it; nil allocates.
// Among equal scores the first class wins, as in LIBSVM.
func (m *Machine) Predict(dst []int32, X []float32) []int32 {
	scores := m.Scores(nil, X)
	n := len(X) / m.kernel.d
	if dst == nil {
		dst = make([]int32, n)
	}
	for r := range n {
		dst[r] = int32(solve.Largest(scores[r*m.outputs : (r+1)*m.outputs]))
	}
	return dst
}

// A Ridge fits ridge regression with the exact kernel: the model of learn.LossSquared whose features
// have exactly the inner products κ. With classes the targets are ±1, one class against all others.
//
//	(κ(X, X) + αI)·a = t − b,  Σ a = 0
//
// Step does some milliseconds of work, until it says that the fit has finished.
type Ridge struct {
	machine *Machine
	labels  solve.RowLabels
	classes int
	alpha   float64
	matrix  []float64
	next    int // the first row of the matrix that is not computed
	factor  *matrix.Cholesky
	ones    []float64 // the solution for (1, …, 1)
	scratch []float64
	done    bool
}

// NewRidge begins a fit to the rows of X with the kernel of the formulas. With classes 0, the
// labels are targets, so many for each row. The errors are *sketch.Errors; more than MaxRidgeRows
// rows are one.
func NewRidge(f *sketch.Formulas, X sketch.Rows, labels solve.RowLabels, classes, targets int,
	alpha float64) (*Ridge, error) {
	p := solve.Problem{Loss: learn.LossSquared, NComponents: 1, Classes: classes, Targets: targets, Alpha: alpha}
	machine, err := newMachine(f, X, labels, p, MaxRidgeRows)
	if err != nil {
		return nil, err
	}
	n := len(machine.support)
	return &Ridge{machine: machine, labels: labels, classes: classes, alpha: alpha,
		matrix: make([]float64, n*n), scratch: make([]float64, machine.kernel.scratchLength())}, nil
}

// newMachine checks a problem and its rows, and returns a machine of them that is not fitted.
func newMachine(f *sketch.Formulas, X sketch.Rows, labels solve.RowLabels, p solve.Problem,
	most int) (*Machine, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	k := newExactKernel(f)
	if n := countRows(X, k.d); n > most {
		return nil, sketch.ErrParam.New("rows", strconv.Itoa(n), "be at most "+strconv.Itoa(most)+
			" for the exact kernel: use fewer rows, or a feature map")
	}
	rows, kept, err := k.keep(X, labels.Weights[:min(len(labels.Weights), countRows(X, k.d))])
	if err == nil {
		err = p.Check(countRows(X, k.d), labels)
	}
	if err != nil {
		return nil, err
	}
	return &Machine{kernel: k, rows: rows, support: kept, outputs: p.Classes + p.Targets}, nil
}

// target returns target k of a row.
func (r *Ridge) target(row int32, k int) float64 {
	switch {
	case r.classes == 0:
		return r.labels.Targets[int(row)*r.machine.outputs+k]
	case int(r.labels.Classes[row]) == k:
		return 1
	}
	return -1
}

// stepProducts is how many products a Step computes, about. A kernel costs as much as kernelProducts besides its own.
const (
	stepProducts   = 1 << 22
	kernelProducts = 32
)

// Step does some milliseconds of work. It returns how much is done, from 0 to 1, and whether that is
// all. The error, with code ErrParam, says that alpha is too small for the matrix to be factored.
func (r *Ridge) Step() (done float64, finished bool, err error) {
	m := r.machine
	n := len(m.support)
	switch {
	case r.done:
		return 1, true, nil
	case r.next < n:
		for work := 0; r.next < n && work < stepProducts; r.next++ {
			i := m.support[r.next]
			row := r.matrix[r.next*n+r.next : (r.next+1)*n]
			m.kernel.column(row, m.rows[int(i)*m.kernel.d:int(i+1)*m.kernel.d], m.rows, m.support[r.next:], r.scratch)
			row[0] += r.alpha
			work += len(row) * (m.kernel.d + kernelProducts)
		}
		return 0.5 * float64(r.next) / float64(n), false, nil
	case r.factor == nil:
		for i := range n {
			if v := r.matrix[i*n+i]; v-v != 0 {
				return 0, false, notFinite(int(m.support[i]), -1, v, beFinite)
			}
		}
		r.factor = matrix.NewCholesky(r.matrix, n)
		return 0.5, false, nil
	}
	if !r.factor.Step() {
		return 0.5 + 0.4*r.factor.Done(), false, nil
	}
	if r.factor.Failed() >= 0 {
		return 0, false, sketch.ErrParam.New("alpha", portable.FormatNumber(r.alpha),
			"be larger: rounding errors of the kernel matrix exceed it")
	}
	if !r.solve() {
		return 0.9 + 0.09*float64(len(m.intercept))/float64(m.outputs), false, nil
	}
	r.done, r.matrix, r.factor, r.ones = true, nil, nil, nil
	return 1, true, nil
}

// solve computes weights and intercepts of some outputs from the factor, and returns true after the last.
func (r *Ridge) solve() bool {
	m := r.machine
	n, K := len(m.support), m.outputs
	if r.ones == nil {
		m.weights, m.intercept, r.ones = make([]float64, n*K), make([]float64, 0, K), make([]float64, n)
		for i := range r.ones {
			r.ones[i] = 1
		}
		r.factor.Solve(r.ones, 1)
		return false
	}
	from := len(m.intercept)
	k := min(K-from, max(1, stepProducts/(n*n)))
	x := make([]float64, n*k)
	for i, row := range m.support {
		for j := range k {
			x[i*k+j] = r.target(row, from+j)
		}
	}
	r.factor.Solve(x, k)
	for j := range k {
		sum, ones := 0.0, 0.0
		for i, one := range r.ones {
			sum += x[i*k+j]
			ones += one
		}
		b := sum / ones
		m.intercept = append(m.intercept, b)
		for i, one := range r.ones {
			m.weights[i*K+from+j] = x[i*k+j] - float64(b*one)
		}
	}
	return from+k == K
}

// Machine returns the fitted machine, or nil before the fit has finished.
func (r *Ridge) Machine() *Machine {
	if !r.done {
		return nil
	}
	return r.machine
}
