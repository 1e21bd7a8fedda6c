package sketch

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/test/need"
)

// Bad rows are named, rows before them are valid, and the map goes on working.
func TestBadRows(t *testing.T) {
	m := must(t, Params{NFeatures: 3, NComponents: 8, Degree: 2})
	good := []float32{1, 2, 3, 4, 5, 6, 7, 8, 9, -1, -2, -3, 0.5, 0.25, 1, 1, 1, 1}
	want := need.Value(m.TransformBatch(nil, good))(t)
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	with := func(at int, v float32) Dense {
		X := append(Dense(nil), good...)
		X[at] = v
		return X
	}
	for _, c := range []struct {
		name        string
		rows        Rows
		code        Code
		row, column int
		message     string
	}{
		{"NaN", with(16, nan), ErrNonFinite, 5, 1, "X row 5, column 1 must be finite"},
		{"infinity", with(3, inf), ErrNonFinite, 1, 0, "got -Infinity"},
		{"overflow", with(10, 3e38), ErrOverflow, 3, -1, "range of float32"},
		{"ragged", Dense(good[:4]), ErrShape, -1, -1, "hold a multiple of nFeatures = 3 values, got 4"},
		{"CSR NaN", CSR{[]int32{0, 1, 2}, []int32{0, 2}, []float32{1, nan}}, ErrNonFinite, 1, 2, "finite"},
		{"CSR column", CSR{[]int32{0, 1}, []int32{3}, []float32{1}}, ErrShape, 0, 3, "columns from 0 to nFeatures − 1 = 2"},
		{"CSR negative column", CSR{[]int32{0, 1}, []int32{-1}, []float32{1}}, ErrShape, 0, -1, "columns from 0"},
		{"CSR duplicate", CSR{[]int32{0, 1, 3}, []int32{0, 2, 2}, []float32{1, 1, 1}}, ErrShape, 1, 2, "once"},
		{"CSR indptr", CSR{[]int32{0, 2, 1}, []int32{0}, []float32{1}}, ErrShape, 1, -1, "not decrease"},
		{"CSR begin", CSR{[]int32{1, 1}, []int32{0}, []float32{1}}, ErrShape, -1, -1, "begin with 0"},
		{"CSR empty", CSR{}, ErrShape, -1, -1, "begin with 0"},
		{"CSR end", CSR{[]int32{0, 1}, []int32{0, 1}, []float32{1, 1}}, ErrShape, -1, -1, "end with the number"},
		{"CSR lengths", CSR{[]int32{0, 1}, []int32{0}, nil}, ErrShape, -1, -1, "as long as X.data"},
	} {
		out := make([]float32, 8*6)
		rows := out
		if n, err := c.rows.count(3); err == nil {
			rows = out[:8*n]
		}
		_, err := m.TransformRows(rows, c.rows)
		var e *Error
		if !errors.As(err, &e) || e.Code != c.code || e.Row != c.row || e.Column != c.column ||
			!strings.Contains(err.Error(), c.message) {
			t.Errorf("%s: error %v, want %v with row %d, column %d, message %q", c.name, err, c.code, c.row, c.column, c.message)
			continue
		}
		if dense, ok := c.rows.(Dense); ok && e.RowsDone > 0 && len(dense) == len(good) &&
			!sameBits(out[:8*e.RowsDone], want[:8*e.RowsDone]) {
			t.Errorf("%s: the %d rows before the bad one are not valid", c.name, e.RowsDone)
		}
		if again, err := m.TransformBatch(nil, good); err != nil || !sameBits(again, want) {
			t.Errorf("%s: the map gives other features afterwards (%v)", c.name, err)
		}
	}
	if _, err := m.TransformBatch(make([]float32, 7), good); err == nil ||
		!strings.Contains(err.Error(), "out must hold 6 rows") {
		t.Errorf("short dst: %v", err)
	}
}

func TestBadProducts(t *testing.T) {
	m := must(t, Params{NFeaturesEach: []int{2, 3}, NComponents: 8})
	x, y := Dense{1, 2}, Dense{1, 2, 3}
	for _, c := range []struct {
		rows    []Rows
		message string
	}{
		{[]Rows{x}, "Xs must hold one array of rows per degree: 2, got 1"},
		{[]Rows{x, Dense{1}}, "Xs[1] must hold a multiple of nFeatures = 3"},
		{[]Rows{Dense{1, 2, 3, 4}, y}, "same number of rows"},
		{[]Rows{x, Dense{1, 2, float32(math.NaN())}}, "Xs[1] row 0, column 2 must be finite"},
	} {
		if _, err := m.TransformProduct(nil, c.rows...); err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("error %v, want %q", err, c.message)
		}
	}
	if _, err := m.TransformBatch(nil, x); err == nil || !strings.Contains(err.Error(), "transformProduct") {
		t.Errorf("TransformBatch of a product map: %v", err)
	}
	need.Panics(t, "product map", "sketch: ", func() { m.Transform(nil, make([]float32, 5)) })
}

// NaN passes through Transform, to the row's own features only.
func TestTransformPassesNaN(t *testing.T) {
	z := must(t, Params{NFeatures: 2, NComponents: 4}).Transform(nil, []float32{float32(math.NaN()), 1})
	for _, v := range z {
		if v == v {
			t.Errorf("features %v of a row with NaN", z)
			break
		}
	}
}

func TestChooseComponents(t *testing.T) {
	x, y := []float64{0.6, -0.3, 0.5, 0.2}, []float64{0.4, 0.4, 0.3, -0.6}
	for _, degree := range []int{1, 2, 4} {
		for _, epsilon := range []float64{0.5, 0.05, 0.003} {
			params := Params{NFeatures: 4, Degree: degree, Coef0: 0.5}
			guaranteed, typical, err := must(t, params).ChooseComponents(x, y, epsilon, 0.05)
			if err != nil || !(typical >= 1 && guaranteed >= typical) {
				t.Fatalf("degree %d, ε %g: guaranteed %g, typical %g, %v", degree, epsilon, guaranteed, typical, err)
			}
			variance := func(D float64) float64 {
				s := must(t, params).law.(*tensorLaw).spread(x, y, x, y)
				small := params
				small.NComponents = int(min(D, 1000))
				if want, got := must(t, small).Variance(x, y, float64(small.NComponents)),
					s.at(float64(small.NComponents)); got != want {
					t.Fatalf("D = %d: variance %g, want %g", small.NComponents, got, want)
				}
				return s.at(D)
			}
			z := portable.NormalQuantile(0.975)
			for _, answer := range []struct{ D, most float64 }{{guaranteed, 0.05 * epsilon * epsilon},
				{typical, epsilon * epsilon / (z * z)}} {
				if variance(answer.D) > answer.most {
					t.Errorf("degree %d, ε %g: D = %g has variance %g, want at most %g", degree, epsilon, answer.D, variance(answer.D),
						answer.most)
				}
				for below := answer.D - 1; below >= max(1, answer.D-3); below-- {
					if variance(below) <= answer.most {
						t.Errorf("degree %d, ε %g: D = %g would do, got %g", degree, epsilon, below, answer.D)
					}
				}
			}
		}
	}
	// D never falls as δ falls, and the extremes of ε have answers.
	m := must(t, Params{NFeatures: 4})
	last := [2]float64{}
	for _, delta := range []float64{0.9, 0.5, 0.1, 1e-3, 1e-9, 1e-15, 1e-16, 1e-17, 1e-30, 1e-100, 1e-300} {
		guaranteed, typical, err := m.ChooseComponents(x, y, 1, delta)
		if err != nil || !(guaranteed >= last[0] && typical >= last[1]) {
			t.Errorf("δ %g: guaranteed %g, typical %g, %v; before %v", delta, guaranteed, typical, err, last)
		}
		last = [2]float64{guaranteed, typical}
	}
	for epsilon, want := range map[float64]float64{1e300: 1, 1e155: 1, 1e3: 1, 1e-300: math.Inf(1)} {
		if guaranteed, typical, err := m.ChooseComponents(x, y, epsilon, 0.05); err != nil || guaranteed != want ||
			typical != want {
			t.Errorf("ε %g: guaranteed %g, typical %g, %v, want %g", epsilon, guaranteed, typical, err, want)
		}
	}
	normalised := must(t, Params{NFeatures: 4, Normalize: NormalizeKernel})
	if guaranteed, typical, err := normalised.ChooseComponents(x, y, 0.1, 0.1); err != nil || !math.IsNaN(guaranteed) ||
		!(typical >= 1) {
		t.Errorf("kernel-normalised: guaranteed %g, typical %g, %v; want NaN and a number", guaranteed, typical, err)
	}
	for _, c := range [][2]float64{{0, 0.1}, {-1, 0.1}, {math.NaN(), 0.1}, {0.1, 0}, {0.1, 1}, {0.1, math.NaN()}} {
		if _, _, err := normalised.ChooseComponents(x, y, c[0], c[1]); err == nil {
			t.Errorf("ε %g, δ %g: no error", c[0], c[1])
		}
	}
}

// What float64 does not hold is said to be unknown.
func TestStdErrorBeyondFloat64(t *testing.T) {
	x, y := []float64{1e200, 1, 1, 1}, []float64{1, 2, 3, 4}
	for _, normalize := range []string{NormalizeNone, NormalizeKernel} {
		if sigma, kind := must(t, Params{NFeatures: 4, Normalize: normalize}).StdError(x, y); !math.IsNaN(sigma) ||
			kind != Unknown {
			t.Errorf("%s: σ = %g, %v, want NaN, unknown", normalize, sigma, kind)
		}
	}
}

func TestChebyshev(t *testing.T) {
	if got := chebyshevProbability(0.04, 0.4); math.Abs(got-0.25) > 1e-15 {
		t.Errorf("chebyshevProbability(0.04, 0.4) = %g, want 0.25", got)
	}
	if got := chebyshevProbability(5, 0.1); got != 1 {
		t.Errorf("chebyshevProbability(5, 0.1) = %g, want 1", got)
	}
}

// Where an int has 32 bits, no map whose lengths overflow it comes to be: a budget
// refuses the bytes that it is said to take.
func TestWidthsBeyondInt(t *testing.T) {
	for _, p := range []Params{
		{Method: MethodTensorSRHT, NFeatures: MaxFeatures}, {Method: MethodRandomFourier, NFeatures: MaxFeatures},
		{NFeatures: MaxFeatures, Coef0: 1}, {NFeaturesEach: []int{3, MaxFeatures}, Coef0: 1},
	} {
		p = p.WithDefaults()
		if bytes := p.MemoryBytes(); strconv.IntSize == 32 && bytes < 1<<32 {
			t.Errorf("%+v: %d bytes", p, bytes)
		}
	}
	p := Params{NFeatures: MaxFeatures}.WithDefaults() // hashes, and has no table of that length
	if bytes := p.MemoryBytes(); bytes > 1<<24 {
		t.Errorf("%+v: %d bytes", p, bytes)
	}
}
