package privacy

import (
	"bytes"
	"crypto/rand"
	"errors"
	"math"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/test/need"
)

// enumerate returns the exact probability of every outcome a trial has within depth
// random bits, and that with which it needs more: it tries all strings of bits.
func enumerate(depth uint, trial func(*Noise) int64) (probability map[int64]float64, undecided float64) {
	probability = map[int64]float64{}
	noise := NewNoise(bytes.NewReader(nil))
	var visit func(word uint64, length uint)
	visit = func(word uint64, length uint) {
		noise.word, noise.left = word, length
		mass := math.Ldexp(1, -int(length))
		switch outcome, decided := attempt(noise, trial); {
		case decided:
			probability[outcome] += mass
		case length == depth:
			undecided += mass
		default:
			visit(word<<1, length+1)
			visit(word<<1|1, length+1)
		}
	}
	visit(0, 0)
	return probability, undecided
}

// attempt makes a trial with the bits that noise still has.
func attempt(noise *Noise, trial func(*Noise) int64) (outcome int64, decided bool) {
	noise.failed = nil
	outcome = trial(noise)
	return outcome, noise.failed == nil
}

func TestTrialsExactly(t *testing.T) {
	check := func(name string, want float64, trial func(*Noise) bool) {
		t.Helper()
		probability, undecided := enumerate(20, func(s *Noise) int64 {
			if trial(s) {
				return 1
			}
			return 0
		})
		least := probability[1]
		if !(least <= want && want <= least+undecided && undecided < 0.015) {
			t.Errorf("%s succeeds with probability %.9g to %.9g, want %.9g", name, least, least+undecided, want)
		}
	}
	check("expHalf", math.Exp(-0.5), (*Noise).expHalf)
	for m := range uint(3) {
		for x := range uint64(1) << m {
			fraction := math.Ldexp(float64(x), -int(m))
			check("expSquare", math.Exp(-fraction*fraction/2), func(s *Noise) bool { return s.expSquare(x, m) })
			check("take or expTail", math.Exp(-fraction), func(s *Noise) bool { return s.take(m) >= x || s.expTail(x, m) })
		}
	}
	for n := uint64(1); n <= 8; n++ {
		check("below", 1/float64(n), func(s *Noise) bool { return s.below(n) == n-1 })
	}
}

// The law of the whole part, which is the discrete Gaussian of σ = 1 on k ≥ 0.
func TestWholeExactly(t *testing.T) {
	total := 0.0
	for k := range 40 {
		total += math.Exp(-float64(k*k) / 2)
	}
	probability, undecided := enumerate(19, (*Noise).whole)
	for k := range int64(5) {
		want, least := math.Exp(-float64(k*k)/2)/total, probability[k]
		if !(least <= want && want <= least+undecided && undecided < 0.35) {
			t.Errorf("P(k = %d) is from %.6g to %.6g, want %.6g", k, least, least+undecided, want)
		}
	}
}

// chiSquare fails where counts do not fit probabilities, by 4 standard deviations.
// Cells that expect less than 10 are one.
func chiSquare(t *testing.T, name string, counts map[int64]int, probability func(cell int64) float64, cells int64) {
	t.Helper()
	n := 0
	for _, count := range counts {
		n += count
	}
	statistic, freedom, rest, restCount := 0.0, -1.0, 1.0, n
	add := func(p float64, count int) {
		want := p * float64(n)
		statistic += (float64(count) - want) * (float64(count) - want) / want
		freedom++
	}
	for cell := -cells; cell <= cells; cell++ {
		if p := probability(cell); p*float64(n) >= 10 {
			add(p, counts[cell])
			rest, restCount = rest-p, restCount-counts[cell]
		}
	}
	if rest*float64(n) >= 1 {
		add(rest, restCount)
	}
	// (statistic/freedom)^⅓ is nearly normal (Wilson & Hilferty 1931); the statistic
	// itself is so skewed that 4 of its deviations are as likely as 3 normal ones.
	spread := 2 / (9 * freedom)
	if z := (math.Cbrt(statistic/freedom) - 1 + spread) / math.Sqrt(spread); math.Abs(z) > 4 {
		t.Errorf("%s: chi-square %.1f with %g degrees of freedom", name, statistic, freedom)
	}
}

// Goodness of fit at 10^6 draws: integer by integer while σ is small, then cells of
// σ/8 for the shape and the lowest four bits for the grain.
func TestGaussianFit(t *testing.T) {
	for _, m := range []uint{0, 1, 2, 3, 7, 20, 32, 44} {
		draws := 1000000
		if testing.Short() {
			draws = 100000
		}
		noise, shift := fixedNoise(uint64(m)), max(0, int(m)-3)
		cells, lowest := map[int64]int{}, map[int64]int{}
		for range draws {
			v := noise.gaussian(m)
			cells[v>>shift]++
			lowest[v&15]++
		}
		sigma := math.Ldexp(1, int(m))
		total := 0.0
		if shift == 0 {
			for v := -20 * sigma; v <= 20*sigma; v++ {
				total += math.Exp(-v * v / (2 * sigma * sigma))
			}
		}
		chiSquare(t, "shape, σ = 2^"+format(float64(m)), cells, func(cell int64) float64 {
			if shift == 0 {
				return math.Exp(-float64(cell*cell)/(2*sigma*sigma)) / total
			}
			// A sum of a smooth density over integers is its integral between
			// the halves beside them, up to a share of 1/(24σ²).
			width := math.Ldexp(1, shift)
			from := (float64(cell)*width - 0.5) / sigma
			return upperTail(from) - upperTail(from+width/sigma)
		}, 80)
		if m >= 7 {
			chiSquare(t, "lowest bits, σ = 2^"+format(float64(m)), lowest, func(cell int64) float64 {
				if cell < 0 {
					return 0
				}
				return 1. / 16
			}, 15)
		}
	}
}

// Unlike draws are independent: neighbours have no correlation, nor have their squares.
func TestGaussianIndependence(t *testing.T) {
	const n = 200000
	noise := fixedNoise(99)
	var products, squares float64
	before := 0.0
	for range n {
		x := math.Ldexp(float64(noise.gaussian(32)), -32)
		products += x * before
		squares += (x*x - 1) * (before*before - 1)
		before = x
	}
	if limit := 4 * math.Sqrt(n); math.Abs(products) > limit || math.Abs(squares) > 2*limit {
		t.Errorf("sums of products %g and of squares %g, want 0 within %g and %g", products, squares, limit, 2*limit)
	}
}

// A source of randomness that ends or fails is an error, never noise.
func TestRandomFails(t *testing.T) {
	m := need.Value(NewMechanism(1, 1e-5, 1))(t)
	Z := make([]float32, 4000)
	for _, length := range []int{0, 7, 8192, 20000} {
		noise := NewNoise(bytes.NewReader(make([]byte, length)))
		z, err := m.ReleaseRows(nil, Z, 4, noise)
		var e *sketch.Error
		if z != nil || !errors.As(err, &e) || e.Argument != "random" || !strings.Contains(err.Error(), "EOF") {
			t.Errorf("%d bytes of randomness: %v", length, err)
		}
		mean := need.Value(NewMean(m, 4000, 1))(t)
		need.OK(t, mean.Add(Z))
		if z, err := mean.Release(nil, noise); z != nil || err == nil {
			t.Errorf("%d bytes of randomness: the mean's error is %v", length, err)
		}
	}
}

func BenchmarkGaussian(b *testing.B) {
	noise := NewNoise(rand.Reader)
	for b.Loop() {
		noise.gaussian(32)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mvalues/s")
}
