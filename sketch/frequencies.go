package sketch

import "cmp"

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
		drawTurns(&p, draw, i, func(j int, turns float32) { f.Turns[i][j] = turns })
	}
	return f, nil
}

// fourierRules are fourierMethod without what transforms rows.
func fourierRules() *method {
	return &method{
		defaults: func(p *Params) { defaultKernel(p, KernelGaussian) },
		check:    checkPaired,
		scaling:  fourierScaling,
		bytes:    fourierBytes,
	}
}
