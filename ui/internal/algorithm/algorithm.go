// Package algorithm draws Tensor Sketch at work on a vector of four numbers: two count sketches, their spectra, the
// product of the spectra, and the features.
//
// The vector has one decimal and D is 4. The fast Fourier transform of length 4 multiplies only by 1, i, −1 and −i.
// So every number of the picture has at most two decimals and can be checked by hand.
package algorithm

import (
	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/vector"
)

// A Picture shows the algorithm at degree 2 on a vector x. The core computes its numbers.
type Picture struct {
	x        []float64
	lanes    [2]lane
	product  []complex128 // of the spectra
	features []float64

	estimate float64 // ⟨f(x), f(x)⟩
	kernel   float64 // κ(x, x), the value that estimate estimates
	sigma    float64 // standard deviation of estimate over seeds
}

// A lane is one of the two count sketches C_k x with its spectrum.
type lane struct {
	bucket, sign []int // h_k(i), s_k(i)
	sketch       []float64
	spectrum     []complex128
}

// New computes the picture. With this seed, two numbers nearly cancel in a bucket of the first sketch, and two add up
// in a bucket of the second.
func New() (*Picture, error) { return compute([]float64{.5, .9, -.4, .7}, 4, sketch.IntSeed(68)) }

func compute(x []float64, components int, seed sketch.Seed) (*Picture, error) {
	params := sketch.Params{NFeatures: len(x), NComponents: components, Degree: 2, Seed: seed}
	whole, err := sketch.New(params)
	if err != nil {
		return nil, err
	}
	spectral := whole.Part(0, params.Degree, sketch.OutputSpectrum)
	row := vector.Float32(x)
	p := &Picture{x: x, product: vector.Spectrum(spectral.Transform(nil, row)), kernel: whole.Kernel(x, x)}
	for k := range p.lanes {
		p.lanes[k] = newLane(whole, k, row)
	}
	features := whole.Transform(nil, row)
	p.features, p.estimate = vector.Float64(features), sketch.Dot(features, features)
	p.sigma, _ = whole.StdError(x, x)
	return p, nil
}

// newLane computes count sketch k alone, with its spectrum.
func newLane(whole *sketch.FeatureMap, k int, row []float32) lane {
	var l lane
	for i := range row {
		bucket, sign := whole.Hash(k, i)
		l.bucket, l.sign = append(l.bucket, bucket), append(l.sign, sign)
	}
	l.sketch = vector.Float64(whole.Part(k, 1, sketch.OutputReal).Transform(nil, row))
	l.spectrum = vector.Spectrum(whole.Part(k, 1, sketch.OutputSpectrum).Transform(nil, row))
	return l
}
