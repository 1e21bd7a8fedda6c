package privacy

import (
	"math"

	"tensorsketch.example/internal/portable"
)

// The range of (ε, δ) that this package accepts.
const (
	MinEpsilon = 1e-3
	MaxEpsilon = 100
	MinDelta   = 1e-30
	MaxDelta   = 0.1
)

func checkGuarantee(epsilon, delta float64) error {
	if err := checkRange("epsilon", epsilon, MinEpsilon, MaxEpsilon); err != nil {
		return err
	}
	return checkRange("delta", delta, MinDelta, MaxDelta)
}

// Sigma returns the standard deviation of discrete Gaussian noise, in units of the L2 sensitivity,
// that makes a release (ε, δ)-differentially private. It is the least σ for which
// ρ-zero-concentrated privacy, ρ = 1/(2σ²), implies that guarantee by the conversion of Canonne,
// Kamath & Steinke (2020). It holds in any dimension and on any grid.
func Sigma(epsilon, delta float64) (float64, error) {
	if err := checkGuarantee(epsilon, delta); err != nil {
		return 0, err
	}
	logDelta := portable.Log(delta)
	sigma := least(1e-3, 1e6, func(sigma float64) bool {
		return logDeltaOf(1/(2*sigma*sigma), epsilon) <= logDelta
	})
	return sigma * (1 + 1e-9), nil // far more than the rounding errors of the logarithms
}

// EpsilonOf returns the least ε for which ρ-zCDP implies (ε, δ)-privacy, and 0 for ρ = 0.
func EpsilonOf(rho, delta float64) float64 {
	if rho <= 0 {
		return 0
	}
	logDelta := portable.Log(delta)
	return least(1e-9, 1e9, func(epsilon float64) bool { return logDeltaOf(rho, epsilon) <= logDelta })
}

// logDeltaOf returns ln δ for which ρ-zCDP implies (ε, δ)-privacy: Canonne, Kamath
// & Steinke (2020, arXiv version 4), Proposition 12 with Rényi divergence ρα of
// every order α,
//
//	δ = min over α > 1 of exp((α−1)(αρ−ε)) / (α−1) · (1 − 1/α)^α
//
// Its logarithm has the derivative (2α−1)ρ − ε + ln(1 − 1/α), which increases. Any α gives a valid
// bound, so an inexact minimum is safe.
func logDeltaOf(rho, epsilon float64) float64 {
	logRatio := func(a float64) float64 { return -portable.Log(1 + 1/a) } // ln(1 − 1/α), a = α − 1
	a := least(1e-9, 1e15, func(a float64) bool {
		return float64((2*a+1)*rho)-epsilon+logRatio(a) >= 0
	})
	return float64(a*(float64((a+1)*rho)-epsilon)) - portable.Log(a) + float64((a+1)*logRatio(a))
}

// AnalyticSigma returns the σ of continuous Gaussian noise, in units of the L2 sensitivity, by the
// analytic Gaussian mechanism of Balle & Wang (2018). It is the least σ with
// Φ(1/2σ − εσ) − e^ε·Φ(−1/2σ − εσ) ≤ δ. No computer can draw that noise, and this package does not
// use it. It is a reference to compare Sigma with.
func AnalyticSigma(epsilon, delta float64) (float64, error) {
	if err := checkGuarantee(epsilon, delta); err != nil {
		return 0, err
	}
	growth := portable.Exp(epsilon)
	return least(1e-3, 1e6, func(sigma float64) bool {
		middle, half := float64(epsilon*sigma), 1/(2*sigma)
		return normalTail(middle-half)-float64(growth*normalTail(middle+half)) <= delta
	}), nil
}

// least returns the least x in [low, high], to rounding, for which holds(x) is true. holds must be
// false before that x and true from there on. If it is never true, least returns high.
func least(low, high float64, holds func(x float64) bool) float64 {
	for {
		middle := math.Sqrt(low * high)
		if middle <= low || middle >= high {
			return high
		}
		if holds(middle) {
			high = middle
		} else {
			low = middle
		}
	}
}

// normalTail returns P(Z > x) of a standard normal Z.
func normalTail(x float64) float64 {
	if x < 0 {
		return 1 - normalTail(-x)
	}
	square := float64(x * x)
	density := 0.39894228040143267794 * portable.Exp(-square/2)
	if x > 3 { // Laplace's continued fraction x + 1/(x + 2/(x + 3/…))
		fraction := x
		for n := 100.0; n >= 1; n-- {
			fraction = x + n/fraction
		}
		return density / fraction
	}
	term, sum := x, x // x + x³/3 + x⁵/(3·5) + …
	for n := 3.0; n < 100; n += 2 {
		term = float64(term*square) / n
		sum += term
	}
	return 0.5 - float64(density*sum)
}
