package learn_test

import (
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/kernel"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/golden"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

// stepper is a fit in steps.
type stepper interface {
	Step() (done float64, finished bool, err error)
	Machine() *kernel.Machine
}

// finish does all steps. Progress must not go backwards.
func finish(t testing.TB, s stepper) *kernel.Machine {
	t.Helper()
	last := 0.0
	for {
		if s.Machine() != nil {
			t.Fatal("there is a machine before the end")
		}
		done, finished, err := s.Step()
		need.OK(t, err)
		if done < last || done > 1 || finished != (done == 1) {
			t.Fatalf("%v is done after %v, finished %v", done, last, finished)
		}
		if last = done; finished {
			return s.Machine()
		}
	}
}

func polynomialKernel(t testing.TB, d, degree int, gamma, coef0 float64) *sketch.Formulas {
	t.Helper()
	return need.Value(sketch.NewFormulas(sketch.Params{NFeatures: d, NComponents: 2, Degree: degree, Gamma: gamma,
		Coef0: coef0}))(t)
}

// TestPeersOfKernelSVM compares with scikit-learn's SVC, which is LIBSVM: the same classes of all
// rows, and the same number of support vectors to a few of them.
func TestPeersOfKernelSVM(t *testing.T) {
	slow.Emulated(t)
	for _, c := range peerCases(t) {
		X, y := c.problem(t)
		f := polynomialKernel(t, c.D, 2, 0.5, 1)
		for _, cache := range []int64{0, 1} {
			s := need.Value(kernel.NewSVM(f, sketch.Dense(X), solve.RowLabels{Classes: y}, c.Classes,
				kernel.Options{C: c.C, Cache: cache}))(t)
			m := finish(t, s)
			if !s.Report().Converged {
				t.Errorf("case %d: %+v", c.Seed, s.Report())
			}
			var got strings.Builder
			for _, class := range m.Predict(nil, X) {
				got.WriteByte(byte('0' + class))
			}
			if got.String() != c.SVC {
				t.Errorf("case %d predicts\n%s, want\n%s", c.Seed, got.String(), c.SVC)
			}
			support := 0
			for _, n := range c.SVCSupport {
				support += n
			}
			if d := m.Support() - support; d < -2 || d > 2 {
				t.Errorf("case %d has %d support vectors, want %d", c.Seed, m.Support(), support)
			}
		}
	}
}

// TestMargins: the support vectors of a converged machine are the rows with margins up to 1, some of
// them exactly 1, and no others.
func TestMargins(t *testing.T) {
	const n, d, C, tolerance = 150, 4, 0.5, 1e-6
	X, y := drawProblem(23, n, d, 2)
	f := polynomialKernel(t, d, 3, 0.25, 1)
	s := need.Value(kernel.NewSVM(f, sketch.Dense(X), solve.RowLabels{Classes: y}, 2,
		kernel.Options{C: C, Tolerance: tolerance}))(t)
	m := finish(t, s)
	scores := m.Scores(nil, X)
	free, bound, none := 0, 0, 0
	for i, class := range y {
		margin := scores[2*i+int(class)]
		switch {
		case math.Abs(margin-1) <= 2*tolerance:
			free++
		case margin < 1:
			bound++
		default:
			none++
		}
	}
	if free+bound != m.Support() || free == 0 || bound == 0 || none == 0 {
		t.Errorf("%d rows on the margin, %d within and %d beyond; %d support vectors", free, bound, none, m.Support())
	}
}

// TestKernelRidgeIsRidge: with the linear kernel, kernel ridge is ridge on the rows; with a fitted
// intercept, for classes and for targets.
func TestKernelRidgeIsRidge(t *testing.T) {
	const n, d, K = 120, 7, 3
	X, y := drawProblem(25, n, d, K)
	f := polynomialKernel(t, d, 1, 1, 0)
	for name, c := range everyProblem(d, y, K) {
		if c.Loss != learn.LossSquared || c.Problem.Classes == 2 {
			continue
		}
		weights := make([]uint8, n)
		for i := range weights {
			weights[i] = uint8(min(1, i%5))
		}
		c.Weights = weights
		l, _ := fitDense(t, c.Problem, X, c.RowLabels, learn.SolverOptions{Tolerance: 1e-12}, solve.RunOptions{})
		want := l.Scores(nil, X)
		s := need.Value(kernel.NewRidge(f, sketch.Dense(X), c.RowLabels, c.Problem.Classes, c.Problem.Targets,
			c.Alpha))(t)
		m := finish(t, s)
		if m.Support() != n*4/5 {
			t.Errorf("%s: %d rows, want %d", name, m.Support(), n*4/5)
		}
		for i, got := range m.Scores(nil, X) {
			if math.Abs(got-want[i]) > 1e-8 {
				t.Fatalf("%s: score %d is %v, want %v", name, i, got, want[i])
			}
		}
	}
}

// TestEveryKernel: machines compute the kernel of every method: with one row, and −1 and 1 as
// targets, the score of a row less the intercept is proportional to its kernel.
func TestEveryKernel(t *testing.T) {
	const d = 4
	r := rand.New(rand.NewSource(3))
	for _, method := range sketch.Methods() {
		kernels := method.Kernels
		if kernels == nil {
			kernels = []string{""}
		}
		for _, of := range kernels {
			p := sketch.Params{Method: method.Name, NFeatures: d, NComponents: 16}
			p.MethodParams.Kernel = of
			if slices.Contains(method.Takes, "coef0") && of != sketch.KernelExponential && of != sketch.KernelGaussian {
				p.Coef0 = 0.5
			}
			f, err := sketch.NewFormulas(p)
			if err != nil {
				t.Fatalf("%s, %s: %v", method.Name, of, err)
			}
			X, wide := make([]float32, 2*d), make([]float64, 2*d)
			for i := range X {
				X[i] = float32(r.NormFloat64())
			}
			for i := range 2 {
				unit(X[i*d : (i+1)*d])
			}
			for i, v := range X {
				wide[i] = float64(v)
			}
			xx, xy, yy := f.Kernel(wide[:d], wide[:d]), f.Kernel(wide[:d], wide[d:]), f.Kernel(wide[d:], wide[d:])
			s := need.Value(kernel.NewRidge(f, sketch.Dense(X), solve.RowLabels{Targets: []float64{1, -1}}, 0, 1, 2))(t)
			scores := finish(t, s).Scores(nil, X)
			want := 2 / (xx + yy - 2*xy + 4) * (xx + yy - 2*xy)
			if got := scores[0] - scores[1]; !near(got, want, 1e-7) {
				t.Errorf("%s, %q: the scores differ by %v, want %v", method.Name, of, got, want)
			}
		}
	}
}

// TestSparseKernelRows: sparse rows give the bits of the same dense rows.
func TestSparseKernelRows(t *testing.T) {
	const n, d, K = 90, 6, 3
	X, y := drawProblem(27, n, d, K)
	csr := sketch.CSR{Indptr: []int32{0}}
	for i, v := range X {
		if v != 0 {
			csr.Indices, csr.Data = append(csr.Indices, int32(i%d)), append(csr.Data, v)
		}
		if i%d == d-1 {
			csr.Indptr = append(csr.Indptr, int32(len(csr.Data)))
		}
	}
	f := polynomialKernel(t, d, 2, 1, 1)
	labels := solve.RowLabels{Classes: y}
	want := finish(t, need.Value(kernel.NewRidge(f, sketch.Dense(X), labels, K, 0, 1))(t)).Scores(nil, X)
	got := finish(t, need.Value(kernel.NewRidge(f, csr, labels, K, 0, 1))(t)).Scores(nil, X)
	if !slices.Equal(got, want) {
		t.Error("sparse rows have other scores in ridge")
	}
	o := kernel.Options{}
	want = finish(t, need.Value(kernel.NewSVM(f, sketch.Dense(X), labels, K, o))(t)).Scores(nil, X)
	got = finish(t, need.Value(kernel.NewSVM(f, csr, labels, K, o))(t)).Scores(nil, X)
	if !slices.Equal(got, want) {
		t.Error("sparse rows have other scores in the SVM")
	}
}

func TestWrongKernelMachines(t *testing.T) {
	f := polynomialKernel(t, 1, 2, 1, 1)
	rows := sketch.Dense{1, 2, 3}
	classes := solve.RowLabels{Classes: []int32{0, 1, 1}}
	svm := func(X sketch.Rows, labels solve.RowLabels, classes int, o kernel.Options) error {
		_, err := kernel.NewSVM(f, X, labels, classes, o)
		return err
	}
	ridge := func(X sketch.Rows, labels solve.RowLabels, classes, targets int, alpha float64) error {
		_, err := kernel.NewRidge(f, X, labels, classes, targets, alpha)
		return err
	}
	many := make(sketch.Dense, kernel.MaxSVMRows+1)
	of := func(classes ...int32) solve.RowLabels { return solve.RowLabels{Classes: classes} }
	golden.Errors(t, map[string]error{
		"one class":              svm(rows, classes, 1, kernel.Options{}),
		"a negative C":           svm(rows, classes, 2, kernel.Options{C: -1}),
		"a tolerance of 2":       svm(rows, classes, 2, kernel.Options{Tolerance: 2}),
		"a negative cache":       svm(rows, classes, 2, kernel.Options{Cache: -1}),
		"too many rows":          svm(many, classes, 2, kernel.Options{}),
		"rows of one class":      svm(rows, of(0, 0, 0), 2, kernel.Options{}),
		"a class is missing":     svm(rows, of(0, 1), 2, kernel.Options{}),
		"a class out of range":   svm(rows, of(0, 1, 2), 2, kernel.Options{}),
		"NaN":                    svm(sketch.Dense{1, float32(math.NaN()), 3}, classes, 2, kernel.Options{}),
		"no alpha":               ridge(rows, classes, 2, 0, 0),
		"too many rows to solve": ridge(many[:kernel.MaxRidgeRows+1], classes, 2, 0, 1),
		"an infinite target":     ridge(rows, solve.RowLabels{Targets: []float64{1, math.Inf(1), 2}}, 0, 1, 1),
	})
	// Equal rows have a singular kernel matrix: α must make up for it.
	s := need.Value(kernel.NewRidge(f, sketch.Dense{1, 1, 1}, classes, 2, 0, 1e-18))(t)
	for {
		_, finished, err := s.Step()
		if err != nil {
			golden.Say(t, "a singular matrix", err.Error())
			break
		}
		if finished {
			t.Fatal("a singular matrix was factored")
		}
	}
}
