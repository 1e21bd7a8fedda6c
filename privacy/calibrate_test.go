package privacy

import (
	"math"
	"testing"

	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

// The σ per unit sensitivity at δ = 1e-5 that issue 6 gives: of Canonne, Kamath &
// Steinke's conversion, and of Balle & Wang's analytic Gaussian mechanism.
func TestPublishedSigmas(t *testing.T) {
	for _, c := range []struct{ epsilon, discrete, analytic float64 }{
		{0.5, 7.667, 7.032}, {1, 4.045, 3.731}, {2, 2.149, 1.994},
		{4, 1.158, 1.081}, {8, 0.638, 0.600}, {16, 0.362, 0.344},
	} {
		if got := need.Value(Sigma(c.epsilon, 1e-5))(t); !near(got, c.discrete, 0.0005) {
			t.Errorf("Sigma(%g, 1e-5) = %g, want %g", c.epsilon, got, c.discrete)
		}
		if got := need.Value(AnalyticSigma(c.epsilon, 1e-5))(t); !near(got, c.analytic, 0.0005) {
			t.Errorf("AnalyticSigma(%g, 1e-5) = %g, want %g", c.epsilon, got, c.analytic)
		}
	}
}

var guarantees = func() (list [][2]float64) {
	for _, epsilon := range []float64{MinEpsilon, 0.01, 0.1, 0.5, 1, 3, 10, 30, MaxEpsilon} {
		for _, delta := range []float64{MinDelta, 1e-12, 1e-9, 1e-6, 1e-5, 1e-3, MaxDelta} {
			list = append(list, [2]float64{epsilon, delta})
		}
	}
	return list
}()

// The conversion against a plain search over orders with package math.
func TestConversion(t *testing.T) {
	slow.Emulated(t)
	for _, g := range guarantees {
		epsilon, delta := g[0], g[1]
		sigma := need.Value(Sigma(epsilon, delta))(t)
		logDelta := func(sigma float64) float64 {
			rho, best := 1/(2*sigma*sigma), math.Inf(1)
			for e := -12.0; e < 14; e += 0.001 {
				a := math.Exp2(4 * e) // α − 1
				best = min(best, a*((a+1)*rho-epsilon)-math.Log(a)-(a+1)*math.Log1p(1/a))
			}
			return best
		}
		if got := logDelta(sigma); !near(got, math.Log(delta), 1e-4*math.Max(1, epsilon)) {
			t.Errorf("ε %g, δ %g: ln δ of Sigma = %.9g is %.9g, want %.9g", epsilon, delta, sigma, got, math.Log(delta))
		}
		if rho := 1 / (2 * sigma * sigma); !near(EpsilonOf(rho, delta)/epsilon, 1, 1e-6) {
			t.Errorf("ε %g, δ %g: EpsilonOf(%g) = %g", epsilon, delta, rho, EpsilonOf(rho, delta))
		}
	}
}

// Continuous Gaussian noise needs the least σ of all Gaussian mechanisms: the bound
// through concentrated privacy is above it, by less than a third where δ is small.
func TestSigmaAboveAnalytic(t *testing.T) {
	for _, g := range guarantees {
		sigma, analytic := need.Value(Sigma(g[0], g[1]))(t), need.Value(AnalyticSigma(g[0], g[1]))(t)
		if sigma < analytic || g[1] <= 1e-5 && sigma > 1.34*analytic {
			t.Errorf("ε %g, δ %g: Sigma %g, AnalyticSigma %g", g[0], g[1], sigma, analytic)
		}
	}
}

// The definition of Balle & Wang with package math.
func TestAnalyticSigma(t *testing.T) {
	for _, g := range guarantees {
		epsilon, delta := g[0], g[1]
		if delta < 1e-12 {
			continue // the two terms of the definition cancel in float64
		}
		sigma := need.Value(AnalyticSigma(epsilon, delta))(t)
		got := upperTail(epsilon*sigma-0.5/sigma) - math.Exp(epsilon)*upperTail(epsilon*sigma+0.5/sigma)
		if !near(got/delta, 1, 1e-3) {
			t.Errorf("ε %g, δ %g: σ %g has δ %g", epsilon, delta, sigma, got)
		}
	}
	for x := -10.0; x < 36; x += 0.01 {
		if got, want := normalTail(x), upperTail(x); !near(got/want, 1, 1e-11) {
			t.Fatalf("normalTail(%g) = %g, want %g", x, got, want)
		}
	}
}

// The exact δ of one discrete Gaussian number (Canonne, Kamath & Steinke 2020,
// Theorem 7) on a coarse grid: the largest over all events, as the sum of
// max(0, P − e^ε·Q).
func TestExactDelta(t *testing.T) {
	for _, epsilon := range []float64{0.5, 1, 2, 4} {
		sigma := need.Value(Sigma(epsilon, 1e-5))(t)
		for m := 2; m <= 10; m++ {
			scale := math.Ldexp(1, m)
			shift := math.Floor(scale / sigma)
			if shift == 0 {
				continue
			}
			total, excess := 0.0, 0.0
			for v := -15 * scale; v <= 15*scale; v++ {
				p, q := math.Exp(-v*v/(2*scale*scale)), math.Exp(-(v-shift)*(v-shift)/(2*scale*scale))
				total += p
				excess += max(0, p-math.Exp(epsilon)*q)
			}
			if delta := excess / total; delta > 1e-5 || scale/sigma > 100 && delta < 1e-6 {
				t.Errorf("ε %g, σ 2^%d steps: δ %g, want at most 1e-5 and not far below", epsilon, m, delta)
			}
		}
	}
}

// The same bits on every platform; test/api/privacy.test.mjs has them too.
func TestSigmaBits(t *testing.T) {
	for _, c := range []struct {
		epsilon, delta, bound float64
		want                  uint64
	}{{0.5, 1e-5, 1, 0x402eab2aef19596e}, {1, 1e-5, 1, 0x40202e36a7c2e32e}, {8, 1e-6, 9, 0x4028d083e5994b04}} {
		m := need.Value(NewMechanism(c.epsilon, c.delta, c.bound))(t)
		if got := math.Float64bits(m.Sigma()); got != c.want {
			t.Errorf("σ at ε = %g is %#x, want %#x", c.epsilon, got, c.want)
		}
	}
}
