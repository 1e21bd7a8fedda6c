package sketch

import (
	"errors"
	"math"
	"math/rand"
	"slices"
	"testing"

	"tensorsketch.example/internal/engine/block"
	"tensorsketch.example/internal/portable"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

// familyCases are all maps of MapCases and WideCases whose degrees take one vector.
func familyCases() map[string]Params {
	all := map[string]Params{}
	for _, cases := range []map[string][]MapCase{MapCases(), WideCases()} {
		for method, list := range cases {
			for _, c := range list {
				if c.Params.Method = method; c.Params.NFeaturesEach == nil {
					all[method+", "+c.Name] = c.Params
				}
			}
		}
	}
	return all
}

func mustMap(t testing.TB, p Params) *FeatureMap {
	t.Helper()
	m, err := NewFeatureMap(p)
	if err != nil {
		t.Fatalf("NewFeatureMap(%+v): %v", p, err)
	}
	return m
}

// fitted returns the map, with rows of its own where it needs a fit.
func fitted(t testing.TB, p Params) *FeatureMap {
	t.Helper()
	m := mustMap(t, p)
	if NeedsFit(p.Method) {
		n := 3 * m.Params().NComponents
		need.OK(t, m.Fit(Dense(randomRows(rand.New(rand.NewSource(11)), n, m.NFeatures()))))
	}
	return m
}

// rowsFor returns n rows that the map takes, about a third of the numbers 0.
func rowsFor(m *FeatureMap, rng *rand.Rand, n int) []float32 {
	d := m.NFeatures()
	X := randomRows(rng, n, d)
	for r := 0; r < n && m.params.Method == MethodSpherical; r++ {
		X[r*d]++ // not a row of zeros
		unitRow(X[r*d : (r+1)*d])
	}
	return X
}

// unitRow scales a row to norm 1.
func unitRow(x []float32) {
	norm := float32(math.Sqrt(Dot(x, x)))
	for i := range x {
		x[i] /= norm
	}
}

func TestContract(t *testing.T) {
	slow.Emulated(t)
	cases := familyCases()
	const noTables = "without tables" // as for the widest rows
	cases[noTables] = Params{NFeatures: block.Stretch + 9, NComponents: 64, Degree: 1}
	for name, p := range cases {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewSource(7))
			m := fitted(t, p)
			if name == noTables {
				m.tensorCore().hash.tables = nil
			}
			d, D, n := m.NFeatures(), m.NComponents(), 4*Lanes()+3
			X := rowsFor(m, rng, n)
			clear(X[d : 2*d-1]) // a row with almost nothing in it
			X[2*d-1] = 1
			want := need.Value(m.TransformBatch(nil, X))(t)
			if resolved := m.Params(); D != resolved.Repeats*resolved.NComponents || len(want) != n*D {
				t.Errorf("NComponents %d and %d numbers for %d rows, want repeats × nComponents of %+v", D, len(want), n, resolved)
			}

			again := make([]float32, n*D)
			for i := range again {
				again[i] = float32(math.NaN()) // whatever dst held, it is overwritten
			}
			copied := append([]float32(nil), X...)
			if got, err := fitted(t, p).TransformBatch(again, X); err != nil || !sameBits(got, want) {
				t.Errorf("a second map, or a used dst, gives other bits (%v)", err)
			}
			if m.scaler == nil {
				if got, err := must(t, p).TransformBatch(nil, X); err != nil || !sameBits(got, want) {
					t.Errorf("New gives other bits (%v)", err)
				}
			}
			if !sameBits(copied, X) {
				t.Errorf("the input was changed")
			}
			if got, err := fitted(t, m.Params()).TransformBatch(nil, X); err != nil || !sameBits(got, want) {
				t.Errorf("the map of Params() gives other bits (%v)", err)
			}
			for r := range n {
				if got := m.Transform(nil, X[r*d:(r+1)*d]); !sameBits(got, want[r*D:(r+1)*D]) {
					t.Errorf("row %d alone differs from the batch", r)
				}
			}
			if got, err := m.TransformBatch(nil, X[d:]); err != nil || !sameBits(got, want[D:]) {
				t.Errorf("rows in other lanes differ (%v)", err)
			}
			csr := sparseRows(rng, X, d)
			if got, err := m.TransformCSR(nil, csr); err != nil || !sameBits(got, want) {
				t.Errorf("CSR differs from dense (%v)", err)
			}
			if got := m.Transform(nil, X[:d]); !sameBits(got, want[:D]) {
				t.Errorf("a row after sparse ones differs")
			}
			after := need.Value(m.TransformBatch(nil, slices.Concat(X[d:2*d], X)))(t)
			if !sameBits(after[D:], want) {
				t.Errorf("rows after another one differ")
			}
			if got, err := m.TransformBatch(nil, nil); err != nil || len(got) != 0 {
				t.Errorf("no rows give %d numbers, %v", len(got), err)
			}
			x, dst := X[:d], make([]float32, D)
			if allocated := testing.AllocsPerRun(10, func() { m.Transform(dst, x) }); allocated != 0 {
				t.Errorf("Transform allocates %v times", allocated)
			}
			m.SetGoroutines(3)
			if got, err := m.TransformBatch(nil, slices.Concat(X, X, X)); err != nil || !sameBits(got[:n*D], want) ||
				!sameBits(got[2*n*D:], want) {
				t.Errorf("three goroutines give other bits (%v)", err)
			}
			if got, err := m.TransformCSR(nil, csr); err != nil || !sameBits(got, want) {
				t.Errorf("three goroutines give other bits for CSR (%v)", err)
			}
			m.SetGoroutines(1)
			other := m.Clone()
			other.Transform(dst, X[d:2*d])
			if got := m.Transform(nil, x); !sameBits(got, want[:D]) || !sameBits(other.Transform(nil, x), want[:D]) {
				t.Errorf("a clone and its original disturb each other")
			}
		})
	}
}

// A zero row without a constant is zero for every map that is a polynomial
// without one; whatever it is, it is the same from all sides and finite.
func TestFamilyZeroVector(t *testing.T) {
	for name, p := range familyCases() {
		if p.Method == MethodSpherical {
			continue
		}
		m := fitted(t, p)
		d, D := m.NFeatures(), m.NComponents()
		z, err := m.TransformBatch(nil, make([]float32, 2*d))
		if err != nil || !sameBits(z[:D], z[D:]) || !sameBits(m.Transform(nil, make([]float32, d)), z[:D]) {
			t.Errorf("%s: zero rows give %v, %v", name, z, err)
			continue
		}
		sparse, err := m.TransformCSR(nil, CSR{Indptr: []int32{0, 0, 0}})
		if err != nil || !sameBits(sparse, z) {
			t.Errorf("%s: empty sparse rows differ from zero rows (%v)", name, err)
		}
		zero := make([]float64, d)
		kernel, counted := m.Kernel(zero, zero), 0
		normalised := m.Params().Normalize == NormalizeKernel
		if normalised && kernel == 0 {
			counted = 5
		}
		if square := Dot(z[:D], z[:D]); (normalised || kernel == 0) && math.Abs(square-kernel) > 1e-5 {
			t.Errorf("%s: ‖f(0)‖² = %g, want κ(0,0) = %g", name, square, kernel)
		}
		if m.ZeroRows() != counted {
			t.Errorf("%s: %d zero rows counted, want %d", name, m.ZeroRows(), counted)
		}
	}
}

// Bad rows are named, rows before them are valid, and the map goes on working.
func TestFamilyBadRows(t *testing.T) {
	nan := float32(math.NaN())
	for name, p := range familyCases() {
		if p.NFeatures == 1 {
			continue // one number less is one row less
		}
		m := fitted(t, p)
		d, D, n := m.NFeatures(), m.NComponents(), 2*Lanes()+1
		rng := rand.New(rand.NewSource(3))
		good := rowsFor(m, rng, n)
		want := need.Value(m.TransformBatch(nil, good))(t)
		for _, goroutines := range []int{1, 2} {
			m.SetGoroutines(goroutines)
			bad := append([]float32(nil), good...)
			row, column := n-2, min(3, d-1)
			bad[row*d+column], bad[(row+1)*d] = nan, nan
			csr := sparseRows(rng, bad, d)
			for form, rows := range map[string]Rows{"dense": Dense(bad), "sparse": csr} {
				out := make([]float32, n*D)
				_, err := m.TransformRows(out, rows)
				var e *Error
				if !errors.As(err, &e) || e.Code != ErrNonFinite || e.Row != row || e.Column != column || e.RowsDone != row {
					t.Errorf("%s, %s: error %v, want row %d, column %d", name, form, err, row, column)
				} else if !sameBits(out[:row*D], want[:row*D]) {
					t.Errorf("%s, %s: the rows before the bad one are not valid", name, form)
				}
			}
			if again, err := m.TransformBatch(nil, good); err != nil || !sameBits(again, want) {
				t.Errorf("%s: the map gives other features afterwards (%v)", name, err)
			}
		}
		for _, call := range []func() ([]float32, error){
			func() ([]float32, error) { return m.TransformBatch(nil, good[:len(good)-1]) },
			func() ([]float32, error) { return m.TransformBatch(make([]float32, n*D-1), good) },
			func() ([]float32, error) {
				return m.TransformCSR(nil, CSR{[]int32{0, 2}, []int32{0, 0}, []float32{1, 1}})
			},
			func() ([]float32, error) {
				return m.TransformCSR(nil, CSR{[]int32{0, 1}, []int32{int32(d)}, []float32{1}})
			},
		} {
			var e *Error
			if _, err := call(); !errors.As(err, &e) || e.Code != ErrShape {
				t.Errorf("%s: error %v, want one of shape", name, err)
			}
		}
		for what, call := range map[string]func(){
			"short x":   func() { m.Transform(nil, good[:d-1]) },
			"short dst": func() { m.Transform(make([]float32, D-1), good[:d]) },
			"short y":   func() { m.Kernel(make([]float64, d), make([]float64, d-1)) },
		} {
			need.Panics(t, name+", "+what, "sketch: ", call)
		}
	}
}

// Maps whose features grow with the row say which one is beyond float32, and the rows
// beside it in its block have their bits.
func TestFamilyOverflow(t *testing.T) {
	for name, p := range familyCases() {
		m := fitted(t, p)
		d, D, row := m.NFeatures(), m.NComponents(), Lanes()+1
		X := rowsFor(m, rand.New(rand.NewSource(4)), row+2)
		want := need.Value(m.TransformBatch(nil, X[:row*d]))(t)
		large := make([]float64, d)
		for i := range large {
			X[row*d+i], large[i] = 3e38, 3e38
		}
		if p.Method == MethodSpherical || m.Params().Degree == 1 || m.Kernel(large, large) < 1e100 {
			continue // bounded features, or linear ones
		}
		if !slices.ContainsFunc(want, func(z float32) bool { return z != 0 }) {
			continue // orders without a term
		}
		got := make([]float32, (row+2)*D)
		_, err := m.TransformBatch(got, X)
		var e *Error
		if !errors.As(err, &e) || e.Code != ErrOverflow || e.Row != row || e.RowsDone != row || !sameBits(got[:row*D], want) {
			t.Errorf("%s: error %v, want overflow of row %d, and the rows before it as they are", name, err, row)
		}
	}
}

// The D chosen has the variance asked for, and one step less has not.
func TestFamilyChooseComponents(t *testing.T) {
	for name, p := range familyCases() {
		m := fitted(t, p)
		d := m.NFeatures()
		X := rowsFor(m, rand.New(rand.NewSource(5)), 2)
		x, y := toFloat64(X[:d]), toFloat64(X[d:])
		sigma, kind := m.StdError(x, y)
		formulas := formulasOf(t, p)
		if other, otherKind := formulas.StdError(x, y); otherKind != kind || kind != Unknown &&
			math.Abs(other-sigma) > 1e-9*sigma {
			t.Errorf("%s: Formulas tell σ = %g, %v; the map %g, %v", name, other, otherKind, sigma, kind)
		}
		if kind == Unknown {
			if guaranteed, typical, err := m.ChooseComponents(x, y, 0.1, 0.05); err != nil || guaranteed == guaranteed ||
				typical == typical {
				t.Errorf("%s: no σ is known, but %g and %g are chosen (%v)", name, guaranteed, typical, err)
			}
			continue
		}
		epsilon := max(sigma, 1e-6) // of one number σ may be 0
		guaranteed, typical, err := m.ChooseComponents(x, y, epsilon, 0.05)
		if err != nil || kind != FirstOrder && !(guaranteed >= typical) || !(typical > 0) {
			t.Errorf("%s: guaranteed %g, typical %g, %v", name, guaranteed, typical, err)
			continue
		}
		if (kind == FirstOrder) != (guaranteed != guaranteed) {
			t.Errorf("%s: guaranteed %g for kind %v", name, guaranteed, kind)
		}
		if typical <= MaxComponents/float64(m.Params().Repeats) &&
			formulas.Bias(x, y) == 0 {
			z := portable.NormalQuantile(0.975)
			p.NComponents = int(typical)
			if s, _ := fitted(t, p).StdError(x, y); s*z > epsilon*(1+1e-9) {
				t.Errorf("%s: D = %g has σ %g, want at most %g", name, typical, s, epsilon/z)
			}
		}
		if _, _, err := m.ChooseComponents(x, y, 0, 0.1); err == nil {
			t.Errorf("%s: ε = 0 is no error", name)
		}
	}
}

// MemoryBytes covers what a map allocates, and of a large one not much more.
func TestMemoryBytes(t *testing.T) {
	check := func(p Params, most int64) {
		p = p.WithDefaults()
		predicted := p.MemoryBytes()
		if got := need.Allocated(func() { mustMap(t, p) }); got > predicted || most*got < predicted {
			t.Errorf("%+v: %d bytes are allocated, predicted %d", p, got, predicted)
		}
	}
	for _, p := range familyCases() {
		check(p, math.MaxInt32)
	}
	for _, p := range []Params{
		{NFeatures: 10, NComponents: 1 << 16},
		{NFeatures: 100000, NComponents: 4096, Degree: 4, Coef0: 1},
		{NFeatures: MaxFeatures, NComponents: 3000},
		{NFeatures: 10, NComponents: 65537},
		{NFeatures: 10, NComponents: 2 * 10007, Degree: 3},
		{NFeatures: 10, NComponents: 40501},
		{NFeatures: 50000, NComponents: 8, Degree: 1, RandomState: RandomState(1)},
	} {
		check(p, 2)
	}
}

func formulasOf(t testing.TB, p Params) *Formulas {
	t.Helper()
	f := need.Value(NewFormulas(p))(t)
	return f
}
