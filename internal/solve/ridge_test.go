package solve

import (
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"tensorsketch.example/test/golden"
)

// systemOf returns the sums of rows, in plain loops. Targets are n × K; counts are the rows of classes, or nil.
func systemOf(Z, t []float64, n, D, K int, counts []float64) *System {
	s := &System{Rows: float64(n), D: D, K: K, G: make([]float64, D*D), Z: make([]float64, D), B: make([]float64, K*D),
		T: make([]float64, K), TT: make([]float64, K), Counts: counts}
	for r := range n {
		z := Z[r*D:][:D]
		for i, a := range z {
			s.Z[i] += a
			for j, b := range z {
				s.G[i*D+j] += float64(a * b)
			}
		}
		for k := range K {
			y := t[r*K+k]
			s.T[k] += y
			s.TT[k] += float64(y * y)
			for j, a := range z {
				s.B[k*D+j] += float64(y * a)
			}
		}
	}
	return s
}

// A problem has rows of multiples of 2^-10, as moments have them, so that its sums are exact.
type problem struct {
	n, D, K int
	Z, t    []float64
}

func randomProblem(rng *rand.Rand, n, D, K int) problem {
	p := problem{n, D, K, make([]float64, n*D), make([]float64, n*K)}
	grid := func(x float64) float64 { return math.RoundToEven(x*1024) / 1024 }
	for i := range p.Z {
		p.Z[i] = grid(rng.NormFloat64() + 0.5)
	}
	for r := range n {
		for k := range K {
			sum := 3 + 0.5*rng.NormFloat64()
			for j := 0; j < D; j += k + 1 {
				sum += p.Z[r*D+j] / float64(j+1)
			}
			p.t[r*K+k] = grid(sum)
		}
	}
	return p
}

func (p problem) system() *System { return systemOf(p.Z, p.t, p.n, p.D, p.K, nil) }

// objective returns ‖t − b − w·z‖² + λ‖w‖² of a target from the rows themselves.
func (p problem) objective(l *Linear, k int, alpha float64) (total, errors float64) {
	for r := range p.n {
		score := l.Intercept[k]
		for j := range p.D {
			score += l.Weights[k*p.D+j] * p.Z[r*p.D+j]
		}
		errors += (p.t[r*p.K+k] - score) * (p.t[r*p.K+k] - score)
	}
	total = errors
	for _, w := range l.Weights[k*p.D:][:p.D] {
		total += alpha * w * w
	}
	return total, errors
}

// The fit is where the gradient of the objective vanishes, for any shape, with and without an intercept.
func TestRidgeIsOptimal(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for _, c := range [][3]int{{1, 1, 1}, {1, 4, 2}, {2, 3, 1}, {30, 5, 1}, {30, 40, 3}, {200, 33, 2}} {
		p := randomProblem(rng, c[0], c[1], c[2])
		for _, alpha := range []float64{1e-4, 0.5, 100} {
			for _, without := range []bool{false, true} {
				l, report, err := FitRidge(p.system(), RidgeOptions{Alpha: alpha, NoIntercept: without})
				if err != nil {
					t.Fatalf("%v, alpha %g: %v", c, alpha, err)
				}
				errors := 0.0
				for k := range p.K {
					gradient, own, size := make([]float64, p.D), 0.0, 0.0
					for r := range p.n {
						z := p.Z[r*p.D:][:p.D]
						rest := p.t[r*p.K+k] - l.Intercept[k]
						for j, w := range l.Weights[k*p.D:][:p.D] {
							rest -= w * z[j]
						}
						own += rest
						for j := range z {
							gradient[j] += rest * z[j]
							size = max(size, math.Abs(p.t[r*p.K+k]*z[j]))
						}
					}
					for j, w := range l.Weights[k*p.D:][:p.D] {
						if g := gradient[j] - alpha*w; math.Abs(g) > 1e-9*size*float64(p.n) {
							t.Errorf("%v, alpha %g, without %v: the gradient of weight %d is %g", c, alpha, without, j, g)
						}
					}
					if without && l.Intercept[k] != 0 || !without && math.Abs(own) > 1e-9*size*float64(p.n) {
						t.Errorf("%v, alpha %g: intercept %g, gradient %g", c, alpha, l.Intercept[k], own)
					}
					_, e := p.objective(l, k, alpha)
					errors += e
				}
				if got, want := report.TrainError, errors/float64(p.n); math.Abs(got-want) > 1e-8*(1+want) {
					t.Errorf("%v, alpha %g, without %v: training error %g, want %g", c, alpha, without, got, want)
				}
			}
		}
	}
}

// leaveOut returns the trace of the matrix that takes targets to fits, computed by fitting each unit vector of targets.
func hatTrace(p problem, alpha float64, without bool) float64 {
	trace := 0.0
	for r := range p.n {
		unit := problem{p.n, p.D, 1, p.Z, make([]float64, p.n)}
		unit.t[r] = 1
		l, _, err := FitRidge(unit.system(), RidgeOptions{Alpha: alpha, NoIntercept: without})
		if err != nil {
			panic(err)
		}
		trace += l.Intercept[0]
		for j, w := range l.Weights {
			trace += w * p.Z[r*p.D+j]
		}
	}
	return trace
}

// The path's parameters and scores equal separate fits', and the chosen λ has the smallest score among those
// that are allowed.
func TestPath(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	for _, c := range [][3]int{{12, 4, 1}, {12, 20, 2}, {40, 15, 2}} {
		p := randomProblem(rng, c[0], c[1], c[2])
		for _, without := range []bool{false, true} {
			o := RidgeOptions{NoIntercept: without, Low: 1e-6, Count: 9}
			l, report, err := FitRidge(p.system(), o)
			if err != nil {
				t.Fatal(err)
			}
			if len(report.Path) != 9 || report.Rule != RuleCrossValidation {
				t.Fatalf("%d points by %v, want 9 by cross-validation", len(report.Path), report.Rule)
			}
			best, bestScore := 0.0, math.Inf(1)
			for _, point := range report.Path {
				trace := hatTrace(p, point.Alpha, without)
				if math.Abs(trace-point.DF) > 1e-6*float64(p.n) {
					t.Errorf("%v, λ %g: %g parameters, want %g", c, point.Alpha, point.DF, trace)
				}
				own, ownReport, err := FitRidge(p.system(), RidgeOptions{Alpha: point.Alpha, NoIntercept: without})
				if err != nil {
					t.Fatal(err)
				}
				if math.Abs(ownReport.DF-point.DF) > 1e-6*float64(p.n) {
					t.Errorf("%v, λ %g: %g parameters on the path, %g alone", c, point.Alpha, point.DF, ownReport.DF)
				}
				errors := 0.0
				for k := range p.K {
					_, e := p.objective(own, k, 0)
					errors += e
				}
				free := float64(p.n) - trace
				want := errors / (free * free) // n·errors/free², per row
				if free > 1e-3 && math.Abs(point.Score-want) > 1e-5*want {
					t.Errorf("%v, λ %g: score %g, want %g", c, point.Alpha, point.Score, want)
				}
				if allowed := trace <= float64(p.n)/2; point.Allowed != allowed {
					t.Errorf("%v, λ %g: allowed %v with %g parameters of %d rows", c, point.Alpha, point.Allowed, trace, p.n)
				}
				if point.Allowed && want <= bestScore {
					best, bestScore = point.Alpha, want
				}
			}
			if report.Alpha != best {
				t.Errorf("%v: alpha %g, want %g", c, report.Alpha, best)
			}
			again, _, err := FitRidge(p.system(), RidgeOptions{Alpha: report.Alpha, NoIntercept: without})
			if err != nil {
				t.Fatal(err)
			}
			for i := range l.Weights {
				if l.Weights[i] != again.Weights[i] {
					t.Fatalf("%v: weight %d is %g from the path and %g from its alpha", c, i, l.Weights[i], again.Weights[i])
				}
			}
		}
	}
}

// The scores of folds are errors on rows that the fit has not seen.
func TestFolds(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	p := randomProblem(rng, 60, 12, 2)
	for _, folds := range []int{1, 3} {
		part := func(i, count int) problem {
			q := problem{D: p.D, K: p.K}
			for r := range p.n {
				if (r%5 == i) == (count == 1) {
					q.n++
					q.Z, q.t = append(q.Z, p.Z[r*p.D:][:p.D]...), append(q.t, p.t[r*p.K:][:p.K]...)
				}
			}
			return q
		}
		o := RidgeOptions{Count: 5, Folds: folds, Fold: func(i int) *System { return part(i, 1).system() }}
		_, report, err := FitRidge(p.system(), o)
		if err != nil {
			t.Fatal(err)
		}
		if report.Rule != RuleHeldOut || report.HeldOutRows != float64(12*folds) {
			t.Errorf("%v with %g rows held out, want held-out with %d", report.Rule, report.HeldOutRows, 12*folds)
		}
		best := 0
		for i, point := range report.Path {
			errors := 0.0
			for f := range folds {
				l, _, err := FitRidge(part(f, 4).system(), RidgeOptions{Alpha: point.Alpha})
				if err != nil {
					t.Fatal(err)
				}
				for k := range p.K {
					_, e := part(f, 1).objective(l, k, 0)
					errors += e
				}
			}
			if want := errors / report.HeldOutRows; math.Abs(point.Score-want) > 1e-7*want {
				t.Errorf("%d folds, λ %g: held-out error %g, want %g", folds, point.Alpha, point.Score, want)
			}
			if point.Score <= report.Path[best].Score {
				best = i
			}
		}
		if report.Alpha != report.Path[best].Alpha || report.HeldOut != report.Path[best].Score {
			t.Errorf("%d folds: alpha %g with error %g, want %g with %g", folds, report.Alpha, report.HeldOut,
				report.Path[best].Alpha, report.Path[best].Score)
		}
		if report.DF <= 1 || report.DF > 13 {
			t.Errorf("%d folds: %g parameters", folds, report.DF)
		}
	}
}

// Degenerate data gives a sensible model or an error that names alpha.
func TestRidgeDegenerate(t *testing.T) {
	rng := rand.New(rand.NewSource(4))
	base := randomProblem(rng, 20, 6, 1)
	change := func(f func(p *problem)) *System {
		p := problem{base.n, base.D, base.K, append([]float64(nil), base.Z...), append([]float64(nil), base.t...)}
		f(&p)
		return p.system()
	}
	all := func(x []float64, step int, v float64) {
		for i := 0; i < len(x); i += step {
			x[i] = v
		}
	}
	for name, s := range map[string]*System{
		"constant feature":      change(func(p *problem) { all(p.Z, p.D, 0.75) }),
		"constant features":     change(func(p *problem) { all(p.Z, 1, 0.3125) }),
		"features of zeros":     change(func(p *problem) { all(p.Z, 1, 0) }),
		"equal targets":         change(func(p *problem) { all(p.t, 1, 0.6875) }),
		"one row":               change(func(p *problem) { p.n, p.Z, p.t = 1, p.Z[:p.D], p.t[:1] }),
		"two rows":              change(func(p *problem) { p.n, p.Z, p.t = 2, p.Z[:2*p.D], p.t[:2] }),
		"six rows":              change(func(p *problem) { p.n, p.Z, p.t = 6, p.Z[:6*p.D], p.t[:6] }),
		"feature given twice":   change(func(p *problem) { copyFeature(p, 0, 1) }),
		"large features":        change(func(p *problem) { times(p.Z, 0x1p60) }),
		"small features":        change(func(p *problem) { times(p.Z, 0x1p-60) }),
		"tiny and huge targets": change(func(p *problem) { p.t[0], p.t[1] = 0x1p-70, 0x1p50 }),
	} {
		l, report, err := FitRidge(s, RidgeOptions{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, w := range append(append([]float64{report.DF, report.TrainError}, l.Weights...), l.Intercept...) {
			if w-w != 0 {
				t.Errorf("%s: %g in the model", name, w)
			}
		}
		switch name {
		case "constant feature":
			if l.Weights[0] != 0 {
				t.Errorf("%s: its weight is %g", name, l.Weights[0])
			}
		case "constant features", "features of zeros", "equal targets", "one row":
			for _, w := range l.Weights {
				if w != 0 {
					t.Errorf("%s: a weight is %g", name, w)
				}
			}
			if want := s.T[0] / s.Rows; l.Intercept[0] != want {
				t.Errorf("%s: intercept %g, want the mean %g", name, l.Intercept[0], want)
			}
		}
	}
	// With as many features as rows, an alpha below the rounding errors is refused.
	for name, s := range map[string]*System{
		"a feature given twice": change(func(p *problem) { copyFeature(p, 0, 1) }),
		"four rows":             change(func(p *problem) { p.n, p.Z, p.t = 4, p.Z[:4*p.D], p.t[:4] }),
	} {
		_, _, err := FitRidge(s, RidgeOptions{Alpha: 1e-14})
		if err == nil || !strings.HasPrefix(err.Error(), "alpha must be larger: with 6 features") ||
			!strings.HasSuffix(err.Error(), "got 1e-14") {
			t.Errorf("%s, alpha 1e-14: %v, want an error that says alpha must be larger", name, err)
		}
		if _, _, err := FitRidge(s, RidgeOptions{Alpha: 1e-6}); err != nil {
			t.Errorf("%s, alpha 1e-6: %v", name, err)
		}
	}
	// Sums that no rows have, as noise makes them, are refused too, and small alphas are left out of the path.
	s := base.system()
	s.G[7] -= 1000
	if _, _, err := FitRidge(s, RidgeOptions{Alpha: 1}); err == nil {
		t.Error("alpha 1 of an indefinite matrix: no error")
	}
	_, report, err := FitRidge(s, RidgeOptions{Low: 1e-8, High: 1e4})
	if err != nil || report.Path[0].Allowed || report.Alpha < 900 {
		t.Errorf("the path of an indefinite matrix: alpha %g, %v", report.Alpha, err)
	}
	if _, _, err := FitRidge(s, RidgeOptions{Low: 1e-8, High: 1e-7}); err == nil {
		t.Error("a path below the negative eigenvalue: no error")
	}
}

func copyFeature(p *problem, from, to int) {
	for r := range p.n {
		p.Z[r*p.D+to] = p.Z[r*p.D+from]
	}
}

func times(x []float64, factor float64) {
	for i := range x {
		x[i] *= factor
	}
}

// Options out of range and systems that are none are refused by name.
func TestRidgeErrors(t *testing.T) {
	begin := func(o RidgeOptions, change func(s *System)) error {
		s := randomProblem(rand.New(rand.NewSource(5)), 9, 3, 1).system()
		change(s)
		_, err := NewRidge(s, o)
		return err
	}
	with := func(o RidgeOptions) error { return begin(o, func(*System) {}) }
	of := func(change func(s *System)) error { return begin(RidgeOptions{}, change) }
	golden.Errors(t, map[string]error{
		"a negative alpha":   with(RidgeOptions{Alpha: -1}),
		"a NaN alpha":        with(RidgeOptions{Alpha: math.NaN()}),
		"an infinite alpha":  with(RidgeOptions{Alpha: math.Inf(1)}),
		"a path from -1":     with(RidgeOptions{Low: -1}),
		"a path from 3 to 2": with(RidgeOptions{Low: 3, High: 2}),
		"a path of -1":       with(RidgeOptions{Count: -1}),
		"a path of 1001":     with(RidgeOptions{Count: 1001}),
		"no rows":            of(func(s *System) { s.Rows = 0 }),
		"a short Z":          of(func(s *System) { s.Z = s.Z[:2] }),
		"NaN in G":           of(func(s *System) { s.G[4] = math.NaN() }),
		"no targets":         of(func(s *System) { s.K, s.B, s.T, s.TT = 0, nil, nil, nil }),
	})
}

// Progress grows from 0 to 1.
func TestRidgeProgress(t *testing.T) {
	p := randomProblem(rand.New(rand.NewSource(6)), 300, 150, 1)
	fold := func(i int) *System {
		q := problem{60, p.D, 1, p.Z[i*60*p.D:][:60*p.D], p.t[i*60:][:60]}
		return q.system()
	}
	for name, o := range map[string]RidgeOptions{"given": {Alpha: 1}, "path": {}, "folds": {Folds: 5, Fold: fold}} {
		r, err := NewRidge(p.system(), o)
		if err != nil {
			t.Fatal(err)
		}
		for last := 0.0; ; {
			done, finished, err := r.Step()
			if err != nil || done < last || done > 1 || finished != (done == 1 && r.Linear() != nil) {
				t.Fatalf("%s: done %g after %g, finished %v, %v", name, done, last, finished, err)
			}
			if last = done; finished {
				break
			}
		}
	}
}

// A model and its path have the same bits on every platform.
func TestSolverBits(t *testing.T) {
	rng := rand.New(rand.NewSource(7))
	p := problem{n: 150, D: 67, K: 3, Z: make([]float64, 150*67), t: make([]float64, 150*3)}
	for i := range p.Z {
		p.Z[i] = float64(rng.Intn(2049)-1000) / 1024
	}
	for i := range p.t {
		p.t[i] = float64(rng.Intn(1<<20)) / 1024
	}
	fold := func(i int) *System {
		part := problem{30, p.D, p.K, p.Z[i*30*p.D:][:30*p.D], p.t[i*30*p.K:][:30*p.K]}
		return part.system()
	}
	hash := uint64(14695981039346656037) // FNV-1a of the bits
	add := func(values ...float64) {
		for _, v := range values {
			hash = (hash ^ math.Float64bits(v)) * 1099511628211
		}
	}
	for _, o := range []RidgeOptions{{}, {Alpha: 3}, {Folds: 5, Fold: fold, NoIntercept: true}} {
		o.Low, o.High, o.Count = 1e-8, 1e2, 41 // the path when the digest was made
		l, report, err := FitRidge(p.system(), o)
		if err != nil {
			t.Fatal(err)
		}
		add(l.Weights...)
		add(l.Intercept...)
		add(report.Alpha, report.DF, report.TrainError, report.HeldOut)
		for _, point := range report.Path {
			add(point.Alpha, point.DF, point.Score)
		}
	}
	if want := uint64(0x5c163bad571e93f1); hash != want {
		t.Errorf("the digest is %#x, want %#x: the results have other bits than before", hash, want)
	}
}

// Folds that another Ridge has held out change no bit, whether they come before their turn, in it or after it.
func TestRidgeTakesFolds(t *testing.T) {
	p := randomProblem(rand.New(rand.NewSource(8)), 300, 60, 2)
	o := RidgeOptions{Folds: 5, Fold: func(i int) *System {
		q := problem{60, p.D, p.K, p.Z[i*60*p.D:][:60*p.D], p.t[i*60*p.K:][:60*p.K]}
		if i == 3 {
			q.n = 0 // without rows
		}
		return q.system()
	}}
	// fit does all steps. Before the one with this number it takes folds of another fit.
	fit := func(others []float64, at int, folds ...int) (*Ridge, string) {
		r, err := NewRidge(p.system(), o)
		if err != nil {
			t.Fatal(err)
		}
		numbers, count := r.Folds()
		size := len(numbers) / count
		for i, last := 0, 0.0; ; i++ {
			for _, f := range folds {
				if i == at {
					copy(numbers[f*size:][:size], others[f*size:])
				}
			}
			done, finished, err := r.Step()
			if err != nil || done < last {
				t.Fatalf("after %d steps: done %g after %g, %v", i, done, last, err)
			}
			if last = done; finished {
				return r, fmt.Sprint(*r.Linear(), r.Report())
			}
		}
	}
	alone, want := fit(nil, 0)
	others, count := alone.Folds()
	for f := range count {
		if rows := others[f*len(others)/count]; (rows == 60) != (f != 3) {
			t.Errorf("fold %d has %g rows", f, rows)
		}
	}
	for at := range 30 {
		for _, folds := range [][]int{{4}, {4, 2}, {0, 1, 2, 3, 4}} {
			if _, got := fit(others, at, folds...); got != want {
				t.Errorf("folds %v given after %d steps:\n%s\nwant\n%s", folds, at, got, want)
			}
		}
	}
}
