package sketch

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"tensorsketch.example/test/slow"
)

// Every base map, with E odd and even, a power of two and not; exact where the
// fourth moments are known, a bound elsewhere.
func TestCRAFTLaw(t *testing.T) {
	slow.Elsewhere(t)
	for i, c := range []struct {
		d, D, degree int
		gamma, coef0 float64
		MethodParams
	}{
		{5, 8, 2, 1, 0, MethodParams{}},
		{5, 4, 1, 1, 0, MethodParams{UpComponents: 5}},
		{5, 6, 3, 0.4, 1, MethodParams{UpComponents: 7}},
		{5, 5, 2, 1, 0, MethodParams{UpComponents: 6}},
		{5, 3, 2, 0.5, 1, MethodParams{UpComponents: 4}},
		{5, 16, 2, 0.5, 1, MethodParams{Base: MethodTensorizedProjection, UpComponents: 16}},
		{5, 12, 2, 0.5, 1, MethodParams{Base: MethodTensorizedProjection, UpComponents: 19,
			Distribution: DistributionGaussian}},
		{5, 12, 2, 0.5, 1, MethodParams{Base: MethodComplexProjection, UpComponents: 14}},
		{5, 9, 1, 1, 0, MethodParams{Base: MethodComplexProjection, UpComponents: 10}},
		{5, 9, 2, 0.5, 1, MethodParams{Base: MethodComplexProjection, UpComponents: 20, Distribution: DistributionGaussian}},
		{5, 12, 2, 0.5, 1, MethodParams{Base: MethodTensorSRHT, UpComponents: 14}},
		{5, 8, 2, 1, 0, MethodParams{Base: MethodTensorSRHT, UpComponents: 20}},
		{5, 12, 2, 0.5, 1, MethodParams{Base: MethodComplexTensorSRHT, UpComponents: 14}},
		{5, 4, 1, 1, 0, MethodParams{Base: MethodComplexTensorSRHT, UpComponents: 6}},
		{5, 16, 2, 0.5, 1, MethodParams{Base: MethodRandomMaclaurin}},
		{5, 16, 2, 0.5, 1, MethodParams{Base: MethodRandomMaclaurin, H01: true, UpComponents: 20}},
		{5, 24, 1, 0.4, 0, MethodParams{Base: MethodRandomMaclaurin, Kernel: KernelExponential, UpComponents: 70}},
		{5, 16, 3, 0.4, 1, MethodParams{Base: MethodTreeTensorSketch, UpComponents: 20}},
		{5, 8, 2, 0.5, 1, MethodParams{Base: MethodComplexTensorSketch, UpComponents: 10}},
	} {
		if c.Base != "" && methodOf(c.Base) == nil || testing.Short() && i%5 != 1 {
			continue
		}
		p := Params{
			Method: MethodCRAFT, NFeatures: c.d, NComponents: c.D, Degree: c.degree, Gamma: c.gamma, Coef0: c.coef0,
			MethodParams: c.MethodParams,
		}
		t.Run(fmt.Sprintf("%s d=%d D=%d E=%d p=%d", c.Base, c.d, c.D, c.UpComponents, c.degree), func(t *testing.T) {
			formulas, err := NewFormulas(p)
			if err != nil {
				t.Fatal(err)
			}
			x, y := toFloat64(statisticsRows(5)[:5]), toFloat64(statisticsRows(5)[5:10])
			_, kind := formulas.StdError(x, y)
			if want := Exact; kind != want && c.Base != MethodTreeTensorSketch {
				t.Errorf("kind %v, want %v", kind, want)
			}
			checkLaw(t, p)
			if exact, ok := formulas.law.(*exactCraftLaw); ok { // the bound for other bases holds
				D := float64(c.D)
				v, _ := exact.variance(x, y, D)
				if bound, kind := exact.craftLaw.variance(x, y, D); kind != Bound || bound < v*(1-1e-12) {
					t.Errorf("variance %g, but %v %g", v, kind, bound)
				}
			}
		})
	}
	checkLaw(t, Params{Method: MethodCRAFT, NFeatures: 16, NComponents: 256, Coef0: 0.5,
		Normalize: NormalizeKernel})
}

// Taking all of a power of two down is an orthogonal transform of the base map.
func TestCRAFTIsOrthogonal(t *testing.T) {
	p := Params{Method: MethodCRAFT, NFeatures: 16, NComponents: 64, Coef0: 1,
		MethodParams: MethodParams{UpComponents: 64}}
	base := Params{NFeatures: 16, NComponents: 64, Coef0: 1}
	m, g := mustMap(t, p), mustMap(t, base)
	x, y := statisticsRows(16)[:16], statisticsRows(16)[16:32]
	got, want := Dot(m.Transform(nil, x), m.Transform(nil, y)), Dot(g.Transform(nil, x), g.Transform(nil, y))
	if math.Abs(got-want) > 1e-5 {
		t.Errorf("⟨f(x), f(y)⟩ = %g, want the base map's %g", got, want)
	}
	a, _ := m.StdError(toFloat64(x), toFloat64(y))
	b, _ := g.StdError(toFloat64(x), toFloat64(y))
	if math.Abs(a-b) > 1e-12 {
		t.Errorf("σ = %g, want the base map's %g", a, b)
	}
}

func TestCRAFTParams(t *testing.T) {
	p := Params{Method: MethodCRAFT, NFeatures: 5}.WithDefaults()
	if p.NComponents != 100 || p.Degree != 2 || p.MethodParams.Base != MethodTensorSketch ||
		p.MethodParams.UpComponents != 0 || craftBase(&p).NComponents != 800 {
		t.Errorf("defaults %+v", p)
	}
	for _, c := range []struct {
		params Params
		want   string
	}{
		{Params{MethodParams: MethodParams{Base: "nystrom"}}, "methodParams.base"},
		{Params{MethodParams: MethodParams{Base: MethodCRAFT}}, "methodParams.base"},
		{Params{MethodParams: MethodParams{Base: MethodCountSketch}}, "methodParams.base"},
		{Params{MethodParams: MethodParams{UpComponents: 99}}, "methodParams.upComponents"},
		{Params{MethodParams: MethodParams{UpComponents: -1}}, "methodParams.upComponents"},
		{Params{MethodParams: MethodParams{UpComponents: MaxComponents + 1}}, "methodParams.upComponents"},
		{Params{MethodParams: MethodParams{Base: MethodComplexProjection, UpComponents: 101}}, "methodParams.upComponents"},
		{Params{MethodParams: MethodParams{Order: 2}}, "methodParams.order"},
		{Params{MethodParams: MethodParams{Base: MethodTensorizedProjection, Distribution: "cauchy"}},
			"methodParams.distribution"},
		{Params{MethodParams: MethodParams{A: 2}}, "methodParams.a"},
		{Params{NComponents: 1, MethodParams: MethodParams{Base: MethodRandomMaclaurin, H01: true, UpComponents: 6}},
			"methodParams.upComponents"},
		{Params{Output: OutputSpectrum}, "output"},
	} {
		c.params.Method, c.params.NFeatures = MethodCRAFT, 5
		var e *Error
		if _, err := NewFeatureMap(c.params); !errors.As(err, &e) || e.Code != ErrParam || e.Argument != c.want {
			t.Errorf("%+v: error %v, want one of %s", c.params, err, c.want)
		}
	}
	for method, want := range map[string]string{MethodComplexTensorSRHT: "nComponents",
		MethodTensorSRHT: "methodParams.base"} {
		p := Params{Method: method, NFeatures: 5, NComponents: 7, MethodParams: MethodParams{Base: MethodTensorSketch}}
		if want == "nComponents" {
			p.MethodParams = MethodParams{}
		}
		var e *Error
		if _, err := NewFeatureMap(p); !errors.As(err, &e) || e.Argument != want {
			t.Errorf("%s: error %v, want one of %s", method, err, want)
		}
	}
}
