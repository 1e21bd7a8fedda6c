package sketch

import (
	"fmt"
	"math"
	"testing"

	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

// checkLaw draws seeds of a map until the variance of two estimates is known to 10 %,
// but no more than 15,000. So many seeds show too little of maps with heavy tails: they
// are not for this test.
func checkLaw(t *testing.T, p Params) {
	t.Helper()
	known, most := 0.1, 15000.0
	if testing.Short() {
		known, most = 0.3, 2000
	}
	compareLaw(t, p, known, most, 500, func(seed uint64) *FeatureMap {
		p.Seed = IntSeed(seed)
		return mustMap(t, p)
	})
}

// compareLaw draws seeds in batches until the variance of two estimates has the relative
// error known. It compares mean, variance and covariance with the formulas, to a
// tolerance that follows from the kurtosis; a bound may not be exceeded. statisticsRows
// gives the rows. It returns the relative error of the variances and the covariance.
func compareLaw(t *testing.T, p Params, known, most float64, batch int, of func(seed uint64) *FeatureMap) float64 {
	t.Helper()
	formulas := formulasOf(t, p)
	d, D := formulas.NFeatures(), formulas.NComponents()
	X := statisticsRows(d)
	rows := make([][]float64, 4)
	for r := range rows {
		if p.Method == MethodSpherical {
			unitRow(X[d*r : d*(r+1)])
		}
		rows[r] = toFloat64(X[d*r : d*(r+1)])
	}
	pairs := [3][2]int{{0, 1}, {2, 3}, {0, 0}} // of the last the mean alone
	var means, variances [3]float64
	var kind Kind
	for i, pair := range pairs {
		x, y := rows[pair[0]], rows[pair[1]]
		means[i] = formulas.Kernel(x, y) + formulas.Bias(x, y)
		variances[i], kind = formulas.variance(x, y, float64(formulas.params.NComponents))
	}
	z := make([]float32, 4*D)
	var errors [3]moments
	var products moments
	for seed, spread := uint64(0), 1.0; spread > known && errors[0].n < most; {
		for range batch {
			m := of(seed)
			need.Value(m.TransformBatch(z, X))(t)
			var deviations [3]float64
			for i, pair := range pairs {
				zx := multiplied(z[pair[0]*D:(pair[0]+1)*D], m.Signs())
				deviations[i] = Dot(zx, z[pair[1]*D:(pair[1]+1)*D]) - means[i]
				errors[i].add(deviations[i])
			}
			products.add(deviations[0] * deviations[1])
			seed++
		}
		spread = max(errors[0].spread(), errors[1].spread())
	}
	for i, e := range errors {
		ratio := e.variance() / variances[i]
		if i < 2 && (kind == Exact && !(math.Abs(ratio-1) <= e.spread()) || kind == Bound && !(ratio-1 <= e.spread()) ||
			kind == FirstOrder && !(math.Abs(ratio-1) <= 0.2+e.spread())) {
			t.Errorf("%+v, pair %d: variance %g over %.0f seeds, %v %g: ratio %.4f, tolerance %.4f", p, i, e.variance(),
				e.n, kind, variances[i], ratio, e.spread())
		}
		variance := e.variance()
		if kind == Exact {
			variance = min(variance, variances[i])
		}
		if bias := e.sum / e.n; kind != FirstOrder && !(math.Abs(bias) <= 4*math.Sqrt(variance/e.n)+1e-6) {
			t.Errorf("%+v, pair %d: bias %g, standard error %g", p, i, bias, math.Sqrt(variances[i]/e.n))
		}
	}
	if p.Method == MethodCRAFT && p.MethodParams.Base != MethodTreeTensorSketch && p.Normalize == "" && kind != Exact {
		t.Errorf("%+v: kind %v, want %v", p, kind, Exact)
	}
	if exact, ok := formulas.law.(*exactCraftLaw); ok { // the bound for other bases holds
		if bound, kind := exact.craftLaw.variance(rows[0], rows[1], float64(formulas.params.NComponents)); kind != Bound ||
			bound < variances[0]*(1-1e-12) {
			t.Errorf("%+v: variance %g, but %v %g", p, variances[0], kind, bound)
		}
	}
	tolerance := max(errors[0].spread(), errors[1].spread())
	if law, ok := formulas.law.(covariant); ok && kind == Exact {
		want := law.covariance(rows[0], rows[1], rows[2], rows[3],
			float64(formulas.params.NComponents)) / float64(formulas.params.Repeats)
		mean := products.sum / products.n
		deviation := math.Sqrt((products.variance() - mean*mean) / products.n)
		if !(math.Abs(mean-want) <= 4*deviation) {
			t.Errorf("%+v: covariance %g ± %g over %.0f seeds, want %g", p, mean, deviation, products.n, want)
		}
		tolerance = max(tolerance, 4*deviation/math.Sqrt(variances[0]*variances[1]))
	}
	return tolerance
}

// multiplied returns features times their signs; nil stands for signs of 1.
func multiplied(z, signs []float32) []float32 {
	if signs == nil {
		return z
	}
	product := make([]float32, len(z))
	for j, v := range z {
		product[j] = signs[j] * v
	}
	return product
}

// lawCases vary d, D, degree, gamma and coef0 of every method, its own parameters, repeats and normalisation.
func lawCases() (all []Params) {
	type m = MethodParams
	type shape struct {
		d, D, degree int
		gamma, coef0 float64
	}
	grid := func(method string, of m, shapes ...shape) {
		for _, g := range shapes {
			all = append(all, Params{Method: method, NFeatures: g.d, NComponents: g.D, Degree: g.degree, Gamma: g.gamma,
				Coef0: g.coef0, MethodParams: of})
		}
	}
	linear := []shape{{5, 16, 1, 1, 0}, {5, 16, 2, 1, 0}, {5, 30, 2, 0.5, 1}, {2, 16, 2, 2, 0.3}, {16, 6, 2, 1, 1},
		{16, 26, 2, 1, 0}}
	deep := append(linear, shape{5, 48, 3, 0.7, 0.2}, shape{40, 32, 3, 0.8, 0.5}, shape{5, 64, 4, 0.5, 1})
	gaussian := m{Distribution: DistributionGaussian} // of heavy tails at higher degrees
	for _, method := range []string{MethodTensorizedProjection, MethodComplexProjection} {
		grid(method, m{}, deep...)
		grid(method, gaussian, linear...)
	}
	grid(MethodRandomMaclaurin, m{}, deep...)
	grid(MethodRandomMaclaurin, m{Order: 1.3, Distribution: DistributionGaussian}, linear...)
	grid(MethodComplexTensorSketch, m{}, deep...)
	// D below, at and above the length of the transform, in whole blocks and not, and d a power of two and not.
	for _, method := range []string{MethodTensorSRHT, MethodComplexTensorSRHT} {
		grid(method, m{}, []shape{{5, 4, 1, 1, 0}, {5, 12, 1, 0.5, 1}, {5, 6, 2, 1, 0}, {5, 8, 2, 0.5, 1}, {5, 22, 2, 1, 0.4},
			{5, 6, 3, 0.4, 1}, {5, 16, 3, 0.5, 1}, {5, 26, 3, 1, 0}, {5, 20, 4, 0.3, 1}, {2, 6, 2, 1, 0},
			{2, 6, 2, 2, 0.3}, {1, 6, 2, 1, 0.5}, {16, 10, 2, 1, 0}, {16, 50, 3, 0.5, 1}}...)
	}
	grid(MethodTreeTensorSketch, m{}, []shape{{5, 16, 1, 1, 0.5}, {5, 30, 2, 0.5, 1}, {2, 9, 2, 1, 0},
		{5, 33, 3, 0.7, 0.2}, {16, 32, 4, 0.15, 1}, {5, 64, 5, 0.1, 1}}...)
	for _, of := range []m{{}, {Paired: true}, {Kernel: KernelLaplacian}, {Kernel: KernelLaplacian, Paired: true},
		{Kernel: KernelCauchy}, {Kernel: KernelCauchy, Paired: true}} {
		grid(MethodRandomFourier, of, []shape{{5, 16, 0, 1, 0}, {2, 8, 0, 2, 0}, {16, 26, 0, 0.1, 0}}...)
	}
	// Every base map, with E odd and even, a power of two and not.
	for _, c := range []struct {
		shape
		of m
	}{
		{shape{5, 8, 2, 1, 0}, m{}},
		{shape{5, 4, 1, 1, 0}, m{UpComponents: 5}},
		{shape{5, 6, 3, 0.4, 1}, m{UpComponents: 7}},
		{shape{5, 5, 2, 1, 0}, m{UpComponents: 6}},
		{shape{5, 3, 2, 0.5, 1}, m{UpComponents: 4}},
		{shape{5, 16, 2, 0.5, 1}, m{Base: MethodTensorizedProjection, UpComponents: 16}},
		{shape{5, 12, 2, 0.5, 1}, m{Base: MethodTensorizedProjection, UpComponents: 19, Distribution: DistributionGaussian}},
		{shape{5, 12, 2, 0.5, 1}, m{Base: MethodComplexProjection, UpComponents: 14}},
		{shape{5, 9, 1, 1, 0}, m{Base: MethodComplexProjection, UpComponents: 10}},
		{shape{5, 9, 2, 0.5, 1}, m{Base: MethodComplexProjection, UpComponents: 20, Distribution: DistributionGaussian}},
		{shape{5, 12, 2, 0.5, 1}, m{Base: MethodTensorSRHT, UpComponents: 14}},
		{shape{5, 8, 2, 1, 0}, m{Base: MethodTensorSRHT, UpComponents: 20}},
		{shape{5, 12, 2, 0.5, 1}, m{Base: MethodComplexTensorSRHT, UpComponents: 14}},
		{shape{5, 4, 1, 1, 0}, m{Base: MethodComplexTensorSRHT, UpComponents: 6}},
		{shape{5, 16, 2, 0.5, 1}, m{Base: MethodRandomMaclaurin}},
		{shape{5, 16, 2, 0.5, 1}, m{Base: MethodRandomMaclaurin, H01: true, UpComponents: 20}},
		{shape{5, 24, 1, 0.4, 0}, m{Base: MethodRandomMaclaurin, Kernel: KernelExponential, UpComponents: 70}},
		{shape{5, 16, 3, 0.4, 1}, m{Base: MethodTreeTensorSketch, UpComponents: 20}},
		{shape{5, 8, 2, 0.5, 1}, m{Base: MethodComplexTensorSketch, UpComponents: 10}},
	} {
		grid(MethodCRAFT, c.of, c.shape)
	}
	return append(all, []Params{
		{Method: MethodTensorSketch, NFeatures: 16, NComponents: 45, Degree: 3, Repeats: 3},
		{Method: MethodTensorSketch, NFeatures: 5, NComponents: 30, Output: OutputSpectrum},
		{Method: MethodCountSketch, NFeatures: 16, NComponents: 20, Coef0: 2, Repeats: 2},
		{Method: MethodTensorizedProjection, NFeatures: 5, NComponents: 6, Repeats: 4},
		{Method: MethodComplexProjection, NFeatures: 5, NComponents: 6, Repeats: 3},
		{Method: MethodTensorizedProjection, NFeatures: 16, NComponents: 256, Normalize: NormalizeKernel, Coef0: 0.5},
		{Method: MethodComplexProjection, NFeatures: 16, NComponents: 128, Repeats: 2, Normalize: NormalizeKernel},
		{Method: MethodRandomMaclaurin, NFeatures: 5, NComponents: 32, Gamma: 0.5,
			MethodParams: m{Kernel: KernelExponential}},
		{Method: MethodRandomMaclaurin, NFeatures: 5, NComponents: 16,
			MethodParams: m{Coefficients: []float64{0.5, 0, 1, 0.25}}},
		{Method: MethodRandomMaclaurin, NFeatures: 5, NComponents: 38, Degree: 3, Coef0: 1, MethodParams: m{H01: true}},
		{Method: MethodRandomMaclaurin, NFeatures: 5, NComponents: 40, MethodParams: m{AllOrders: true}},
		{Method: MethodRandomMaclaurin, NFeatures: 5, NComponents: 32, Degree: 3, Gamma: 0.5, Coef0: 1,
			MethodParams: m{AllOrders: true, Order: 1.5, Distribution: DistributionGaussian}},
		{Method: MethodRandomMaclaurin, NFeatures: 5, NComponents: 38, Degree: 3, Coef0: 1, Repeats: 2,
			MethodParams: m{AllOrders: true, H01: true}},
		{Method: MethodRandomMaclaurin, NFeatures: 5, NComponents: 32, Gamma: 0.5,
			MethodParams: m{AllOrders: true, Kernel: KernelExponential}},
		{Method: MethodRandomMaclaurin, NFeatures: 5, NComponents: 24,
			MethodParams: m{AllOrders: true, Coefficients: []float64{0.5, 0, 1, 0.25}}},
		{Method: MethodRandomMaclaurin, NFeatures: 5, NComponents: 30, Gamma: 0.8, Repeats: 2,
			MethodParams: m{Kernel: KernelExponential, H01: true, Order: 3}},
		{Method: MethodComplexTensorSketch, NFeatures: 5, NComponents: 10, Degree: 3, Output: OutputSpectrum},
		{Method: MethodComplexTensorSketch, NFeatures: 16, NComponents: 256, Normalize: NormalizeKernel},
		{Method: MethodTensorSRHT, NFeatures: 5, NComponents: 7, Repeats: 3},
		{Method: MethodTensorSRHT, NFeatures: 16, NComponents: 256, Normalize: NormalizeKernel, Coef0: 0.5},
		{Method: MethodComplexTensorSRHT, NFeatures: 16, NComponents: 256, Normalize: NormalizeKernel},
		{Method: MethodTreeTensorSketch, NFeatures: 16, NComponents: 256, Degree: 3, Coef0: 0.5, Normalize: NormalizeKernel},
		{Method: MethodRandomFourier, NFeatures: 5, NComponents: 6, Repeats: 3},
		{Method: MethodRandomFourier, NFeatures: 16, NComponents: 256, Gamma: 0.2, Normalize: NormalizeKernel},
		{Method: MethodCRAFT, NFeatures: 16, NComponents: 256, Coef0: 0.5, Normalize: NormalizeKernel},
		{Method: MethodSpherical, NFeatures: 5, NComponents: 16, Degree: 2},
		{Method: MethodSpherical, NFeatures: 3, NComponents: 30, Degree: 5, MethodParams: m{A: 3}},
		{Method: MethodSpherical, NFeatures: 16, NComponents: 26, Degree: 10, MethodParams: m{Paired: true}},
		{Method: MethodSpherical, NFeatures: 5, NComponents: 16, Degree: 1, MethodParams: m{Signed: true}},
		{Method: MethodSpherical, NFeatures: 3, NComponents: 10, Degree: 2, Repeats: 3, MethodParams: m{A: 3, Signed: true}},
		{Method: MethodSpherical, NFeatures: 16, NComponents: 26, Degree: 2, MethodParams: m{Paired: true, Signed: true}},
		{Method: MethodTaylorSketch, NFeatures: 5, NComponents: 64, Gamma: 0.15},
		{Method: MethodTaylorSketch, NFeatures: 16, NComponents: 50, Gamma: 0.1,
			MethodParams: m{Kernel: KernelExponential, Terms: 5}},
		{Method: MethodTaylorSketch, NFeatures: 5, NComponents: 61, MethodParams: m{Kernel: KernelArcCosine, Terms: 5}},
		{Method: MethodTaylorSketch, NFeatures: 5, NComponents: 40, Gamma: 0.5,
			MethodParams: m{Coefficients: []float64{0, 0, 1, 0.5}}},
		{Method: MethodTaylorSketch, NFeatures: 16, NComponents: 60, Gamma: 0.1, Normalize: NormalizeKernel,
			MethodParams: m{Kernel: KernelArcCosine}},
	}...)
}

// Mean, variance and covariance of the estimates of every method are the formulas'.
func TestLaws(t *testing.T) {
	slow.Elsewhere(t)
	for i, p := range lawCases() {
		if testing.Short() && i%2 != 0 {
			continue
		}
		t.Run(fmt.Sprintf("%s %s d=%d D=%d p=%d", p.Method, p.MethodParams.Base, p.NFeatures, p.NComponents, p.Degree),
			func(t *testing.T) { checkLaw(t, p) })
	}
}

// With h01 the constant and the linear term are exact, so a kernel of two terms
// more has just their error; nothing random is left of a small enough rest.
func TestMaclaurinH01(t *testing.T) {
	x, y := statisticsRows(5)[:5], statisticsRows(5)[5:10]
	m := mustMap(t, Params{Method: MethodRandomMaclaurin, NFeatures: 5, NComponents: 7,
		MethodParams: MethodParams{H01: true, Coefficients: []float64{2, 3, 1e-9}}})
	if got, want := Dot(m.Transform(nil, x), m.Transform(nil, y)), 2+3*Dot(x, y); math.Abs(got-want) > 1e-5 {
		t.Errorf("⟨f(x), f(y)⟩ = %g, want %g", got, want)
	}
}

// What entries are drawn does not depend on whether they are kept.
func TestProjectionStreamed(t *testing.T) {
	const n, width = 131, 70
	x := digestInput(2 * width)
	for _, normal := range []bool{false, true} {
		kept := newProjection(IntSeed(3).randomness(2), n, width, normal)
		streamed := *kept
		streamed.kept, streamed.width = false, 1
		streamed.allocate()
		rows := newRowLists(width).of(x, 2)
		a, b := make([]float32, 2*kept.stride), make([]float32, 2*kept.stride)
		kept.project(a, rows)
		streamed.project(b, rows)
		if !sameBits(a, b) {
			t.Errorf("normal %v: entries that are not kept give other projections", normal)
		}
		var sum, square moments
		for i := range width {
			kept.project(a, unitRows(i))
			for _, v := range a[:n] {
				sum.add(float64(v))
				square.add(float64(v)*float64(v) - 1)
			}
		}
		if mean, bound := sum.sum/sum.n, 4/math.Sqrt(sum.n); math.Abs(mean) > bound ||
			math.Abs(square.sum/square.n) > 2*bound {
			t.Errorf("normal %v: mean %g, variance 1 %+g, want 0 and 1 ± %g", normal, mean, square.sum/square.n, bound)
		}
	}
}

// unitRows is the row with 1 at coordinate i.
func unitRows(i int) []sparseRow { return []sparseRow{{[]int32{int32(i)}, []float32{1}}} }

// The entries of one seed, as docs/SPEC.md gives them.
func TestProjectionEntries(t *testing.T) {
	for normal, want := range map[bool]string{
		false: "[-1 -1 -1 1 1 -1] [1 -1 -1 -1 1 -1] [-1 -1 1 1 1 1] ",
		true: "[-0.025378514 0.3599369 1.5738959 -1.725437 0.54184806 0.016532507] " +
			"[0.031899273 -0.48863447 -0.0012018714 1.3819116 0.26135 1.0991395] " +
			"[1.4659939 1.0648571 -2.0216625 -0.6899006 1.0973469 -0.6039231] ",
	} {
		p, got := newProjection(IntSeed(5).randomness(0), 6, 3, normal), ""
		for i := range 3 {
			y := make([]float32, p.stride)
			p.project(y, unitRows(i))
			got += fmt.Sprint(y[:6], " ")
		}
		if got != want {
			t.Errorf("normal %v: entries %s, want %s", normal, got, want)
		}
	}
}

// What complex features save, as docs/theory.md has it: x = y of norm 1 with many
// coordinates.
func TestComplexGain(t *testing.T) {
	x := make([]float64, 10000)
	for i := range x {
		x[i] = 0.01
	}
	for _, c := range []struct {
		degree, D int
		share     float64
	}{{1, 100, 0}, {2, 100, 0.0066}, {4, 100, 0.032}, {10, 100, 0.36}, {10, 4096, 0.0134}} {
		var sigma [2]float64
		for i, method := range []string{MethodTensorSketch, MethodComplexTensorSketch} {
			f := need.Value(NewFormulas(Params{Method: method, NFeatures: len(x), NComponents: c.D, Degree: c.degree}))(t)
			sigma[i], _ = f.StdError(x, x)
		}
		if got := 1 - sigma[1]*sigma[1]/(sigma[0]*sigma[0]); math.Abs(got-c.share) > 0.03*c.share+1e-9 {
			t.Errorf("degree %d, D %d: complex features save %.4f of the variance, want %g", c.degree, c.D, got, c.share)
		}
	}
}

// The variance of Kar & Karnick's own law: every order that counts, with P(n) = 2^−(n+1), and every choice of signs.
func TestAllOrders(t *testing.T) {
	x, y := []float64{0.5, -1.25}, []float64{1.5, 0.75}
	for _, c := range []struct {
		degree int
		coef0  float64
		terms  []float64
	}{
		{2, 0, []float64{0, 0, 1}}, {2, 1, []float64{1, 2, 1}}, {3, 0.5, []float64{0.125, 0.75, 1.5, 1}},
		{4, 0, []float64{4: 1}},
	} {
		mean, square := 0.0, 0.0
		for n, a := range c.terms {
			p := math.Pow(2, -float64(n+1))
			for signs := range 1 << (2 * n) { // two for each factor
				product := a / p
				for k := range n {
					s, u := 1-2*float64(signs>>(2*k)&1), 1-2*float64(signs>>(2*k+1)&1)
					product *= (s*x[0] + u*x[1]) * (s*y[0] + u*y[1])
				}
				mean += p * product / float64(int(1)<<(2*n))
				square += p * product * product / float64(int(1)<<(2*n))
			}
		}
		for _, D := range []int{1, 7} {
			f := need.Value(NewFormulas(Params{Method: MethodRandomMaclaurin, NFeatures: 2, NComponents: D, Degree: c.degree,
				Coef0: c.coef0, MethodParams: MethodParams{AllOrders: true}}))(t)
			want := math.Sqrt((square - mean*mean) / float64(D))
			if sigma, kind := f.StdError(x, y); math.Abs(sigma-want) > 1e-12*want || kind != Exact ||
				math.Abs(f.Kernel(x, y)-mean) > 1e-12*math.Abs(mean) {
				t.Errorf("degree %d, coef0 %g, D %d: σ is %g (%v), want %g", c.degree, c.coef0, D, sigma, kind, want)
			}
		}
	}
}
