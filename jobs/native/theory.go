package native

import (
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/jobs"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/kernel"
)

// Pairs returns what theory says of pairs of rows.
func (m *Map) Pairs(c *jobs.Control, X []float32, pairs [][2]int32) ([]jobs.Pair, error) {
	return Pairs(c, m.Params(), X, pairs)
}

// Pairs returns what theory says of pairs of rows under a map with these parameters.
func Pairs(c *jobs.Control, p sketch.Params, X []float32, pairs [][2]int32) ([]jobs.Pair, error) {
	f, err := sketch.NewFormulas(p)
	if err != nil {
		return nil, err
	}
	wide := func(row int32) []float64 {
		x := make([]float64, p.NFeatures)
		for j := range x {
			x[j] = float64(X[int(row)*len(x)+j])
		}
		return x
	}
	made := make([]jobs.Pair, len(pairs))
	for k, pair := range pairs {
		if err := c.Check(); err != nil {
			return nil, err
		}
		x, y := wide(pair[0]), wide(pair[1])
		made[k].Kernel, made[k].Bias = f.Kernel(x, y), f.Bias(x, y)
		made[k].Sigma, made[k].Kind = f.StdError(x, y)
	}
	return made, nil
}

// FitExact fits ridge regression with the exact kernel.
func (Mapper) FitExact(c *jobs.Control, e *jobs.Exact, held []float32) ([]float64, error) {
	f, err := sketch.NewFormulas(e.Params)
	if err != nil {
		return nil, err
	}
	labels, targets := solve.RowLabels{Classes: e.Classes, Targets: e.Targets}, 0
	if e.Targets != nil {
		targets = 1
	}
	ridge, err := kernel.NewRidge(f, sketch.Dense(e.X), labels, e.K, targets, e.Alpha)
	if err != nil {
		return nil, err
	}
	for {
		done, finished, err := ridge.Step()
		if err != nil {
			return nil, err
		}
		if finished {
			break
		}
		if err := c.At(0, .9*done); err != nil {
			return nil, err
		}
	}
	machine, d := ridge.Machine(), e.Params.NFeatures
	var scores []float64
	const block = 64
	for from := 0; from < len(held); from += block * d {
		scores = append(scores, machine.Scores(nil, held[from:min(from+block*d, len(held))])...)
		if err := c.At(0, .9+.1*float64(from)/float64(len(held))); err != nil {
			return nil, err
		}
	}
	return scores, nil
}
