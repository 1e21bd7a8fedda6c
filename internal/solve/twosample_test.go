package solve

import (
	"errors"
	"math"
	"math/rand"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

// sumsOf returns the sums of rows of features.
func sumsOf(Z []float64, D int) *System { return systemOf(Z, nil, len(Z)/D, D, 0, nil) }

// A law draws a row of features.
type law struct {
	D    int
	draw func(rng *rand.Rand, z []float64)
}

func (l law) rows(rng *rand.Rand, n int) []float64 {
	Z := make([]float64, n*l.D)
	for r := range n {
		l.draw(rng, Z[r*l.D:][:l.D])
	}
	return Z
}

// normal has independent features of these standard deviations, the first moved by shift.
func normal(shift float64, sigmas ...float64) law {
	return law{len(sigmas), func(rng *rand.Rand, z []float64) {
		for i, s := range sigmas {
			z[i] = s * rng.NormFloat64()
		}
		z[0] += shift
	}}
}

// mapped has the features of a map, of rows of d normal numbers, the first moved by shift; isUnit scales
// rows to length 1.
func mapped(t *testing.T, p sketch.Params, shift float64, isUnit bool) law {
	m := need.Value(sketch.NewFeatureMap(p))(t)
	x, z32 := make([]float32, p.NFeatures), make([]float32, p.NComponents)
	return law{p.NComponents, func(rng *rand.Rand, z []float64) {
		for i := range x {
			x[i] = float32(rng.NormFloat64())
		}
		x[0] += float32(shift)
		if isUnit {
			length := math.Sqrt(sketch.Dot(x, x))
			for i, v := range x {
				x[i] = float32(float64(v) / length)
			}
		}
		m.Transform(z32, x)
		for i, v := range z32 {
			z[i] = float64(v)
		}
	}}
}

func equal(D int) (sigmas []float64) {
	for range D {
		sigmas = append(sigmas, 1)
	}
	return sigmas
}

func falling(D int) (sigmas []float64) {
	for i := range D {
		sigmas = append(sigmas, 1/float64(i+1))
	}
	return sigmas
}

// sketched is a small map for simulations.
var sketched = sketch.Params{NFeatures: 6, NComponents: 32, Degree: 2, Coef0: 1, Seed: sketch.IntSeed(3)}

// leftOut skips a simulation where it would take long.
func leftOut(t *testing.T) {
	t.Helper()
	slow.Elsewhere(t)
	if testing.Short() {
		t.Skip(slow.LeftOut + "simulation, under -short")
	}
}

// Under the hypothesis of one distribution, p is below 5 % in 5 % of the trials, and below 1 % in 1 %. Few rows with
// heavy tails make it larger.
func TestTwoSampleLevel(t *testing.T) {
	leftOut(t)
	normalised := sketched
	normalised.Normalize = sketch.NormalizeKernel
	trials := 2000
	for _, c := range []struct {
		name string
		law  law
		n, m int
		few  bool
	}{
		{"one feature", normal(0, 1), 10, 10, false},
		{"equal features", normal(0, equal(20)...), 15, 40, false},
		{"more features than rows", normal(0, equal(60)...), 14, 14, false},
		{"falling features", normal(0, falling(30)...), 12, 60, false},
		{"a sketch", mapped(t, sketched, 0, false), 80, 120, false},
		{"few rows of a sketch", mapped(t, sketched, 0, false), 15, 15, true},
		{"few rows of a normalised sketch", mapped(t, normalised, 0, false), 40, 40, true},
		{"a normalised sketch of rows of length 1", mapped(t, normalised, 0, true), 40, 40, false},
	} {
		rng := rand.New(rand.NewSource(11))
		at5, at1 := 0, 0
		for range trials {
			r := need.Value(CompareSums(sumsOf(c.law.rows(rng, c.n), c.law.D), sumsOf(c.law.rows(rng, c.m), c.law.D)))(t)
			if r.PValue < 0.05 {
				at5++
			}
			if r.PValue < 0.01 {
				at1++
			}
		}
		n := float64(trials)
		t.Logf("%s: %.2f %% at 5 %%, %.2f %% at 1 %%", c.name, 100*float64(at5)/n, 100*float64(at1)/n)
		for _, l := range []struct {
			level float64
			count int
		}{{0.05, at5}, {0.01, at1}} {
			if limit := 3 * math.Sqrt(n*l.level*(1-l.level)); float64(l.count)-n*l.level > limit ||
				!c.few && n*l.level-float64(l.count) > limit {
				t.Errorf("%s: p < %g in %d of %d trials, want %g ± %.1f", c.name, l.level, l.count, trials, n*l.level, limit)
			}
		}
	}
}

// With a difference, the estimate is right on average, its errors are as large as stated, near 0 and far from it, and
// the test finds the difference.
func TestTwoSamplePower(t *testing.T) {
	leftOut(t)
	const trials = 1000
	for _, c := range []struct {
		name        string
		x, y        law
		n, m        int
		mmd2, power float64
	}{
		{"none", normal(0, falling(20)...), normal(0, falling(20)...), 30, 50, 0, 0},
		{"small", normal(0, falling(20)...), normal(0.3, falling(20)...), 40, 60, 0.09, 0.2},
		{"large", normal(0, equal(10)...), normal(1, equal(10)...), 40, 60, 1, 0.9},
		{"more features than rows", normal(0, equal(60)...), normal(1.5, equal(60)...), 20, 20, 2.25, 0.45},
	} {
		rng := rand.New(rand.NewSource(12))
		sum, squares, stated, found := 0.0, 0.0, 0.0, 0
		for range trials {
			r := need.Value(CompareSums(sumsOf(c.x.rows(rng, c.n), c.x.D), sumsOf(c.y.rows(rng, c.m), c.y.D)))(t)
			e := r.MMD2 - c.mmd2
			sum += e
			squares += e * e
			stated += r.StdError * r.StdError
			if r.PValue < 0.05 {
				found++
			}
		}
		sd := math.Sqrt(squares / trials)
		ratio := math.Sqrt(stated / squares)
		t.Logf("%s: mean error %.2g, standard deviation %.3g, stated %.3f of it, power %.1f %%", c.name, sum/trials, sd,
			ratio, 100*float64(found)/trials)
		if math.Abs(sum/trials) > 4*sd/math.Sqrt(trials) {
			t.Errorf("%s: the estimate is %g too large on average, standard deviation %g", c.name, sum/trials, sd)
		}
		if ratio < 0.85 || ratio > 1.15 && c.mmd2 > 0 || ratio > 1.5 { // near 0 one part of it is cut at 0
			t.Errorf("%s: the standard error is %.3f of the standard deviation", c.name, ratio)
		}
		if float64(found) < c.power*trials {
			t.Errorf("%s: found in %d of %d trials", c.name, found, trials)
		}
	}
	x, y := mapped(t, sketched, 0, false), mapped(t, sketched, 0.8, false)
	rng, found := rand.New(rand.NewSource(13)), 0
	for range trials / 2 {
		if r := need.Value(CompareSums(sumsOf(x.rows(rng, 60), x.D), sumsOf(y.rows(rng, 100), y.D)))(t); r.PValue < 0.05 {
			found++
		}
	}
	t.Logf("a sketch, moved by 0.8: power %.1f %%", 200*float64(found)/trials)
	if found < trials/4 {
		t.Errorf("a sketch, moved by 0.8: found in %d of %d trials", found, trials/2)
	}
}

// eigenvalues returns the eigenvalues of a symmetric matrix, by Jacobi's rotations.
func eigenvalues(a []float64, D int) []float64 {
	for range 30 {
		for p := range D {
			for q := p + 1; q < D; q++ {
				angle := math.Atan2(2*a[p*D+q], a[q*D+q]-a[p*D+p]) / 2
				c, s := math.Cos(angle), math.Sin(angle)
				for k := range D {
					a[k*D+p], a[k*D+q] = c*a[k*D+p]-s*a[k*D+q], s*a[k*D+p]+c*a[k*D+q]
				}
				for k := range D {
					a[p*D+k], a[q*D+k] = c*a[p*D+k]-s*a[q*D+k], s*a[p*D+k]+c*a[q*D+k]
				}
			}
		}
	}
	values := make([]float64, D)
	for i := range values {
		values[i] = a[i*D+i]
	}
	return values
}

// covariance returns the covariance of rows with denominator n − 1, and their mean.
func covariance(Z []float64, D int) (S, mean []float64) {
	n := len(Z) / D
	S, mean = make([]float64, D*D), make([]float64, D)
	for r := range n {
		for i := range D {
			mean[i] += Z[r*D+i] / float64(n)
		}
	}
	for r := range n {
		for i := range D {
			for j := range D {
				S[i*D+j] += (Z[r*D+i] - mean[i]) * (Z[r*D+j] - mean[j]) / float64(n-1)
			}
		}
	}
	return S, mean
}

// The estimate is the U-statistic over pairs of rows, and p is Imhof's integral with eigenvalues by Jacobi's rotations,
// from the rows themselves.
func TestTwoSampleDirect(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	for _, c := range []struct {
		x, y law
		n, m int
	}{
		{normal(0, 1, 2, 0.1), normal(1, 1, 2, 0.1), 12, 25},
		{normal(0, falling(12)...), normal(0.2, falling(12)...), 30, 20},
		{normal(0, equal(15)...), normal(0.5, falling(15)...), 10, 11},
	} {
		D, n, m := c.x.D, float64(c.n), float64(c.m)
		X, Y := c.x.rows(rng, c.n), c.y.rows(rng, c.m)
		got := need.Value(CompareSums(sumsOf(X, D), sumsOf(Y, D)))(t)
		dot := func(a, b []float64) (sum float64) {
			for i := range D {
				sum += a[i] * b[i]
			}
			return sum
		}
		within := func(Z []float64, n int) (sum float64) {
			for r := range n {
				for s := range n {
					if r != s {
						sum += dot(Z[r*D:], Z[s*D:])
					}
				}
			}
			return sum / float64(n*(n-1))
		}
		want := within(X, c.n) + within(Y, c.m)
		for r := range c.n {
			for s := range c.m {
				want -= 2 * dot(X[r*D:], Y[s*D:]) / (n * m)
			}
		}
		compare(t, "MMD²", []float64{got.MMD2}, []float64{want}, 1e-10)

		Sx, meanX := covariance(X, D)
		Sy, meanY := covariance(Y, D)
		pooled, biased := make([]float64, D*D), 0.0
		for i := range pooled {
			pooled[i] = ((n-1)*Sx[i] + (m-1)*Sy[i]) / (n + m - 2)
		}
		for i := range D {
			biased += (meanX[i] - meanY[i]) * (meanX[i] - meanY[i])
		}
		values, nu := eigenvalues(pooled, D), n+m-2
		trace, square := 0.0, 0.0
		for _, v := range values {
			trace += v
			square += v * v
		}
		flat := trace * trace / float64(D)
		unbiased := max(flat, nu*nu/((nu-1)*(nu+2))*(square-trace*trace/nu))
		for i, v := range values {
			values[i] = (trace/float64(D) + (v-trace/float64(D))*math.Sqrt((unbiased-flat)/(square-flat))) * (1/n + 1/m)
		}
		half := math.Floor(nu * trace * trace / unbiased / 2)
		compare(t, "‖d‖²", []float64{got.Biased}, []float64{biased}, 1e-10)
		if p := imhof(values, biased, half); math.Abs(p-got.PValue) > 1e-9 {
			t.Errorf("p of %d features: %.12g, want %.12g", D, got.PValue, p)
		}
	}
}

// With one feature the test is the t test of equal variances, of an even number of degrees of freedom:
// p = 1 − T·(1 + T²/ν)^{−1/2}/√ν·Σ (2k−1)!!/(2k)!!·(1 + T²/ν)^{−k}.
func TestTwoSampleStudent(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	for range 10 {
		X, Y := normal(0, 2).rows(rng, 14), normal(1, 2).rows(rng, 10)
		Sx, meanX := covariance(X, 1)
		Sy, meanY := covariance(Y, 1)
		T := math.Abs(meanX[0]-meanY[0]) / math.Sqrt((13*Sx[0]+9*Sy[0])/22*(1.0/14+1.0/10))
		cos2 := 1 / (1 + T*T/22)
		sum, term := 0.0, 1.0
		for k := range 11 {
			sum += term
			term *= cos2 * float64(2*k+1) / float64(2*k+2)
		}
		got := need.Value(CompareSums(sumsOf(X, 1), sumsOf(Y, 1)))(t)
		if want := 1 - T/math.Sqrt(22)*math.Sqrt(cos2)*sum; math.Abs(got.PValue-want) > 1e-9 {
			t.Errorf("t %g: p %.12g, want %.12g", T, got.PValue, want)
		}
	}
}

// Both sets play the same part, a unit of the features changes nothing but the unit of the result, and so does a
// rotation. A set and its copy do not differ.
func TestTwoSampleInvariance(t *testing.T) {
	rng := rand.New(rand.NewSource(4))
	D := 9
	X, Y := normal(0, falling(D)...).rows(rng, 30), normal(0.4, falling(D)...).rows(rng, 17)
	base := need.Value(CompareSums(sumsOf(X, D), sumsOf(Y, D)))(t)
	numbers := func(c *Comparison) []float64 { return []float64{c.MMD2, c.StdError, c.Biased, c.PValue} }
	changed := func(change func(z []float64)) *Comparison {
		var both [2][]float64
		for i, Z := range [][]float64{X, Y} {
			both[i] = append(both[i], Z...)
			for r := 0; r < len(Z); r += D {
				change(both[i][r : r+D])
			}
		}
		return need.Value(CompareSums(sumsOf(both[0], D), sumsOf(both[1], D)))(t)
	}
	compare(t, "swapped", numbers(need.Value(CompareSums(sumsOf(Y, D), sumsOf(X, D)))(t)), numbers(base), 1e-12)
	big := changed(func(z []float64) {
		for i := range z {
			z[i] *= 1024
		}
	})
	for _, v := range []*float64{&big.MMD2, &big.StdError, &big.Biased} {
		*v /= 1 << 20
	}
	compare(t, "scaled", numbers(big), numbers(base), 1e-12)
	compare(t, "turned", numbers(changed(func(z []float64) {
		for i := range D - 1 {
			z[i], z[i+1] = 0.6*z[i]-0.8*z[i+1], 0.8*z[i]+0.6*z[i+1]
		}
	})), numbers(base), 1e-9)
	if copied := need.Value(CompareSums(sumsOf(X, D), sumsOf(X, D)))(t); copied.PValue != 1 || copied.MMD2 >= 0 {
		t.Errorf("a set and its copy: p %g, MMD² %g", copied.PValue, copied.MMD2)
	}
}

// wantError fails unless err is an error of package sketch that names the argument and a remedy.
func wantError(t *testing.T, err error, argument string) {
	t.Helper()
	var e *sketch.Error
	if !errors.As(err, &e) || e.Argument != argument || e.Want == "" {
		t.Errorf("error %v, want one that names %s", err, argument)
	}
}

func TestTwoSampleErrors(t *testing.T) {
	rng := rand.New(rand.NewSource(5))
	good := sumsOf(normal(0, 1, 1).rows(rng, 20), 2)
	other := *good
	other.Step = 1
	wide := &System{D: MaxComponents + 1}
	for argument, pair := range map[string][2]*System{
		"nComponents": {good, sumsOf(normal(0, 1).rows(rng, 20), 1)},
		"step":        {good, &other},
		"rows":        {good, sumsOf(normal(0, 1, 1).rows(rng, 9), 2)},
		"system.Z":    {good, {D: 2, Rows: 20, G: make([]float64, 4)}},
	} {
		_, err := NewTwoSample(pair[0], pair[1])
		wantError(t, err, argument)
	}
	_, err := NewTwoSample(wide, wide)
	wantError(t, err, "nComponents")
	alike := sumsOf(make([]float64, 40), 2)
	_, err = CompareSums(alike, alike)
	wantError(t, err, "rows")
}
