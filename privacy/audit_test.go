package privacy

import (
	"math"
	"math/rand/v2"
	"testing"

	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

// A privacy audit: whatever event one watches, a mechanism that is (ε, δ)-private
// gives P(event) ≤ e^ε·Q(event) + δ for its outputs P and Q on neighbouring inputs.
// From counts of many runs, with Clopper–Pearson's bounds, follows an ε that the
// mechanism cannot be below.

// incompleteBeta returns I_x(a, b) by its continued fraction (modified Lentz).
func incompleteBeta(x, a, b float64) float64 {
	if x > (a+1)/(a+b+2) {
		return 1 - incompleteBeta(1-x, b, a)
	}
	if x <= 0 {
		return 0
	}
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	front := math.Exp(lab-la-lb+a*math.Log(x)+b*math.Log1p(-x)) / a
	nonzero := func(x float64) float64 {
		if math.Abs(x) < 1e-300 {
			return 1e-300
		}
		return x
	}
	c, d := 1.0, 1/nonzero(1-(a+b)*x/(a+1))
	fraction := d
	for m := 1.0; m < 100000; m++ {
		before := fraction
		for _, term := range [2]float64{
			m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m)),
			-(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1)),
		} {
			d, c = 1/nonzero(1+term*d), nonzero(1+term/c)
			fraction *= c * d
		}
		if math.Abs(fraction/before-1) < 1e-14 {
			break
		}
	}
	return front * fraction
}

// clopperPearson returns bounds on a probability after count of n, each of which
// fails with probability alpha.
func clopperPearson(count, n int, alpha float64) (lower, upper float64) {
	k := float64(count)
	quantile := func(p, a, b float64) float64 {
		low, high := 0.0, 1.0
		for range 60 {
			if middle := (low + high) / 2; incompleteBeta(middle, a, b) < p {
				low = middle
			} else {
				high = middle
			}
		}
		return (low + high) / 2
	}
	lower, upper = 0, 1
	if count > 0 {
		lower = quantile(alpha, k, float64(n)-k+1)
	}
	if count < n {
		upper = quantile(1-alpha, k+1, float64(n)-k)
	}
	return lower, upper
}

func TestClopperPearson(t *testing.T) {
	slow.Emulated(t)
	// The bounds solve P(Bin(n, lower) ≥ count) = P(Bin(n, upper) ≤ count) = α.
	tail := func(n int, p float64, from, to int) float64 {
		sum := 0.0
		for k := from; k <= to; k++ {
			a, _ := math.Lgamma(float64(n + 1))
			b, _ := math.Lgamma(float64(k + 1))
			c, _ := math.Lgamma(float64(n - k + 1))
			sum += math.Exp(a - b - c + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
		}
		return sum
	}
	for _, n := range []int{1, 10, 1000, 100000} {
		for _, count := range []int{0, 1, n / 50, n / 2, n} {
			for _, alpha := range []float64{0.025, 1e-6} {
				lower, upper := clopperPearson(count, n, alpha)
				if count > 0 && !near(tail(n, lower, count, n)/alpha, 1, 1e-4) || count == 0 && lower != 0 ||
					count < n && !near(tail(n, upper, 0, count)/alpha, 1, 1e-4) || count == n && upper != 1 {
					t.Errorf("%d of %d, α = %g: from %g to %g", count, n, alpha, lower, upper)
				}
			}
		}
	}
}

// oddLastPlace reports whether y is from 1 to 2 and odd in units of the last place. A
// sum x + noise in floating point is, half of the time, where x = 1 and the noise is
// smaller; where x = −1 the noise is from 2 to 3, in coarser units, and the sum is
// exact and even: the attack of Mironov (2012).
func oddLastPlace(y float32) bool { return y >= 1 && y < 2 && math.Float32bits(y)&1 == 1 }

// auditedEpsilon returns the largest ε that the outputs p and q of two neighbouring
// inputs disprove, over some events and their mirror images.
func auditedEpsilon(p, q []float32, delta, sigma float64) float64 {
	events := []func(y float32) bool{oddLastPlace}
	for _, at := range []float64{0, 0.5, 1, 1.5, 2, 2.2, 2.4, 2.6, 3} {
		events = append(events, func(y float32) bool { return float64(y) > at*sigma })
	}
	best := 0.0
	for _, event := range events {
		inP, inQ, mirrorP, mirrorQ := 0, 0, 0, 0
		for i := range p {
			for _, c := range []struct {
				count *int
				y     float32
			}{{&inP, p[i]}, {&inQ, q[i]}, {&mirrorP, -p[i]}, {&mirrorQ, -q[i]}} {
				if event(c.y) {
					*c.count++
				}
			}
		}
		for _, counts := range [][2]int{{inP, inQ}, {mirrorQ, mirrorP}} {
			lower, _ := clopperPearson(counts[0], len(p), 1e-6)
			_, upper := clopperPearson(counts[1], len(q), 1e-6)
			best = max(best, math.Log(max(1e-300, lower-delta)/upper))
		}
	}
	return best
}

// The audit of the worst pair, one number that is C = 1 or −1: below ε for the
// mechanism, above for half its noise, and above for plain floating-point noise of
// full size on inputs that are not on a grid.
func TestAudit(t *testing.T) {
	slow.Elsewhere(t)
	const n, delta = 400000, 1e-5
	plus, minus := make([]float32, n), make([]float32, n)
	for i := range plus {
		plus[i], minus[i] = 1, -1
	}
	for _, epsilon := range []float64{1, 4} {
		full := need.Value(NewMechanism(epsilon, delta, 1))(t)
		audit := func(m *Mechanism, seed uint64) float64 {
			noise := fixedNoise(seed)
			p := need.Value(m.ReleaseRows(nil, plus, 1, noise))(t)
			q := need.Value(m.ReleaseRows(nil, minus, 1, noise))(t)
			return auditedEpsilon(p, q, delta, m.Sigma())
		}
		half := *full
		half.logSigma--

		rng := rand.New(fixedBytes(3))
		plain := [2][]float32{make([]float32, n/4), make([]float32, n/4)}
		for i := range plain[0] {
			plain[0][i] = 1 + float32(full.Sigma()*rng.NormFloat64())
			plain[1][i] = -1 + float32(full.Sigma()*rng.NormFloat64())
		}

		got, gotHalf, gotPlain := audit(full, 1), audit(&half, 2), auditedEpsilon(plain[0], plain[1], delta, full.Sigma())
		t.Logf("ε %g: %.3f, with σ/2 %.3f, in floating point %.3f", epsilon, got, gotHalf, gotPlain)
		if got >= epsilon || got < epsilon/4 {
			t.Errorf("the mechanism of ε = %g has ε at least %g", epsilon, got)
		}
		if gotHalf <= epsilon {
			t.Errorf("the audit of ε = %g does not see half the noise: %g", epsilon, gotHalf)
		}
		if gotPlain <= epsilon {
			t.Errorf("the audit of ε = %g does not see floating-point noise: %g", epsilon, gotPlain)
		}
	}
}
