package convergence

import (
	"math"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/format"
)

// A Plan says which D keeps the error below ε with probability 1 − δ. For a sample of pairs, it is the D of the pair
// that needs most. Both D may exceed sketch.MaxComponents or be infinite.
type Plan struct {
	Guaranteed float64 // by Chebyshev's inequality with the exact variance
	Typical    float64 // by the normal approximation
	Sentence   string
}

// Plan returns the plan for the picture's pairs, ε and δ.
func (p *Picture) Plan() Plan {
	var plan Plan
	theory, err := sketch.NewTensorFormulas(sketch.Params{NFeatures: p.params.NFeatures, Degree: p.params.Degree,
		Coef0: p.params.Coef0})
	if err != nil {
		return Plan{Guaranteed: math.NaN(), Typical: math.NaN(), Sentence: err.Error()}
	}
	for _, pair := range p.pairs {
		guaranteed, typical, err := theory.ChooseComponents(pair.x, pair.y, p.params.Epsilon, p.params.Delta)
		if err != nil {
			return Plan{Guaranteed: math.NaN(), Typical: math.NaN(), Sentence: err.Error()}
		}
		plan.Guaranteed, plan.Typical = max(plan.Guaranteed, guaranteed), max(plan.Typical, typical)
	}
	plan.Sentence = "Error below " + format.Short(p.params.Epsilon) + " with probability " +
		format.Short(100*(1-p.params.Delta)) + space + "%: " +
		componentsText(plan.Guaranteed) + " is guaranteed by Chebyshev’s inequality with the exact variance; " +
		componentsText(plan.Typical) + " is enough if errors are normally distributed."
	return plan
}

// componentsText writes D, or says that no map has so many components.
func componentsText(d float64) string {
	switch {
	case math.IsInf(d, 0) || math.IsNaN(d):
		return "no D"
	case d > sketch.MaxComponents:
		return "only a D beyond 2²⁴ = 16,777,216, the largest D,"
	}
	return "D = " + format.Count(int(d))
}
