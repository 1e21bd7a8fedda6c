package sketch

import (
	"errors"
	"math"
	"testing"
)

// Whatever the method and its parameters, NewFeatureMap gives a map or an *Error
// about a parameter, and the map gives dense, sparse and single rows the same bits
// or says what is wrong with a row.
func FuzzFeatureMap(f *testing.F) {
	names := methodNames()
	f.Add(uint8(len(names)-1), uint8(4), uint8(6), uint8(3), 0.5, 1.0, uint8(0), 0.0, uint8(2), uint64(3),
		[]byte{7, 9, 250})
	for i := range names {
		f.Add(uint8(i), uint8(5), uint8(16), uint8(0), 0.0, 0.0, uint8(0), 0.0, uint8(0), uint64(i), []byte{1, 0, 200, 3})
		f.Add(uint8(i), uint8(3), uint8(34), uint8(3), 0.5, 1.0, uint8(7), 1.5, uint8(2), uint64(i), []byte{0, 0, 9})
	}
	kernels := []string{"", KernelPolynomial, KernelExponential, KernelSeries, KernelGaussian, KernelLaplacian,
		KernelArcCosine, KernelCauchy}
	f.Fuzz(func(t *testing.T, method, d, D, degree uint8, gamma, coef0 float64, options uint8, order float64,
		repeats uint8, seed uint64, data []byte) {
		p := Params{Method: names[int(method)%len(names)], NFeatures: int(d) % 40, NComponents: int(D),
			Degree: int(degree) % 20,
			Gamma:  gamma, Coef0: coef0, Repeats: int(repeats) % 4, Seed: IntSeed(seed)}
		p.MethodParams = MethodParams{H01: options&1 != 0, Order: order, Kernel: kernels[int(options>>4)%len(kernels)],
			AllOrders: options&128 != 0}
		if p.Method == MethodSpherical {
			p.MethodParams = MethodParams{Paired: options&16 != 0, Signed: options&32 != 0}
		}
		if options&2 != 0 {
			p.MethodParams.Distribution = DistributionGaussian
		}
		if options&4 != 0 {
			p.Normalize = NormalizeKernel
		}
		if options&8 != 0 {
			p.Output = OutputSpectrum
		}
		if filled := p.WithDefaults(); filled.Validate() == nil && filled.MemoryBytes() > 64<<20 {
			t.Errorf("%+v: %d bytes for so small a map", p, filled.MemoryBytes())
			return
		}
		m, err := NewFeatureMap(p)
		var e *Error
		if err != nil {
			if !errors.As(err, &e) || e.Code != ErrParam || e.Argument == "" {
				t.Errorf("%+v: %v is no parameter error", p, err)
			}
			return
		}
		x := make([]float32, m.NFeatures())
		for i := range min(len(x), len(data)) {
			x[i] = float32(int8(data[i])) / 16
		}
		if k := m.Params().NComponents; NeedsFit(p.Method) && k <= 24 && len(data) > 0 { // larger fits take their time
			X := make([]float32, (k+3)*len(x))
			for i := range X {
				X[i] = float32(int8(data[i%len(data)]))/16 + float32(i%(len(x)+1))
			}
			if err := m.Fit(Dense(X)); err != nil && (!errors.As(err, &e) || e.Code != ErrOverflow) {
				t.Errorf("%+v: a fit fails: %v", p, err)
			}
		}
		z, err := m.TransformBatch(nil, x)
		if err != nil { // overflow, rows that spherical refuses, a map not fitted
			if !errors.As(err, &e) || e.Code != ErrOverflow && e.Code != ErrParam {
				t.Errorf("%+v: %v", p, err)
			}
			return
		}
		for i, v := range z {
			if v-v != 0 {
				t.Errorf("%+v: feature %d is %g, without an error", p, i, v)
			}
		}
		if signs := m.Signs(); signs != nil && len(signs) != len(z) {
			t.Errorf("%+v: %d signs of %d features", p, len(signs), len(z))
		}
		if sparse, err := m.TransformCSR(nil, csrOf(x, len(x))); err != nil || !sameBits(z, sparse) {
			t.Errorf("%+v: CSR and dense differ (%v)", p, err)
		}
		if !sameBits(z, m.Transform(nil, x)) {
			t.Errorf("%+v: batch and row differ", p)
		}
		y := toFloat64(x)
		if sigma, kind := m.StdError(y, y); kind != Unknown && !(sigma >= 0 && !math.IsInf(sigma, 0)) {
			t.Errorf("%+v: σ = %g, %v", p, sigma, kind)
		}
		if guaranteed, typical, err := m.ChooseComponents(y, y, 0.1, 0.1); err != nil || guaranteed < 1 || typical < 1 {
			t.Errorf("%+v: guaranteed %g, typical %g, %v", p, guaranteed, typical, err)
		}
	})
}

// methodNames returns the names of all methods.
func methodNames() []string { return lookup(allMethods).names() }
