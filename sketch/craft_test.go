package sketch

import (
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
}
