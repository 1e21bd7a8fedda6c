package sketch

import (
	"errors"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/internal/engine/matrix"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

// unitDigits returns n rows of digits of length 1.
func unitDigits(t *testing.T, n int) []float32 {
	t.Helper()
	X, d := planSample(t, "digits.csv", n)
	rows := X.(Dense)
	for r := range n {
		unitRow(rows[r*d : (r+1)*d])
	}
	return rows
}

// fittedKSpace returns a map that is fitted to rows, and its fitter.
func fittedKSpace(t testing.TB, p Params, X Rows) (*FeatureMap, *Fitter) {
	t.Helper()
	p.Method = MethodKSpace
	m := mustMap(t, p)
	f := need.Value(m.NewFitter(0))(t)
	need.OK(t, f.Measure(X))
	need.OK(t, f.Add(X))
	need.OK(t, f.Finish())
	return m, f
}

// fromIdentity returns the largest entry of A − I, k × k.
func fromIdentity(A []float64, k int) float64 {
	worst := 0.0
	for i := range k {
		for j := range k {
			v := A[i*k+j]
			if i == j {
				v--
			}
			worst = max(worst, math.Abs(v))
		}
	}
	return worst
}

// The bounds of issue 18: the columns of V are orthonormal on the integers that the moments saw and
// on mapped rows, and ‖φ − VVᵀφ‖ is at most 1.2 times the best of rank k.
func TestKSpaceSubspace(t *testing.T) {
	slow.Elsewhere(t)
	n, ranks := 3823, []int{10, 50, 200}
	if testing.Short() {
		n, ranks = 1000, ranks[:2]
	}
	const d = 64
	X := unitDigits(t, n)
	K, trace := make([]float64, n*n), 0.0
	for i := range n {
		for j := range i + 1 {
			inner := 1 + Dot(X[i*d:(i+1)*d], X[j*d:(j+1)*d])
			K[i*n+j] = inner * inner * inner
			K[j*n+i] = K[i*n+j]
		}
		trace += K[i*n+i]
	}
	values := matrix.NewEigen(slices.Clone(K), n, ranks[len(ranks)-1]).Finish().Values()
	for _, k := range ranks {
		best := trace
		for _, v := range values[:k] {
			best -= v
		}
		var ratios, mapped []float64
		for seed := range uint64(5) {
			m, f := fittedKSpace(t, Params{NFeatures: d, NComponents: k, Degree: 3, Coef0: 1, Seed: IntSeed(seed)}, Dense(X))
			s, M := f.repeats[0], m.Projection()
			image, products := make([]float64, s.m*k), make([]float64, k*k) // G·M, MᵀGM
			G := make([]float64, s.m*s.m)
			for i := range s.m {
				for j := range s.m {
					G[i*s.m+j] = s.yy(i, j) * s.step * s.step
				}
			}
			matrix.AddProduct(image, G, M, s.m, s.m, k, 1)
			matrix.AddTransposedProduct(products, M, image, s.m, k, k, 1)
			if worst := fromIdentity(products, k); worst > 1e-9 {
				t.Errorf("k %d, seed %d: VᵀV of the integers is %g from I", k, seed, worst)
			}
			V := toFloat64(need.Value(m.TransformBatch(nil, X))(t))
			clear(products)
			matrix.AddTransposedProduct(products, V, V, n, k, k, 1)
			mapped = append(mapped, fromIdentity(products, k))
			image, left := make([]float64, n*k), trace // K·V, ‖φ − VVᵀφ‖²
			matrix.AddProduct(image, K, V, n, n, k, 1)
			for i, v := range image {
				left -= v * V[i]
			}
			ratios = append(ratios, math.Sqrt(left/best))
			if f.Clipped() != 0 {
				t.Errorf("k %d, seed %d: %d components were cut", k, seed, f.Clipped())
			}
		}
		slices.Sort(ratios)
		slices.Sort(mapped)
		t.Logf("k %d: ratios %.4f, VᵀV − I %.2g", k, ratios, mapped)
		if ratios[2] > 1.2 {
			t.Errorf("k %d: ‖φ − VVᵀφ‖ is %.4f times the best, want at most 1.2", k, ratios[2])
		}
		if mapped[2] > 2e-4 {
			t.Errorf("k %d: VᵀV of mapped rows is %g from I", k, mapped[2])
		}
	}
}

// The sums are sums of the integers, computed one by one.
func TestKSpaceSums(t *testing.T) {
	const d, n, M, R = 5, 70, 21, 35
	rng := rand.New(rand.NewSource(3))
	X := randomRows(rng, n, d)
	m := mustMap(t, Params{Method: MethodKSpace, NFeatures: d, NComponents: 4, Degree: 2, Coef0: 1, Repeats: 2,
		MethodParams: MethodParams{M: M, R: R}, Seed: IntSeed(9)})
	f := need.Value(m.NewFitter(4))(t)
	need.OK(t, f.Add(Dense(X)))
	for repeat, s := range f.repeats {
		if C := math.Sqrt(m.NormKernel(16)); s.step < C*0x1p-18 || s.step >= C*0x1p-17 {
			t.Errorf("the step is %g for C = %g", s.step, C)
		}
		first := m.cores[repeat].(*kspaceCore)
		z := need.Value(newKSpacePair(&m.params, first.draw).TransformBatch(nil, X))(t)
		q := make([]int64, len(z))
		for i, v := range z {
			q[i] = int64(math.RoundToEven(float64(v) / s.step))
		}
		for i := range M {
			for j := range M + R {
				want := int64(0)
				for r := range n {
					want += q[r*(M+R)+i] * q[r*(M+R)+j]
				}
				got := 0.0
				if j < M {
					got = s.yy(i, j)
				} else {
					got = s.yz(i, j-M)
				}
				if got != float64(want) {
					t.Fatalf("repeat %d: sum (%d, %d) is %g, want %d", repeat, i, j, got, want)
				}
			}
		}
	}
	// S is the first sketch of the pair, and the map's.
	first := make([]float32, M)
	y := scaledRow(m, X[:d])
	m.cores[0].(*kspaceCore).first.transformBlock(first, y, 1)
	z := need.Value(f.repeats[0].pair.TransformBatch(nil, X[:d]))(t)
	if !sameBits(first, z[:M]) {
		t.Error("the sketch of the fit is not the sketch of the map")
	}
}

// scaledRow returns a row as the cores take it.
func scaledRow(m *FeatureMap, x []float32) []float32 {
	s := m.scaler.(*scaledRows)
	y := make([]float32, s.width)
	for i, v := range x {
		y[i] = s.factor * v
	}
	if s.width > len(x) {
		y[len(x)] = s.constant
	}
	return y
}

// Neither the order of rows, nor the parts, nor their form, nor merging changes a bit.
func TestKSpaceOrder(t *testing.T) {
	const d, n = 9, 200
	rng := rand.New(rand.NewSource(5))
	X := randomRows(rng, n, d)
	p := Params{Method: MethodKSpace, NFeatures: d, NComponents: 6, Degree: 3, Coef0: 0.5, Repeats: 2, Seed: IntSeed(3)}
	whole := mustMap(t, p)
	need.OK(t, whole.Fit(Dense(X)))
	want := whole.Projection()
	largest := 0.0
	for r := range n {
		largest = max(largest, squaredNorm(X[r*d:(r+1)*d]))
	}
	same := func(what string, m *FeatureMap) {
		t.Helper()
		if got := m.Projection(); !slices.Equal(got, want) {
			t.Errorf("%s: other bits", what)
		}
	}
	for range 4 {
		shuffled := slices.Clone(X)
		rng.Shuffle(n, func(i, j int) {
			for c := range d {
				shuffled[i*d+c], shuffled[j*d+c] = shuffled[j*d+c], shuffled[i*d+c]
			}
		})
		m := mustMap(t, p)
		m.SetGoroutines(2)
		need.OK(t, m.Fit(sparseRows(rng, shuffled, d)))
		same("sparse rows in another order", m)

		m = mustMap(t, p)
		fitters := make([]*Fitter, 3)
		for i := range fitters {
			fitters[i] = need.Value(m.NewFitter(math.Sqrt(largest)))(t)
		}
		for rest := shuffled; len(rest) > 0; {
			take := d * min(len(rest)/d, rng.Intn(90))
			need.OK(t, fitters[rng.Intn(3)].Add(Dense(rest[:take])))
			rest = rest[take:]
		}
		need.OK(t, fitters[1].Merge(fitters[2]))
		need.OK(t, fitters[0].Merge(fitters[1]))
		if fitters[0].Rows() != n {
			t.Errorf("%d rows, want %d", fitters[0].Rows(), n)
		}
		need.OK(t, fitters[0].Finish())
		same("merged parts", m)
	}
	again := mustMap(t, p)
	need.OK(t, again.SetProjection(want))
	z, other := need.Value(whole.TransformBatch(nil, X))(t), need.Value(again.TransformBatch(nil, X))(t)
	if !sameBits(z, other) {
		t.Error("the map of SetProjection gives other features")
	}
	same("SetProjection", again)
}

// Rows added after a fit, or in the middle of one, count in the next.
func TestKSpaceRefit(t *testing.T) {
	const d, n = 4, 60
	X := randomRows(rand.New(rand.NewSource(6)), n, d)
	p := Params{NFeatures: d, NComponents: 3, Degree: 2, Coef0: 1}
	want, _ := fittedKSpace(t, p, Dense(X))
	p.Method = MethodKSpace
	m := mustMap(t, p)
	f := need.Value(m.NewFitter(0))(t)
	need.OK(t, f.Measure(Dense(X)))
	need.OK(t, f.Add(Dense(X[:20*d])))
	need.OK(t, f.Finish())
	need.OK(t, f.Add(Dense(X[20*d:40*d])))
	last := 0.0
	for range 4 {
		done, finished, err := f.Step()
		if finished || err != nil || done < last || done > 1 {
			t.Fatalf("%g of a fit after %g, finished %v, %v", done, last, finished, err)
		}
		last = done
	}
	need.OK(t, f.Add(Dense(X[40*d:])))
	need.OK(t, f.Finish())
	if !slices.Equal(m.Projection(), want.Projection()) {
		t.Error("a fit after others differs from one fit")
	}
}

// Where the features of the kernel have a rank below k, they are kept whole: V spans them, and the
// other features are 0.
func TestKSpaceExactRank(t *testing.T) {
	const d, n, k = 2, 40, 8 // (⟨x,y⟩ + 1)² of two numbers has rank 6
	rng := rand.New(rand.NewSource(8))
	X := randomRows(rng, n, d)
	m, _ := fittedKSpace(t, Params{NFeatures: d, NComponents: k, Degree: 2, Coef0: 1}, Dense(X))
	V := toFloat64(need.Value(m.TransformBatch(nil, X))(t))
	products := make([]float64, k*k)
	matrix.AddTransposedProduct(products, V, V, n, k, k, 1)
	for i := range k {
		for j := range k {
			want := 0.0
			if i == j && i < 6 {
				want = 1
			}
			if math.Abs(products[i*k+j]-want) > 1e-4 {
				t.Errorf("VᵀV (%d, %d) is %g, want %g", i, j, products[i*k+j], want)
			}
		}
	}
	for i := range n { // VVᵀK = K
		for j := range n {
			got := 0.0
			for c := range k {
				for l := range n {
					inner := 1 + Dot(X[l*d:(l+1)*d], X[j*d:(j+1)*d])
					got += V[i*k+c] * V[l*k+c] * inner * inner
				}
			}
			inner := 1 + Dot(X[i*d:(i+1)*d], X[j*d:(j+1)*d])
			if math.Abs(got-inner*inner) > 1e-3 {
				t.Fatalf("(VVᵀK)(%d, %d) is %g, want %g", i, j, got, inner*inner)
			}
		}
	}
	zeros := mustMap(t, Params{Method: MethodKSpace, NFeatures: d, NComponents: k})
	need.OK(t, zeros.Fit(make(Dense, n*d)))
	for i, v := range need.Value(zeros.TransformBatch(nil, X))(t) {
		if v != 0 {
			t.Fatalf("a fit to zeros gives %g at %d", v, i)
		}
	}
}

func TestKSpaceErrors(t *testing.T) {
	const d, k = 3, 4
	m := mustMap(t, Params{Method: MethodKSpace, NFeatures: d, NComponents: k})
	rows := randomRows(rand.New(rand.NewSource(1)), 10, d)
	nan := slices.Clone(rows)
	nan[7*d+1] = float32(math.NaN())
	fitter := func(radius float64) *Fitter { return need.Value(m.NewFitter(radius))(t) }
	given, measured := fitter(10), fitter(0)
	need.OK(t, given.Add(Dense(rows)))
	other := mustMap(t, Params{Method: MethodKSpace, NFeatures: d, NComponents: k, Seed: IntSeed(1)})
	of := func(_ any, err error) error { return err }
	for _, c := range []struct {
		err  error
		code Code
		want string
	}{
		{of(must(t, Params{NFeatures: d}).NewFitter(1)), ErrParam, `method must be "k-space" to be fitted in parts`},
		{of(m.NewFitter(-1)), ErrParam, "radius must be the largest norm of a row, a finite number > 0, or 0"},
		{of(m.NewFitter(math.NaN())), ErrParam, "got NaN"},
		{of(m.NewFitter(1e30)), ErrOverflow, "radius must give features within the range of float32"},
		{measured.Add(Dense(rows)), ErrParam, "radius must be given, or measured from all rows before any is added, got 0"},
		{given.Measure(Dense(rows)), ErrParam, "radius must be 0, and no row added yet, to be measured, got 10"},
		{fitter(0.5).Add(Dense(rows)), ErrShape, "must have a norm of at most radius = 0.5, got "},
		{given.Add(Dense(rows[1:])), ErrShape, "X must hold a multiple of nFeatures = 3 values, got 29"},
		{given.Add(Dense(nan)), ErrNonFinite, "X row 7, column 1 must be finite"},
		{m.Fit(Dense(nan)), ErrNonFinite, "X row 7, column 1 must be finite"},
		{m.Fit(Dense(rows[:3*d])), ErrShape, "X must hold at least nComponents = 4 rows to fit to: give more, or " +
			"lower nComponents, got 3 rows"},
		{m.Fit(Dense(nil)), ErrShape, "got 0 rows"},
		{m.Fit(Dense(rows[1:])), ErrShape, "X must hold a multiple"},
		{fitter(1).Finish(), ErrShape, "got 0 rows"},
		{given.Merge(fitter(100)), ErrParam, "radius must be the same in both fitters: give it to NewFitter, got 100"},
		{given.Merge(need.Value(other.NewFitter(10))(t)), ErrParam, "map must have the same parameters and the same seed"},
		{m.SetLandmarks(rows), ErrParam, `method must be "nystroem" to have landmarks`},
		{m.SetProjection(nil), ErrShape, "projection must hold repeats × m = 16 rows of nComponents = 4 numbers, got 0"},
		{m.SetProjection(append(make([]float64, 63), math.Inf(1))), ErrNonFinite,
			"projection[63] must be finite, got Infinity"},
		{must(t, Params{NFeatures: d}).SetProjection(nil), ErrParam, `method must be "k-space" to have a projection`},
		{must(t, Params{NFeatures: d}).Fit(Dense(rows)), ErrParam, `method must be "nystroem" or "k-space" to be fitted`},
		{of(m.TransformBatch(nil, rows)), ErrParam, "method must be fitted to rows before it transforms any: call fit"},
	} {
		var e *Error
		if !errors.As(c.err, &e) || e.Code != c.code || !strings.Contains(e.Error(), c.want) {
			t.Errorf("error %v, want %v: %s", c.err, c.code, c.want)
		}
	}
	if given.Rows() != 10 {
		t.Errorf("%d rows after refused ones, want 10", given.Rows())
	}
	if m.Projection() != nil {
		t.Error("a map that was not fitted has a projection")
	}
	for _, s := range given.repeats {
		s.traces[1] = kspaceTrace - 1
	}
	for range 2 { // the sums are full, and stay so
		if err := given.Add(Dense(rows)); err == nil || !strings.Contains(err.Error(), "fit to a sample of the rows") {
			t.Errorf("full sums: %v", err)
		}
	}
	if err := given.Finish(); err == nil {
		t.Error("sums that lack rows are fitted to")
	}
}

func TestKSpaceParams(t *testing.T) {
	p := func(k, m, r int) Params {
		return Params{Method: MethodKSpace, NFeatures: 5, NComponents: k, MethodParams: MethodParams{M: m, R: r}}
	}
	for _, c := range []struct {
		params Params
		want   string
	}{
		{p(4097, 0, 0), "nComponents must be an integer from 1 to 4096 for method"},
		{p(8, 7, 0), "methodParams.m must be an integer from nComponents = 8 to 4096, got 7"},
		{p(8, 4097, 0), "methodParams.m must be an integer from nComponents = 8 to 4096, got 4097"},
		{p(8, -1, 0), "methodParams.m must be"},
		{p(8, 0, 7), "methodParams.r must be an integer from nComponents = 8 to 8192, got 7"},
		{p(8, 0, 8193), "methodParams.r must be"},
		{Params{NFeatures: 5, MethodParams: MethodParams{M: 9}}, "methodParams.m must be left out for method"},
	} {
		if _, err := NewFeatureMap(c.params); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s", c.params, err, c.want)
		}
	}
	for k, want := range map[int][2]int{1: {4, 8}, 100: {400, 800}, 1024: {4096, 8192}, 4096: {4096, 8192}} {
		params := p(k, 0, 0).WithDefaults()
		if m, r := params.kspaceComponents(); m != want[0] || r != want[1] || params.Validate() != nil {
			t.Errorf("k %d has m %d, r %d, %v", k, m, r, params.Validate())
		}
	}
}

// The examples of docs/SPEC.md, section 8.
func TestKSpaceSpecExamples(t *testing.T) {
	given := mustMap(t, Params{Method: MethodKSpace, NFeatures: 2, NComponents: 1, Degree: 2, Seed: IntSeed(5),
		MethodParams: MethodParams{M: 2}})
	need.OK(t, given.SetProjection([]float64{1, 2}))
	if z := given.Transform(nil, []float32{1, -0.5}); z[0] != 2.25 {
		t.Errorf("f(1, −0.5) is %g, want 2.25", z[0])
	}
	X := Dense{1, -0.5, 0.5, 2, -1, 1}
	m, f := fittedKSpace(t, Params{NFeatures: 2, NComponents: 2, Degree: 2, Coef0: 1, Seed: IntSeed(5)}, X)
	if step := f.repeats[0].step; step != 0x1p-15 {
		t.Errorf("the step is %g, want 2^−15", step)
	}
	want := []float64{0.0387266, -0.6170623, 0.9739804, -0.1524582, 0.2232987, 0.7720045}
	for i, v := range need.Value(m.TransformBatch(nil, X))(t) {
		if math.Abs(float64(v)-want[i]) > 1e-7 {
			t.Errorf("number %d is %g, want %g", i, v, want[i])
		}
	}
}

// FitBytes covers what a fit allocates, and is not far above it.
func TestKSpaceBytes(t *testing.T) {
	slow.Emulated(t)
	X := randomRows(rand.New(rand.NewSource(1)), 200, 30)
	for _, p := range []Params{
		{NFeatures: 30, NComponents: 2},
		{NFeatures: 30, NComponents: 40, Degree: 3, Coef0: 1, Repeats: 2},
		{NFeatures: 30, NComponents: 60, MethodParams: MethodParams{M: 60, R: 900}},
		{NFeatures: 30, NComponents: 100, MethodParams: MethodParams{M: 400, R: 100}},
	} {
		p.Method = MethodKSpace
		p = p.WithDefaults()
		m := mustMap(t, p)
		got := need.Allocated(func() {
			f := need.Value(m.NewFitter(10))(t)
			need.OK(t, f.Add(Dense(X)))
			need.OK(t, f.Finish())
		})
		if predicted := p.FitBytes(); got > 2*predicted || // with what the collector takes
			4*got < predicted {
			t.Errorf("%+v: %d bytes are allocated, predicted %d", p, got, predicted)
		} else {
			t.Log(got, predicted)
		}
	}
}
