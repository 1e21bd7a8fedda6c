package plane

import (
	"math"
	"slices"
	"strconv"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// A State holds the parameters of the half.
type State struct {
	params Params
	lesson.Lookout
}

// The values of Brush.
const (
	Plus  = "plus"
	Minus = "minus"
	Away  = "away"
	Look  = "look"
)

// Place describes the half for the header and its rail.
var Place = control.Place{Name: "learn", Label: "Learn", Hideable: lesson.Parts, Groups: []control.Group{
	{ID: "look", Title: "Picture", Names: []string{"view"}},
	{ID: "points-group", Title: "Points", Names: []string{"preset", "nSamples", "noise", "dataSeed"}},
	{ID: "own", Title: "Your points", Names: []string{"brush"}},
	{ID: "sketch", Title: "Sketch", Names: []string{"nComponents", "degree", "coef0", "alpha", "seed"}},
}}

// openingSeed is ordinary at every preset, question and D (TestWalk). Seed 42 is not: its third hash nearly joins x and
// the constant at every D.
const openingSeed = 443

// DefaultState returns the state that the half opens with.
func DefaultState() State {
	return State{Params{Preset: Circles, NSamples: 400, Noise: .1, DataSeed: 1, NComponents: 32, Degree: 4, Coef0: 1,
		Alpha: .1, Seed: sketch.IntSeed(openingSeed), Brush: Plus, View: Models, Maps: allMaps}, lesson.Lookout{Speed: 2}}
}

// Params returns the parameters that the picture is drawn from.
func (s State) Params() Params {
	p := s.params
	p.Question = s.Lookout.Question
	return p
}

// IsRoomy reports that sums and notes are long.
func (s *State) IsRoomy() bool { return true }

// D is a power of two from 2^leastD to 2^mostD, and λ is 10^(k/2) for k from leastAlpha to mostAlpha on its slider.
const (
	leastD, mostD         = 2, 12
	leastAlpha, mostAlpha = -12, 6
)

// Parameters returns the parameters in the order of a link.
func (s *State) Parameters() []control.Parameter {
	p := &s.params
	samples := control.Whole("nSamples", "Points drawn", 20, 1000, &p.NSamples)
	samples.Slider = &control.Slider{Min: 2, Max: 100, At: (p.NSamples + 5) / 10}
	samples.From = func(position int) string { return strconv.Itoa(10 * position) }
	samples.Unseen = p.Preset == Own
	noise := control.Real("noise", "Noise", 0, 1, &p.Noise)
	noise.Slider = &control.Slider{Min: 0, Max: 50, At: min(int(math.Round(100*p.Noise)), 50)}
	noise.From = func(position int) string { return format.Exact(float64(position) / 100) }
	noise.Unseen = p.Preset == Own
	data := control.Parameter{Name: "dataSeed", Label: "Data seed", Unseen: p.Preset == Own,
		Get: func() string { return strconv.FormatUint(p.DataSeed, 10) },
		Set: func(text string) error {
			n, err := strconv.ParseUint(text, 10, 64)
			if err != nil {
				return sketch.ErrParam.New("dataSeed", strconv.Quote(format.Cut(text)),
					"be an integer from 0 to 18446744073709551615")
			}
			p.DataSeed = n
			return nil
		}}
	points := pointsParameter(&p.Points)
	points.Unlinked = p.Points == ""
	brush := control.Choice("brush", "A press on the picture", control.Options(Plus, "adds +", Minus, "adds −",
		Away, "takes away", Look, "looks"), &p.Brush)
	brush.Passing, brush.Unlinked = true, p.Brush == Plus
	coef0 := control.Real("coef0", "Constant c", 0, 4, &p.Coef0)
	coef0.Slider = &control.Slider{Min: 0, Max: 40, At: int(math.Round(10 * p.Coef0))}
	coef0.From = func(position int) string { return format.Exact(float64(position) / 10) }
	alpha := control.Real("alpha", "Ridge λ", 1e-6, 1e3, &p.Alpha)
	alpha.Slider = &control.Slider{Min: leastAlpha, Max: mostAlpha, At: int(math.Round(2 * math.Log10(p.Alpha)))}
	alpha.From = alphaOf
	view := control.Choice("view", "View", control.Options(Models, "Three models", Features, "Features as maps"), &p.View)
	view.Unlinked = p.View == Models
	return slices.Concat([]control.Parameter{
		control.Choice("preset", "Points", presets, &p.Preset),
		samples, noise, data, points, brush,
		control.Power("nComponents", "Components D", leastD, mostD, &p.NComponents),
		control.Whole("degree", "Degree p", 1, MostDegree, &p.Degree),
		coef0, alpha, control.Seed(&p.Seed), view, mapsParameter(&p.Maps),
	}, s.Lookout.Parameters())
}

// pointsParameter is the visitor's points, as FormatPoints writes them.
func pointsParameter(at *string) control.Parameter {
	return control.Parameter{Name: "points", Get: func() string { return *at }, Set: func(text string) error {
		own, ok := ParsePoints(text)
		if !ok {
			return sketch.ErrParam.New("points", strconv.Quote(format.Cut(text)), "be at most "+
				strconv.Itoa(MostOwn)+" points such as p35,-20 (plus) or m-70,15 (minus), in hundredths from −120 to 120")
		}
		*at = FormatPoints(own)
		return nil
	}}
}

// alphaOf returns λ at a position of its slider: 0.001, 0.003, 0.01 and so on.
func alphaOf(position int) string {
	power := int(math.Floor(float64(position) / 2))
	digit := "1"
	if position-2*power == 1 {
		digit = "3"
	}
	x, _ := strconv.ParseFloat(digit+"e"+strconv.Itoa(power), 64)
	return format.Exact(x)
}
