package sketch

import (
	"errors"
	"math"
	"math/rand"
	"slices"
	"testing"

	"tensorsketch.example/test/need"
)

// lost returns the part of Σ κ(x, x) over rows that features leave over.
func lost(t *testing.T, m *FeatureMap, X []float32) float64 {
	t.Helper()
	z := need.Value(m.TransformBatch(nil, X))(t)
	all, kept := 0.0, Dot(z, z)
	for d := m.NFeatures(); len(X) > 0; X = X[d:] {
		x := toFloat64(X[:d])
		all += m.Kernel(x, x)
	}
	return 1 - kept/all
}

// Rows of a cluster that is far and rare have no landmark among uniform ones.
func TestFitPivoted(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	X := randomRows(rng, 2000, 6)
	for i := range X {
		X[i] *= 0.02
		if row := i / 6; row%100 == 7 {
			X[i] += float32(row / 100)
		}
	}
	for _, p := range []Params{
		{NComponents: 60, Gamma: 2, MethodParams: MethodParams{Kernel: KernelGaussian}},
		{NComponents: 60, Gamma: 2, MethodParams: MethodParams{Kernel: KernelGaussian}, Normalize: NormalizeKernel},
		{NComponents: 18, Degree: 2, Coef0: 1},
		{NComponents: 7, Degree: 2, Coef0: 1},
	} {
		p.Method, p.NFeatures = MethodNystroem, 6
		uniform, pivoted := mustMap(t, p), mustMap(t, p)
		need.OK(t, uniform.Fit(Dense(X)))
		need.OK(t, pivoted.FitPivoted(Dense(X)))
		p.Normalize = NormalizeNone // which hides what is lost
		plain := func(m *FeatureMap) float64 {
			of := mustMap(t, p)
			need.OK(t, of.SetLandmarks(m.Landmarks()))
			return lost(t, of, X)
		}
		if got, most := plain(pivoted), plain(uniform)/2; got > most {
			t.Errorf("%+v: lost trace %v, want at most %v, half of that of uniform landmarks", p, got, most)
		}
	}
}

// The landmarks are rows of X, each once, also where the kernel has fewer dimensions than landmarks; they depend on
// neither goroutines nor form.
func TestFitPivotedRows(t *testing.T) {
	rng := rand.New(rand.NewSource(8))
	rows := randomRows(rng, 50, 6)
	for _, p := range []Params{{NComponents: 9, Coef0: 1, Repeats: 2}, {NComponents: 40, Degree: 1}, {NComponents: 50}} {
		p.Method, p.NFeatures = MethodNystroem, 6
		m, other := mustMap(t, p), mustMap(t, p)
		need.OK(t, m.FitPivoted(Dense(rows)))
		other.SetGoroutines(3)
		need.OK(t, other.FitPivoted(sparseRows(rng, rows, 6)))
		if !sameBits(m.Landmarks(), other.Landmarks()) {
			t.Errorf("%+v: sparse rows and three goroutines give other landmarks", p)
		}
		D := p.NComponents
		for repeat := range max(1, p.Repeats) {
			seen := map[int]bool{}
			for j := range D {
				landmark, at := m.Landmarks()[(repeat*D+j)*6:][:6], -1
				for row := range 50 {
					if sameBits(rows[row*6:][:6], landmark) {
						at = row
					}
				}
				if at < 0 || seen[at] {
					t.Errorf("%+v: landmark %d of repeat %d is row %d of X", p, j, repeat, at)
				}
				seen[at] = true
			}
		}
		if p.Repeats == 2 && sameBits(m.Landmarks()[:54], m.Landmarks()[54:]) {
			t.Error("both repeats have the same landmarks")
		}
	}
	zeros := mustMap(t, Params{Method: MethodNystroem, NFeatures: 6, NComponents: 20})
	if err := zeros.FitPivoted(Dense(make([]float32, 300))); err != nil {
		t.Errorf("rows of zeros: %v", err)
	}
}

func TestFitPivotedErrors(t *testing.T) {
	rows := randomRows(rand.New(rand.NewSource(8)), 50, 6)
	bad, large := append([]float32(nil), rows...), append([]float32(nil), rows...)
	bad[7*6+2] = float32(math.Inf(1))
	for i := range large {
		large[i] *= 1e38
	}
	m := mustMap(t, Params{Method: MethodNystroem, NFeatures: 6, NComponents: 9, Degree: 8})
	need.OK(t, m.Fit(Dense(rows)))
	want := m.Landmarks()
	for code, call := range map[Code]func() error{
		ErrShape:     func() error { return m.FitPivoted(Dense(rows[:48])) },
		ErrNonFinite: func() error { return m.FitPivoted(Dense(bad)) },
		ErrOverflow:  func() error { return m.FitPivoted(Dense(large)) },
		ErrParam: func() error {
			return mustMap(t, Params{Method: MethodKSpace, NFeatures: 6}).FitPivoted(Dense(rows))
		},
	} {
		var e *Error
		if err := call(); !errors.As(err, &e) || e.Code != code {
			t.Errorf("error %v, want code %v", err, code)
		}
	}
	if !sameBits(m.Landmarks(), want) {
		t.Error("a FitPivoted that fails changes the map")
	}
}

// The same rows are drawn by every build: test/api/family.test.mjs has them of the core.
func TestPivotedRowsBits(t *testing.T) {
	X := make([]float32, 100*3)
	for i := range X {
		X[i] = float32(i*i*37%64) / 64
	}
	m := mustMap(t, Params{Method: MethodNystroem, NFeatures: 3, NComponents: 8, Gamma: 3, Seed: IntSeed(5),
		MethodParams: MethodParams{Kernel: KernelGaussian}})
	got := need.Value(m.PivotedRows(Dense(X)))(t)
	if want := []int{90, 40, 38, 93, 94, 91, 5, 67}; !slices.Equal(got, want) {
		t.Errorf("rows %v, want %v", got, want)
	}
}
