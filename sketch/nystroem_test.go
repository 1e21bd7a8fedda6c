package sketch

import (
	"errors"
	"math"
	"math/rand"
	"testing"

	"tensorsketch.example/test/need"
)

// Inner products are k(x)ᵀ·K⁻¹·k(y), here by Gauss's elimination.
func TestNystroemFormula(t *testing.T) {
	for _, p := range []Params{
		{NFeatures: 9, NComponents: 20, Degree: 3, Coef0: 1},
		{NFeatures: 9, NComponents: 12, Gamma: 0.3, MethodParams: MethodParams{Kernel: KernelGaussian}},
		{NFeatures: 9, NComponents: 15, Gamma: 0.5, MethodParams: MethodParams{Kernel: KernelExponential}},
	} {
		p.Method = MethodNystroem
		m := fitted(t, p)
		D, d := p.NComponents, 9
		var landmarks [][]float64
		for l := m.Landmarks(); len(l) > 0; l = l[d:] {
			landmarks = append(landmarks, toFloat64(l[:d]))
		}
		X := randomRows(rand.New(rand.NewSource(4)), 2, d)
		x, y := toFloat64(X[:d]), toFloat64(X[d:])
		matrix, right := make([][]float64, D), make([]float64, D)
		for i, l := range landmarks {
			for _, other := range landmarks {
				matrix[i] = append(matrix[i], m.Kernel(l, other))
			}
			right[i] = m.Kernel(l, y)
		}
		want := 0.0
		for i, v := range solve(matrix, right) {
			want += m.Kernel(x, landmarks[i]) * v
		}
		z := need.Value(m.TransformBatch(nil, X))(t)
		if got := Dot(z[:D], z[D:]); math.Abs(got-want) > 1e-5*math.Abs(want)+1e-6 {
			t.Errorf("%+v: inner product %v, want %v", p, got, want)
		}
		if got, most := Dot(z[:D], z[:D]), m.Kernel(x, x); got > most*(1+1e-5) {
			t.Errorf("%+v: ‖f(x)‖² = %v is more than κ(x,x) = %v", p, got, most)
		}
		// Landmarks have the kernel itself with every row.
		rows := append(m.Landmarks(), X[:d]...)
		z = need.Value(m.TransformBatch(nil, rows))(t)
		for i, l := range landmarks {
			if got, want := Dot(z[i*D:(i+1)*D], z[D*D:]), m.Kernel(l, x); math.Abs(got-want) > 1e-5*max(1, math.Abs(want)) {
				t.Errorf("%+v: landmark %d and a row: %v, want %v", p, i, got, want)
			}
		}
	}
}

// solve returns the solution of a·x = b, changing both.
func solve(a [][]float64, b []float64) []float64 {
	n := len(b)
	for k := range n {
		pivot := k
		for i := k; i < n; i++ {
			if math.Abs(a[i][k]) > math.Abs(a[pivot][k]) {
				pivot = i
			}
		}
		a[k], a[pivot], b[k], b[pivot] = a[pivot], a[k], b[pivot], b[k]
		for i := k + 1; i < n; i++ {
			factor := a[i][k] / a[k][k]
			subtract(a[i], factor, a[k])
			b[i] -= factor * b[k]
		}
	}
	for k := n - 1; k >= 0; k-- {
		for j := k + 1; j < n; j++ {
			b[k] -= a[k][j] * b[j]
		}
		b[k] /= a[k][k]
	}
	return b
}

// A kernel with fewer dimensions than landmarks is had exactly, whatever the rank,
// and repeated landmarks or zero rows are no obstacle.
func TestNystroemRank(t *testing.T) {
	m := fitted(t, Params{Method: MethodNystroem, NFeatures: 3, NComponents: 40, Coef0: 1})
	if rank := len(m.cores[0].(*nystroemCore).fit.squares); rank != 10 {
		t.Errorf("rank %d, want 10 = C(3+2, 2)", rank)
	}
	X := []float32{1, 2, 3, -2, 0.5, 1}
	z := need.Value(m.TransformBatch(nil, X))(t)
	if got, want := Dot(z[:40], z[40:]), m.Kernel(toFloat64(X[:3]), toFloat64(X[3:])); math.Abs(got-want) > 1e-4*want {
		t.Errorf("inner product %v, want the kernel %v", got, want)
	}
	need.OK(t, m.SetLandmarks(make([]float32, 120)))
	if z, err := m.TransformBatch(z, X); err != nil || math.Abs(Dot(z[:40], z[40:])-1) > 1e-6 {
		t.Errorf("with landmarks 0 the inner product is %v, want 1 (%v)", Dot(z[:40], z[40:]), err)
	}
	homogeneous := fitted(t, Params{Method: MethodNystroem, NFeatures: 3, NComponents: 4})
	need.OK(t, homogeneous.SetLandmarks(make([]float32, 12)))
	if z, err := homogeneous.TransformBatch(nil, X); err != nil || Dot(z, z) != 0 {
		t.Errorf("landmarks that span nothing give %v (%v)", z, err)
	}
}

func TestNystroemFit(t *testing.T) {
	rng := rand.New(rand.NewSource(8))
	p := Params{Method: MethodNystroem, NFeatures: 6, NComponents: 9, Coef0: 1, Repeats: 2}
	rows := randomRows(rng, 50, 6)
	m := mustMap(t, p)
	var e *Error
	if _, err := m.TransformBatch(nil, rows); !errors.As(err, &e) || e.Code != ErrParam || e.Argument != "method" {
		t.Errorf("before fit: error %v", err)
	}
	m.SetGoroutines(2)
	need.OK(t, m.Fit(Dense(rows)))
	want := need.Value(m.TransformBatch(nil, rows))(t)
	// The landmarks make the same map, and are rows of X, each once in a repeat.
	other := mustMap(t, p)
	need.OK(t, other.SetLandmarks(m.Landmarks()))
	if got, err := other.TransformBatch(nil, rows); err != nil || !sameBits(got, want) {
		t.Errorf("SetLandmarks gives other bits (%v)", err)
	}
	if err := other.Fit(sparseRows(rng, rows, 6)); err != nil || !sameBits(other.Landmarks(), m.Landmarks()) {
		t.Errorf("Fit to sparse rows has other landmarks (%v)", err)
	}
	for repeat := range 2 {
		seen := map[int]bool{}
		for j := range 9 {
			at := -1
			for row := range 50 {
				if sameBits(rows[row*6:(row+1)*6], m.Landmarks()[(repeat*9+j)*6:(repeat*9+j+1)*6]) {
					at = row
				}
			}
			if at < 0 || seen[at] {
				t.Errorf("repeat %d: landmark %d is row %d of X", repeat, j, at)
			}
			seen[at] = true
		}
	}
	if sameBits(m.Landmarks()[:54], m.Landmarks()[54:]) {
		t.Error("both repeats have the same landmarks")
	}
	clone := m.Clone()
	need.OK(t, clone.Fit(Dense(rows[:54])))
	if got, err := m.TransformBatch(nil, rows); err != nil || !sameBits(got, want) {
		t.Errorf("fitting a clone changes the map (%v)", err)
	}

	bad := append([]float32(nil), rows...)
	bad[7*6+2] = float32(math.Inf(1))
	large := append([]float32(nil), rows...)
	for i := range large {
		large[i] *= 1e38
	}
	steep := mustMap(t, Params{Method: MethodNystroem, NFeatures: 6, NComponents: 9, Degree: 8})
	for want, call := range map[Code]func() error{
		ErrShape:     func() error { return m.Fit(Dense(rows[:48])) },
		ErrNonFinite: func() error { return m.Fit(Dense(bad)) },
		ErrOverflow:  func() error { return steep.Fit(Dense(large)) },
		ErrParam: func() error {
			return mustMap(t, Params{Method: MethodRandomFourier, NFeatures: 6}).Fit(Dense(rows))
		},
	} {
		if err := call(); !errors.As(err, &e) || e.Code != want {
			t.Errorf("error %v, want code %v", err, want)
		}
	}
	if err := m.SetLandmarks(rows); !errors.As(err, &e) || e.Code != ErrShape {
		t.Errorf("error %v, want one of shape", err)
	}
	if got, err := m.TransformBatch(nil, rows); err != nil || !sameBits(got, want) {
		t.Errorf("a Fit that fails changes the map (%v)", err)
	}
}

func TestSampleIsUniform(t *testing.T) {
	counts := make([]float64, 7)
	const draws = 30000
	for seed := range draws {
		for _, i := range sample(IntSeed(uint64(seed)).randomness(0).stream(domainLandmark, 0), 7, 3) {
			counts[i]++
		}
	}
	for i, count := range counts {
		if want := draws * 3.0 / 7; math.Abs(count-want) > 4*math.Sqrt(draws*3.0/7*4/7) {
			t.Errorf("number %d is chosen %v times of %d, want %v", i, count, draws, want)
		}
	}
}

func BenchmarkNystroemFit(b *testing.B) {
	m := mustMap(b, Params{Method: MethodNystroem, NFeatures: 100, NComponents: 1000, Gamma: 0.01,
		MethodParams: MethodParams{Kernel: KernelGaussian}})
	X := randomRows(rand.New(rand.NewSource(1)), 2000, 100)
	for b.Loop() {
		need.OK(b, m.Fit(Dense(X)))
	}
}
