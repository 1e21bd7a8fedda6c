package sketch

import (
	"errors"
	"math"
	"testing"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/test/slow"
)

// The features are the cosines of the formula, for phases of any size.
func TestFourierFeatures(t *testing.T) {
	for _, p := range []MethodParams{{}, {Paired: true}, {Kernel: KernelLaplacian}, {Kernel: KernelCauchy}} {
		params := Params{Method: MethodRandomFourier, NFeatures: 3, NComponents: 50, Gamma: 0.25, MethodParams: p}
		m := mustMap(t, params)
		c := m.cores[0].(*fourierCore)
		x := []float32{0.5, -2, 3}
		z := m.Transform(nil, x)
		for j := range c.frequencies {
			phase := 0.0
			for i, v := range x {
				phase += float64(m.scaler.(*scaledRows).factor*v) * float64(*c.at(i, j))
			}
			want := []float64{math.Cos(2 * math.Pi * phase), math.Sin(2 * math.Pi * phase)}
			at := 2 * j
			if !p.Paired {
				want, at = []float64{math.Cos(2 * math.Pi * (phase + float64(c.offsets[j])))}, j
			}
			for i, w := range want {
				if got := float64(z[at+i]); math.Abs(got-math.Sqrt(2.0/50)*w) > 1e-6*max(1, math.Abs(phase)/1e6) {
					t.Errorf("%+v: feature %d is %v, want %v", p, at+i, got, math.Sqrt(2.0/50)*w)
				}
			}
		}
		if p.Paired && math.Abs(Dot(z, z)-1) > 1e-6 {
			t.Errorf("%+v: paired features have norm² %v, want 1", p, Dot(z, z))
		}
		huge, err := m.TransformBatch(nil, []float32{1e30, -1e30, 1e30})
		if err != nil || math.Abs(Dot(huge, huge)) > 2.1 {
			t.Errorf("%+v: a huge row gives %v (%v)", p, huge, err)
		}
	}
}

// A phase is off by no more than its products and sums are rounded: 2^−24 of each. That
// is far less than features vary, even where γ is much too large.
func TestFourierAccuracy(t *testing.T) {
	slow.Emulated(t)
	const d, D, rows = 780, 512, 20
	for _, p := range []Params{
		{Gamma: 0.5}, {Gamma: 50}, {Gamma: 0.05, MethodParams: MethodParams{Kernel: KernelLaplacian}},
	} {
		p.Method, p.NFeatures, p.NComponents = MethodRandomFourier, d, D
		m := mustMap(t, p)
		core, scale := m.cores[0].(*fourierCore), math.Sqrt(2.0/D)
		square, worst := 0.0, 0.0
		X := digestInput(rows * d)
		for r := range rows {
			x := X[r*d : (r+1)*d]
			unitRow(x)
			z := m.Transform(nil, x)
			for j := range D {
				phase, sum, rounded := float64(core.offsets[j]), 0.0, 0.0
				for i, v := range x {
					term := float64(m.scaler.(*scaledRows).factor*v) * float64(*core.at(i, j))
					phase, sum = phase+term, sum+term
					rounded += math.Abs(term) + math.Abs(sum)
					if (i+1)%phaseStretch == 0 || i+1 == d {
						rounded += math.Abs(sum) + 0.5
						sum = 0
					}
				}
				e := math.Abs(float64(z[j])/scale - portable.CosTurns(phase))
				if bound := 2*math.Pi/(1<<24)*rounded + 2e-7; e > bound {
					t.Errorf("%+v: cosine %d of row %d is off by %g, want no more than %g", p, j, r, e, bound)
				}
				square += e * e
				worst = max(worst, e)
			}
		}
		t.Logf("%s, γ = %v: error %.2g in the root of the mean square, %.2g at most", m.params.MethodParams.Kernel, p.Gamma,
			math.Sqrt(square/rows/D), worst)
	}
}

// A row whose phases leave the range of float32 is an error, and no feature.
func TestFourierOverflow(t *testing.T) {
	m := mustMap(t, Params{Method: MethodRandomFourier, NFeatures: 3, NComponents: 50,
		MethodParams: MethodParams{Kernel: KernelLaplacian}})
	_, err := m.TransformBatch(nil, []float32{1, 2, 3, 3e38, -3e38, 3e38})
	var e *Error
	if !errors.As(err, &e) || e.Code != ErrOverflow || e.Row != 1 || e.RowsDone != 1 {
		t.Errorf("error %v, want overflow of row 1", err)
	}
}

// The frequencies have the law of the kernel's Fourier transform: sines and cosines
// of a fixed multiple have the characteristic function as their mean.
func TestFrequencyLaw(t *testing.T) {
	slow.Elsewhere(t)
	const n = 200000
	for kernel, want := range map[string]func(r float64) float64{
		KernelGaussian:  func(r float64) float64 { return math.Exp(-r * r) },
		KernelLaplacian: func(r float64) float64 { return math.Exp(-r) },
		KernelCauchy:    func(r float64) float64 { return 1 / (1 + r*r) },
	} {
		p := Params{Method: MethodRandomFourier, NFeatures: 1, NComponents: n,
			MethodParams: MethodParams{Kernel: kernel}}.WithDefaults()
		c := newRandomFourier(&p, 1, IntSeed(5).randomness(0)).(*fourierCore)
		for _, r := range []float64{0.1, 0.5, 1, 2, 4} {
			even, odd := 0.0, 0.0
			for _, turns := range c.turns {
				even += portable.CosTurns(r * float64(turns))
				odd += portable.SinTurns(r * float64(turns))
			}
			if math.Abs(even/n-want(r)) > 4/math.Sqrt(n) || math.Abs(odd/n) > 4/math.Sqrt(n) {
				t.Errorf("%s at %v: mean cosine %v and sine %v, want %v and 0", kernel, r, even/n, odd/n, want(r))
			}
		}
	}
}
