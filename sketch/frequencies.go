package sketch

import (
	"cmp"
	"math"
)

// Frequencies are the numbers that random Fourier features of one repeat are made of, in turns:
//
//	f_j = √(2/D)·cos 2π(Offsets[j] + Σ_i Turns[i][j]·Scale·x_i)
//
// With pairs there are D/2 frequencies without offsets, and f_2j and f_2j+1 are the cosine and the sine of each.
type Frequencies struct {
	Turns   [][]float32 // of each coordinate
	Offsets []float32   // nil with pairs
	Scale   float32     // of a coordinate
}

// Frequencies returns the frequencies of a repeat, counted from 0, for MethodRandomFourier, and none of what
// transforms rows: a program that needs only these links the code of no map. The parameters must be complete, as
// for Hashes. The error is an *Error with code ErrParam.
func (p Params) Frequencies(repeat int) (*Frequencies, error) {
	p.Repeats = cmp.Or(p.Repeats, 1)
	only := func() []namedMethod { return []namedMethod{{MethodRandomFourier, fourierRules}} }
	if err := p.validate(only); err != nil {
		return nil, err
	}
	factor, _ := fourierScaling(&p)
	draw := p.Seed.randomness(repeat)
	f := &Frequencies{Turns: make([][]float32, p.NFeatures), Scale: float32(factor),
		Offsets: drawOffsets(&p, draw, frequencyCount(&p))}
	for i := range f.Turns {
		f.Turns[i] = make([]float32, frequencyCount(&p))
	}
	set := func(i, j int, turns float32) { f.Turns[i][j] = turns }
	if p.MethodParams.Projection == ProjectionStructured {
		structuredFrequencies(&p, draw, set)
	} else {
		drawFrequencies(&p, draw, set)
	}
	return f, nil
}

// fourierRules are fourierMethod without what transforms rows.
func fourierRules() *method {
	return &method{
		defaults: defaultFourier,
		check:    checkFourier,
		scaling:  fourierScaling,
		bytes:    fourierBytes,
	}
}

// structuredFrequencies computes the products of Hadamard matrices that structured frequencies are, a
// coordinate after the other.
func structuredFrequencies(p *Params, draw randomness, use func(i, j int, turns float32)) {
	c := drawSRHT(structuredConfig(p, p.NFeatures), draw)
	n := c.length()
	lengths, column := make([]float64, c.features), make([]float64, n)
	s, unit := draw.stream(domainLength, 0), 1/(float64(n)*math.Sqrt(float64(n)))
	for j := range lengths {
		lengths[j] = s.length(n) * unit
	}
	for b := range c.blocks() {
		for i := range p.NFeatures {
			clear(column)
			column[i] = 1
			for k := range c.transforms() {
				for l, sign := range c.signsOf(b, k) {
					column[l] *= float64(sign)
				}
				hadamardTransform(column)
			}
			for l, entry := range c.entriesOf(b, 0) {
				j := b*n + l
				use(i, j, float32(lengths[j]*column[entry]))
			}
		}
	}
}

// hadamardTransform computes the Walsh–Hadamard transform in place, in natural order.
func hadamardTransform(v []float64) {
	for h := 1; h < len(v); h *= 2 {
		for i := range v {
			if i&h == 0 {
				v[i], v[i+h] = v[i]+v[i+h], v[i]-v[i+h]
			}
		}
	}
}
