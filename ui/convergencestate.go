package main

import (
	"slices"
	"strconv"

	"github.com/tensorsketch/tensorsketch/ui/internal/convergence"
	"github.com/tensorsketch/tensorsketch/ui/internal/vector"
)

// ConvergenceState are the parameters of the place Convergence.
type ConvergenceState struct {
	Vector      string // a preset of package vector
	NFeatures   int
	NonZero     int    // per cent of the coordinates that are not zero
	Angle       int    // between x and y, in degrees
	Pairs       string // "1" or "20"
	Degree      int
	NComponents int // where the marker is
	Seeds       int
	Seed        uint64  // the first of them
	Epsilon     float64 // the error that is wanted
	Delta       float64 // how often it may be missed
	Lookout
}

func defaultConvergence() ConvergenceState {
	return ConvergenceState{Vector: vector.Random, NFeatures: 64, NonZero: 100, Angle: 40, Pairs: "1", Degree: 2, NComponents: 128, Seeds: 500,
		Epsilon: .05, Delta: .05, Lookout: Lookout{Speed: 2}}
}

// Params returns what the picture is drawn from.
func (c ConvergenceState) Params() convergence.Params {
	pairs, _ := strconv.Atoi(c.Pairs)
	return convergence.Params{Vector: c.Vector, NFeatures: c.NFeatures, NonZero: c.NonZero, Angle: float64(c.Angle), Pairs: pairs, Degree: c.Degree,
		NComponents: c.NComponents, Seeds: c.Seeds, Seed: c.Seed, Epsilon: c.Epsilon, Delta: c.Delta, Question: c.Question}
}

// The powers of two that D takes.
const leastD, mostD = 3, 14

var convergencePlace = place{name: PlaceConvergence, label: "Convergence", hideable: append([]string{"planner"}, lessonParts...),
	parameters: slices.Concat(
		[]parameter{
			choice("vector", "Vectors", presetOptions, func(s *State) *string { return &s.Convergence.Vector }),
			whole("nFeatures", "Coordinates d", 2, 256, func(s *State) *int { return &s.Convergence.NFeatures }),
			whole("nonZero", "Not zero (%)", 1, 100, func(s *State) *int { return &s.Convergence.NonZero }),
			whole("angle", "Angle (°)", 0, 180, func(s *State) *int { return &s.Convergence.Angle }),
			choice("pairs", "Pairs (x, y)", []Option{{"1", "One"}, {"20", "Sample of 20"}}, func(s *State) *string { return &s.Convergence.Pairs }),
			whole("degree", "Degree p", 1, 8, func(s *State) *int { return &s.Convergence.Degree }),
			power("nComponents", "Components D", leastD, mostD, func(s *State) *int { return &s.Convergence.NComponents }),
			whole("seeds", "Seeds", 10, 2000, func(s *State) *int { return &s.Convergence.Seeds }),
			firstSeed(),
			real("epsilon", "Error ε below", .001, 1, func(s *State) *float64 { return &s.Convergence.Epsilon }),
			real("delta", "Missed with δ", .001, .5, func(s *State) *float64 { return &s.Convergence.Delta }),
		},
		lookoutParameters(func(s *State) *Lookout { return &s.Convergence.Lookout })),
	groups: []group{
		{"pair", "Vectors x and y", []string{"vector", "angle", "nFeatures", "nonZero", "pairs"}},
		{"sketch", "Sketch", []string{"nComponents", "degree", "seeds", "seed"}},
		{"planner", "Which D?", []string{"epsilon", "delta"}},
	},
}

// firstSeed is an integer: the seeds after it are the next integers.
func firstSeed() parameter {
	return parameter{name: "seed", label: "First seed",
		get: func(s *State) string { return strconv.FormatUint(s.Convergence.Seed, 10) },
		set: func(s *State, text string) error {
			n, err := strconv.ParseUint(text, 10, 64)
			if err != nil {
				return refuse("seed", strconv.Quote(cut(text)), "be an integer from 0 to 18446744073709551615")
			}
			s.Convergence.Seed = n
			return nil
		}}
}
