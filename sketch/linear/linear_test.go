package linear_test

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/internal/exact"
	"tensorsketch.example/internal/sums"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/linear"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

const d, D = 7, 33

func newMap(t testing.TB, params sketch.Params) *sketch.FeatureMap {
	t.Helper()
	m := need.Value(sketch.NewFeatureMap(params))(t)
	return m
}

func someMap(t testing.TB) *sketch.FeatureMap {
	return newMap(t, sketch.Params{NFeatures: d, NComponents: D, Coef0: 1, Seed: sketch.IntSeed(5)})
}

// rowsOfSizes draws rows whose sizes differ by many orders of magnitude.
func rowsOfSizes(r *rand.Rand, n int) []float32 {
	X := make([]float32, n*d)
	for row := range n {
		size := math.Exp2(float64(r.IntN(80) - 40))
		for i := range d {
			X[row*d+i] = float32(r.NormFloat64() * size)
		}
	}
	return X
}

func someWeights(r *rand.Rand, n int) []float32 {
	weights := make([]float32, n)
	for i := range weights {
		weights[i] = float32(r.NormFloat64())
	}
	return weights
}

func csrOf(X []float32) sketch.CSR {
	csr := sketch.CSR{Indptr: []int32{0}}
	for i, v := range X {
		if v != 0 {
			csr.Indices, csr.Data = append(csr.Indices, int32(i%d)), append(csr.Data, v)
		}
		if i%d == d-1 {
			csr.Indptr = append(csr.Indptr, int32(len(csr.Data)))
		}
	}
	return csr
}

func added(t *testing.T, m *sketch.FeatureMap, X sketch.Rows, weights []float32) *linear.Accumulator {
	t.Helper()
	a := linear.NewAccumulator(m, "")
	need.OK(t, a.Add(X, weights))
	return a
}

// The sums are those of math/big of the features, rounded once.
func TestSumAndMeanAgainstBig(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	m := someMap(t)
	for _, n := range []int{1, 2, 5, 300} {
		X, weights := rowsOfSizes(r, n), someWeights(r, n)
		Z := need.Value(m.TransformBatch(nil, X))(t)
		for _, weights := range [][]float32{nil, weights} {
			a := added(t, m, sketch.Dense(X), weights)
			mean := need.Value(a.Mean(nil))(t)
			sum, total := a.Sum(nil), new(big.Rat)
			exact := make([]big.Rat, D)
			for row := range n {
				w := new(big.Rat).SetInt64(1)
				if weights != nil {
					w.SetFloat64(float64(weights[row]))
				}
				total.Add(total, w)
				for j := range exact {
					z := new(big.Rat).SetFloat64(float64(Z[row*D+j]))
					exact[j].Add(&exact[j], z.Mul(z, w))
				}
			}
			for j := range exact {
				if want, _ := exact[j].Float64(); sum[j] != want {
					t.Errorf("n = %d, weights %v: sum %d is %v, want %v", n, weights != nil, j, sum[j], want)
				}
				if want, _ := new(big.Rat).Quo(&exact[j], total).Float64(); mean[j] != want {
					t.Errorf("n = %d, weights %v: mean %d is %v, want %v", n, weights != nil, j, mean[j], want)
				}
			}
		}
	}
}

// Any order, grouping, form and number of goroutines gives the same state.
func TestOrderAndGrouping(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const n = 9000 // more than one block of features
	X, weights := rowsOfSizes(r, n), someWeights(r, n)
	m := someMap(t)
	want := added(t, m, sketch.Dense(X), weights).Sums().State()
	check := func(name string, a *linear.Accumulator) {
		t.Helper()
		if !slices.Equal(a.Sums().State(), want) {
			t.Errorf("%s gives another state", name)
		}
	}
	check("CSR", added(t, m, csrOf(X), weights))
	m.SetGoroutines(3)
	check("three goroutines", added(t, m, sketch.Dense(X), weights))

	order := r.Perm(n)
	shuffledX, shuffledW := make([]float32, 0, n*d), make([]float32, 0, n)
	for _, row := range order {
		shuffledX = append(shuffledX, X[row*d:(row+1)*d]...)
		shuffledW = append(shuffledW, weights[row])
	}
	check("another order", added(t, m, sketch.Dense(shuffledX), shuffledW))

	for range 5 {
		groups := []*linear.Accumulator{linear.NewAccumulator(m, "")}
		for from := 0; from < n; {
			to := min(n, from+1+r.IntN(700))
			groups = append(groups, added(t, someMap(t), sketch.Dense(shuffledX[from*d:to*d]), shuffledW[from:to]))
			from = to
		}
		for len(groups) > 1 { // merge any two
			i := r.IntN(len(groups) - 1)
			need.OK(t, groups[i].Merge(groups[i+1]))
			groups = slices.Delete(groups, i+1, i+2)
		}
		check("grouping", groups[0])
	}

	features := linear.NewAccumulator(m, "")
	Z, err := m.TransformBatch(nil, X)
	if err == nil {
		err = features.AddFeatures(Z, weights)
	}
	if err != nil {
		t.Fatal(err)
	}
	check("AddFeatures", features)
}

// Taking away undoes adding; without weights is with weights 1; weights add up.
func TestSubtractAndWeights(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	m := someMap(t)
	X, Y := rowsOfSizes(r, 50), rowsOfSizes(r, 30)
	a, b := added(t, m, sketch.Dense(X), nil), added(t, m, sketch.Dense(Y), nil)
	want := a.Sum(nil)
	need.OK(t, errors.Join(a.Merge(b), a.Subtract(b)))
	if got := a.Sum(nil); !slices.Equal(got, want) || a.Count() != 50 || a.Sums().State().Rows() != 110 {
		t.Errorf("after merge and subtract: count %d, sum %v, want 50, %v", a.Count(), got, want)
	}
	need.OK(t, a.Subtract(a))
	if a.Count() != 0 || slices.ContainsFunc(a.Sum(nil), func(x float64) bool { return x != 0 }) {
		t.Errorf("sums less themselves: count %d, %v", a.Count(), a.Sum(nil))
	}
	if _, err := a.Mean(nil); err == nil || err.Error() != "weights must not add up to 0 for a "+
		"mean: add rows first, got 0" {
		t.Errorf("mean of nothing: %v", err)
	}

	ones := slices.Repeat([]float32{1}, 50)
	if got := added(t, m, sketch.Dense(X), ones); !slices.Equal(got.Sums().State(),
		added(t, m, sketch.Dense(X), nil).Sums().State()) {
		t.Error("weights of 1 give another state than none")
	}
	twice := added(t, m, sketch.Dense(slices.Concat(X, X)), nil)
	two := added(t, m, sketch.Dense(X), slices.Repeat([]float32{2}, 50))
	if !slices.Equal(twice.Sum(nil), two.Sum(nil)) {
		t.Error("weight 2 is not the row twice")
	}
	minus := added(t, m, sketch.Dense(X), slices.Repeat([]float32{-1}, 50))
	if err := minus.Merge(added(t, m, sketch.Dense(X), nil)); err != nil || minus.Sum(nil)[0] != 0 {
		t.Errorf("weights −1 and 1 give %v (%v)", minus.Sum(nil)[0], err)
	}
}

func TestCancellation(t *testing.T) {
	s := linear.NewSums(1)
	for _, z := range []float32{math.MaxFloat32, math.SmallestNonzeroFloat32, 1, -math.MaxFloat32, -1} {
		need.OK(t, s.AddFeatures([]float32{z}, []float32{math.MaxFloat32}))
	}
	if got, want := s.Sum(nil)[0], math.SmallestNonzeroFloat32*math.MaxFloat32; got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A refused call names the place and changes nothing.
func TestErrorsChangeNothing(t *testing.T) {
	slow.Emulated(t)
	r := rand.New(rand.NewPCG(7, 8))
	m := someMap(t)
	a := added(t, m, sketch.Dense(rowsOfSizes(r, 20)), nil)
	want := a.Sums().State()

	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	many := rowsOfSizes(r, 9000)
	late, huge := slices.Clone(many), slices.Clone(many)
	late[8999*d+3] = nan
	for i := range d {
		huge[8500*d+i] = math.MaxFloat32
	}
	Z := make([]float32, 3*D)
	badZ := slices.Clone(Z)
	badZ[2*D+5] = inf
	for _, c := range []struct {
		name, want string
		err        error
	}{
		{"NaN late", "X row 8999, column 3 must be finite: remove or replace NaN and infinite values, got NaN",
			a.Add(sketch.Dense(late), nil)},
		{"NaN late, CSR", "X row 8999, column 3 must be finite: remove or replace NaN and infinite values, got NaN",
			a.Add(csrOf(late), nil)},
		{"overflow", "X row 8500 must ", a.Add(sketch.Dense(huge), nil)},
		{"length", "X must hold a multiple of nFeatures = 7 values, got 8", a.Add(make(sketch.Dense, 8), nil)},
		{"indptr", "X.indptr row 1 must not decrease", a.Add(sketch.CSR{Indptr: []int32{0, 1, 0}}, nil)},
		{"column", "X row 1, column 7 must have columns from 0",
			a.Add(sketch.CSR{Indptr: []int32{0, 0, 1}, Indices: []int32{7}, Data: []float32{1}}, nil)},
		{"weights", "weights must hold one number per row, 9000, got 8999", a.Add(sketch.Dense(many), make([]float32, 8999))},
		{"empty weights", "weights must hold one number per row, 1, got 0", a.Add(make(sketch.Dense, d), []float32{})},
		{"NaN weight", "weights row 1 must be finite: remove or replace NaN and infinite values, got NaN",
			a.Add(make(sketch.Dense, 2*d), []float32{1, nan})},
		{"infinite feature", "Z row 2, column 5 must be finite: remove or replace NaN and infinite values, got -Inf",
			a.AddFeatures(badZ, nil)},
		{"features", "Z must hold a multiple of nComponents = 33 values, got 34", a.AddFeatures(make([]float32, D+1), nil)},
		{"feature weights", "weights must hold one number per row, 3, got 1", a.AddFeatures(Z, []float32{1})},
	} {
		if c.err == nil || !strings.HasPrefix(c.err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.name, c.err, c.want)
		}
		var e *sketch.Error
		if !errors.As(c.err, &e) {
			t.Errorf("%s: %T is no *sketch.Error", c.name, c.err)
		}
	}
	if !slices.Equal(a.Sums().State(), want) {
		t.Error("a refused call changed the sums")
	}
}

// Products of unlike vectors come as features; Add refuses them.
func TestProducts(t *testing.T) {
	m := need.Value(sketch.New(sketch.Params{NFeaturesEach: []int{2, 3}, NComponents: 8}))(t)
	a := linear.NewAccumulator(m, "")
	if err := a.Add(make(sketch.Dense, 10), nil); err == nil || a.Count() != 0 {
		t.Errorf("Add on a map of products: error %v, count %d", err, a.Count())
	}
	Z, err := m.TransformProduct(nil, sketch.Dense{1, 2}, sketch.Dense{1, 2, 3})
	if err == nil {
		err = a.AddFeatures(Z, nil)
	}
	if err != nil || a.Sum(nil)[3] != float64(Z[3]) {
		t.Errorf("sum %v (%v), want %v", a.Sum(nil), err, Z)
	}
}

func TestMergeRefusesUnlikeMaps(t *testing.T) {
	type p = sketch.Params
	state, key := uint32(7), sketch.BytesSeed([32]byte{1})
	base := p{NFeatures: d, NComponents: D, Seed: sketch.IntSeed(5)}
	order := func(v float64) p {
		return p{Method: sketch.MethodRandomMaclaurin, NFeatures: d, MethodParams: sketch.MethodParams{Order: v}}
	}
	tables := func(bucket int32) p {
		return p{NFeatures: 1, NComponents: 4, Degree: 1, IndexHash: [][]int32{{bucket}}, BitHash: [][]int8{{1}}}
	}
	nystroem := p{Method: sketch.MethodNystroem, NFeatures: 1, NComponents: 1}
	kspace := p{Method: sketch.MethodKSpace, NFeatures: 1, NComponents: 1, MethodParams: sketch.MethodParams{M: 1}}
	sumsOf := func(p p, fit float32, preprocessing string) *linear.Accumulator {
		m := newMap(t, p)
		switch p.Method {
		case sketch.MethodNystroem:
			need.OK(t, m.SetLandmarks([]float32{fit}))
		case sketch.MethodKSpace:
			need.OK(t, m.SetProjection([]float64{float64(fit)}))
		}
		return linear.NewAccumulator(m, preprocessing)
	}
	for _, c := range []struct {
		a, b       p
		name, rest string
		change     func(p *p) // of b, where it is not given
	}{
		{name: "method", rest: ", tensor-sketch, got tensor-srht", change: func(p *p) { p.Method = "tensor-srht" }},
		{name: "nFeatures", rest: ", 7, got 8", change: func(p *p) { p.NFeatures = 8 }},
		{name: "nComponents", rest: ", 33, got 34", change: func(p *p) { p.NComponents = 34 }},
		{name: "degree", rest: ", 2, got 3", change: func(p *p) { p.Degree = 3 }},
		{name: "gamma", rest: ", 1, got 0.5", change: func(p *p) { p.Gamma = 0.5 }},
		{name: "coef0", rest: ", 0, got 1", change: func(p *p) { p.Coef0 = 1 }},
		{name: "normalize", rest: ", none, got kernel", change: func(p *p) { p.Normalize = "kernel" }},
		{name: "output", rest: ", real, got spectrum", change: func(p *p) { p.Output = "spectrum" }},
		{name: "repeats", rest: ", 1, got 2", change: func(p *p) { p.Repeats = 2 }},
		{name: "hash", rest: ", seed, got random-state",
			change: func(p *p) { p.RandomState, p.Seed = &state, sketch.Seed{} }},
		{name: "seed", rest: ", 5, got 6", change: func(p *p) { p.Seed = sketch.IntSeed(6) }},
		{name: "seed", rest: `, 5, got "5"`, change: func(p *p) { p.Seed = sketch.StringSeed("5") }},
		{name: "seed", rest: ", 5, got 32 bytes", change: func(p *p) { p.Seed = key }},
		{name: "keyed", rest: ", false, got true", change: func(p *p) { p.Seed, p.Keyed = key, true }},
		{name: "preprocessing", rest: `, "", got "log"`},
		{name: "key", a: p{NFeatures: d, Seed: key, Keyed: true},
			b: p{NFeatures: d, Seed: sketch.BytesSeed([32]byte{2}), Keyed: true}},
		{name: "methodParams", a: order(2), b: order(3)},
		{name: "indexHash, bitHash", a: tables(1), b: tables(2)},
		{name: "landmarks", a: nystroem, b: nystroem},
		{name: "projection", a: kspace, b: kspace},
	} {
		preprocessing := ""
		if c.a.NFeatures == 0 {
			if c.a, c.b = base, base; c.change != nil {
				c.change(&c.b)
			} else {
				preprocessing = "log"
			}
		}
		a, b := sumsOf(c.a, 1, ""), sumsOf(c.b, 2, preprocessing)
		for name, err := range map[string]error{"Merge": a.Merge(b), "Subtract": a.Subtract(b)} {
			if want := c.name + " must be the same as in the sums to merge into" + c.rest; err == nil || err.Error() != want &&
				!(c.name == "methodParams" && strings.HasPrefix(err.Error(), want)) {
				t.Errorf("%s: got %v, want %s", name, err, want)
			}
		}
		need.OK(t, a.Merge(sumsOf(c.a, 1, "")))
	}
}

func TestMergeState(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	m := someMap(t)
	good := added(t, m, sketch.Dense(rowsOfSizes(r, 20)), nil).Sums().State()
	s := linear.NewSums(D)
	if err := s.MergeState(good, false); err != nil || !slices.Equal(s.State(), good) {
		t.Fatalf("a state does not come back: %v", err)
	}
	for name, change := range map[string]func(s sums.State) sums.State{
		"short":                 func(s sums.State) sums.State { return s[:len(s)-1] },
		"other components":      func(s sums.State) sums.State { return s[:len(sums.NewState(D-1))] },
		"negative rows":         func(s sums.State) sums.State { s[1] = 1 << 63; return s },
		"too many rows":         func(s sums.State) sums.State { s[1] = 1<<52 + 2; return s },
		"count beyond rows":     func(s sums.State) sums.State { s[0] = 22; return s },
		"count of other parity": func(s sums.State) sums.State { s[0] = 19; return s },
		"sum out of range":      func(s sums.State) sums.State { s[len(s)-1] = 1 << 30; return s },
		"sum of too few rows":   func(s sums.State) sums.State { s[len(s)-2] = 21 << 42; return s },
		"overflow of the check": func(s sums.State) sums.State { s[len(s)-1] = 1 << 62; return s },
		"negative sum, as well": func(s sums.State) sums.State { s[len(s)-1] = 1<<64 - 1<<31; return s },
		"weight out of range":   func(s sums.State) sums.State { s[1+exact.Words] = 1 << 40; return s },
	} {
		if err := s.MergeState(change(slices.Clone(good)), false); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if !slices.Equal(s.State(), good) {
		t.Error("a refused state changed the sums")
	}

	full := linear.NewSums(D)
	state := sums.NewState(D)
	state[0], state[1] = linear.MaxRows, linear.MaxRows
	need.OK(t, full.MergeState(state, false))
	if err := full.AddFeatures(make([]float32, D), nil); err == nil ||
		!strings.HasPrefix(err.Error(), "rows must be at most 2^52 together") {
		t.Errorf("a row beyond MaxRows: %v", err)
	}
	if err := full.Subtract(s); err == nil {
		t.Error("rows beyond MaxRows were merged")
	}
}

// What adding costs beside transforming, for rows as in docs/performance.md.
func BenchmarkAdd(b *testing.B) {
	r := rand.New(rand.NewPCG(11, 12))
	const n, wide = 256, 784
	m := newMap(b, sketch.Params{NFeatures: wide, NComponents: 1024, Coef0: 1})
	X := make([]float32, n*wide)
	for i := range X {
		if r.IntN(5) == 0 {
			X[i] = r.Float32() / 12
		}
	}
	Z := need.Value(m.TransformBatch(nil, X))(b)
	a := linear.NewAccumulator(m, "")
	weights := someWeights(r, n)
	for _, c := range []struct {
		name string
		run  func() error
	}{
		{"transform", func() error { _, err := m.TransformBatch(Z, X); return err }},
		{"add", func() error { return a.AddFeatures(Z, nil) }},
		{"add with weights", func() error { return a.AddFeatures(Z, weights) }},
		{"both", func() error { return a.Add(sketch.Dense(X), nil) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				need.OK(b, c.run())
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/1000/float64(b.N)/n, "µs/row")
		})
	}
}
