package main

import (
	"slices"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/convolution"
	"tensorsketch.example/ui/internal/vector"
)

// ConvolutionState are the parameters of the place Convolution.
type ConvolutionState struct {
	Bars
	Degree int
	View   string // of package convolution
	Round  int    // which convolution of two is shown, 1 to Degree − 1
	Slice  int    // the third coordinate of the products shown
	Slice2 int    // the fourth
}

func defaultConvolution() ConvolutionState {
	return ConvolutionState{Bars: Bars{Vector: vector.Random, NFeatures: 10, Method: sketch.MethodTensorSketch,
		NComponents: 12, Seed: sketch.IntSeed(42), Step: 12, Lookout: Lookout{Speed: 2}},
		Degree: 2, View: string(convolution.Products), Round: 1}
}

// settle brings into range what other parameters bound.
func (c *ConvolutionState) settle(before ConvolutionState) {
	c.pair()
	if c.buckets() != before.buckets() {
		c.Bars.settle(before.buckets(), c.buckets())
	}
	c.Round = min(c.Round, c.Degree-1)
	c.Slice, c.Slice2 = min(c.Slice, c.NFeatures-1), min(c.Slice2, c.NFeatures-1)
}

// Params returns what the picture is drawn from.
func (c ConvolutionState) Params() convolution.Params {
	return convolution.Params{X: c.X(), Method: c.Method, NComponents: c.NComponents, Degree: c.Degree, Seed: c.Seed,
		Show:  convolution.View(c.View),
		Stage: c.Round, Slice: c.Slice, Slice2: c.Slice2, Step: c.Step, Question: c.Question}
}

var convolutionPlace = place{name: PlaceConvolution, label: "Convolution", hideable: lessonParts,
	settle: func(before State, next *State) error {
		next.Convolution.settle(before.Convolution)
		return nil
	},
	parameters: slices.Concat(
		barParameters(func(s *State) *Bars { return &s.Convolution.Bars }, func(s *State) int {
			return s.Convolution.buckets()
		}),
		[]parameter{
			whole("degree", "Degree p", 2, 4, func(s *State) *int { return &s.Convolution.Degree }),
			choice("view", "View", []Option{{string(convolution.Products), "Products"},
				{string(convolution.Coordinates), "x ⊗ x"}, {string(convolution.Frequencies), "Frequencies"}},
				func(s *State) *string { return &s.Convolution.View }),
			round(),
			sliceParameter("slice", "Third coordinate", 3, func(s *State) *int { return &s.Convolution.Slice }),
			sliceParameter("slice2", "Fourth coordinate", 4, func(s *State) *int { return &s.Convolution.Slice2 }),
		},
		lookoutParameters(func(s *State) *Lookout { return &s.Convolution.Lookout })),
	groups: []group{
		{"vector-group", "Vector x", []string{"vector", "nFeatures", "coordinate", "value"}},
		{"sketch", "Sketch", []string{"method", "nComponents", "degree", "seed"}},
		{"look", "View", []string{"view", "round", "slice", "slice2"}},
	},
}

// round is the convolution shown, of the Degree − 1 that there are.
func round() parameter {
	p := whole("round", "Convolution", 1, 3, func(s *State) *int { return &s.Convolution.Round })
	p.slider = func(s *State) *Slider {
		return &Slider{Min: 1, Max: s.Convolution.Degree - 1, At: s.Convolution.Round}
	}
	p.shown = func(s *State) bool {
		return s.Convolution.Degree > 2 && s.Convolution.View != string(convolution.Coordinates)
	}
	return p
}

// sliceParameter is a coordinate that the products shown have in common, from that degree on.
func sliceParameter(name, label string, degree int, at func(*State) *int) parameter {
	p := whole(name, label, 0, vector.Most-1, at)
	p.slider = func(s *State) *Slider {
		last := s.Convolution.NFeatures - 1
		return &Slider{Max: max(last, 1), At: *at(s)}
	}
	p.shown = func(s *State) bool {
		return s.Convolution.Degree >= degree && s.Convolution.View == string(convolution.Coordinates)
	}
	return p
}
