package main

import (
	"slices"
	"strconv"

	"tensorsketch.example/ui/internal/convergence"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/vector"
)

// ConvergenceState are the parameters of the place Convergence.
type ConvergenceState struct {
	Vector      string // a preset of package vector
	NFeatures   int
	NonZero     int    // per cent of the coordinates that are not zero
	Angle       int    // between x and y, in degrees
	Pairs       string // "1" or "20"
	Degree      int
	Coef0       float64
	NComponents int // where the marker is
	Seeds       int
	Seed        uint64  // the first of them
	Epsilon     float64 // the error that is wanted
	Delta       float64 // how often it may be missed
	Compare     string  // methods beside Tensor Sketch, separated by commas
	Axis        string  // of their errors
	Lookout
}

func defaultConvergence() ConvergenceState {
	return ConvergenceState{Vector: vector.Random, NFeatures: 64, NonZero: 100, Angle: 40, Pairs: "1", Degree: 2,
		NComponents: 128, Seeds: 500,
		Epsilon: .05, Delta: .05, Axis: convergence.ByComponents, Lookout: Lookout{Speed: 2}}
}

// Params returns what the picture is drawn from.
func (c ConvergenceState) Params() convergence.Params {
	pairs, _ := strconv.Atoi(c.Pairs)
	return convergence.Params{Vector: c.Vector, NFeatures: c.NFeatures, NonZero: c.NonZero, Angle: float64(c.Angle),
		Pairs: pairs, Degree: c.Degree,
		NComponents: c.NComponents, Seeds: c.Seeds, Seed: c.Seed, Epsilon: c.Epsilon, Delta: c.Delta, Question: c.Question,
		Coef0: c.Coef0, Compare: c.Compare, Axis: c.Axis}
}

// The powers of two that D takes.
const leastD, mostD = 3, 14

var convergencePlace = place{name: PlaceConvergence, label: "Convergence",
	hideable: append([]string{"planner"}, lessonParts...),
	parameters: slices.Concat(
		[]parameter{
			choice("vector", "Vectors", presetOptions, func(s *State) *string { return &s.Convergence.Vector }),
			whole("nFeatures", "Coordinates d", 2, 256, func(s *State) *int { return &s.Convergence.NFeatures }),
			whole("nonZero", "Not zero (%)", 1, 100, func(s *State) *int { return &s.Convergence.NonZero }),
			whole("angle", "Angle (°)", 0, 180, func(s *State) *int { return &s.Convergence.Angle }),
			choice("pairs", "Pairs (x, y)", []Option{{"1", "One"}, {"20", "Sample of 20"}}, func(s *State) *string {
				return &s.Convergence.Pairs
			}),
			whole("degree", "Degree p", 1, 8, func(s *State) *int { return &s.Convergence.Degree }),
			coef0(),
			power("nComponents", "Components D", leastD, mostD, func(s *State) *int { return &s.Convergence.NComponents }),
			whole("seeds", "Seeds", 10, 2000, func(s *State) *int { return &s.Convergence.Seeds }),
			firstSeed(),
			real("epsilon", "Error ε below", .001, 1, func(s *State) *float64 { return &s.Convergence.Epsilon }),
			real("delta", "Missed with δ", .001, .5, func(s *State) *float64 { return &s.Convergence.Delta }),
			rivals(),
			axis(),
		},
		lookoutParameters(func(s *State) *Lookout { return &s.Convergence.Lookout })),
	groups: []group{
		{"pair", "Vectors x and y", []string{"vector", "angle", "nFeatures", "nonZero", "pairs"}},
		{"sketch", "Sketch", []string{"nComponents", "degree", "coef0", "seeds", "seed"}},
		{"compare", "Which map?", []string{"compare", "axis"}},
		{"planner", "Which D?", []string{"epsilon", "delta"}},
	},
}

// coef0 is c of the kernel. Links leave it out where it is 0, as others do what
// belongs to a comparison.
func coef0() parameter {
	p := real("coef0", "Constant c", 0, 1, func(s *State) *float64 { return &s.Convergence.Coef0 })
	p.unless = func(s *State) bool { return s.Convergence.Coef0 == 0 }
	return p
}

// rivals are the methods that stand beside Tensor Sketch.
func rivals() parameter {
	p := parameter{name: "compare", label: "Tensor Sketch against", several: true,
		unless: alone,
		get:    func(s *State) string { return s.Convergence.Compare },
		set: func(s *State, text string) (err error) {
			s.Convergence.Compare, err = convergence.ParseCompare(text)
			return err
		}}
	for _, method := range convergence.Comparable() {
		p.options = append(p.options, Option{method.Name, method.Label})
	}
	return p
}

// axis is what a comparison holds equal.
func axis() parameter {
	p := choice("axis", "At equal", []Option{{convergence.ByComponents, "D"}, {convergence.ByTime, "Time"}},
		func(s *State) *string { return &s.Convergence.Axis })
	p.unless = func(s *State) bool { return alone(s) && s.Convergence.Axis == convergence.ByComponents }
	p.shown = func(s *State) bool { return !alone(s) }
	return p
}

// alone tells whether Tensor Sketch is compared with nothing.
func alone(s *State) bool { return s.Convergence.Compare == "" }

// firstSeed is an integer: the seeds after it are the next integers.
func firstSeed() parameter {
	return parameter{name: "seed", label: "First seed",
		get: func(s *State) string { return strconv.FormatUint(s.Convergence.Seed, 10) },
		set: func(s *State, text string) error {
			n, err := strconv.ParseUint(text, 10, 64)
			if err != nil {
				return refuse("seed", strconv.Quote(format.Cut(text)), "be an integer from 0 to 18446744073709551615")
			}
			s.Convergence.Seed = n
			return nil
		}}
}
