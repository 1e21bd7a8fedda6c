package sketch

import (
	"errors"
	"math"
	"testing"

	"tensorsketch.example/test/need"
)

func TestSphereTransform(t *testing.T) {
	for d, want := range map[int]func(t float64) float64{
		1: math.Cos,
		2: math.J0,
		3: func(t float64) float64 { return math.Sin(t) / t },
		4: func(t float64) float64 { return 2 * math.J1(t) / t },
		5: func(t float64) float64 { return 3 * (math.Sin(t) - t*math.Cos(t)) / (t * t * t) },
		8: func(t float64) float64 { return 48 * math.Jn(3, t) / (t * t * t) },
		60: func(t float64) float64 { // the power series
			sum, term := 0.0, 1.0
			for k := 1.0; k < 200; k++ {
				sum += term
				term *= -t * t / 4 / (k * (29 + k))
			}
			return sum
		},
		100000: func(t float64) float64 { return math.Exp(-t * t / 2e5) },
	} {
		s := newSphereTransform(d)
		for _, x := range []float64{1e-3, 0.5, 1, 3, 10, 30} {
			tolerance := 1e-8
			if d == 5 {
				tolerance = 1e-7
			}
			if d == 100000 { // to the Gaussian limit
				x, tolerance = x*100, 1e-4
			}
			if got := s.at(x); math.Abs(got-want(x)) > tolerance {
				t.Errorf("Ω of dimension %d at %v is %v, want %v", d, x, got, want(x))
			}
		}
	}
}

func TestNonnegativeLeastSquares(t *testing.T) {
	columns := [][]float64{{1, 0, 0}, {1, 1, 0}, {0, -1, 1}, {2, 2, 0}}
	for _, c := range []struct{ target, want []float64 }{
		{[]float64{3, 2, 0}, []float64{3, 2, 0}},
		{[]float64{-1, -1, 0}, []float64{0, 0, 0}},
		{[]float64{1, -1, 3}, []float64{1, -2, 2}},
		{[]float64{-2, 4, 2}, []float64{1, 1, 0}}, // two of them, one against the bound
	} {
		x := nonnegativeLeastSquares(columns, c.target)
		got := make([]float64, 3)
		for i, w := range x {
			if w < 0 {
				t.Errorf("target %v: weights %v", c.target, x)
			}
			for j, v := range columns[i] {
				got[j] += w * v
			}
		}
		for j := range got { // no column may point towards what is left, none in use away from it
			c.target[j] -= got[j]
		}
		for i, column := range columns {
			if slope := dot64(column, c.target); slope > 1e-6 || x[i] > 0 && slope < -1e-6 {
				t.Errorf("weights %v are not the best: slope %v along column %d", x, slope, i)
			}
		}
	}
}

// The largest bias over all distances, as docs/theory.md tells it: small for few
// dimensions or a high degree, and in many dimensions hardly less than the error of one
// Gaussian function.
func TestSphericalBias(t *testing.T) {
	for _, c := range []struct {
		d, degree int
		a, most   float64
	}{
		{2, 2, 2, 0.0183}, {3, 10, 2, 5e-5}, {17, 1, 2, 0.18}, {17, 3, 2, 0.029}, {17, 10, 2, 5e-4}, {256, 10, 2, 0.0115},
		{784, 3, 2, 0.047}, {784, 10, 2, 0.012}, {784, 20, 4, 0.0065}, {784, 64, 2, 0.0021}, {1 << 20, 10, 2, 0.0125},
	} {
		p := Params{NFeatures: c.d, Degree: c.degree, MethodParams: MethodParams{A: c.a}}
		m := fitSpherical(&p)
		worst := 0.0
		for i := range 201 {
			z := float64(i) / 100
			worst = max(worst, math.Abs(m.at(z)-sphericalKernel(&p, 1-z*z/2)))
		}
		if worst > c.most {
			t.Errorf("d = %d, p = %d, a = %v: bias up to %.4g, want at most %g", c.d, c.degree, c.a, worst, c.most)
		}
	}
}

func BenchmarkFitSpherical(b *testing.B) {
	p := Params{NFeatures: 784, Degree: 10, MethodParams: MethodParams{A: 2}}
	for b.Loop() {
		lastFit.Store(nil)
		fitSpherical(&p)
	}
}

// Rows that have not norm 1 are refused, those before them transformed.
func TestSphericalWrongRows(t *testing.T) {
	m := mustMap(t, Params{Method: MethodSpherical, NFeatures: 2, NComponents: 10})
	good := []float32{0.6, 0.8, 0, 1}
	want := need.Value(m.TransformBatch(nil, good))(t)
	for form, rows := range map[string]Rows{
		"dense":  Dense{0.6, 0.8, 0, 1, 1, 1, 0, 1},
		"sparse": CSR{[]int32{0, 2, 3, 5}, []int32{0, 1, 1, 0, 1}, []float32{0.6, 0.8, 1, 1, 1}},
	} {
		got := make([]float32, 40)
		if form == "sparse" {
			got = got[:30]
		}
		_, err := m.TransformRows(got, rows)
		var e *Error
		if !errors.As(err, &e) || e.Code != ErrParam || e.Row != 2 || e.RowsDone != 2 || !sameBits(got[:20], want) {
			t.Errorf("%s: error %v, want one of row 2", form, err)
		} else if form == "dense" {
			t.Log(err)
		}
	}
}
