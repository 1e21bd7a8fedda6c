package sketch

import (
	"errors"
	"math"
	"math/rand"
	"testing"

	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

// Several goroutines give the bits, the errors and the counts of one.
func TestGoroutines(t *testing.T) {
	rng := rand.New(rand.NewSource(8))
	const d, D, n = 10, 64, 1000
	X := randomRows(rng, n, d)
	clear(X[50*d : 60*d])
	one := must(t, Params{NFeatures: d, NComponents: D, Normalize: NormalizeKernel})
	want := need.Value(one.TransformBatch(nil, X))(t)
	for _, goroutines := range []int{2, 3, 8} {
		m := must(t, one.Params())
		m.SetGoroutines(goroutines)
		for _, rows := range []Rows{Dense(X), sparseRows(rng, X, d)} {
			if got, err := m.TransformRows(nil, rows); err != nil || !sameBits(got, want) {
				t.Errorf("%d goroutines give other features (%v)", goroutines, err)
			}
		}
		if m.ZeroRows() != 2*one.ZeroRows() {
			t.Errorf("%d goroutines count %d zero rows in two calls, want %d", goroutines, m.ZeroRows(), 2*one.ZeroRows())
		}
		bad := append([]float32(nil), X...)
		bad[777*d+3], bad[555*d+1], bad[999*d] = float32(math.NaN()), float32(math.Inf(1)), float32(math.NaN())
		got := make([]float32, n*D)
		_, err := m.TransformBatch(got, bad)
		var e *Error
		if !errors.As(err, &e) || e.Code != ErrNonFinite || e.Row != 555 || e.Column != 1 || e.RowsDone != 555 {
			t.Errorf("%d goroutines: error %v, want row 555, column 1", goroutines, err)
		}
		if !sameBits(got[:555*D], want[:555*D]) {
			t.Errorf("%d goroutines: the rows before the bad one are not valid", goroutines)
		}
		if m.SetGoroutines(1); m.ZeroRows() < 2*one.ZeroRows() {
			t.Error("SetGoroutines forgets the zero rows")
		}
	}
}

// TestNoAllocationPerCall: a call with dense rows allocates nothing, so that one with a single row costs little more
// than its mathematics.
func TestNoAllocationPerCall(t *testing.T) {
	const d, D, n = 20, 64, 5
	X, out := randomRows(rand.New(rand.NewSource(3)), n, d), make([]float32, n*D)
	for _, p := range []Params{
		{NFeatures: d, NComponents: D, Coef0: 1},
		{NFeatures: d, NComponents: D / 2, Repeats: 2, Normalize: NormalizeKernel},
		{Method: MethodRandomFourier, NFeatures: d, NComponents: D},
	} {
		m := need.Value(NewFeatureMap(p))(t)
		for _, rows := range []int{1, n} {
			allocated := testing.AllocsPerRun(10, func() {
				need.Value(m.TransformBatch(out[:rows*D], X[:rows*d]))(t)
			})
			if allocated != 0 {
				t.Errorf("%s, %d rows: %v allocations", m.Params().Method, rows, allocated)
			}
		}
	}
}

// Allocations do not grow with the blocks: at most a few in 50, which a goroutine
// needs that meets its longest row late.
func TestNoAllocationPerBlock(t *testing.T) {
	slow.Emulated(t)
	rng := rand.New(rand.NewSource(9))
	const d, n = 20, 400
	m := must(t, Params{NFeatures: d, NComponents: 64, Coef0: 1, Normalize: NormalizeKernel})
	X := randomRows(rng, n, d)
	csr := sparseRows(rng, X, d) // unsorted
	out := make([]float32, n*64)
	few, many := Dense(X[:8*d]), Dense(X)
	fewSparse := CSR{csr.Indptr[:9], csr.Indices[:csr.Indptr[8]], csr.Data[:csr.Indptr[8]]}
	for _, goroutines := range []int{1, 2} {
		m.SetGoroutines(goroutines)
		for _, pair := range [][2]Rows{{few, many}, {fewSparse, csr}} {
			allocations := func(rows Rows) float64 {
				count, _ := rows.count(d)
				return testing.AllocsPerRun(20, func() {
					need.Value(m.TransformRows(out[:count*64], rows))(t)
				})
			}
			allocations(pair[1]) // the sorters grow to the longest row
			if a, b := allocations(pair[0]), allocations(pair[1]); b > a+10 || goroutines == 1 && b > a {
				t.Errorf("%d goroutines, %T: %v allocations for %d rows, %v for 8", goroutines, pair[0], b, n, a)
			}
		}
	}
}
