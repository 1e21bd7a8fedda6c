package privacy

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

// momentsShapes are of classes, of targets, and of neither.
var momentsShapes = []learn.Shape{{NComponents: 3, Classes: 2}, {NComponents: 2, Classes: 4},
	{NComponents: 3, Targets: 1}, {NComponents: 2, Targets: 3}, {NComponents: 4}}

func momentsGrid(shape learn.Shape) learn.Grid {
	grid := learn.Grid{Step: 0x1p-12, Bound: 1}
	if shape.Targets > 0 {
		grid.Low, grid.High = -1, 1
	}
	return grid
}

// momentsOf returns private moments of rows.
func momentsOf(t *testing.T, shape learn.Shape, Z []float32, classes []int32, targets []float64) *learn.Moments {
	t.Helper()
	m := need.Value(learn.NewMoments(shape, momentsGrid(shape), 0))(t)
	need.OK(t, m.AddFeatures(Z, classes, targets, nil))
	return m
}

// released returns the release of moments with the noise of a seed.
func released(t *testing.T, epsilon float64, m *learn.Moments, seed uint64) *ReleasedMoments {
	t.Helper()
	mechanism := need.Value(NewMomentsMechanism(epsilon, 1e-5, m.Shape(), m.Grid(), m.Rows()))(t)
	return need.Value(mechanism.Release(m, fixedNoise(seed)))(t)
}

// exact returns the integers that the mechanism adds noise to.
func (m *MomentsMechanism) exact(moments *learn.Moments) []int64 {
	words := moments.Sums()[firstMoment:]
	m.scale(words)
	return words
}

// A candidate is a row: features, and a class or targets.
type candidate struct {
	z       []float32
	class   int32
	targets []float64
}

func (c candidate) moments(t *testing.T, shape learn.Shape) *learn.Moments {
	classes := []int32{c.class}
	if shape.Classes == 0 {
		classes = nil
	}
	return momentsOf(t, shape, c.z, classes, c.targets)
}

// randomly returns a random row, near another one if that has features.
func (c candidate) randomly(rng *rand.Rand, shape learn.Shape, size float64) candidate {
	next := candidate{z: make([]float32, shape.NComponents), targets: make([]float64, shape.Targets), class: c.class}
	copy(next.z, c.z)
	copy(next.targets, c.targets)
	for i := range next.z {
		next.z[i] += float32(size * rng.NormFloat64())
	}
	for i := range next.targets {
		next.targets[i] += size * rng.NormFloat64()
	}
	if shape.Classes > 0 && (c.z == nil || rng.IntN(10) == 0) {
		next.class = rng.Int32N(int32(shape.Classes))
	}
	return next
}

// The sensitivity is what the mechanism counts: the search for the worst pair of rows, over features,
// classes and targets, of any length and range, never finds one further apart, and it comes close.
func TestMomentsSensitivity(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for _, shape := range momentsShapes {
		mechanism := need.Value(NewMomentsMechanism(1, 1e-5, shape, momentsGrid(shape), 1000))(t)
		bound := math.Ldexp(math.Sqrt(2*mechanism.Rho()), int(mechanism.logSigma))
		distance := func(a, b []int64) float64 {
			square := 0.0
			for i := range a {
				d := float64(a[i] - b[i])
				square += d * d
			}
			if d := math.Sqrt(square); d > bound*(1+1e-12) {
				t.Fatalf("%+v: neighbours are %g apart, the bound is %g", shape, d, bound)
			}
			return math.Sqrt(square) / bound
		}
		worst := 0.0
		for range 6 {
			x, y := candidate{}.randomly(rng, shape, 1), candidate{}.randomly(rng, shape, 1)
			at, bt := mechanism.exact(x.moments(t, shape)), mechanism.exact(y.moments(t, shape))
			best, size := distance(at, bt), 1.0
			for range 1500 {
				move := x.randomly(rng, shape, size)
				words := mechanism.exact(move.moments(t, shape))
				if d := distance(words, bt); d > best {
					x, at, best, size = move, words, d, size*1.5
				} else {
					size = max(1e-4, size*0.97)
				}
				x, y, at, bt = y, x, bt, at
			}
			worst = max(worst, best)
		}
		t.Logf("%+v: the worst pair found is %.5f of the bound", shape, worst)
		if worst < 0.995 {
			t.Errorf("%+v: the bound is not nearly attained, only %g of it", shape, worst)
		}
	}
}

// The sensitivity is Δ = √2·N of the documents, N in units of the largest row, and the budget that
// equals a release takes it once.
func TestMomentsMechanism(t *testing.T) {
	for _, shape := range momentsShapes {
		want := 1.0
		if shape.Classes > 0 {
			want = 1.2
		} else if shape.Targets > 0 {
			want = 1.25
		} else {
			want = 1.05
		}
		for _, g := range [][2]float64{{MinEpsilon, MinDelta}, {1, 1e-5}, {4, 1e-5}, {MaxEpsilon, MaxDelta}} {
			for _, rows := range []int64{1, 60000, math.MaxInt32} {
				if shape.Targets > 0 {
					rows = min(rows, solve.MaxRowsOfTargets)
				}
				m := need.Value(NewMomentsMechanism(g[0], g[1], shape, momentsGrid(shape), rows))(t)
				limit, sigma := 4098.0/4096, need.Value(Sigma(g[0], g[1]))(t)
				exact := sigma * math.Sqrt2 * want * limit * limit
				if got := m.Sigma() / exact; got < 1-1e-9 || got > 1.04 || rows < 1e5 && got > 1.001 {
					t.Errorf("%+v, %d rows, ε %g: noise of σ %g, want %g", shape, rows, g[0], m.Sigma(), exact)
				}
				ledger := need.Value(NewLedger(g[0], g[1]))(t)
				need.OK(t, ledger.Charge(m))
				checkError(t, ledger.Charge(m), "epsilon")
			}
		}
	}
}

// Without noise, the System of a release is the System of the moments, all parts together.
func TestReleasedSystem(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	const n = 40
	for _, shape := range momentsShapes {
		m := need.Value(learn.NewMoments(shape, momentsGrid(shape), 5))(t)
		for range n {
			c := candidate{}.randomly(rng, shape, 0.5)
			for i, y := range c.targets { // on the grid
				c.targets[i] = max(-1, min(1, math.RoundToEven(y*4096)/4096))
			}
			classes := []int32{c.class}
			if shape.Classes == 0 {
				classes = nil
			}
			need.OK(t, m.AddFeatures(c.z, classes, c.targets, nil))
		}
		mechanism := need.Value(NewMomentsMechanism(1, 1e-5, shape, m.Grid(), n))(t)
		got, want := need.Value(mechanism.Resume(mechanism.exact(m)))(t).System(), m.System()
		for _, c := range []struct {
			name      string
			got, want []float64
		}{{"G", got.G, want.G}, {"Z", got.Z, want.Z}, {"B", got.B, want.B}, {"T", got.T, want.T}, {"TT", got.TT, want.TT},
			{"Counts", got.Counts, want.Counts}, {"others",
				[]float64{got.Rows, float64(got.D), float64(got.K), got.Middle, got.Step, got.TargetStep},
				[]float64{want.Rows, float64(want.D), float64(want.K), want.Middle, want.Step, want.TargetStep}}} {
			if len(c.got) != len(c.want) {
				t.Errorf("%+v: %d numbers in %s, want %d", shape, len(c.got), c.name, len(c.want))
				continue
			}
			for i := range c.got {
				if !near(c.got[i], c.want[i], 1e-12*max(1, math.Abs(c.want[i]))) {
					t.Errorf("%+v: %s[%d] = %g, want %g", shape, c.name, i, c.got[i], c.want[i])
				}
			}
		}
	}
}

// Every number of a release has noise of the σ that its block states, around its sum.
func TestMomentsNoise(t *testing.T) {
	slow.Emulated(t)
	rng := rand.New(rand.NewPCG(1, 3))
	for _, shape := range momentsShapes {
		row := candidate{}.randomly(rng, shape, 0.5)
		moments := row.moments(t, shape)
		mechanism := need.Value(NewMomentsMechanism(2, 1e-5, shape, momentsGrid(shape), 1))(t)
		exact, noise := mechanism.exact(moments), fixedNoise(4)
		errors := make([][]float64, len(exact))
		for range 4000 {
			r := need.Value(mechanism.Release(moments, noise))(t)
			for i, v := range r.Words() {
				errors[i] = append(errors[i], math.Ldexp(float64(v-exact[i]), -int(mechanism.logSigma)))
			}
		}
		for i, e := range errors {
			checkVariance(t, "word "+format(float64(i)), e, 1)
		}
		want := math.Ldexp(1, int(mechanism.logSigma)) / float64(mechanism.blocks[0].diagonal)
		if got := mechanism.Sigma() * 0x1p24; !near(got, want, 1e-9*want) {
			t.Errorf("σ = %g steps², want %g", got, want)
		}
	}
}

// The audit of the worst pair: two rows at a right angle, of unlike classes. The best test of one
// against the other looks at the direction in which their moments differ.
func TestMomentsAudit(t *testing.T) {
	slow.Elsewhere(t)
	const n, delta = 200000, 1e-5
	shape := learn.Shape{NComponents: 2, Classes: 2}
	a := momentsOf(t, shape, []float32{1, 0}, []int32{0}, nil)
	b := momentsOf(t, shape, []float32{0, 1}, []int32{1}, nil)
	for _, epsilon := range []float64{1, 4} {
		full := need.Value(NewMomentsMechanism(epsilon, delta, shape, a.Grid(), 1))(t)
		p, q := full.exact(a), full.exact(b)
		square := 0.0
		for i := range p {
			square += float64(p[i]-q[i]) * float64(p[i]-q[i])
		}
		// project returns the place of a release on the line from q to p, which are −1 and 1.
		project := func(words []int64) float32 {
			sum := 0.0
			for i, v := range words {
				sum += (2*float64(v) - float64(p[i]) - float64(q[i])) * float64(p[i]-q[i])
			}
			return float32(sum / square)
		}
		audit := func(m *MomentsMechanism, seed uint64) float64 {
			noise, outP, outQ := fixedNoise(seed), make([]float32, n), make([]float32, n)
			for i := range n {
				outP[i] = project(need.Value(m.Release(a, noise))(t).Words())
				outQ[i] = project(need.Value(m.Release(b, noise))(t).Words())
			}
			return auditedEpsilon(outP, outQ, delta, 2*math.Ldexp(1/math.Sqrt(square), int(m.logSigma)))
		}
		half := *full
		half.logSigma--
		got, gotHalf := audit(full, 1), audit(&half, 2)
		t.Logf("ε %g: %.3f, with σ/2 %.3f", epsilon, got, gotHalf)
		if got >= epsilon || got < epsilon/4 {
			t.Errorf("the mechanism of ε = %g has ε at least %g", epsilon, got)
		}
		if gotHalf <= epsilon {
			t.Errorf("the audit of ε = %g does not see half the noise: %g", epsilon, gotHalf)
		}
	}
}

// On the sums of two neighbours without noise, ridge regression chooses unlike λ. Of their
// releases it does not: λ follows the rule. And the fit of a release needs nothing but its words.
func TestMomentsAlpha(t *testing.T) {
	const n, D = 30, 4
	rng := rand.New(rand.NewPCG(2, 2))
	Z, classes := make([]float32, n*D), make([]int32, n)
	for i := range Z {
		Z[i] = float32(rng.NormFloat64() / 4)
	}
	for i := range classes {
		classes[i] = int32(i & 1)
		Z[i*D] += float32(i&1) / 8
	}
	shape := learn.Shape{NComponents: D, Classes: 2}
	one := momentsOf(t, shape, Z, classes, nil)
	copy(Z, []float32{-1, 0, 0, 0}) // in place of the first row
	classes[0] = 1
	other := momentsOf(t, shape, Z, classes, nil)
	clean := func(m *learn.Moments) float64 {
		_, report, err := solve.FitRidge(m.System(), learn.RidgeOptions{})
		need.OK(t, err)
		return report.Alpha
	}
	if a, b := clean(one), clean(other); a == b {
		t.Fatalf("the neighbours have the same λ = %g without noise, so this test sees nothing", a)
	}
	r, s := released(t, 1, one, 6), released(t, 1, other, 6)
	h, g := need.Value(r.Fit())(t), need.Value(s.Fit())(t)
	rule := 1.6 * r.Mechanism().Sigma() * math.Sqrt(D)
	if h.Alpha != g.Alpha || h.Alpha != rule || h.Report.Rule != solve.RuleNoise {
		t.Errorf("λ = %g and %g by rule %s, want %g", h.Alpha, g.Alpha, h.Report.Rule, rule)
	}
	if h.Report.HeldOut != nil || h.Calibration != nil || len(h.Report.Warnings) == 0 {
		t.Errorf("the report says that rows were held out: %+v", h.Report)
	}
	if slices.Equal(h.Linear.Weights, g.Linear.Weights) {
		t.Error("the neighbours have the same weights")
	}
	words := slices.Clone(r.Words())
	again := need.Value(need.Value(NewMomentsMechanism(1, 1e-5, shape, one.Grid(), n))(t).Resume(words))(t)
	if k := need.Value(again.Fit())(t); !slices.Equal(k.Linear.Weights, h.Linear.Weights) || k.Alpha != h.Alpha {
		t.Error("the words of a release do not give its model")
	}
}

// Noise that outweighs everything still gives finite weights, for every shape.
func TestFitUnderNoise(t *testing.T) {
	for _, shape := range momentsShapes {
		for seed := range uint64(40) {
			if shape.Classes+shape.Targets == 0 {
				continue
			}
			c := candidate{}.randomly(rand.New(rand.NewPCG(seed, 1)), shape, 1)
			h := need.Value(released(t, MinEpsilon, c.moments(t, shape), seed).Fit())(t)
			for _, w := range append(h.Linear.Weights, h.Linear.Intercept...) {
				if w-w != 0 {
					t.Fatalf("%+v: weights %v", shape, h.Linear.Weights)
				}
			}
		}
	}
}

func TestMomentsErrors(t *testing.T) {
	shape := learn.Shape{NComponents: 3, Classes: 2}
	grid := momentsGrid(shape)
	for _, c := range []struct {
		epsilon, delta float64
		shape          learn.Shape
		bound          float64
		rows           int64
		argument       string
	}{
		{0, 1e-5, shape, 1, 1, "epsilon"}, {1, 1, shape, 1, 1, "delta"}, {1, 1e-5, learn.Shape{}, 1, 1, "nComponents"},
		{1, 1e-5, shape, 0, 1, "bound"}, {1, 1e-5, shape, 1, 0, "rows"}, {1, 1e-5, shape, 1, 1 << 31, "rows"},
	} {
		_, err := NewMomentsMechanism(c.epsilon, c.delta, c.shape, learn.Grid{Step: 0x1p-12, Bound: c.bound}, c.rows)
		checkError(t, err, c.argument)
	}
	m := need.Value(NewMomentsMechanism(1, 1e-5, shape, grid, 2))(t)
	one := momentsOf(t, shape, make([]float32, 3), []int32{0}, nil)
	_, err := m.Release(one, fixedNoise(1))
	checkError(t, err, "moments")
	need.OK(t, one.Merge(one))
	if _, err := m.Release(one, fixedNoise(1)); err != nil {
		t.Error(err)
	}
	if r, err := m.Release(one, NewNoise(bytes.NewReader(nil))); r != nil || err == nil {
		t.Errorf("no randomness: %v", err)
	}
	_, err = m.Release(momentsOf(t, learn.Shape{NComponents: 3, Classes: 3}, make([]float32, 6), []int32{0, 0}, nil),
		fixedNoise(1))
	checkError(t, err, "moments")
	_, err = m.Resume(make([]int64, 3))
	checkError(t, err, "words")
}

// A learner says before the first row that its moments are for a release.
func TestPrivateLearner(t *testing.T) {
	f := need.Value(sketch.New(sketch.Params{NFeatures: 2, NComponents: 16, Degree: 2, Coef0: 1,
		Normalize: sketch.NormalizeKernel}))(t)
	plain := learn.Spec{Map: f, Task: learn.TaskClassify, Radius: 1, Classes: learn.Labels([]int{0, 1})}
	private := plain
	private.Private = true
	for _, spec := range []learn.Spec{plain, private} {
		l := need.Value(learn.NewLearner(spec))(t)
		need.OK(t, l.Add(sketch.Dense{3, 4, 0.1, 0.2}, learn.Labels([]int{1, 0}), nil))
		m := l.Moments()
		mechanism, err := NewMomentsMechanism(8, 1e-5, m.Shape(), m.Grid(), m.Rows())
		if !spec.Private {
			checkError(t, err, "bound")
			continue
		}
		need.OK(t, err)
		if want := need.Value(MapBound(f.Params(), 1))(t); m.Grid().Bound != want {
			t.Errorf("bound %g, want %g", m.Grid().Bound, want)
		}
		head := need.Value(need.Value(mechanism.Release(m, fixedNoise(1)))(t).Fit())(t)
		used := l.Spec()
		model := used.Model(head)
		need.OK(t, model.Validate())
		if labels := need.Value(model.Predict(sketch.Dense{1, 0}))(t); len(labels) != 1 {
			t.Errorf("predicted %v", labels)
		}
	}
	for argument, change := range map[string]func(*learn.Spec){
		"radius":      func(s *learn.Spec) { s.Radius, s.Step = 0, 0x1p-12 },
		"classes":     func(s *learn.Spec) { s.Classes = nil },
		"targetRange": func(s *learn.Spec) { s.Task, s.Classes = learn.TaskRegress, nil },
		"method": func(s *learn.Spec) {
			p := sketch.Params{Method: sketch.MethodNystroem, NFeatures: 2, NComponents: 2}
			s.Map = need.Value(sketch.NewFeatureMap(p))(t)
			need.OK(t, s.Map.Fit(sketch.Dense{1, 0, 0, 1}))
		},
	} {
		spec := private
		change(&spec)
		_, err := learn.NewLearner(spec)
		checkError(t, err, argument)
	}
}

func BenchmarkMomentsRelease(b *testing.B) {
	shape := learn.Shape{NComponents: 1024, Classes: 10}
	m := need.Value(learn.NewMoments(shape, momentsGrid(shape), 0))(b)
	need.OK(b, m.AddFeatures(make([]float32, 1024), make([]int32, 1), nil, nil))
	mechanism, noise := need.Value(NewMomentsMechanism(1, 1e-5, shape, m.Grid(), 1))(b), fixedNoise(1)
	for b.Loop() {
		need.Value(mechanism.Release(m, noise))(b)
	}
}
