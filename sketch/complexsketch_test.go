package sketch

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/test/need"
)

// The complex tensor sketch of x equals the explicit complex count sketch of
// x⊗…⊗x under H = Σh mod D/2 and the product of the signs; its spectrum is the
// Fourier transform over √(D/2).
func TestComplexSketchIdentity(t *testing.T) {
	const d = 5
	x := statisticsRows(d)[:d]
	turns := map[complex128]bool{}
	for _, degree := range []int{1, 2, 3} {
		for _, n := range []int{1, 2, 5, 8, 11, 15} {
			params := Params{Method: MethodComplexTensorSketch, NFeatures: d, NComponents: 2 * n, Degree: degree,
				Seed: IntSeed(uint64(n))}
			m := must(t, params)
			want := make([]complex128, n)
			var add func(k, bucket int, value complex128)
			add = func(k, bucket int, value complex128) {
				if k == degree {
					want[bucket%n] += value
					return
				}
				for i, v := range x {
					at, s := m.Hash(k, i)
					sign := complex(float64(s), 0)
					if at%2 == 1 {
						sign *= 1i
					}
					turns[sign] = true
					add(k+1, bucket+at/2, value*sign*complex(float64(v), 0))
				}
			}
			add(0, 0, 1)
			if e := relativeError(m.Transform(nil, x), parts(want)); e > 1e-6 {
				t.Errorf("degree %d, D %d: relative error %g against the explicit sketch", degree, 2*n, e)
			}

			params.Output = OutputSpectrum
			spectrum := make([]complex128, n)
			for k := range spectrum {
				for j, v := range want {
					spectrum[k] += v * cmplx.Rect(1, -2*cmplx.Phase(-1)*float64(j*k)/float64(n))
				}
				spectrum[k] /= cmplx.Sqrt(complex(float64(n), 0))
			}
			if e := relativeError(must(t, params).Transform(nil, x), parts(spectrum)); e > 1e-6 {
				t.Errorf("degree %d, D %d: relative error %g of the spectrum", degree, 2*n, e)
			}
		}
	}
	if len(turns) != 4 {
		t.Errorf("the signs are %v, want all of 1, i, −1, −i", turns)
	}
}

// parts returns real and imaginary parts in turn.
func parts(z []complex128) []float64 {
	var all []float64
	for _, v := range z {
		all = append(all, real(v), imag(v))
	}
	return all
}

// New makes the map that NewFeatureMap makes, bit for bit, with the same formulas.
func TestComplexSketchOfNew(t *testing.T) {
	for _, params := range []Params{
		{}, {Degree: 1}, {Degree: 3}, {Output: OutputSpectrum}, {Repeats: 3}, {Normalize: NormalizeKernel, NComponents: 34},
	} {
		params.Method, params.NFeatures, params.Seed = MethodComplexTensorSketch, 7, IntSeed(9)
		m, other := must(t, params), mustMap(t, params)
		X := statisticsRows(7)
		got, err := m.TransformBatch(nil, X)
		want, otherErr := other.TransformBatch(nil, X)
		if err != nil || otherErr != nil || !sameBits(got, want) {
			t.Errorf("%+v: other bits than NewFeatureMap's (%v, %v)", params, err, otherErr)
		}
		if !sameBits(m.Clone().Transform(nil, X[:7]), want[:m.NComponents()]) {
			t.Errorf("%+v: other bits from a clone", params)
		}
		x, y := toFloat64(X[:7]), toFloat64(X[7:14])
		sigma, kind := m.StdError(x, y)
		wantSigma, wantKind := other.StdError(x, y)
		if kind != wantKind || !(math.Abs(sigma-wantSigma) <= 1e-12*wantSigma) {
			t.Errorf("%+v: σ %v (%v), want %v (%v)", params, sigma, kind, wantSigma, wantKind)
		}
		guaranteed, typical, err := m.ChooseComponents(x, y, 0.1, 0.05)
		wantGuaranteed, wantTypical, _ := other.ChooseComponents(x, y, 0.1, 0.05)
		if same := guaranteed == wantGuaranteed || guaranteed != guaranteed && wantGuaranteed != wantGuaranteed; err != nil ||
			!same || typical != wantTypical {
			t.Errorf("%+v: D %v and %v, want %v and %v (%v)", params, guaranteed, typical, wantGuaranteed, wantTypical, err)
		}
	}
	for _, normalize := range []string{NormalizeNone, NormalizeKernel} {
		params := Params{Method: MethodComplexTensorSketch, NFeatures: 3, Degree: 3, Gamma: 0.4, Coef0: 0.7,
			Normalize: normalize}
		theory, err := NewTensorFormulas(params)
		formulas, otherErr := NewFormulas(params)
		if err != nil || otherErr != nil {
			t.Fatal(err, otherErr)
		}
		x, y := []float64{0.6, -0.3, 0.5}, []float64{0.4, 0.4, -0.6}
		sigma, _ := theory.StdError(x, y)
		if want, _ := formulas.StdError(x, y); !(math.Abs(sigma-want) <= 1e-12*want) {
			t.Errorf("normalize %s: σ %v, want %v", normalize, sigma, want)
		}
	}
	if _, err := New(Params{Method: MethodComplexTensorSketch, NFeatures: 2, NComponents: 7}); err == nil ||
		!strings.Contains(err.Error(), "take 8") {
		t.Errorf("D = 7: %v", err)
	}
	for _, params := range []Params{{Gamma: 2}, {Coef0: 1}} {
		params.Method, params.NFeatures = MethodComplexTensorSketch, 2
		if _, err := New(params); err == nil || !strings.Contains(err.Error(), "call NewFeatureMap") {
			t.Errorf("%+v: %v", params, err)
		}
	}
}

// The parts of a map convolve into the map: one degree at a time, and where they
// are cut in two. The part of all degrees has the map's bits, and a spectrum is the
// transform of its part.
func TestPart(t *testing.T) {
	for _, params := range []Params{
		{NFeatures: 5, NComponents: 7, Degree: 3},
		{NFeatures: 5, NComponents: 8, Degree: 4, Gamma: 0.5, Coef0: 0.3},
		{NFeaturesEach: []int{3, 5, 2}, NComponents: 6},
		{Method: MethodComplexTensorSketch, NFeatures: 5, NComponents: 12, Degree: 3},
		{Method: MethodComplexTensorSketch, NFeatures: 5, NComponents: 10, Degree: 4},
	} {
		params.Seed = IntSeed(4)
		m := must(t, params)
		p := m.Params()
		rows := make([]Rows, p.Degree)
		for k := range rows {
			rows[k] = Dense(statisticsRows(5)[:p.FeaturesOf(k)])
		}
		// part returns the features of a part, as complex numbers.
		part := func(first, count int, output string) []complex128 {
			z := need.Value(m.Part(first, count, output).TransformProduct(nil, rows[first:first+count]...))(t)
			return p.complexFeatures(z)
		}
		single := part(0, 1, OutputReal)
		for k := 1; k < p.Degree; k++ {
			single = convolved(single, part(k, 1, OutputReal))
			if got := part(0, k+1, OutputReal); !nearComplex(got, single) {
				t.Errorf("%+v: degrees 0 to %d are %v, want %v", params, k, got, single)
			}
			if got := convolved(part(0, k, OutputReal), part(k, p.Degree-k, OutputReal)); !nearComplex(got,
				part(0, p.Degree, OutputReal)) {
				t.Errorf("%+v: cut after degree %d they are %v", params, k-1, got)
			}
		}
		whole, _ := m.TransformProduct(nil, rows...)
		if got, _ := m.Part(0, p.Degree, OutputReal).TransformProduct(nil, rows...); !sameBits(got, whole) {
			t.Errorf("%+v: other bits from all degrees", params)
		}
		if z := part(1, 2, OutputSpectrum); math.Abs(squaredModulus(z)-squaredModulus(part(1, 2, OutputReal))) >
			1e-5*squaredModulus(z) {
			t.Errorf("%+v: the spectrum %v has another norm", params, z)
		}
		for _, bad := range [][2]int{{-1, 1}, {0, 0}, {0, p.Degree + 1}, {p.Degree, 1}} {
			need.Panics(t, fmt.Sprint(params, bad), "sketch: ", func() { m.Part(bad[0], bad[1], OutputReal) })
		}
	}
}

// complexFeatures returns the features as complex numbers, real ones for most maps.
func (p *Params) complexFeatures(row []float32) []complex128 {
	var z []complex128
	for j := 0; j < len(row); j++ {
		v := complex(float64(row[j]), 0)
		if p.isComplexSketch() {
			j++
			v += complex(0, float64(row[j]))
		}
		z = append(z, v)
	}
	return z
}

// convolved is the circular convolution, by the double loop.
func convolved(x, y []complex128) []complex128 {
	z := make([]complex128, len(x))
	for i, v := range x {
		for j, w := range y {
			z[(i+j)%len(x)] += v * w
		}
	}
	return z
}

func nearComplex(got, want []complex128) bool {
	return slices.EqualFunc(got, want, func(a, b complex128) bool {
		return cmplx.Abs(a-b) <= 1e-5*math.Sqrt(squaredModulus(want))
	})
}

func squaredModulus(z []complex128) float64 {
	sum := 0.0
	for _, v := range z {
		sum += real(v * cmplx.Conj(v))
	}
	return sum
}
