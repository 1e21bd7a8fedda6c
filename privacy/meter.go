package privacy

import (
	"math"

	"tensorsketch.example/sketch"
)

// This file predicts the effect of the noise before a release, and gives unbiased estimates after
// it. Its σ are standard deviations of the noise in each component, from Mechanism.Sigma or
// Mean.Sigma, and 0 for a vector without noise.

// NoiseNorm returns σ√D, the root mean square norm of the noise in a vector of nComponents. Compare
// it with the norm of the released features.
func NoiseNorm(sigma float64, nComponents int) float64 {
	return sigma * math.Sqrt(float64(nComponents))
}

// SquaredNorm returns ‖z‖² − σ²D, an estimate of the squared norm of the features that were
// released as z. Unlike ‖z‖² it is unbiased, and may be negative. The inner product of two vectors
// with independent noise needs no correction: sketch.Dot estimates it.
func SquaredNorm(z []float32, sigma float64) float64 {
	return sketch.Dot(z, z) - float64(float64(len(z))*float64(sigma*sigma))
}

// NormStdError returns the standard deviation over noises of SquaredNorm, given the
// squared norm of the features or an estimate of it: √(4σ²‖f‖² + 2Dσ⁴).
func NormStdError(squaredNorm, sigma float64, nComponents int) float64 {
	variance := float64(sigma * sigma)
	return math.Sqrt(float64(4*variance*squaredNorm) + float64(2*float64(nComponents)*float64(variance*variance)))
}

// A Pair holds the quantities, besides the sketch, that determine the error of the inner product of
// two vectors.
type Pair struct {
	NormX, NormY   float64 // ‖f(x)‖² and ‖f(y)‖²: κ(x,x) and κ(y,y), or estimates by SquaredNorm
	SigmaX, SigmaY float64 // σ of the noise in f(x) and f(y)
}

// noiseVariance returns σx²‖f(y)‖² + σy²‖f(x)‖² + D·σx²σy², the variance over noises of the inner
// product. Over sketches ‖f‖² has the mean κ, so this adds to the variance of the sketch.
func (p *Pair) noiseVariance(nComponents int) float64 {
	x, y := float64(p.SigmaX*p.SigmaX), float64(p.SigmaY*p.SigmaY)
	return float64(x*p.NormY) + float64(y*p.NormX) + float64(float64(nComponents)*float64(x*y))
}

// StdError returns the standard deviation over noises of the inner product of two
// vectors of nComponents.
func (p *Pair) StdError(nComponents int) float64 { return math.Sqrt(p.noiseVariance(nComponents)) }

// A Tradeoff holds the standard deviation of an estimate of κ(x,y) by cause.
type Tradeoff struct{ Sketch, Noise, Both float64 }

// At returns the errors at D = nComponents, given the variance of the sketch's estimate. It holds
// for features that clipping does not change.
func (p *Pair) At(nComponents int, sketchVariance float64) Tradeoff {
	noise := p.noiseVariance(nComponents)
	return Tradeoff{math.Sqrt(sketchVariance), math.Sqrt(noise), math.Sqrt(sketchVariance + noise)}
}

// BestComponents returns the even D from 2 to most with the least total error: the error of the
// sketch falls with D, and the error from the noise of two noisy vectors grows. The sketch's
// variance must be convex in even D, as a/D + b/D² is.
func (p *Pair) BestComponents(most int, sketchVariance func(nComponents int) float64) int {
	variance := func(half int) float64 { return sketchVariance(2*half) + p.noiseVariance(2*half) }
	low, high := 1, max(1, most/2)
	for low < high {
		if middle := (low + high) / 2; variance(middle) <= variance(middle+1) {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return 2 * low
}
