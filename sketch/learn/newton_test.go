package learn_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand"
	"os"
	"slices"
	"strconv"
	"testing"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/golden"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

// A draw is xorshift32, as in testdata/peers.py.
type draw uint32

func (x *draw) below(n int) int {
	*x ^= *x << 13
	*x ^= *x >> 17
	*x ^= *x << 5
	return int(uint32(*x) % uint32(n))
}

// drawProblem is problem of testdata/peers.py.
func drawProblem(seed, n, d, K int) ([]float32, []int32) {
	x := draw(seed)
	F := make([]int, K*d)
	for i := range F {
		F[i] = x.below(9) - 4
	}
	X, y := make([]float32, n*d), make([]int32, n)
	for i := range n {
		row := make([]int, d)
		for j := range row {
			row[j] = x.below(17) - 8
			X[i*d+j] = float32(row[j]) / 8
		}
		best := math.MinInt
		for k := range K {
			s := 0
			for j, v := range row {
				s += F[k*d+j] * v
			}
			if s += x.below(61) - 30; s > best {
				best, y[i] = s, int32(k)
			}
		}
	}
	return X, y
}

// A peerCase is a case of testdata/peers.json.
type peerCase struct {
	Seed, Rows, D, Classes int
	C                      float64
	Counts                 []int
	Hinge                  []float64
	HingeFirst             []float64
	Logistic               float64
	LogisticFirst          []float64
	Ridge                  []float64
	SVC                    string
	SVCSupport             []int
}

func peerCases(t testing.TB) []peerCase {
	t.Helper()
	var file struct{ Cases []peerCase }
	need.OK(t, json.Unmarshal(need.Value(os.ReadFile("testdata/peers.json"))(t), &file))
	return file.Cases
}

// problem draws the rows of a case, and checks that they are the ones of the peers.
func (c peerCase) problem(t testing.TB) ([]float32, []int32) {
	t.Helper()
	X, y := drawProblem(c.Seed, c.Rows, c.D, c.Classes)
	counts := make([]int, c.Classes)
	for _, class := range y {
		counts[class]++
	}
	if !slices.Equal(counts, c.Counts) {
		t.Fatalf("case %d has %v rows of the classes, want %v", c.Seed, counts, c.Counts)
	}
	return X, y
}

// fitDense fits dense rows, or ends the test.
func fitDense(t testing.TB, p solve.Problem, X []float32, labels solve.RowLabels, o learn.SolverOptions,
	run solve.RunOptions) (*learn.Linear, *solve.Solver) {
	t.Helper()
	source := need.Value(solve.FeatureSource(X, p.NComponents))(t)
	l, s, err := solve.FitRows(p, solve.RowData{Source: source, Labels: labels}, o, run)
	need.OK(t, err)
	return l, s
}

func near(a, b, relative float64) bool {
	return math.Abs(a-b) <= relative*math.Max(math.Abs(a), math.Abs(b))
}

// TestPeersOfSVM compares with LIBLINEAR, far beyond its own tolerance.
func TestPeersOfSVM(t *testing.T) {
	for _, c := range peerCases(t) {
		X, y := c.problem(t)
		p := solve.Problem{Loss: learn.LossSquaredHinge, NComponents: c.D, Classes: c.Classes, C: c.C}
		l, s := fitDense(t, p, X, solve.RowLabels{Classes: y}, learn.SolverOptions{Tolerance: 1e-9}, solve.RunOptions{})
		for k, r := range s.Report() {
			if !r.Converged || !near(r.Objective, c.Hinge[k], 1e-9) {
				t.Errorf("case %d, class %d: %+v, want the objective %v", c.Seed, k, r, c.Hinge[k])
			}
		}
		first := 0
		if c.Classes == 2 {
			first = 1
		}
		got := append(slices.Clone(l.Weights[first*c.D:][:c.D]), l.Intercept[first])
		for j, want := range c.HingeFirst {
			if math.Abs(got[j]-want) > 1e-5 {
				t.Errorf("case %d: weight %d is %v, want %v", c.Seed, j, got[j], want)
			}
		}
		if c.Classes == 2 && (l.Weights[0] != -l.Weights[c.D] || l.Intercept[0] != -l.Intercept[1]) {
			t.Errorf("case %d: the scores of two classes are not opposite", c.Seed)
		}
	}
}

// TestPeersOfLogistic compares with scikit-learn's lbfgs.
func TestPeersOfLogistic(t *testing.T) {
	for _, c := range peerCases(t) {
		X, y := c.problem(t)
		p := solve.Problem{Loss: learn.LossLogistic, NComponents: c.D, Classes: c.Classes, C: c.C}
		l, s := fitDense(t, p, X, solve.RowLabels{Classes: y}, learn.SolverOptions{Tolerance: 1e-9}, solve.RunOptions{})
		if r := s.Report()[0]; !r.Converged || !near(r.Objective, c.Logistic, 1e-8) {
			t.Errorf("case %d: %+v, want the objective %v", c.Seed, r, c.Logistic)
		}
		weights, factor := l.Weights, 1.0
		if c.Classes == 2 {
			weights, factor = l.Weights[c.D:], 2
		}
		for j, want := range c.LogisticFirst {
			if math.Abs(factor*weights[j]-want) > 1e-4 {
				t.Errorf("case %d: weight %d is %v, want %v", c.Seed, j, factor*weights[j], want)
			}
		}
	}
}

// TestPeersOfRidge compares conjugate gradients with scikit-learn's Cholesky factor, and the two
// forms of targets with each other.
func TestPeersOfRidge(t *testing.T) {
	for _, c := range peerCases(t) {
		X, y := c.problem(t)
		targets := make([]float64, len(y))
		for i, class := range y {
			targets[i] = -1
			if class == 1 {
				targets[i] = 1
			}
		}
		o := learn.SolverOptions{Tolerance: 1e-11}
		p := solve.Problem{Loss: learn.LossSquared, NComponents: c.D, Targets: 1, Alpha: 1 / c.C}
		l, s := fitDense(t, p, X, solve.RowLabels{Targets: targets}, o, solve.RunOptions{})
		if !s.Converged() {
			t.Errorf("case %d: %+v", c.Seed, s.Report())
		}
		for j, want := range c.Ridge {
			if got := append(slices.Clone(l.Weights), l.Intercept[0])[j]; math.Abs(got-want) > 1e-8 {
				t.Errorf("case %d: weight %d is %v, want %v", c.Seed, j, got, want)
			}
		}
		p.Targets, p.Classes = 0, c.Classes
		classes, _ := fitDense(t, p, X, solve.RowLabels{Classes: y}, o, solve.RunOptions{})
		for j := range c.D {
			if got := classes.Weights[c.D+j]; math.Abs(got-l.Weights[j]) > 1e-8 {
				t.Errorf("case %d: weight %d of class 1 is %v, want %v", c.Seed, j, got, l.Weights[j])
			}
		}
	}
}

// everyProblem are problems with every loss and form of labels, and labels for them.
func everyProblem(d int, y []int32, K int) map[string]struct {
	solve.Problem
	solve.RowLabels
} {
	two := make([]int32, len(y))
	numbers := make([]float64, 2*len(y))
	for i, class := range y {
		two[i] = class & 1
		numbers[2*i], numbers[2*i+1] = float64(class)-1, float64(i%7)
	}
	type problem = struct {
		solve.Problem
		solve.RowLabels
	}
	cases := map[string]problem{}
	for _, loss := range []string{learn.LossSquaredHinge, learn.LossLogistic, learn.LossSquared} {
		cases[loss] = problem{solve.Problem{Loss: loss, NComponents: d, Classes: K, C: 0.5, Alpha: 2},
			solve.RowLabels{Classes: y}}
		cases[loss+" of two classes"] = problem{solve.Problem{Loss: loss, NComponents: d, Classes: 2, C: 0.5, Alpha: 2},
			solve.RowLabels{Classes: two}}
	}
	cases["targets"] = problem{solve.Problem{Loss: learn.LossSquared, NComponents: d, Targets: 2, Alpha: 0.5},
		solve.RowLabels{Targets: numbers}}
	return cases
}

// TestGradientsAreDerivatives compares gradients with differences of losses, and products of the
// Hessian and its diagonal with differences of gradients.
func TestGradientsAreDerivatives(t *testing.T) {
	const n, d, K = 90, 6, 4
	X, y := drawProblem(5, n, d, K)
	r := rand.New(rand.NewSource(1))
	for name, c := range everyProblem(d, y, K) {
		p := c.Problem
		worker, size := solve.NewWorker(p), p.Vectors()*p.Stride()
		wants := make([]solve.Want, p.Vectors())
		memo := make([]float64, p.MemoLength(n))
		ask := func(want solve.Want, at, v []float64) []float64 {
			for i := range wants {
				wants[i] = want
			}
			dst := make([]float64, p.PartialLength(true))
			r := &solve.Request{Wants: wants, At: at, V: v, Diagonal: true}
			worker.Block(dst, memo, r, solve.Features{Dense: X}, c.RowLabels)
			return dst
		}
		at, v := make([]float64, size), make([]float64, size)
		for i := range at {
			if i%p.Stride() <= d {
				at[i], v[i] = r.NormFloat64()/4, r.NormFloat64()
			}
		}
		const h = 1e-6
		moved := func(factor float64, along []float64) []float64 {
			w := slices.Clone(at)
			for i, x := range along {
				w[i] += factor * x
			}
			return w
		}
		loss := func(partial []float64) (sum float64) {
			for _, x := range partial[size : size+p.Vectors()] {
				sum += x
			}
			return sum
		}
		up, down := ask(solve.Gradient, at, moved(h, v)), ask(solve.Gradient, at, moved(-h, v))
		here := ask(solve.Gradient, at, at)
		slope := 0.0
		for i, x := range v {
			slope += x * here[i]
		}
		if got := (loss(up) - loss(down)) / (2 * h); !near(got, slope, 1e-5) {
			t.Errorf("%s: the derivative is %v, but the losses differ by %v", name, slope, got)
		}
		product := ask(solve.Product, at, v)
		for i, want := range product[:size] {
			if got := (up[i] - down[i]) / (2 * h); math.Abs(got-want) > 1e-4*(1+math.Abs(want)) {
				t.Errorf("%s: the Hessian's product %d is %v, but the gradients differ by %v", name, i, want, got)
			}
		}
		for i := range size {
			unit := make([]float64, size)
			unit[i] = 1
			if i%p.Stride() > d {
				continue
			}
			column := ask(solve.Product, at, unit)
			if got := here[size+p.Vectors()+i]; !near(got, column[i], 1e-12) {
				t.Errorf("%s: the diagonal %d is %v, want %v", name, i, got, column[i])
			}
		}
	}
}

func sameBits(t *testing.T, what string, got, want *learn.Linear) {
	t.Helper()
	for i, w := range append(slices.Clone(want.Weights), want.Intercept...) {
		if g := append(slices.Clone(got.Weights), got.Intercept...)[i]; math.Float64bits(g) != math.Float64bits(w) {
			t.Errorf("%s: number %d is %v, want %v", what, i, g, w)
			return
		}
	}
}

// TestSameBitsByAnyone: goroutines, a frugal pass, features computed anew, and blocks computed in
// any order give the same bits.
func TestSameBitsByAnyone(t *testing.T) {
	slow.Emulated(t)
	const n, d, K, D = 3*solve.BlockRows + 77, 5, 3, 37
	X, y := drawProblem(7, n, d, K)
	m := need.Value(sketch.NewFeatureMap(sketch.Params{NFeatures: d, NComponents: D, Coef0: 1}))(t)
	Z := need.Value(m.TransformBatch(nil, X))(t)
	for name, c := range everyProblem(D, y, K) {
		p, o := c.Problem, learn.SolverOptions{Tolerance: 1e-4}
		want, solver := fitDense(t, p, Z, c.RowLabels, o, solve.RunOptions{})
		if !solver.Converged() {
			t.Errorf("%s did not converge: %+v", name, solver.Report())
		}
		for _, goroutines := range []int{2, 3, 4, 9} {
			got, _ := fitDense(t, p, Z, c.RowLabels, o, solve.RunOptions{Goroutines: goroutines})
			sameBits(t, name+" with "+strconv.Itoa(goroutines)+" goroutines", got, want)
		}
		source := need.Value(solve.MapSource(m, sketch.Dense(X)))(t)
		got, _, err := solve.FitRows(p, solve.RowData{Source: source, Labels: c.RowLabels}, o,
			solve.RunOptions{Goroutines: 2, Frugal: true})
		need.OK(t, err)
		sameBits(t, name+" without memory", got, want)
		sameBits(t, name+" by strangers", byStrangers(t, p, Z, c.RowLabels, o), want)
	}
}

// byStrangers solves a problem as a program in another language does: every block of a pass by a
// worker of its own, the last block first.
func byStrangers(t *testing.T, p solve.Problem, Z []float32, labels solve.RowLabels,
	o learn.SolverOptions) *learn.Linear {
	t.Helper()
	n := len(Z) / p.NComponents
	s := need.Value(solve.NewSolver(p, n, o))(t)
	for r := s.Next(); r != nil; r = s.Next() {
		partials := make([][]float64, s.Blocks())
		for b := s.Blocks() - 1; b >= 0; b-- {
			from, to := b*solve.BlockRows, min((b+1)*solve.BlockRows, n)
			partials[b] = make([]float64, p.PartialLength(r.Diagonal))
			solve.NewWorker(p).Block(partials[b], nil, r, solve.Features{Dense: Z[from*p.NComponents : to*p.NComponents]},
				labels.Slice(from, to, p.Targets))
		}
		for _, partial := range partials {
			s.Give(partial)
		}
	}
	return s.Linear()
}

// TestSparseRows: sparse rows give the model of the same dense rows, to rounding, with and without
// the diagonal.
func TestSparseRows(t *testing.T) {
	const n, d, K = 700, 60, 3
	X, y := drawProblem(9, n, d, K)
	r := rand.New(rand.NewSource(2))
	csr := sketch.CSR{Indptr: []int32{0}}
	for i := range X {
		if r.Intn(10) > 0 {
			X[i] = 0
		}
		if i%d == 3 {
			X[i] *= 100
		}
		if X[i] != 0 {
			csr.Indices, csr.Data = append(csr.Indices, int32(i%d)), append(csr.Data, X[i])
		}
		if i%d == d-1 {
			csr.Indptr = append(csr.Indptr, int32(len(csr.Data)))
		}
	}
	source := need.Value(solve.SparseSource(csr, d))(t)
	for name, c := range everyProblem(d, y, K) {
		want, _ := fitDense(t, c.Problem, X, c.RowLabels, learn.SolverOptions{Tolerance: 1e-10}, solve.RunOptions{})
		passes := 0
		for _, diagonal := range []bool{false, true} {
			got, s, err := solve.FitRows(c.Problem, solve.RowData{Source: source, Labels: c.RowLabels},
				learn.SolverOptions{Tolerance: 1e-10, Diagonal: diagonal}, solve.RunOptions{})
			need.OK(t, err)
			if diagonal && s.Passes() >= passes { // one column is a hundred times as large as the others
				t.Errorf("%s: %d passes with the diagonal, %d without", name, s.Passes(), passes)
			}
			passes = s.Passes()
			if !s.Converged() {
				t.Errorf("%s: %+v", name, s.Report())
			}
			for i, w := range want.Weights {
				if math.Abs(got.Weights[i]-w) > 1e-5 {
					t.Fatalf("%s, diagonal %v: weight %d is %v, want %v", name, diagonal, i, got.Weights[i], w)
				}
			}
		}
	}
}

// TestWeightsOfRows: a row with weight 0 might as well not be there.
func TestWeightsOfRows(t *testing.T) {
	const n, d, K = 300, 8, 3
	X, y := drawProblem(11, n, d, K)
	weights := make([]uint8, n)
	for name, c := range everyProblem(d, y, K) {
		var kept []float32
		var labels solve.RowLabels
		for i := range n {
			weights[i] = uint8(i % 3 & 1)
			if weights[i] == 0 {
				continue
			}
			kept = append(kept, X[i*d:(i+1)*d]...)
			row := c.RowLabels.Slice(i, i+1, c.Problem.Targets)
			labels.Classes = append(labels.Classes, row.Classes...)
			labels.Targets = append(labels.Targets, row.Targets...)
		}
		want, _ := fitDense(t, c.Problem, kept, labels, learn.SolverOptions{}, solve.RunOptions{})
		weighted := c.RowLabels
		weighted.Weights = weights
		got, _ := fitDense(t, c.Problem, X, weighted, learn.SolverOptions{}, solve.RunOptions{})
		sameBits(t, name, got, want)
	}
}

// TestStart: the solution as a start needs hardly a step, and a bad start does no harm.
func TestStart(t *testing.T) {
	const n, d, K = 400, 9, 3
	X, y := drawProblem(13, n, d, K)
	for name, c := range everyProblem(d, y, K) {
		best, cold := fitDense(t, c.Problem, X, c.RowLabels, learn.SolverOptions{Tolerance: 1e-8}, solve.RunOptions{})
		_, warm := fitDense(t, c.Problem, X, c.RowLabels, learn.SolverOptions{Tolerance: 1e-6, Start: best},
			solve.RunOptions{})
		if warm.Passes() != 2 || !warm.Converged() {
			t.Errorf("%s: %d passes from the solution, want 2", name, warm.Passes())
		}
		bad := &learn.Linear{D: d, K: best.K, Weights: make([]float64, d*best.K), Intercept: make([]float64, best.K)}
		for i := range bad.Weights {
			bad.Weights[i] = 1e6
		}
		got, s := fitDense(t, c.Problem, X, c.RowLabels, learn.SolverOptions{Tolerance: 1e-8, Start: bad},
			solve.RunOptions{})
		sameBits(t, name+" from a bad start", got, best)
		if s.Passes() != cold.Passes()+2 {
			t.Errorf("%s: %d passes from a bad start, want 2 more than %d", name, s.Passes(), cold.Passes())
		}
	}
}

// TestPrecondition: the sums of the rows save passes and change the result within its tolerance only. A factor that
// rounding errors forbid is left out.
func TestPrecondition(t *testing.T) {
	const n, d, D, K = 900, 9, 60, 3
	X, y := drawProblem(29, n, d, K)
	for i := range X {
		X[i] /= 4
	}
	m := need.Value(sketch.NewFeatureMap(sketch.Params{NFeatures: d, NComponents: D, Degree: 3, Coef0: 1}))(t)
	Z := need.Value(m.TransformBatch(nil, X))(t)
	moments := need.Value(learn.NewMoments(learn.Shape{NComponents: D}, learn.Grid{Step: 1.0 / 256}, 0))(t)
	need.OK(t, moments.AddFeatures(Z, nil, nil, nil))
	for name, c := range everyProblem(D, y, K) {
		o := learn.SolverOptions{Tolerance: 1e-7}
		_, plain := fitDense(t, c.Problem, Z, c.RowLabels, o, solve.RunOptions{})
		o.Precondition = moments.System()
		l, solver := fitDense(t, c.Problem, Z, c.RowLabels, o, solve.RunOptions{})
		if !solver.Converged() || solver.Passes() >= plain.Passes() {
			t.Errorf("%s: %d passes with sums and %d without: %+v", name, solver.Passes(), plain.Passes(), solver.Report())
		}
		for i, want := range plain.Report() {
			if got := solver.Report()[i]; !near(got.Objective, want.Objective, 1e-8) {
				t.Errorf("%s: objective %v, want %v", name, got.Objective, want.Objective)
			}
		}
		again, _ := fitDense(t, c.Problem, Z, c.RowLabels, o, solve.RunOptions{Goroutines: 3})
		sameBits(t, name, again, l)
	}
	s := need.Value(solve.NewSolver(solve.Problem{Loss: learn.LossSquared, NComponents: D, Classes: K, Alpha: 1}, n,
		learn.SolverOptions{Precondition: moments.System()}))(t)
	for last, finished := 0.0, false; !finished; {
		var done float64
		if done, finished = s.Prepare(); done < last || finished != (done == 1) {
			t.Fatalf("%v is done after %v, finished %v", done, last, finished)
		}
		last = done
	}
	singular := moments.System()
	clear(singular.G)
	singular.Z[0] = 1e9 // not the sums of any rows
	c := everyProblem(D, y, K)[learn.LossSquaredHinge]
	_, solver := fitDense(t, c.Problem, Z, c.RowLabels, learn.SolverOptions{Precondition: singular}, solve.RunOptions{})
	if !solver.Converged() {
		t.Errorf("without a factor: %+v", solver.Report())
	}
	if _, err := solve.NewSolver(c.Problem, n, learn.SolverOptions{Precondition: &learn.System{D: 3}}); err == nil ||
		err.Error() != "precondition must have the features of the problem, 60, got 3" {
		t.Errorf("sums of other features: %v", err)
	}
}

// TestStopAndGoOn: a Run that is stopped goes on in the next one; and one that stays stopped says
// that it has not converged.
func TestStopAndGoOn(t *testing.T) {
	const n, d, K = 900, 9, 3
	X, y := drawProblem(15, n, d, K)
	source := need.Value(solve.FeatureSource(X, d))(t)
	for name, c := range everyProblem(d, y, K) {
		want, whole := fitDense(t, c.Problem, X, c.RowLabels, learn.SolverOptions{}, solve.RunOptions{})
		data := solve.RowData{Source: source, Labels: c.RowLabels}
		s := need.Value(solve.NewSolver(c.Problem, n, learn.SolverOptions{}))(t)
		passes, last := 0, 0.0
		for !s.Converged() {
			need.OK(t, s.Run(data, solve.RunOptions{Progress: func(done float64) bool {
				if done < 0 || done > 1 {
					t.Errorf("%s: %v is done", name, done)
				}
				last = done
				passes++
				return false
			}}))
			if passes == 1 && s.Converged() {
				t.Errorf("%s: converged after one pass", name)
			}
		}
		if last != 1 || passes != whole.Passes() {
			t.Errorf("%s: %v done after %d passes, want 1 after %d", name, last, passes, whole.Passes())
		}
		sameBits(t, name, s.Linear(), want)

		few := need.Value(solve.NewSolver(c.Problem, n, learn.SolverOptions{MaxPasses: 2}))(t)
		need.OK(t, few.Run(data, solve.RunOptions{}))
		if few.Converged() || few.Passes() != 2 {
			t.Errorf("%s: after 2 passes it says %v of %d passes", name, few.Converged(), few.Passes())
		}
	}
}

func TestWrongProblems(t *testing.T) {
	ok := solve.Problem{Loss: learn.LossSquaredHinge, NComponents: 2, Classes: 3}
	begin := func(rows int, o learn.SolverOptions, change func(p *solve.Problem)) error {
		p := ok
		change(&p)
		_, err := solve.NewSolver(p, rows, o)
		return err
	}
	with := func(change func(p *solve.Problem)) error { return begin(10, learn.SolverOptions{}, change) }
	by := func(o learn.SolverOptions) error { return begin(10, o, func(*solve.Problem) {}) }
	golden.Errors(t, map[string]error{
		"an unknown loss":     with(func(p *solve.Problem) { p.Loss = "hinge" }),
		"one class":           with(func(p *solve.Problem) { p.Classes = 1 }),
		"no components":       with(func(p *solve.Problem) { p.NComponents = 0 }),
		"too many weights":    with(func(p *solve.Problem) { p.Classes, p.NComponents = 10000, 1024 }),
		"a negative C":        with(func(p *solve.Problem) { p.C = -1 }),
		"an infinite C":       with(func(p *solve.Problem) { p.C = math.Inf(1) }),
		"no alpha":            with(func(p *solve.Problem) { p.Loss = learn.LossSquared }),
		"classes and targets": with(func(p *solve.Problem) { p.Targets = 1 }),
		"a tolerance of 1":    by(learn.SolverOptions{Tolerance: 1}),
		"negative passes":     by(learn.SolverOptions{MaxPasses: -1}),
		"a start of 2 × 2":    by(learn.SolverOptions{Start: &learn.Linear{D: 2, K: 2}}),
		"no rows":             begin(0, learn.SolverOptions{}, func(*solve.Problem) {}),
	})
}

func TestWrongRows(t *testing.T) {
	check := func(n int, weights []uint8, classes ...int32) error {
		p := solve.Problem{Loss: learn.LossLogistic, NComponents: 2, Classes: 3}
		return p.Check(n, solve.RowLabels{Classes: classes, Weights: weights})
	}
	targets := func(y ...float64) error {
		p := solve.Problem{Loss: learn.LossSquared, NComponents: 2, Targets: 2, Alpha: 1}
		return p.Check(2, solve.RowLabels{Targets: y})
	}
	dense := func(Z ...float32) error { return sourceError(solve.FeatureSource(Z, 2)) }
	sparse := func(data []float32, indices []int32, indptr ...int32) error {
		return sourceError(solve.SparseSource(sketch.CSR{Indptr: indptr, Indices: indices, Data: data}, 2))
	}
	golden.Errors(t, map[string]error{
		"rows of one class":       check(4, nil, 0, 0, 0, 0),
		"fewer rows than classes": check(2, nil, 0, 2),
		"class 3":                 check(3, nil, 0, 2, 3),
		"class -1":                check(3, nil, 0, -1, 1),
		"a class is missing":      check(3, nil, 0, 1),
		"a weight of 2":           check(3, []uint8{1, 1, 2}, 0, 1, 2),
		"weights are missing":     check(3, []uint8{1}, 0, 1, 2),
		"weights of 0":            check(3, []uint8{0, 0, 0}, 0, 1, 2),
		"a NaN target":            targets(1, 2, 3, math.NaN()),
		"targets are missing":     targets(1),
		"half a row":              dense(1, 2, 3),
		"an infinite feature":     dense(1, 2, 3, float32(math.Inf(1))),
		"a column twice":          sparse([]float32{1, 1}, []int32{1, 1}, 0, 2),
		"column 2":                sparse([]float32{1}, []int32{2}, 0, 1),
		"rows that end early":     sparse([]float32{1, 1, 1}, []int32{0, 1, 0}, 0, 2, 1, 3),
		"no rows":                 sparse(nil, nil),
	})
}

func sourceError(_ solve.Source, err error) error { return err }

// TestBadRowOfMap: an error of a map names the row among all rows, for any number of goroutines.
func TestBadRowOfMap(t *testing.T) {
	const n, d = 3 * solve.BlockRows, 2
	X, y := drawProblem(17, n, d, 2)
	const bad = 2*solve.BlockRows - 3
	X[bad*d+1] = float32(math.NaN())
	X[(bad+solve.BlockRows)*d] = float32(math.NaN())
	m := need.Value(sketch.NewFeatureMap(sketch.Params{NFeatures: d, NComponents: 8}))(t)
	for goroutines := range 4 {
		source := need.Value(solve.MapSource(m, sketch.Dense(X)))(t)
		p := solve.Problem{Loss: learn.LossSquaredHinge, NComponents: 8, Classes: 2}
		_, _, err := solve.FitRows(p, solve.RowData{Source: source, Labels: solve.RowLabels{Classes: y}},
			learn.SolverOptions{}, solve.RunOptions{Goroutines: goroutines})
		var e *sketch.Error
		if !errors.As(err, &e) || e.Row != bad || e.Column != 1 || e.Code != sketch.ErrNonFinite {
			t.Errorf("%d goroutines: %v, want an error of row %d", goroutines, err, bad)
		}
	}
}

// TestHardData: rows that are all the same, more components than rows, huge and tiny features.
func TestHardData(t *testing.T) {
	const n, d, K = 40, 60, 4
	X, y := drawProblem(19, n, d, K)
	for _, size := range []float32{0, 1e-10, 1e-3, 1, 1e3} {
		Z := slices.Clone(X)
		for i := range Z {
			Z[i] *= size
		}
		for name, c := range everyProblem(d, y, K) {
			l, s := fitDense(t, c.Problem, Z, c.RowLabels, learn.SolverOptions{}, solve.RunOptions{})
			for _, w := range append(l.Weights, l.Intercept...) {
				if w-w != 0 {
					t.Fatalf("%s of size %g: a weight is %v", name, size, w)
				}
			}
			if !s.Converged() {
				t.Errorf("%s of size %g: %+v", name, size, s.Report())
			}
		}
	}
}
