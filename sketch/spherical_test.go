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
			worst = max(worst, math.Abs(m.at(z, -1)-sphericalKernel(&p, 1-z*z/2)))
		}
		if worst > c.most {
			t.Errorf("d = %d, p = %d, a = %v: bias up to %.4g, want at most %g", c.d, c.degree, c.a, worst, c.most)
		}
	}
}

// A signed mixture has a smaller bias than one of weights ≥ 0, for the variance that 4,096 features have.
func TestSignedBias(t *testing.T) {
	for _, c := range []struct {
		d, degree        int
		a, bias, weights float64 // at most
	}{
		{1, 2, 2, 0.0061, 1.04}, {2, 5, 2, 0.00125, 1}, {3, 1, 2, 0.039, 1.34}, {5, 1, 2, 0.053, 1.67},
		{20, 2, 2, 0.0185, 1.34}, {123, 2, 2, 0.0201, 1.42}, {123, 10, 2, 0.009, 1.02}, {780, 2, 2, 0.0203, 1.43},
		{780, 4, 2, 0.0172, 1.15}, {784, 64, 2, 0.0035, 1}, {1 << 20, 10, 2, 0.01, 1.03},
	} {
		p := Params{NFeatures: c.d, Degree: c.degree, MethodParams: MethodParams{A: c.a}}
		plain := fitSpherical(&p)
		p.MethodParams.Signed = true
		m := fitSpherical(&p)
		var worst float64
		var error [2]float64 // the mean square of bias and variance, paired, of 4,096 features
		for i := range 201 {
			z := float64(i) / 100
			want := sphericalKernel(&p, 1-z*z/2)
			worst = max(worst, math.Abs(m.at(z, -1)-want))
			for k, m := range []*shellMixture{plain, m} {
				mean := m.at(z, -1)
				variance := m.total*m.total + m.total*m.at(2*z, 1) - 2*mean*mean
				error[k] += (mean-want)*(mean-want) + variance/4096
			}
		}
		t.Logf("d = %d, p = %d, a = %v: bias up to %.4g, W %.4g, %d lengths; RMSE %.4g, unsigned %.4g", c.d, c.degree, c.a,
			worst, m.total, len(m.radii), math.Sqrt(error[1]/201), math.Sqrt(error[0]/201))
		if worst > c.bias || m.total > c.weights {
			t.Errorf("d = %d, p = %d, a = %v: bias up to %.4g and weights of %.4g, want at most %g and %g", c.d, c.degree, c.a,
				worst, m.total, c.bias, c.weights)
		}
		if error[1] > error[0] {
			t.Errorf("d = %d, p = %d, a = %v: mean square error %g, unsigned %g", c.d, c.degree, c.a, error[1], error[0])
		}
	}
}

// Features of one frequency have one sign, and signs are those of the mixture's weights.
func TestSigns(t *testing.T) {
	p := Params{Method: MethodSpherical, NFeatures: 4, NComponents: 4000, Degree: 1, Repeats: 2,
		MethodParams: MethodParams{Paired: true}}
	if signs := mustMap(t, p).Signs(); signs != nil {
		t.Errorf("a map without signed frequencies has %d signs", len(signs))
	}
	p.MethodParams.Signed = true
	m := mustMap(t, p)
	signs, sum := m.Signs(), 0.0
	if len(signs) != 8000 || !sameBits(m.Clone().Signs(), signs) {
		t.Fatalf("%d signs, want 8000, the same of a clone", len(signs))
	}
	for j := 0; j < len(signs); j += 2 {
		if signs[j]*signs[j] != 1 || signs[j+1] != signs[j] {
			t.Fatalf("signs %g, %g of frequency %d", signs[j], signs[j+1], j/2)
		}
		sum += float64(signs[j])
	}
	mixture, want := fitSpherical(&m.params), 0.0
	for i, w := range mixture.weights {
		if i >= mixture.positive {
			w = -w
		}
		want += w / mixture.total
	}
	if mean := sum / 4000; want > 0.95 || math.Abs(mean-want) > 4/math.Sqrt(4000) {
		t.Errorf("the mean sign is %g, want %g", mean, want)
	}
	if z := m.Transform(nil, []float32{0.6, 0, 0.8, 0}); math.Abs(Dot(multiplied(z, signs), z)-m.Kernel(
		[]float64{0.6, 0, 0.8, 0}, []float64{0.6, 0, 0.8, 0})) > 0.15 {
		t.Errorf("the estimate of κ(x,x) is %g", Dot(multiplied(z, signs), z))
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
