package sketch

import (
	"math"
	"testing"

	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

// pairAt returns two unit rows of d coordinates at a cosine, one after the other, and both as float64.
func pairAt(d int, cos float64) (X []float32, x, y []float64) {
	X = make([]float32, 2*d)
	for i := range d {
		X[i] = float32(1 / math.Sqrt(float64(d)))
		X[d+i] = float32((cos + math.Sqrt(1-cos*cos)*float64(1-2*(i&1))) / math.Sqrt(float64(d)))
	}
	return X, toFloat64(X[:d]), toFloat64(X[d:])
}

// drawErrors returns the errors of the estimate for the pair of rows X, by as many seeds.
func drawErrors(t *testing.T, p Params, X []float32, seeds int) []float64 {
	t.Helper()
	d, errors, m := p.NFeatures, make([]float64, seeds), mustMap(t, p)
	kernel, z := m.Kernel(toFloat64(X[:d]), toFloat64(X[d:])), []float32(nil)
	for seed := range errors {
		if p.Seed = IntSeed(uint64(seed)); p.Method == "" && p.Repeats <= 1 {
			reseeded(m, uint64(seed))
		} else {
			m = mustMap(t, p)
		}
		z = need.Value(m.TransformBatch(z, X))(t)
		n := len(z) / 2
		errors[seed] = Dot(z[:n], z[n:]) - kernel
	}
	return errors
}

func meanAndDeviation(errors []float64) (mean, deviation float64) {
	n := float64(len(errors))
	for _, e := range errors {
		mean += e / n
	}
	for _, e := range errors {
		deviation += (e - mean) * (e - mean) / n
	}
	return mean, math.Sqrt(deviation)
}

// Under kernel normalisation bias and σ are about the limit of the estimate, which for methods with a bias of their
// own is not the kernel: the bias may have the other sign, and ten times the size.
func TestNormalisedError(t *testing.T) {
	slow.Elsewhere(t)
	seeds := 2000
	if testing.Short() {
		seeds = 500
	}
	for _, c := range []struct {
		name      string
		p         Params
		cos       float64
		low, high float64 // of the bias
		wide      float64 // of σ, relative
	}{
		// gaussian, γ 1, 3 terms: the bias without normalisation is −0.0102.
		{"3 terms", Params{Method: MethodTaylorSketch, NComponents: 600, MethodParams: MethodParams{Terms: 3}}, 0.36, 0.112,
			0.124, 0.1},
		{"8 terms", Params{Method: MethodTaylorSketch, NComponents: 600, Gamma: 3}, 0.36, 0.006, 0.010, 0.15},
		{"near parallel", Params{Method: MethodTaylorSketch, NComponents: 600, Gamma: 3}, 0.8, 0.03, 0.08, 0.3},
		{"arc-cosine", Params{Method: MethodTaylorSketch, NComponents: 600,
			MethodParams: MethodParams{Terms: 2, Kernel: KernelArcCosine}},
			0.36, 0.085, 0.095, 0.1},
		{"spherical", Params{Method: MethodSpherical, NComponents: 200, Degree: 3}, 0.36, -0.024, -0.014, 0.1},
		{"paired", Params{Method: MethodSpherical, NComponents: 200, Degree: 3, MethodParams: MethodParams{Paired: true}},
			0.36, -0.024, -0.014, 0.1},
		{"tensor", Params{Degree: 2, NComponents: 64}, 0.9, -0.0055, -0.004, 0.15},
		{"complex", Params{Method: MethodComplexTensorSketch, NComponents: 64}, 0.9, -0.0055, -0.004, 0.15},
		{"repeats", Params{Degree: 2, NComponents: 64, Repeats: 4}, 0.9, -0.0055, -0.004, 0.15},
	} {
		c.p.NFeatures, c.p.Normalize = 64, NormalizeKernel
		X, x, y := pairAt(64, c.cos)
		f := need.Value(NewFormulas(c.p))(t)
		bias := f.Bias(x, y)
		sigma, kind := f.StdError(x, y)
		mean, deviation := meanAndDeviation(drawErrors(t, c.p, X, seeds))
		if !(bias >= c.low && bias <= c.high) || kind != FirstOrder {
			t.Errorf("%s: the bias is said to be %g, want %g to %g; σ is %v", c.name, bias, c.low, c.high, kind)
		}
		n, _ := newNormalised(f.law, x, y)
		second := math.Abs(bias - n.limit)
		if !(math.Abs(mean-bias) <= 4*deviation/math.Sqrt(float64(seeds))+second/3) {
			t.Errorf("%s: the bias is said to be %g, seen %g ± %g", c.name, bias, mean, deviation/math.Sqrt(float64(seeds)))
		}
		if math.Abs(deviation/sigma-1) > c.wide {
			t.Errorf("%s: σ is said to be %g, seen %g", c.name, sigma, deviation)
		}
	}
}

// What chooseComponents calls typical under kernel normalisation comes true: at least 95 % of the seeds lie within ε.
// With many repeats the bias is most of the error, and repeats do not lessen it.
func TestNormalisedChoice(t *testing.T) {
	slow.Elsewhere(t)
	tensor := func(degree, repeats int) Params { return Params{Degree: degree, Repeats: repeats} }
	taylor := func(gamma float64, terms int) Params {
		return Params{Method: MethodTaylorSketch, Gamma: gamma, MethodParams: MethodParams{Terms: terms}}
	}
	for _, c := range []struct {
		p                 Params
		cos, epsilon, low float64
		seeds             int
	}{
		{tensor(4, 1000), 0.9, 0.01, 200, 30}, // before the bias was counted: D = 57, and 3 % within ε
		{tensor(2, 300), 0.9, 0.02, 20, 200},
		{tensor(4, 30), 0.9, 0.2, 10, 500},
		{tensor(3, 1), 0.7, 0.1, 100, 1000},
		{taylor(3, 8), 0.36, 0.03, 1000, 300},
		{taylor(1, 3), 0.36, 0.16, 100, 1000},
		{Params{Method: MethodSpherical, Degree: 3}, 0.36, 0.08, 100, 1000},
	} {
		c.p.NFeatures, c.p.Normalize = 64, NormalizeKernel
		X, x, y := pairAt(64, c.cos)
		f := need.Value(NewFormulas(c.p))(t)
		guaranteed, typical, err := f.ChooseComponents(x, y, c.epsilon, 0.05)
		if err != nil || guaranteed == guaranteed || !(typical >= c.low && typical <= 20*c.low) {
			t.Errorf("%+v: guaranteed %g, typical %g (%v)", c.p, guaranteed, typical, err)
			continue
		}
		c.p.NComponents = int(typical)
		if testing.Short() {
			c.seeds = max(c.seeds/4, 10)
		}
		within := 0.0
		for _, e := range drawErrors(t, c.p, X, c.seeds) {
			if math.Abs(e) <= c.epsilon {
				within++
			}
		}
		if share := within / float64(c.seeds); share < 0.95-3*math.Sqrt(0.95*0.05/float64(c.seeds)) {
			t.Errorf("%+v: %.3f of the seeds lie within %g, want 0.95", c.p, share, c.epsilon)
		}
	}
	// No D is enough for an error below the bias that stays.
	f := need.Value(NewFormulas(Params{Method: MethodTaylorSketch, NFeatures: 64, Normalize: NormalizeKernel,
		MethodParams: MethodParams{Terms: 3}}))(t)
	_, x, y := pairAt(64, 0.36)
	if _, typical, _ := f.ChooseComponents(x, y, 0.1, 0.05); !math.IsInf(typical, 1) {
		t.Errorf("D = %g is said to be enough for an error below the bias", typical)
	}
}

// A nearly cancelling pair: the variance rises with D before it falls, and D = 2 does.
func TestLeastComponentsIsLeast(t *testing.T) {
	m := must(t, Params{NFeatures: 2, NComponents: 1, Degree: 2})
	x := []float64{1, 0.999}
	y := []float64{0.999, -1}
	for D := 1; D <= 64; D++ {
		at := must(t, Params{NFeatures: 2, NComponents: D, Degree: 2})
		epsilon := math.Sqrt(at.Variance(x, y, float64(D))/0.05) * (1 + 1e-9)
		guaranteed, _, err := m.ChooseComponents(x, y, epsilon, 0.05)
		if err != nil {
			t.Fatal(err)
		}
		least := 1
		for ; least < D; least++ {
			if must(t, Params{NFeatures: 2, NComponents: least, Degree: 2}).Variance(x, y, float64(least)) <=
				0.05*epsilon*epsilon {
				break
			}
		}
		if guaranteed != float64(least) {
			t.Errorf("ε %g: D = %g is guaranteed, and %d does", epsilon, guaranteed, least)
		}
	}
}
