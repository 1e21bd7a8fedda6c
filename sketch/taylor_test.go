package sketch

import (
	"math"
	"math/rand"
	"testing"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/test/need"
)

func TestArctangent(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 100000 {
		x := math.Exp(8 * rng.NormFloat64())
		if got, want := portable.Arctangent(x), math.Atan(x); math.Abs(got-want) > 1e-15*want {
			t.Fatalf("arctan %v is %v, want %v", x, got, want)
		}
		c := 2*rng.Float64() - 1
		if got, want := portable.Arccosine(c), math.Acos(c); math.Abs(got-want) > 3e-15 {
			t.Fatalf("arccos %v is %v, want %v", c, got, want)
		}
	}
	for c, want := range map[float64]float64{1: 0, -1: math.Pi, 0: math.Pi / 2, 1.5: 0, -2: math.Pi} {
		if got := portable.Arccosine(c); math.Abs(got-want) > 1e-15 {
			t.Errorf("arccos %v is %v, want %v", c, got, want)
		}
	}
}

// The coefficients belong to the kernels: the series comes near them.
func TestTaylorCoefficients(t *testing.T) {
	x, y := []float64{0.6, 0.8}, []float64{0.8, -0.6 * 0.5}
	for _, kernel := range []string{KernelGaussian, KernelExponential, KernelArcCosine} {
		last := 1.0
		for _, terms := range []int{2, 4, 8, 16, 64} {
			f := need.Value(NewFormulas(Params{Method: MethodTaylorSketch, NFeatures: 2, Gamma: 0.7,
				MethodParams: MethodParams{Kernel: kernel, Terms: terms}}))(t)
			at, worst := f.Bias(x, y), f.Bias(x, x)
			if math.Abs(at) > math.Abs(worst)+1e-15 {
				t.Errorf("%s, %d terms: bias %g, but at x = y %g", kernel, terms, at, worst)
			}
			if !(math.Abs(worst) < last || worst == 0 || last < 1e-14) {
				t.Errorf("%s, %d terms: bias %g at x = y, with fewer terms %g", kernel, terms, worst, last)
			}
			last = math.Abs(worst)
		}
		if kernel != KernelArcCosine && last > 1e-14 || last > 2e-3 {
			t.Errorf("%s: bias %g with 64 terms", kernel, last)
		}
	}
	// The arc-cosine kernel is an expectation over ReLU units, 2·E max(0, w·x)·max(0, w·y).
	l := &taylorLaw{newTaylorSeries(&Params{Gamma: 1, MethodParams: MethodParams{Kernel: KernelArcCosine, Terms: 2}})}
	rng, sum := rand.New(rand.NewSource(2)), 0.0
	const n = 400000
	for range n {
		u, v := rng.NormFloat64(), rng.NormFloat64()
		sum += 2 * max(0, u*x[0]+v*x[1]) * max(0, u*y[0]+v*y[1]) / n
	}
	if got := l.kernel(x, y); math.Abs(got-sum) > 0.01 {
		t.Errorf("the arc-cosine kernel is %v, its expectation %v", got, sum)
	}
}

// No other sharing of the components has less variance at the vectors it is made
// for, except for rounding, and all components are in use.
func TestTaylorAllotment(t *testing.T) {
	for _, m := range []MethodParams{{Kernel: KernelGaussian}, {Kernel: KernelExponential, Terms: 12},
		{Kernel: KernelArcCosine, Terms: 20}, {Coefficients: []float64{0, 0, 1, 0, 3}}, {Coefficients: []float64{1, 1}}} {
		for _, D := range []int{13, 100, 1000, 4096, 1 << 20} {
			p := Params{Method: MethodTaylorSketch, NFeatures: 3, NComponents: D, Gamma: 0.8, MethodParams: m}.WithDefaults()
			need.OK(t, p.Validate())
			s := newTaylorSeries(&p)
			shares, total := s.allot(float64(D)), s.constants()
			for _, share := range shares {
				total += share
				if share < 1 || share != math.Floor(share) {
					t.Errorf("%+v, D = %d: shares %v", m, D, shares)
				}
			}
			if total != float64(D) {
				t.Errorf("%+v, D = %d: shares %v and %v constants", m, D, shares, s.constants())
			}
			if D < 1000 {
				continue
			}
			scale := s.gamma
			if m.Kernel == KernelArcCosine {
				scale = 1
			}
			variance, roots := 0.0, 0.0
			for k, n := range s.orders {
				v := math.Pow(s.coefficients[n]*math.Pow(scale, float64(n)), 2) * (math.Pow(2, float64(n+1)) - 2)
				variance += v / shares[k]
				roots += math.Sqrt(v)
			}
			if best := roots * roots / float64(D); variance > 1.1*best {
				t.Errorf("%+v, D = %d: variance %g with shares %v, the least is %g", m, D, variance, shares, best)
			}
		}
	}
	for n, want := range map[float64]float64{1: 1, 7: 6, 11: 10, 4095: 4050, 4096: 4096, 1e9: 1e9} {
		if got := smooth(n); got != want {
			t.Errorf("smooth(%v) = %v, want %v", n, got, want)
		}
	}
}

// A term is the tensor sketch of its degree, and draws as no other does.
func TestTaylorTerms(t *testing.T) {
	p := Params{Method: MethodTaylorSketch, NFeatures: 4, NComponents: 60, Gamma: 0.5,
		MethodParams: MethodParams{Coefficients: []float64{4, 1, 0, 9}}}
	x := []float32{1, -0.5, 0, 2}
	z := mustMap(t, p).Transform(nil, x)
	if z[0] != 2 {
		t.Errorf("the constant is %v, want 2", z[0])
	}
	p = p.WithDefaults()
	shares := newTaylorSeries(&p).allot(60)
	scaled := make([]float32, 4)
	scaleRow(scaled, x, float32(math.Sqrt(0.5)))
	part := newTensorPart(&Params{NComponents: int(shares[1]), Degree: 3}, 4, p.Seed.randomness(0).part(3))
	want := make([]float32, int(shares[1]))
	part.transformBlock(want, scaled, 1)
	scaleRow(want, want, 3)
	if got := z[1+int(shares[0]):]; !sameBits(got, want) {
		t.Errorf("the cubic term is %v, want %v", got, want)
	}
	same := func(a, b randomness) bool { return *a.key == *b.key && a.repeat == b.repeat }
	if !same(p.Seed.randomness(5).part(0), p.Seed.randomness(5)) ||
		same(p.Seed.randomness(MaxRepeats-1).part(64), p.Seed.randomness(0).part(65)) {
		t.Error("parts of unlike repeats share their randomness")
	}
}
