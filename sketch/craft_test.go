package sketch

import (
	"errors"
	"math"
	"testing"
)

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
