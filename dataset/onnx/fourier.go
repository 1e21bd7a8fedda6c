package onnx

import (
	"math"

	"tensorsketch.example/sketch"
)

// fourierNumbers returns how many numbers a map of random Fourier features has in the file.
func fourierNumbers(p *sketch.Params) float64 {
	return float64(p.Repeats) * float64(p.NComponents) * float64(p.NFeatures+1)
}

// fourier adds random Fourier features, √(2/D)·cos 2πt, from their phases t = b + Σ τ_i·x_i in turns. Whole turns are
// taken away first, since runtimes are less exact for large angles.
func (s *sketchGraph) fourier(row string) error {
	p := s.p
	t, d := p.Repeats, p.NFeatures
	F := p.NComponents
	if p.MethodParams.Paired {
		F /= 2
	}
	matrix, offsets := make([]float32, d*t*F), make([]float32, t*F)
	for r := range t {
		f, err := p.Frequencies(r)
		if err != nil {
			return err
		}
		copy(offsets[r*F:], f.Offsets)
		for i, turns := range f.Turns {
			for j, turn := range turns {
				matrix[(i*t+r)*F+j] = turn * f.Scale
			}
		}
	}
	phases := s.gemm("phases", row, s.floats("frequencies", []int{d, t * F}, matrix...), offsets)
	phases = s.node("Sub", "phases within a turn", []string{phases, s.node("Round", "whole turns", []string{phases})})
	angles := s.node("Mul", "angles", []string{phases, s.floats("turn", nil, 2*math.Pi)})
	features := s.node("Cos", "cosines", []string{angles})
	if p.MethodParams.Paired {
		last := s.integers("last axis", []int{1}, 2)
		pair := []string{s.node("Unsqueeze", "cosines to pair", []string{features, last}),
			s.node("Unsqueeze", "sines to pair", []string{s.node("Sin", "sines", []string{angles}), last})}
		features = s.node("Reshape", "pairs", []string{s.node("Concat", "cosines and sines", pair, axis(2)),
			s.integers("shape of pairs", []int{2}, 0, -1)})
	}
	s.re = s.node("Mul", "Fourier features", []string{features,
		s.floats("root of 2/D", nil, float32(math.Sqrt(2/float64(p.NComponents))))})
	s.re = s.byRepeat(s.re)
	if p.Normalize == sketch.NormalizeKernel {
		length := s.node("ReduceL2", "length of features", []string{s.re}, axes(-1), keepDims(1))
		s.re = s.node("Div", "features of length 1", []string{s.re, s.orOne("features", length)})
	}
	return nil
}

// orOne returns a length, or 1 where it is 0.
func (g *graph) orOne(name, length string) string {
	isPositive := g.node("Greater", "has length, of "+name, []string{length, g.floats("no length of "+name, nil, 0)})
	return g.node("Where", "divisor of "+name, []string{isPositive, length, g.floats("unit of "+name, nil, 1)})
}
