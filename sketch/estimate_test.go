package sketch

import (
	"math"
	"testing"

	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

// Each part of a feature vector is a sketch of its own, with a key of its own:
// the mean of the estimates is Dot, the median is theirs.
func TestEstimators(t *testing.T) {
	const d = 5
	x, y := statisticsRows(d)[:d], statisticsRows(d)[d:2*d]
	for _, repeats := range []int{1, 4, 5} {
		for _, method := range []string{MethodTensorSketch, MethodTensorizedProjection, MethodComplexTensorSketch} {
			m := mustMap(t, Params{Method: method, NFeatures: d, NComponents: 6, Repeats: repeats})
			zx, zy := m.Transform(nil, x), m.Transform(nil, y)
			var each []float64
			sum, distinct := 0.0, map[float64]bool{}
			for r := range repeats {
				e := float64(repeats) * Dot(zx[6*r:6*r+6], zy[6*r:6*r+6])
				each, distinct[e] = append(each, e), true
				sum += e
			}
			if len(distinct) != repeats {
				t.Errorf("%s: the estimates are %v, want unlike ones", method, each)
			}
			if got, want := Dot(zx, zy), sum/float64(repeats); math.Abs(got-want) > 1e-12 {
				t.Errorf("%s: mean %g of %v, want %g", method, got, each, want)
			}
			below, above, got := 0, 0, need.Value(NewFormulas(m.Params()))(t).EstimateMedian(zx, zy)
			for _, e := range each {
				if e < got {
					below++
				} else if e > got {
					above++
				}
			}
			if below != repeats/2 || above != repeats/2 {
				t.Errorf("%s: median %g of %v", method, got, each)
			}
		}
	}
	f := need.Value(NewFormulas(Params{NFeatures: d, NComponents: 6, Repeats: 2}))(t)
	five := make([]float32, 5)
	need.Panics(t, "5 numbers in 2 sketches", "sketch: ", func() { f.EstimateMedian(five, five) })
}

// The first repeat is the map without repeats, over √t.
func TestFirstRepeat(t *testing.T) {
	x := digestInput(9)
	for _, method := range []string{MethodTensorSketch, MethodRandomMaclaurin, MethodComplexTensorSketch} {
		p := Params{Method: method, NFeatures: 9, NComponents: 10, Coef0: 1}
		single := mustMap(t, p).Transform(nil, x)
		p.Repeats = 4 // √4 is exact
		z := mustMap(t, p).Transform(nil, x)
		for i, v := range single {
			if z[i] != v/2 {
				t.Errorf("%s: feature %d of the first repeat is %g, want %g", method, i, z[i], v/2)
			}
		}
	}
}

// No estimate exceeds its bound, and the mean of t is off no more often than
// Hoeffding's inequality allows. In one dimension |estimates| reach the bound.
func TestHoeffding(t *testing.T) {
	slow.Elsewhere(t)
	x, y := []float32{0.9, -0.4}, []float32{0.3, 0.8}
	x64, y64 := toFloat64(x), toFloat64(y)
	for _, p := range []Params{
		{Method: MethodTensorSketch, Coef0: 0.2}, {Method: MethodComplexTensorSketch, Degree: 3},
		{Method: MethodTensorizedProjection, Gamma: 0.5, Coef0: 1}, {Method: MethodComplexProjection},
		{Method: MethodRandomMaclaurin, Degree: 3, Coef0: 0.5},
		{Method: MethodTensorSRHT, Degree: 3}, {Method: MethodComplexTensorSRHT, Coef0: 0.5},
		{Method: MethodTreeTensorSketch, Degree: 3, Coef0: 0.2},
		{Method: MethodRandomFourier}, {Method: MethodRandomFourier, MethodParams: MethodParams{Paired: true}},
	} {
		p.NFeatures, p.NComponents, p.Repeats = 2, 2, 30
		formulas := need.Value(NewFormulas(p))(t)
		bound, kernel := formulas.EstimateBound(x64, y64), formulas.Kernel(x64, y64)
		const seeds = 400
		misses, medianMisses, largest := make([]float64, 4), make([]float64, 4), 0.0
		for seed := range uint64(seeds) {
			p.Seed = IntSeed(seed)
			m := mustMap(t, p)
			zx, zy := m.Transform(nil, x), m.Transform(nil, y)
			for r := range p.Repeats {
				largest = max(largest, math.Abs(float64(p.Repeats)*Dot(zx[2*r:2*r+2], zy[2*r:2*r+2])))
			}
			for i := range misses {
				if math.Abs(Dot(zx, zy)-kernel) >= 0.15*float64(1+i)*bound {
					misses[i]++
				}
				if math.Abs(formulas.EstimateMedian(zx, zy)-kernel) >= 0.15*float64(1+i)*bound {
					medianMisses[i]++
				}
			}
		}
		if largest > bound*(1+1e-6) {
			t.Errorf("%+v: an estimate of %g, bound %g", p, largest, bound)
		}
		for i, missed := range misses {
			epsilon := 0.15 * float64(1+i) * bound
			most := hoeffdingProbability(bound, p.Repeats, epsilon)
			if missed/seeds > most+4*math.Sqrt(most/seeds) {
				t.Errorf("%+v: the mean misses by %g in %g of all seeds, bound %g", p, epsilon, missed/seeds, most)
			}
			chebyshev, hoeffding, median, err := formulas.MissProbability(x64, y64, epsilon)
			if err != nil || hoeffding != most {
				t.Errorf("%+v: MissProbability has %g for Hoeffding's bound (%v), want %g", p, hoeffding, err, most)
			}
			for _, check := range []struct{ missed, most float64 }{{missed, chebyshev}, {medianMisses[i], median}} {
				if check.missed/seeds > check.most+4*math.Sqrt(check.most/seeds) {
					t.Errorf("%+v: %g away in %g of all seeds, bound %g", p, epsilon, check.missed/seeds, check.most)
				}
			}
		}
	}
	one := Params{NFeatures: 1, NComponents: 3, Degree: 2}
	formulas, _ := NewFormulas(one)
	m := mustMap(t, one)
	if got, want := Dot(m.Transform(nil, []float32{0.5}), m.Transform(nil, []float32{-2})),
		formulas.EstimateBound([]float64{0.5}, []float64{-2}); math.Abs(got-want) > 1e-6 {
		t.Errorf("in one dimension the estimate is %g, want its bound %g", got, want)
	}
	normal, _ := NewFormulas(Params{Method: MethodTensorizedProjection, NFeatures: 1,
		MethodParams: MethodParams{Distribution: DistributionGaussian}})
	if b := normal.EstimateBound([]float64{1}, []float64{1}); b == b {
		t.Errorf("normal numbers have the bound %g", b)
	}
	if chebyshev, hoeffding, _, _ := normal.MissProbability([]float64{1}, []float64{1}, 20); !(chebyshev < 1) ||
		hoeffding == hoeffding {
		t.Errorf("normal numbers: Chebyshev's bound is %g, Hoeffding's %g", chebyshev, hoeffding)
	}
	if _, _, _, err := formulas.MissProbability([]float64{1}, []float64{1}, 0); err == nil {
		t.Errorf("MissProbability takes ε = 0")
	}
	huge, _ := NewFormulas(Params{NFeatures: 1, Degree: 64})
	if chebyshev, hoeffding, median, err := huge.MissProbability([]float64{1e30}, []float64{1}, 1); chebyshev ==
		chebyshev || hoeffding == hoeffding || median == median || err != nil {
		t.Errorf("a variance beyond float64: %g, %g, %g, error %v; want NaN", chebyshev, hoeffding, median, err)
	}
}

// Formulas of one D tell what formulas of another do, and κ(x,x) by the norm alone.
func TestFormulasOfOtherComponents(t *testing.T) {
	x, y := []float64{0.6, 0, 0.8}, []float64{0, 1, 0}
	for _, method := range methodNames() {
		for _, normalize := range []string{NormalizeNone, NormalizeKernel} {
			p := Params{Method: method, NFeatures: 3, NComponents: 16, Normalize: normalize, Repeats: 2}
			f := need.Value(NewFormulas(p))(t)
			if got, want := f.NormKernel(1), f.Kernel(x, x); math.Abs(got-want) > 1e-12 {
				t.Errorf("%s: NormKernel(1) = %g, want %g", method, got, want)
			}
			for _, D := range []int{16, 64, 1000} {
				p.NComponents = D
				other := need.Value(NewFormulas(p))(t)
				want, kind := other.StdError(x, y)
				got := math.Sqrt(f.Variance(x, y, float64(D)))
				if (kind == Unknown) != math.IsNaN(got) || math.Abs(got-want) > 1e-12 {
					t.Errorf("%s, %s, D = %d: σ %g, want %g", method, normalize, D, got, want)
				}
			}
		}
	}
	f := need.Value(NewFormulas(Params{Method: MethodTaylorSketch, NFeatures: 3}))(t)
	if got, want := f.Variance(x, y, 2), 4*f.Variance(x, y, 8); got != want || !(want > 0) {
		t.Errorf("below the least D the variance is %g, want %g", got, want)
	}
}
