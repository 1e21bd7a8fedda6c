package sketch

import (
	"errors"
	"math"
	"math/rand"
	"runtime"
	"strings"
	"testing"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch/internal/block"
	"tensorsketch.example/test/slow"
)

// A familyCase is a map of any method for the checks that all of them must pass.
type familyCase struct {
	params Params
	unit   bool                // takes rows of norm 1 only
	fit    func(m *FeatureMap) // readies a map that needs it; nil: none does
	seeds  int                 // for the quick test of the mean; 0: 2,000
}

// familyCases are the maps of every method, one line or more each.
func familyCases() map[string]familyCase {
	state := uint32(3)
	return map[string]familyCase{
		"plain":         {params: Params{NFeatures: 17, NComponents: 64}},
		"constant":      {params: Params{NFeatures: 17, NComponents: 100, Degree: 3, Gamma: 0.5, Coef0: 1}},
		"odd D":         {params: Params{NFeatures: 17, NComponents: 45, Degree: 3, Coef0: 1}},
		"prime D":       {params: Params{NFeatures: 17, NComponents: 53, Degree: 2}},
		"twice a prime": {params: Params{NFeatures: 17, NComponents: 106, Degree: 4}},
		"D = 1":         {params: Params{NFeatures: 17, NComponents: 1, Degree: 2}},
		"count-sketch": {params: Params{Method: MethodCountSketch, NFeatures: 17, NComponents: 20,
			Coef0: 2}},
		"spectrum": {params: Params{NFeatures: 17, NComponents: 30, Output: OutputSpectrum}},
		"odd spectrum": {params: Params{NFeatures: 17, NComponents: 31, Output: OutputSpectrum,
			Degree: 1}},
		"normalised": {params: Params{NFeatures: 17, NComponents: 64, Normalize: NormalizeKernel,
			Coef0: 1}},
		"random state": {params: Params{NFeatures: 17, NComponents: 64, RandomState: &state}, seeds: -1},
		"text seed":    {params: Params{NFeatures: 17, NComponents: 64, Seed: StringSeed("ключ")}},
		"complex": {params: Params{Method: MethodComplexTensorSketch, NFeatures: 17, NComponents: 34,
			Degree: 3}},
		"tensor-sketch":          {params: Params{NFeatures: 17, NComponents: 64, Coef0: 1}},
		"tensor-sketch, repeats": {params: Params{NFeatures: 17, NComponents: 45, Degree: 3, Repeats: 3}},
		"tensor-sketch, normalised": {params: Params{NFeatures: 17, NComponents: 20, Repeats: 4,
			Normalize: NormalizeKernel}},
		"count-sketch, repeats": {params: Params{Method: MethodCountSketch, NFeatures: 17, NComponents: 20,
			Coef0: 2, Repeats: 2}},
		"tensorized": {params: Params{Method: MethodTensorizedProjection, NFeatures: 17,
			NComponents: 70}},
		"tensorized, constant": {params: Params{Method: MethodTensorizedProjection, NFeatures: 17, NComponents: 33,
			Degree: 3, Gamma: 0.5, Coef0: 1}},
		"tensorized, repeats": {params: Params{Method: MethodTensorizedProjection, NFeatures: 17, NComponents: 8,
			Repeats: 5, Seed: StringSeed("ключ")}},
		"tensorized, gaussian": {params: Params{Method: MethodTensorizedProjection, NFeatures: 17, NComponents: 33,
			Coef0: 1, MethodParams: MethodParams{Distribution: DistributionGaussian}}},
		"complex tensorized": {params: Params{Method: MethodComplexProjection, NFeatures: 17, NComponents: 34,
			Degree: 3, Gamma: 0.5, Coef0: 1}},
		"complex tensorized, linear": {params: Params{Method: MethodComplexProjection, NFeatures: 17, NComponents: 2,
			Degree: 1}},
		"complex tensorized, gaussian": {params: Params{Method: MethodComplexProjection, NFeatures: 17, NComponents: 20,
			Repeats: 2, MethodParams: MethodParams{Distribution: DistributionGaussian}}},
		"maclaurin": {params: Params{Method: MethodRandomMaclaurin, NFeatures: 17, NComponents: 60,
			Degree: 3, Gamma: 0.5, Coef0: 1}},
		"maclaurin, homogeneous": {params: Params{Method: MethodRandomMaclaurin, NFeatures: 17, NComponents: 61}},
		"maclaurin, h01": {params: Params{Method: MethodRandomMaclaurin, NFeatures: 17, NComponents: 50,
			Degree: 3, Gamma: 0.5, Coef0: 1, Repeats: 2, MethodParams: MethodParams{H01: true, Order: 1.5}}},
		"maclaurin, exponential": {params: Params{Method: MethodRandomMaclaurin, NFeatures: 17, NComponents: 60,
			Gamma: 0.25, MethodParams: MethodParams{Kernel: KernelExponential}}},
		"maclaurin, series": {params: Params{Method: MethodRandomMaclaurin, NFeatures: 17, NComponents: 40,
			Gamma: 0.3, Normalize: NormalizeKernel, MethodParams: MethodParams{Coefficients: []float64{1, 0, 0.5, 0.25, 0},
				Distribution: DistributionGaussian}}},
		"complex tensor sketch": {params: Params{Method: MethodComplexTensorSketch, NFeatures: 17,
			NComponents: 64}},
		"complex tensor sketch, constant": {params: Params{Method: MethodComplexTensorSketch, NFeatures: 17, NComponents: 90,
			Degree: 3, Gamma: 0.5, Coef0: 1, Repeats: 2}},
		"complex tensor sketch, 2·prime": {params: Params{Method: MethodComplexTensorSketch, NFeatures: 17, NComponents: 46,
			Degree: 4, Normalize: NormalizeKernel}},
		"complex tensor sketch, spectrum": {params: Params{Method: MethodComplexTensorSketch, NFeatures: 17, NComponents: 60,
			Coef0: 1, Output: OutputSpectrum}},
		"complex tensor sketch, degree 1": {params: Params{Method: MethodComplexTensorSketch, NFeatures: 17, NComponents: 30,
			Degree: 1}},
		"complex tensor sketch, D = 2": {params: Params{Method: MethodComplexTensorSketch, NFeatures: 17, NComponents: 2}},
		"tensorized, normalised": {params: Params{Method: MethodTensorizedProjection, NFeatures: 17, NComponents: 64,
			Coef0: 0.5, Normalize: NormalizeKernel}},
		"srht": {params: Params{Method: MethodTensorSRHT, NFeatures: 17, NComponents: 20}},
		"srht, constant": {params: Params{Method: MethodTensorSRHT, NFeatures: 17, NComponents: 75,
			Degree: 3, Gamma: 0.5, Coef0: 1}},
		"srht, one number": {params: Params{Method: MethodTensorSRHT, NFeatures: 4, NComponents: 1,
			Degree: 4}},
		"srht, repeats": {params: Params{Method: MethodTensorSRHT, NFeatures: 16, NComponents: 16,
			Repeats: 3}},
		"srht, normalised": {params: Params{Method: MethodTensorSRHT, NFeatures: 17, NComponents: 64,
			Coef0: 0.5, Normalize: NormalizeKernel}},
		"complex srht": {params: Params{Method: MethodComplexTensorSRHT, NFeatures: 17, NComponents: 20,
			Degree: 3}},
		"complex srht, constant": {params: Params{Method: MethodComplexTensorSRHT, NFeatures: 17, NComponents: 150,
			Gamma: 0.5, Coef0: 1}},
		"complex srht, normalised": {params: Params{Method: MethodComplexTensorSRHT, NFeatures: 17, NComponents: 64,
			Repeats: 2, Normalize: NormalizeKernel}},
		"craft": {params: Params{Method: MethodCRAFT, NFeatures: 17, NComponents: 20, Coef0: 1}},
		"craft, repeats": {params: Params{Method: MethodCRAFT, NFeatures: 17, NComponents: 7, Degree: 3,
			Repeats: 2, MethodParams: MethodParams{UpComponents: 33}}},
		"craft, maclaurin": {params: Params{Method: MethodCRAFT, NFeatures: 17, NComponents: 32, Gamma: 0.5,
			Coef0: 1, MethodParams: MethodParams{Base: MethodRandomMaclaurin, H01: true}}},
		"craft, srht": {params: Params{Method: MethodCRAFT, NFeatures: 17, NComponents: 30,
			MethodParams: MethodParams{Base: MethodTensorSRHT}}},
		"craft, complex": {params: Params{Method: MethodCRAFT, NFeatures: 17, NComponents: 15, Degree: 3,
			Coef0: 1, MethodParams: MethodParams{Base: MethodComplexProjection}}},
		"craft, tree": {params: Params{Method: MethodCRAFT, NFeatures: 17, NComponents: 15, Degree: 4,
			Coef0: 1, MethodParams: MethodParams{Base: MethodTreeTensorSketch}}},
		"craft, normalised": {params: Params{Method: MethodCRAFT, NFeatures: 17, NComponents: 64,
			Normalize: NormalizeKernel}},

		"tree": {params: Params{Method: MethodTreeTensorSketch, NFeatures: 17, NComponents: 64, Degree: 4,
			Gamma: 0.5, Coef0: 1}},
		"tree, odd": {params: Params{Method: MethodTreeTensorSketch, NFeatures: 17, NComponents: 45, Degree: 3,
			Repeats: 2}},
		"tree, linear": {params: Params{Method: MethodTreeTensorSketch, NFeatures: 17, NComponents: 20, Degree: 1,
			Coef0: 1}},
		"tree, normalised": {params: Params{Method: MethodTreeTensorSketch, NFeatures: 17, NComponents: 50, Degree: 5,
			Normalize: NormalizeKernel}},
		"spherical": {unit: true, seeds: 500, params: Params{Method: MethodSpherical, NFeatures: 17,
			NComponents: 60, Degree: 5}},
		"spherical, paired": {unit: true, seeds: 500, params: Params{Method: MethodSpherical, NFeatures: 17,
			NComponents: 40, Degree: 10, Repeats: 2, Normalize: NormalizeKernel,
			MethodParams: MethodParams{A: 3, Paired: true}}},
		"taylor": {params: Params{Method: MethodTaylorSketch, NFeatures: 17, NComponents: 100, Gamma: 0.1}},
		"taylor, exponential": {params: Params{Method: MethodTaylorSketch, NFeatures: 17, NComponents: 61, Gamma: 0.2,
			Repeats: 2, MethodParams: MethodParams{Kernel: KernelExponential, Terms: 5}}},
		"taylor, arc-cosine": {params: Params{Method: MethodTaylorSketch, NFeatures: 17, NComponents: 64, Gamma: 2,
			MethodParams: MethodParams{Kernel: KernelArcCosine}}},
		"taylor, series": {params: Params{Method: MethodTaylorSketch, NFeatures: 17, NComponents: 40,
			Normalize: NormalizeKernel, MethodParams: MethodParams{Coefficients: []float64{0, 0, 1, 2}}}},
		"nystroem": nystroemCase(Params{NFeatures: 17, NComponents: 30, Coef0: 1}),
		"nystroem, repeats": nystroemCase(Params{NFeatures: 17, NComponents: 20, Degree: 3, Repeats: 2,
			Normalize: NormalizeKernel}),
		"nystroem, gaussian": nystroemCase(Params{NFeatures: 17, NComponents: 31, Gamma: 0.2,
			MethodParams: MethodParams{Kernel: KernelGaussian}}),
		"nystroem, long rows": nystroemCase(Params{NFeatures: 150, NComponents: 75, Degree: 3, Coef0: 1}),
		"fourier":             {params: Params{Method: MethodRandomFourier, NFeatures: 17, NComponents: 61, Gamma: 0.2}},
		"fourier, laplacian": {params: Params{Method: MethodRandomFourier, NFeatures: 17, NComponents: 40, Gamma: 0.1,
			Repeats: 2, MethodParams: MethodParams{Kernel: KernelLaplacian}}},
		"fourier, paired": {params: Params{Method: MethodRandomFourier, NFeatures: 17, NComponents: 40, Gamma: 0.2,
			MethodParams: MethodParams{Paired: true}}},
		"fourier, long rows": {seeds: 300, params: Params{Method: MethodRandomFourier, NFeatures: 300, NComponents: 70,
			Gamma: 0.01}},
		"fourier, normalised": {params: Params{Method: MethodRandomFourier, NFeatures: 17, NComponents: 64, Gamma: 0.2,
			Normalize: NormalizeKernel}},
	}
}

func mustMap(t testing.TB, c familyCase) *FeatureMap {
	t.Helper()
	m, err := NewFeatureMap(c.params)
	if err != nil {
		t.Fatalf("NewFeatureMap(%+v): %v", c.params, err)
	}
	if c.fit != nil {
		c.fit(m)
	}
	return m
}

// rows returns n rows for the case, about a third of the numbers 0.
func (c *familyCase) rows(rng *rand.Rand, n int) []float32 {
	d := c.params.NFeatures
	X := randomRows(rng, n, d)
	if !c.unit {
		return X
	}
	for r := range n {
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
	cases["without tables"] = familyCase{params: Params{NFeatures: maxCached + 9, NComponents: 64, Degree: 1}}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewSource(7))
			m := mustMap(t, c)
			d, D, n := m.NFeatures(), m.NComponents(), 4*Lanes()+3
			if d > 1000 {
				n = 2
			}
			X := c.rows(rng, n)
			clear(X[d : 2*d-1]) // a row with almost nothing in it
			if X[2*d-1] = 0.5; c.unit {
				X[2*d-1] = 1
			}
			if d > 1000 {
				clear(X)
				X[3], X[d-1], X[d+block.Stretch], X[2*d-1] = 1, 2, 3, 4
			}
			want, err := m.TransformBatch(nil, X)
			if err != nil {
				t.Fatal(err)
			}
			if resolved := m.Params(); D != resolved.Repeats*resolved.NComponents || len(want) != n*D {
				t.Errorf("NComponents %d and %d numbers for %d rows, want repeats × nComponents of %+v", D, len(want), n, resolved)
			}

			again := make([]float32, n*D)
			for i := range again {
				again[i] = float32(math.NaN()) // whatever dst held, it is overwritten
			}
			copied := append([]float32(nil), X...)
			if got, err := mustMap(t, c).TransformBatch(again, X); err != nil || !sameBits(got, want) {
				t.Errorf("a second map, or a used dst, gives other bits (%v)", err)
			}
			if m.scaler == nil {
				if got, err := must(t, c.params).TransformBatch(nil, X); err != nil || !sameBits(got, want) {
					t.Errorf("New gives other bits (%v)", err)
				}
			}
			if !sameBits(copied, X) {
				t.Errorf("the input was changed")
			}
			resolved := familyCase{params: m.Params(), fit: c.fit}
			if got, err := mustMap(t, resolved).TransformBatch(nil, X); err != nil || !sameBits(got, want) {
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
			again, err = m.TransformBatch(nil, append(append([]float32(nil), X[d:2*d]...), X...))
			if err != nil || !sameBits(again[D:], want) {
				t.Errorf("rows after another one differ (%v)", err)
			}
			if got, err := m.TransformBatch(nil, nil); err != nil || len(got) != 0 {
				t.Errorf("no rows give %d numbers, %v", len(got), err)
			}
			x, dst := X[:d], make([]float32, D)
			if allocated := testing.AllocsPerRun(10, func() { m.Transform(dst, x) }); allocated != 0 {
				t.Errorf("Transform allocates %v times", allocated)
			}
			m.SetGoroutines(3)
			many := append(append(append([]float32(nil), X...), X...), X...)
			if got, err := m.TransformBatch(nil, many); err != nil || !sameBits(got[:n*D], want) ||
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
	for name, c := range familyCases() {
		if c.unit {
			continue
		}
		m := mustMap(t, c)
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
		if m.Kernel(zero, zero) == 0 && Dot(z, z) != 0 {
			t.Errorf("%s: κ(0,0) = 0, but the features of 0 are %v", name, z[:D])
		}
		if normalised := m.Params().Normalize == NormalizeKernel; normalised && m.Kernel(zero, zero) == 0 &&
			m.ZeroRows() != 5 {
			t.Errorf("%s: %d zero rows counted, want 5", name, m.ZeroRows())
		}
	}
}

// Bad rows are named, rows before them are valid, and the map goes on working.
func TestFamilyBadRows(t *testing.T) {
	nan := float32(math.NaN())
	for name, c := range familyCases() {
		m := mustMap(t, c)
		d, D, n := m.NFeatures(), m.NComponents(), 2*Lanes()+1
		rng := rand.New(rand.NewSource(3))
		good := c.rows(rng, n)
		want, err := m.TransformBatch(nil, good)
		if err != nil {
			t.Fatal(err)
		}
		for _, goroutines := range []int{1, 2} {
			m.SetGoroutines(goroutines)
			bad := append([]float32(nil), good...)
			row := n - 2
			bad[row*d+3] = nan
			if row+1 < n {
				bad[(row+1)*d] = nan
			}
			csr := sparseRows(rng, bad, d)
			for form, rows := range map[string]Rows{"dense": Dense(bad), "sparse": csr} {
				out := make([]float32, n*D)
				_, err := m.TransformRows(out, rows)
				var e *Error
				if !errors.As(err, &e) || e.Code != ErrNonFinite || e.Row != row || e.Column != 3 || e.RowsDone != row {
					t.Errorf("%s, %s: error %v, want row %d, column 3", name, form, err, row)
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
				return m.TransformCSR(nil, CSR{[]int32{0, 2}, []int32{1, 1}, []float32{1, 1}})
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
			func() {
				defer func() {
					if p, ok := recover().(string); !ok || !strings.HasPrefix(p, "sketch: ") {
						t.Errorf("%s, %s: panic %q, want one that begins with the package's name", name, what, p)
					}
				}()
				call()
			}()
		}
	}
}

// Maps whose features grow with the row say which one is beyond float32.
func TestFamilyOverflow(t *testing.T) {
	for name, c := range familyCases() {
		if c.unit {
			continue
		}
		m := mustMap(t, c)
		d := m.NFeatures()
		X := c.rows(rand.New(rand.NewSource(4)), Lanes()+2)
		row := Lanes()
		for i := range d {
			X[row*d+i] = 3e38
		}
		large := make([]float64, d)
		for i := range large {
			large[i] = 3e38
		}
		if m.Params().Degree == 1 || m.Kernel(large, large) < 1e100 {
			continue // bounded features, or linear ones
		}
		_, err := m.TransformBatch(nil, X)
		var e *Error
		if !errors.As(err, &e) || e.Code != ErrOverflow || e.Row != row || e.RowsDone != row {
			t.Errorf("%s: error %v, want overflow of row %d", name, err, row)
		}
	}
}

// The mean over seeds is the kernel, and the bias where there is one, and the
// deviation is what StdError says: quickly, each to its own accuracy. Finer tests
// of every variance are beside its code.
func TestFamilyMean(t *testing.T) {
	slow.Elsewhere(t)
	for name, c := range familyCases() {
		if c.fit != nil || c.seeds < 0 || c.params.Normalize == NormalizeKernel {
			continue
		}
		m := mustMap(t, c)
		d, D := m.NFeatures(), m.NComponents()
		rng := rand.New(rand.NewSource(9))
		X := c.rows(rng, 2)
		for i := range d {
			X[d+i] += X[i] // not near orthogonal
		}
		if c.unit {
			unitRow(X[d:])
		}
		x, y := toFloat64(X[:d]), toFloat64(X[d:])
		formulas, err := NewFormulas(c.params)
		if err != nil {
			t.Fatal(err)
		}
		want := m.Kernel(x, y) + formulas.Bias(x, y)
		sigma, kind := m.StdError(x, y)
		seeds := c.seeds
		if seeds == 0 {
			seeds = 2000
		}
		if testing.Short() {
			seeds = min(seeds, 300)
		}
		var errors moments
		z := make([]float32, 2*D)
		for seed := range seeds {
			c.params.Seed = IntSeed(uint64(seed))
			if _, err := mustMap(t, c).TransformBatch(z, X); err != nil {
				t.Fatal(err)
			}
			errors.add(Dot(z[:D], z[D:]) - want)
		}
		deviation := math.Sqrt(errors.variance())
		if bias := errors.sum / errors.n; math.Abs(bias) > 4.5*deviation/math.Sqrt(errors.n)+1e-5*math.Abs(want) {
			t.Errorf("%s: mean %g over %d seeds, want %g ± %g", name, want+bias, seeds, want, deviation/math.Sqrt(errors.n))
		}
		ratio := errors.variance() / (sigma * sigma)
		if kind == Exact && math.Abs(ratio-1) > 1.2*errors.spread() || kind == Bound && ratio-1 > errors.spread() {
			t.Errorf("%s: variance %g over %d seeds, %v σ² %g: ratio %.3f, tolerance %.3f", name, errors.variance(), seeds, kind,
				sigma*sigma, ratio, errors.spread())
		}
		if other, otherKind := formulas.StdError(x, y); otherKind != kind || kind != Unknown &&
			math.Abs(other-sigma) > 1e-9*sigma {
			t.Errorf("%s: Formulas tell σ = %g, %v; the map %g, %v", name, other, otherKind, sigma, kind)
		}
	}
}

// The D chosen has the variance asked for, and one step less has not.
func TestFamilyChooseComponents(t *testing.T) {
	for name, c := range familyCases() {
		m := mustMap(t, c)
		d := m.NFeatures()
		X := c.rows(rand.New(rand.NewSource(5)), 2)
		x, y := toFloat64(X[:d]), toFloat64(X[d:])
		sigma, kind := m.StdError(x, y)
		if kind == Unknown {
			if guaranteed, typical, err := m.ChooseComponents(x, y, 0.1, 0.05); err != nil || guaranteed == guaranteed ||
				typical == typical {
				t.Errorf("%s: no σ is known, but %g and %g are chosen (%v)", name, guaranteed, typical, err)
			}
			continue
		}
		guaranteed, typical, err := m.ChooseComponents(x, y, sigma, 0.05)
		if err != nil || kind != FirstOrder && !(guaranteed >= typical) || !(typical > 0) {
			t.Errorf("%s: guaranteed %g, typical %g, %v", name, guaranteed, typical, err)
			continue
		}
		if (kind == FirstOrder) != (guaranteed != guaranteed) {
			t.Errorf("%s: guaranteed %g for kind %v", name, guaranteed, kind)
		}
		if formulas, _ := NewFormulas(c.params); typical <= MaxComponents/float64(m.Params().Repeats) &&
			formulas.Bias(x, y) == 0 {
			z := portable.NormalQuantile(0.975)
			chosen := c
			chosen.params.NComponents = int(typical)
			if s, _ := mustMap(t, chosen).StdError(x, y); s*z > sigma*(1+1e-9) {
				t.Errorf("%s: D = %g has σ %g, want at most %g", name, typical, s, sigma/z)
			}
		}
		if _, _, err := m.ChooseComponents(x, y, 0, 0.1); err == nil {
			t.Errorf("%s: ε = 0 is no error", name)
		}
	}
}

// MemoryBytes covers what NewFeatureMap allocates.
func TestFamilyMemoryBytes(t *testing.T) {
	for name, c := range familyCases() {
		params := c.params.WithDefaults()
		predicted := params.MemoryBytes()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := NewFeatureMap(params)
		runtime.ReadMemStats(&after)
		if got := int64(after.TotalAlloc - before.TotalAlloc); err != nil || got > predicted {
			t.Errorf("%s: NewFeatureMap allocates %d bytes, predicted %d", name, got, predicted)
		}
	}
}
