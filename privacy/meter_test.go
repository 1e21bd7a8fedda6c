package privacy

import (
	"math"
	"math/rand/v2"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

// The sentence of issue 6: one vector of 1,024 features of norm 1 released at ε = 1,
// δ = 1e-5, has noise 239, the mean of 60,000 rows 0.004. These are of continuous
// noise (Balle & Wang); the discrete noise of this package is 259 and 0.0043.
func TestIssueSentence(t *testing.T) {
	analytic := need.Value(AnalyticSigma(1, 1e-5))(t)
	if got := NoiseNorm(2*analytic, 1024); !near(got, 239, 0.5) || !near(got/60000, 0.004, 0.0005) {
		t.Errorf("continuous noise has norm %g, want 239", got)
	}
	m := need.Value(NewMechanism(1, 1e-5, 1))(t)
	mean := need.Value(NewMean(m, 1024, 60000))(t)
	if got := NoiseNorm(m.Sigma(), 1024); !near(got, 259, 0.5) {
		t.Errorf("noise norm %g, want 259", got)
	}
	if got := NoiseNorm(mean.Sigma(), 1024); !near(got, 0.0043, 0.00005) {
		t.Errorf("noise norm of the mean %g, want 0.0043", got)
	}
}

// noisy releases the features z many times and returns the estimates' errors.
func noisyErrors(t *testing.T, m *Mechanism, noise *Noise, x, y []float32, want float64,
	estimate func(zx, zy []float32) float64) []float64 {
	errors := make([]float64, 4000)
	for i := range errors {
		zx := need.Value(m.ReleaseRows(nil, x, len(x), noise))(t)
		zy := need.Value(m.ReleaseRows(nil, y, len(y), noise))(t)
		errors[i] = estimate(zx, zy) - want
	}
	return errors
}

// The estimators have no bias and the σ they state, over noises.
func TestEstimators(t *testing.T) {
	slow.Emulated(t)
	const D = 24
	rng := rand.New(rand.NewPCG(7, 8))
	x, y := make([]float32, D), make([]float32, D)
	for i := range x {
		x[i] = float32(rng.NormFloat64() / 6)
		y[i] = x[i]/2 + float32(rng.NormFloat64()/8)
	}
	for _, epsilon := range []float64{4, MaxEpsilon} { // noise above and below the signal
		m := need.Value(NewMechanism(epsilon, 1e-5, 2))(t)
		nx, ny, xy, noise := sketch.Dot(x, x), sketch.Dot(y, y), sketch.Dot(x, y), fixedNoise(5)

		both := Pair{nx, ny, m.Sigma(), m.Sigma()}
		checkVariance(t, "both noisy", noisyErrors(t, m, noise, x, y, xy, sketch.Dot), both.StdError(D)*both.StdError(D))

		one := Pair{nx, ny, m.Sigma(), 0}
		checkVariance(t, "one noisy", noisyErrors(t, m, noise, x, y, xy, func(zx, _ []float32) float64 {
			return sketch.Dot(zx, y)
		}), one.StdError(D)*one.StdError(D))

		sigma := NormStdError(nx, m.Sigma(), D)
		checkVariance(t, "norm", noisyErrors(t, m, noise, x, y, nx, func(zx, _ []float32) float64 {
			return SquaredNorm(zx, m.Sigma())
		}), sigma*sigma)
	}
}

// Over sketches and noises together the variances add up.
func TestTradeoff(t *testing.T) {
	slow.Emulated(t)
	const D, d = 32, 6
	x, y := make([]float32, d), make([]float32, d)
	x64, y64 := make([]float64, d), make([]float64, d)
	for i := range x {
		x[i], y[i] = float32(1+i)/7, float32(d-i)/7
		x64[i], y64[i] = float64(x[i]), float64(y[i])
	}
	params := sketch.Params{NFeatures: d, NComponents: D, Degree: 2}
	theory := need.Value(sketch.NewTensorFormulas(params))(t)
	m := need.Value(NewMechanism(MaxEpsilon, 1e-5, 4))(t) // C far above the norms: no clipping
	pair := Pair{theory.Kernel(x64, x64), theory.Kernel(y64, y64), m.Sigma(), m.Sigma()}
	tradeoff := pair.At(D, theory.Variance(x64, y64, D))

	noise, errors := fixedNoise(11), make([]float64, 4000)
	for seed := range errors {
		params.Seed = sketch.IntSeed(uint64(seed))
		f := need.Value(sketch.New(params))(t)
		zx := need.Value(m.ReleaseRows(nil, f.Transform(nil, x), D, noise))(t)
		zy := need.Value(m.ReleaseRows(nil, f.Transform(nil, y), D, noise))(t)
		errors[seed] = sketch.Dot(zx, zy) - theory.Kernel(x64, y64)
	}
	checkVariance(t, "sketch and noise", errors, tradeoff.Both*tradeoff.Both)
	if got := math.Hypot(tradeoff.Sketch, tradeoff.Noise); !near(got, tradeoff.Both, 1e-12) ||
		tradeoff.Sketch < tradeoff.Noise/10 || tradeoff.Noise < tradeoff.Sketch/10 {
		t.Errorf("%+v: the test should see both causes", tradeoff)
	}
}

func TestBestComponents(t *testing.T) {
	for _, pair := range []Pair{{1, 1, 0.3, 0.3}, {1, 2, 0.05, 0.01}, {1, 1, 30, 30}, {1, 1, 0.1, 0}, {1, 1, 0, 0}} {
		for _, most := range []int{2, 3, 64, 5000} {
			variance := func(D int) float64 { return 3/float64(D) + 2*2/float64(D*D) }
			best, least := 0, math.Inf(1)
			for D := 2; D <= most; D += 2 {
				if both := pair.At(D, variance(D)).Both; both < least {
					best, least = D, both
				}
			}
			got := pair.BestComponents(most, variance)
			if got != best && pair.At(got, variance(got)).Both > least {
				t.Errorf("%+v, D ≤ %d: best %d, want %d", pair, most, got, best)
			}
		}
	}
}
