package solve

import (
	"math"
	"math/rand"
	"testing"
)

// repeated returns weights with their multiplicities: weight, count, weight, count, …
func repeated(pairs ...float64) (weights []float64) {
	for i := 0; i < len(pairs); i += 2 {
		for range int(pairs[i+1]) {
			weights = append(weights, pairs[i])
		}
	}
	return weights
}

// The tails are within one unit of the fourth digit of table 1, central forms, in Imhof (Computing the distribution of
// quadratic forms in normal variables, Biometrika 48, 1961). The print was not at hand: the numbers are quoted from
// memory. TestTailExact and TestTailImhof do not rest on it.
func TestTailPublished(t *testing.T) {
	for _, c := range []struct {
		weights []float64
		x, want float64
	}{
		{repeated(0.6, 1, 0.3, 1, 0.1, 1), 0.1, 0.9458},
		{repeated(0.6, 1, 0.3, 1, 0.1, 1), 0.7, 0.5064},
		{repeated(0.6, 1, 0.3, 1, 0.1, 1), 2, 0.1240},
		{repeated(0.6, 2, 0.3, 2, 0.1, 2), 0.2, 0.9936},
		{repeated(0.6, 2, 0.3, 2, 0.1, 2), 2, 0.3998},
		{repeated(0.6, 2, 0.3, 2, 0.1, 2), 6, 0.0161},
		{repeated(0.6, 6, 0.3, 4, 0.1, 2), 1, 0.9973},
		{repeated(0.6, 6, 0.3, 4, 0.1, 2), 5, 0.4353},
		{repeated(0.6, 6, 0.3, 4, 0.1, 2), 12, 0.0088},
		{repeated(0.6, 2, 0.3, 4, 0.1, 6), 1, 0.9666},
		{repeated(0.6, 2, 0.3, 4, 0.1, 6), 3, 0.4196},
		{repeated(0.6, 2, 0.3, 4, 0.1, 6), 8, 0.0087},
	} {
		if got := quadraticTail(c.weights, c.x, maxHalf); math.Abs(got-c.want) > 1e-4 {
			t.Errorf("P(Q > %g) of weights %v: %.6f, want %.4f", c.x, c.weights, got, c.want)
		}
	}
}

// The tail has a closed form for two equal weights, exp(−x/2w); for distinct pairs, a sum of exponentials; and for one
// weight, the complementary error function. All agree to a relative error of 1e-10 or the stated one, also where the
// tail is small.
func TestTailExact(t *testing.T) {
	pairs := []float64{1, 0.55, 0.3, 0.02}
	worst := 0.0
	check := func(name string, x, got, want, tolerance float64) {
		t.Helper()
		if want < 1e-300 {
			return
		}
		e := math.Abs(got/want - 1)
		if tolerance < 1e-6 {
			worst = max(worst, e)
		}
		if !(e <= tolerance) {
			t.Errorf("%s, x %g: %.15g, want %.15g (relative error %.2g)", name, x, got, want, e)
		}
	}
	for _, x := range []float64{1e-6, 1e-3, 0.01, 0.1, 0.5, 1, 2, 3.84, 7, 10, 20, 50, 100, 300, 600} {
		// e^{−xV/(2h·2w)} has the mean (1 + x/(2wh))^{−h}.
		for _, h := range []float64{9, 100, 1e4, 1e5} {
			want := 0.0
			for i, a := range pairs {
				term := math.Exp(-h * math.Log1p(x/(2*a*h)))
				for j, b := range pairs {
					if i != j {
						term *= a / (a - b)
					}
				}
				want += term
			}
			check("pairs", x, quadraticTail(repeated(1, 2, 0.55, 2, 0.3, 2, 0.02, 2), x, h), want, 1e-10)
		}
		check("two", x, quadraticTail([]float64{3, 3}, x, maxHalf), math.Exp(-maxHalf*math.Log1p(x/6/maxHalf)), 1e-6)
		check("one", x, quadraticTail([]float64{1}, x, maxHalf), math.Erfc(math.Sqrt(x/2)), 1e-6+x*x/maxHalf)
	}
	t.Logf("the largest relative error up to h 1e5 is %.2g", worst)
}

// imhof is Imhof's integral as he wrote it, by Simpson's rule to the u where the integrand has fallen to 1e-13.
func imhof(weights []float64, x, h float64) float64 {
	at := func(u float64) float64 {
		theta, rho := -h*math.Atan(x*u/(2*h)), h/2*math.Log1p(x*u/(2*h)*(x*u/(2*h)))
		for _, w := range weights {
			theta += math.Atan(w*u) / 2
			rho += math.Log1p(w*u*w*u) / 4
		}
		return math.Sin(theta) / (u * math.Exp(rho))
	}
	const n = 100000
	end := 1.0
	for rho := 0.0; rho < 30; end *= 1.1 {
		rho = h / 2 * math.Log1p(x*end/(2*h)*(x*end/(2*h)))
		for _, w := range weights {
			rho += math.Log1p(w*end*w*end) / 4
		}
	}
	step := end / (2 * n)
	sum := at(1e-12) + at(end)
	for i := 1; i < 2*n; i++ {
		sum += float64(2+2*(i%2)) * at(float64(i)*step)
	}
	return 0.5 + sum*step/3/math.Pi
}

// The tail equals Imhof's integral, for weights of every kind.
func TestTailImhof(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 20 {
		weights, mean := make([]float64, 1+rng.Intn(30)), 0.0
		for i := range weights {
			weights[i] = math.Exp(-6 * rng.Float64())
			mean += weights[i]
		}
		h, x := float64(9+rng.Intn(200)), mean*(0.2+3*rng.Float64())
		if got, want := quadraticTail(weights, x, h), imhof(weights, x, h); math.Abs(got-want) > 1e-9 {
			t.Errorf("weights %v, x %g, h %g: %.12g, want %.12g", weights, x, h, got, want)
		}
	}
}

// The scale of weights changes nothing, and there may be many of them: χ² of 4,000 degrees of freedom.
func TestTailMany(t *testing.T) {
	weights := repeated(1, 4000)
	// P(χ²_4000 > x) by Poisson's sum: Σ_{k<2000} e^{−x/2}(x/2)^k/k!.
	for _, x := range []float64{3800, 4000, 4147.3, 4300, 4600} {
		term, want := -x/2, 0.0
		for k := 0; k < 2000; k++ {
			want += math.Exp(term)
			term += math.Log(x / 2 / float64(k+1))
		}
		for _, scale := range []float64{1, 1e-12, 1e9} {
			scaled := make([]float64, len(weights))
			for i, w := range weights {
				scaled[i] = w * scale
			}
			if got := quadraticTail(scaled, x*scale, maxHalf); math.Abs(got/want-1) > 1e-4 {
				t.Errorf("x %g, scale %g: %.9g, want %.9g", x, scale, got, want)
			}
		}
	}
}

// A tail is a probability that falls as x grows.
func FuzzTail(f *testing.F) {
	f.Add(1.0, 0.5, 0.1, 3.0, uint16(40))
	f.Add(1.0, 1e-9, 1e-3, 1e-4, uint16(9))
	f.Fuzz(func(t *testing.T, a, b, c, x float64, h uint16) {
		for _, v := range []float64{a, b, c, x} {
			if !(v >= 1e-12 && v <= 1e12) {
				return
			}
		}
		weights := []float64{a, b, b, c, c, c}
		p := quadraticTail(weights, x, float64(h)+1)
		q := quadraticTail(weights, x*1.01, float64(h)+1)
		if !(p >= 0 && p <= 1) || !(q <= p*(1+1e-9)) {
			t.Errorf("weights %v, h %d: %g at %g, and %g beyond", weights, h, p, x, q)
		}
	})
}
