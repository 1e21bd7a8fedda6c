package native

import (
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/jobs"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/kernel"
)

// heldProducts bounds the products that score held rows between two looks at the control.
const heldProducts = 1 << 22

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
	block := max(1, heldProducts/(machine.Support()*(d+machine.K())))
	for from := 0; from < len(held); from += block * d {
		scores = append(scores, machine.Scores(nil, held[from:min(from+block*d, len(held))])...)
		if err := c.At(0, .9+.1*float64(from)/float64(len(held))); err != nil {
			return nil, err
		}
	}
	return scores, nil
}
