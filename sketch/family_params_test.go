package sketch

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
)

// Every wrong combination is an error that names the parameter and the remedy.
func TestBadParams(t *testing.T) {
	state := uint32(1)
	series := func(coefficients ...float64) MethodParams { return MethodParams{Coefficients: coefficients} }
	for _, c := range []struct {
		params   Params
		argument string
		message  string
	}{
		{Params{}, "nFeatures", "must be an integer from 1 to 2147483647, got 0"},
		{Params{NFeatures: 1, NComponents: -3}, "nComponents", "nComponents must be an integer from 1 to 16777216, got -3"},
		{Params{NFeatures: 1, NComponents: MaxComponents + 1}, "nComponents", "got 16777217"},
		{Params{NFeatures: 1, Degree: 65}, "degree", "from 1 to 64"},
		{Params{NFeatures: 1, Gamma: -1}, "gamma", "must be a finite number > 0, got -1"},
		{Params{NFeatures: 1, Gamma: math.NaN()}, "gamma", "got NaN"},
		{Params{NFeatures: 1, Gamma: math.Inf(1)}, "gamma", "got Infinity"},
		{Params{NFeatures: 1, Coef0: -0.5}, "coef0", "must be a finite number ≥ 0, got -0.5"},
		{Params{NFeatures: 1, Method: "tensor"}, "method", `got "tensor"`},
		{Params{NFeatures: 1, Normalize: "l2"}, "normalize", `got "l2"`},
		{Params{NFeatures: 1, Output: "complex"}, "output", `got "complex"`},
		{Params{NFeatures: 1, Method: MethodCountSketch, Degree: 2}, "degree", "must be 1 for method"},
		{Params{NFeatures: 1, NFeaturesEach: []int{1, 1}}, "nFeatures", "given once"},
		{Params{NFeaturesEach: []int{1, 1}, Degree: 3}, "nFeatures", "one entry per degree"},
		{Params{NFeaturesEach: []int{1, 0}}, "nFeatures", "got 0"},
		{Params{NFeatures: 1, RandomState: &state, Seed: IntSeed(1)}, "seed", "not be given together"},
		{Params{NFeatures: 1, RandomState: &state, IndexHash: [][]int32{{0}}}, "randomState", "not be given together"},
		{Params{NFeatures: 1, IndexHash: [][]int32{{0}}}, "indexHash, bitHash", "one row per degree"},
		{Params{NFeatures: 2, Degree: 1, IndexHash: [][]int32{{0}}, BitHash: [][]int8{{1}}}, "indexHash, bitHash",
			"one column per feature"},
		{Params{NFeatures: 1, Degree: 1, NComponents: 4, IndexHash: [][]int32{{4}}, BitHash: [][]int8{{1}}}, "indexHash",
			"from 0 to nComponents − 1 = 3, got 4"},
		{Params{NFeatures: 1, Degree: 1, IndexHash: [][]int32{{0}}, BitHash: [][]int8{{0}}}, "bitHash",
			"−1 and +1 only, got 0"},
		{Params{Method: "maclaurin"}, "method", `must be one of "tensor-sketch", "count-sketch", ` +
			`"complex-tensor-sketch", "random-maclaurin"`},
		{Params{Repeats: -1}, "repeats", "must be an integer from 1 to 65536, got -1"},
		{Params{Repeats: 4096, NComponents: 4097}, "repeats", "keep repeats × nComponents within 16777216"},
		{Params{Repeats: 2, RandomState: &state}, "repeats", "only a seed gives independent repeats"},
		{Params{MethodParams: MethodParams{Order: 2}}, "methodParams.order",
			`methodParams.order must be left out for method "tensor-sketch", got 2`},
		{Params{Method: MethodComplexTensorSketch, NComponents: 65}, "nComponents",
			`nComponents must be even for method "complex-tensor-sketch", whose features are the real and imaginary parts of ` +
				`complex ones: take 66, got 65`},
		{Params{Method: MethodComplexProjection, NComponents: 7}, "nComponents", "take 8, got 7"},
		{Params{Method: MethodComplexTensorSketch, RandomState: &state}, "randomState", "give a seed"},
		{Params{Method: MethodTensorizedProjection, IndexHash: [][]int32{{0}, {0}}, BitHash: [][]int8{{1}, {1}}},
			"indexHash, bitHash", "give a seed"},
		{Params{Method: MethodTensorizedProjection, NFeaturesEach: []int{2, 3}}, "nFeatures", "be one number"},
		{Params{Method: MethodTensorizedProjection, Output: OutputSpectrum}, "output", `must be "real" for method`},
		{Params{Method: MethodTensorizedProjection, MethodParams: MethodParams{H01: true}}, "methodParams.h01",
			`left out for method "tensorized-random-projection", which takes distribution, got true`},
		{Params{Method: MethodTensorizedProjection, MethodParams: MethodParams{Distribution: "normal"}},
			"methodParams.distribution", `must be one of "rademacher", "gaussian", got "normal"`},
		{Params{Method: MethodRandomMaclaurin, MethodParams: MethodParams{Order: 1}}, "methodParams.order",
			"above 1 and up to 100, got 1"},
		{Params{Method: MethodRandomMaclaurin, MethodParams: MethodParams{Order: math.NaN()}}, "methodParams.order",
			"got NaN"},
		{Params{Method: MethodRandomMaclaurin, MethodParams: MethodParams{Kernel: "sigmoid"}}, "methodParams.kernel",
			`must be another one: no features have tanh(γ⟨x, y⟩ + c) as inner products, since it is not positive definite, ` +
				`got "sigmoid"`},
		{Params{Method: MethodRandomMaclaurin, MethodParams: MethodParams{Kernel: "tanh"}}, "methodParams.kernel",
			`must be one of "polynomial", "exponential", "series", got "tanh"`},
		{Params{Method: MethodRandomFourier, MethodParams: MethodParams{Kernel: KernelCauchy,
			Projection: ProjectionStructured}}, "methodParams.projection", `unless methodParams.kernel is "gaussian"`},
		{Params{Method: MethodRandomMaclaurin, MethodParams: series(1, -0.5)}, "methodParams.coefficients[1]",
			"negative coefficient has no feature map"},
		{Params{Method: MethodRandomMaclaurin, MethodParams: series(0, 0)}, "methodParams.coefficients", "a number above 0"},
		{Params{Method: MethodRandomMaclaurin, MethodParams: MethodParams{Kernel: KernelSeries}}, "methodParams.coefficients",
			"1 to 65 numbers"},
		{Params{Method: MethodRandomMaclaurin, MethodParams: MethodParams{Kernel: KernelExponential,
			Coefficients: []float64{1}}}, "methodParams.coefficients", `unless methodParams.kernel is "series"`},
		{Params{Method: MethodRandomMaclaurin, Degree: 3, MethodParams: MethodParams{Kernel: KernelExponential}}, "degree",
			`must be 1 for methodParams.kernel "exponential", or be left out, got 3`},
		{Params{Method: MethodRandomMaclaurin, Coef0: 1, MethodParams: MethodParams{Kernel: KernelExponential}}, "coef0",
			"must be 0"},
		{Params{Method: MethodRandomMaclaurin, NFeatures: 99, MethodParams: MethodParams{H01: true}}, "nComponents",
			"at least nFeatures + 2 = 101"},
		{Params{Method: MethodRandomMaclaurin, Degree: 1, Coef0: 1, MethodParams: MethodParams{H01: true}},
			"methodParams.h01", "without terms beyond the linear one"},
		{Params{Method: MethodRandomFourier, Degree: 2}, "degree", ""},
		{Params{Method: MethodRandomFourier, Coef0: 1}, "coef0", ""},
		{Params{Method: MethodRandomFourier, Output: OutputSpectrum}, "output", ""},
		{Params{Method: MethodRandomFourier, NComponents: 7, MethodParams: MethodParams{Paired: true}}, "nComponents", ""},
		{Params{Method: MethodRandomFourier,
			MethodParams: MethodParams{Kernel: KernelExponential}}, "methodParams.kernel", ""},
		{Params{Method: MethodRandomFourier, MethodParams: MethodParams{A: 2}}, "methodParams.a", ""},
		{Params{MethodParams: MethodParams{Paired: true}}, "methodParams.paired", ""},
		{Params{Method: MethodTaylorSketch, Degree: 2}, "degree", ""},
		{Params{Method: MethodTaylorSketch, Coef0: 1}, "coef0", ""},
		{Params{Method: MethodTaylorSketch, NComponents: 7}, "nComponents", ""},
		{Params{Method: MethodTaylorSketch, MethodParams: MethodParams{Kernel: KernelLaplacian}}, "methodParams.kernel", ""},
		{Params{Method: MethodTaylorSketch, MethodParams: MethodParams{Terms: 66}}, "methodParams.terms", ""},
		{Params{Method: MethodTaylorSketch,
			MethodParams: MethodParams{Coefficients: []float64{1, -1}}}, "methodParams.coefficients[1]", ""},
		{Params{Method: MethodTaylorSketch,
			MethodParams: MethodParams{Coefficients: []float64{1, 0}}}, "methodParams.coefficients", ""},
		{Params{Method: MethodNystroem, Degree: 2, MethodParams: MethodParams{Kernel: KernelGaussian}}, "degree", ""},
		{Params{Method: MethodNystroem, Coef0: 1, MethodParams: MethodParams{Kernel: KernelGaussian}}, "coef0", ""},
		{Params{Method: MethodNystroem, MethodParams: MethodParams{Kernel: KernelLaplacian}}, "methodParams.kernel", ""},
		{Params{Method: MethodNystroem,
			MethodParams: MethodParams{Coefficients: []float64{1}}}, "methodParams.coefficients", ""},
		{Params{Method: MethodSpherical, Gamma: 2}, "gamma", ""},
		{Params{Method: MethodSpherical, Coef0: 1}, "coef0", ""},
		{Params{Method: MethodSpherical, NComponents: 7, MethodParams: MethodParams{Paired: true}}, "nComponents", ""},
		{Params{Method: MethodSpherical, MethodParams: MethodParams{A: 1.5}}, "methodParams.a", ""},
		{Params{Method: MethodSpherical, Normalize: NormalizeKernel, MethodParams: MethodParams{Signed: true}}, "normalize",
			`be "none" where methodParams.signed is true`},
		{Params{Method: MethodRandomFourier, MethodParams: MethodParams{Signed: true}}, "methodParams.signed", ""},
		{Params{Method: MethodSpherical, MethodParams: MethodParams{Kernel: KernelExponential}}, "methodParams.kernel", ""},
		{Params{Method: MethodCRAFT, MethodParams: MethodParams{Base: "nystrom"}}, "methodParams.base", ""},
		{Params{Method: MethodCRAFT, MethodParams: MethodParams{Base: MethodCRAFT}}, "methodParams.base", ""},
		{Params{Method: MethodCRAFT, MethodParams: MethodParams{Base: MethodCountSketch}}, "methodParams.base", ""},
		{Params{Method: MethodCRAFT, MethodParams: MethodParams{UpComponents: 99}}, "methodParams.upComponents", ""},
		{Params{Method: MethodCRAFT, MethodParams: MethodParams{UpComponents: -1}}, "methodParams.upComponents", ""},
		{Params{Method: MethodCRAFT,
			MethodParams: MethodParams{UpComponents: MaxComponents + 1}}, "methodParams.upComponents", ""},
		{Params{Method: MethodCRAFT,
			MethodParams: MethodParams{Base: MethodComplexProjection, UpComponents: 101}}, "methodParams.upComponents", ""},
		{Params{Method: MethodCRAFT, MethodParams: MethodParams{Order: 2}}, "methodParams.order", ""},
		{Params{Method: MethodCRAFT,
			MethodParams: MethodParams{Base: MethodTensorizedProjection, Distribution: "cauchy"}},
			"methodParams.distribution", ""},
		{Params{Method: MethodCRAFT, MethodParams: MethodParams{A: 2}}, "methodParams.a", ""},
		{Params{Method: MethodCRAFT, NFeatures: 5, NComponents: 1,
			MethodParams: MethodParams{Base: MethodRandomMaclaurin, H01: true, UpComponents: 6}},
			"methodParams.upComponents", ""},
		{Params{Method: MethodCRAFT, Output: OutputSpectrum}, "output", ""},
		{Params{Method: MethodComplexTensorSRHT, NComponents: 7}, "nComponents", ""},
		{Params{Method: MethodTensorSRHT, MethodParams: MethodParams{Base: MethodTensorSketch}}, "methodParams.base", ""},
	} {
		if c.params.NFeatures == 0 && c.params.NFeaturesEach == nil && c.argument != "nFeatures" {
			c.params.NFeatures = 3
		}
		_, err := NewFeatureMap(c.params)
		var e *Error
		if !errors.As(err, &e) || e.Code != ErrParam || e.Argument != c.argument ||
			!strings.Contains(err.Error(), c.message) {
			t.Errorf("NewFeatureMap(%+v): error %v, want argument %q and message %q", c.params, err, c.argument, c.message)
		}
		if _, other := New(c.params); other == nil || c.params.Method == "" && other.Error() != err.Error() {
			t.Errorf("New(%+v): error %v, want %v", c.params, other, err)
		}
	}
	if _, err := New(Params{Method: MethodRandomMaclaurin, NFeatures: 1}); err == nil ||
		!strings.Contains(err.Error(), "call NewFeatureMap") {
		t.Errorf("New of another method: %v", err)
	}
	if _, err := NewFormulas(Params{Method: MethodComplexTensorSketch, NFeatures: 1, NComponents: 3}); err == nil {
		t.Errorf("NewFormulas checks nothing")
	}
}

// What WithDefaults fills in is what a model file holds, and is valid as it is.
func TestFamilyDefaults(t *testing.T) {
	for name, c := range familyCases() {
		p := c.WithDefaults()
		if err := p.Validate(); err != nil || p.Repeats < 1 || p.Degree < 1 {
			t.Errorf("%s: %+v: %v", name, p, err)
		}
	}
	p := Params{Method: MethodRandomMaclaurin, NFeatures: 1}.WithDefaults()
	if m := p.MethodParams; m.Order != 2 || m.Distribution != DistributionRademacher || m.Kernel != KernelPolynomial ||
		m.H01 || p.Degree != 2 {
		t.Errorf("defaults %+v", p)
	}
}

// Every field has a name, is set by it, and is listed.
func TestMethodParamsByName(t *testing.T) {
	var m MethodParams
	for i, field := range m.fields() {
		var value any
		switch field.value.(type) {
		case *bool:
			value = true
		case *int:
			value = float64(3 + i)
		case *float64:
			value = 0.5 + float64(i)
		case *string:
			value = "text"
		case *[]float64:
			value = []float64{1, 2}
		}
		if err := m.Set(field.name, value); err != nil {
			t.Errorf("%s: %v", field.name, err)
		}
		count, name, last := 0, "", any(nil)
		for n, v := range m.All {
			count, name, last = count+1, n, v
		}
		if count != i+1 || name != field.name || !reflect.DeepEqual(last, value) {
			t.Errorf("after %s = %v there are %d, the last %s = %v", field.name, value, count, name, last)
		}
	}
	if n := reflect.TypeOf(m).NumField(); n != len(m.fields()) {
		t.Errorf("%d fields, %d of them by name", n, len(m.fields()))
	}
	for _, c := range []struct {
		name    string
		value   any
		message string
	}{
		{"H01", true, `methodParams.H01 must be a parameter of a method: h01, order`},
		{"h01", 1.0, "methodParams.h01 must be true or false, got 1"},
		{"terms", 1.5, "methodParams.terms must be a positive integer, got 1.5"},
		{"terms", "2", `methodParams.terms must be a positive integer, got "2"`},
		{"order", false, "methodParams.order must be a positive number, got false"},
		{"order", 0.0, "methodParams.order must be a positive number, got 0"},
		{"upComponents", 0.0, "methodParams.upComponents must be a positive integer, got 0"},
		{"kernel", "", `methodParams.kernel must be a text that is not empty, got ""`},
		{"coefficients", []float64{}, "methodParams.coefficients must be an array of numbers, got 0 numbers"},
		{"base", nil, "methodParams.base must be a text"},
		{"coefficients", 1.0, "methodParams.coefficients must be an array of numbers, got 1"},
	} {
		if err := m.Set(c.name, c.value); err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("Set(%q, %v): %v, want %q", c.name, c.value, err, c.message)
		}
	}
}
