package main

import (
	"strconv"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/format"
)

// EmbedState are the parameters of the place Embed.
type EmbedState struct {
	Method      string // one of methods
	Kernel      string // one of the method's, empty where it has but one
	Degree      int
	Gamma       float64
	Coef0       float64
	A           float64 // a of the spherical kernel
	NComponents int
	Seed        sketch.Seed // an integer or a text
	Rows        string      // RowsNone, or RowsUnit: rows are scaled to length 1 first
	Normalize   string
	Output      string
}

// What Rows takes.
const (
	RowsNone = "none"
	RowsUnit = "unit"
)

func defaultEmbed() EmbedState {
	return EmbedState{Method: sketch.MethodTensorSketch, Degree: 2, Gamma: 1, Coef0: 1, A: 2, NComponents: 1024,
		Rows: RowsUnit, Normalize: sketch.NormalizeNone, Output: sketch.OutputReal}
}

// Params returns the parameters of the core for vectors of nFeatures numbers; zero
// are those that the method does not take.
func (e EmbedState) Params(nFeatures int) sketch.Params {
	p := sketch.Params{Method: e.Method, NFeatures: nFeatures, NComponents: e.NComponents, Seed: e.Seed,
		Normalize: e.Normalize}
	if e.takes("degree") {
		p.Degree = e.Degree
	}
	if e.takes("gamma") {
		p.Gamma = e.Gamma
	}
	if e.takes("coef0") {
		p.Coef0 = e.Coef0
	}
	if e.takes("output") {
		p.Output = e.Output
	}
	if e.takes("a") {
		p.MethodParams.A = e.A
	}
	p.MethodParams.Kernel = e.Kernel
	return p
}

// The slider of the components moves in powers of two from 2⁴ to 2¹⁴.
const leastPower, mostPower = 4, 14

var embedPlace = place{name: PlaceEmbed, label: "Embed", hideable: []string{"data", "save"},
	settle: func(before State, next *State) error { return next.Embed.settle(&before.Embed) },
	parameters: append([]parameter{
		methodParameter(),
		kernelParameter(),
		taken(checked(parameter{name: "degree", label: "Degree p",
			get:    func(s *State) string { return strconv.Itoa(s.Embed.Degree) },
			slider: func(s *State) *Slider { return &Slider{Min: 1, Max: 8, At: min(s.Embed.Degree, 8)} }},
			func(e *EmbedState, text string) (ok bool) { e.Degree, ok = parseInt(text); return })),
		taken(checked(parameter{name: "gamma", label: "Gamma γ",
			get: func(s *State) string { return format.Exact(s.Embed.Gamma) }},
			func(e *EmbedState, text string) (ok bool) { e.Gamma, ok = parseFloat(text); return })),
		taken(checked(parameter{name: "coef0", label: "Coef0 c",
			get: func(s *State) string { return format.Exact(s.Embed.Coef0) }},
			func(e *EmbedState, text string) (ok bool) { e.Coef0, ok = parseFloat(text); return })),
		taken(real("a", "Parameter a", 2, 100, func(s *State) *float64 { return &s.Embed.A })),
		checked(parameter{name: "nComponents", label: "Components D",
			get: func(s *State) string { return strconv.Itoa(s.Embed.NComponents) },
			slider: func(s *State) *Slider {
				_, most := s.Embed.bounds()
				most = min(exponent(most), mostPower)
				return &Slider{Min: leastPower, Max: most, At: min(max(exponent(s.Embed.NComponents), leastPower), most)}
			},
			from: func(_ *State, position int) string { return strconv.Itoa(1 << position) }},
			func(e *EmbedState, text string) (ok bool) { e.NComponents, ok = parseInt(text); return }),
		seedParameter(func(s *State) *sketch.Seed { return &s.Embed.Seed }),
		choice("rows", "Rows", []Option{{RowsNone, "as they are"}, {RowsUnit, "length 1"}}, func(s *State) *string {
			return &s.Embed.Rows
		}),
		choice("normalize", "Kernel normalisation", []Option{{sketch.NormalizeNone, "off"}, {sketch.NormalizeKernel, "on"}},
			func(s *State) *string { return &s.Embed.Normalize }),
		taken(choice("output", "Output", []Option{{sketch.OutputReal, "real"}, {sketch.OutputSpectrum, "spectrum"}},
			func(s *State) *string { return &s.Embed.Output })),
	}, releaseParameters()...),
	groups: []group{
		{"map", "Method", []string{"method"}},
		{"formula", "Kernel", []string{"kernel", "degree", "gamma", "coef0", "a"}},
		{"sketch", "Sketch", []string{"nComponents", "seed", "output"}},
		{"scaling", "Scaling", []string{"rows", "normalize"}},
		{"privacy", "Privacy", []string{"release", "epsilon", "delta", "radius", "meanRows", "sparseWidth", "budget"}},
	},
}

// checked adds to a parameter that the core is asked about its range, which is that
// of the tensor sketch for all methods: parse sets it, to a value the core refuses
// where the text is no number, which the error then quotes.
func checked(p parameter, parse func(e *EmbedState, text string) bool) parameter {
	p.set = func(s *State, text string) error {
		e := &s.Embed
		parsed := parse(e, text)
		params := sketch.Params{Method: sketch.MethodTensorSketch, NFeatures: 1, NComponents: e.NComponents, Degree: e.Degree,
			Gamma: e.Gamma, Coef0: e.Coef0,
			Normalize: sketch.NormalizeNone, Output: sketch.OutputReal}
		err := params.ValidateForNew()
		if refused, ok := err.(*sketch.Error); ok && refused.Argument == p.name && !parsed {
			refused.Value = strconv.Quote(text)
		}
		return err
	}
	return p
}

// parseInt returns 0 for what is no integer: a value the core refuses.
func parseInt(text string) (n int, ok bool) {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, false
	}
	return n, true
}

// parseFloat returns −1 for what is no number: a value the core refuses.
func parseFloat(text string) (x float64, ok bool) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || x-x != 0 {
		return -1, false
	}
	return x, true
}
