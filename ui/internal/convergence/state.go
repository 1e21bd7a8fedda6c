package convergence

import (
	"slices"
	"strconv"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/bars"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/vector"
)

type params = Params

// A State holds the parameters of the place.
type State struct {
	params
	lesson.Lookout
}

// Place describes the place for the header and its rail.
var Place = control.Place{Name: "convergence", Label: "Convergence",
	Hideable: append([]string{"planner"}, lesson.Parts...),
	Groups: []control.Group{
		{ID: "pair", Title: "Vectors x and y", Names: []string{"vector", "angle", "nFeatures", "nonZero", "pairs"}},
		{ID: "sketch", Title: "Sketch", Names: []string{"nComponents", "degree", "coef0", "seeds", "seed"}},
		{ID: "look", Title: "Picture", Names: []string{"against", "bounds"}},
		{ID: "compare", Title: "Which map?", Names: []string{"compare", "axis"}},
		{ID: "planner", Title: "Which D?", Names: []string{"epsilon", "delta"}},
	}}

// DefaultState returns the state that the place opens with.
func DefaultState() State {
	return State{Params{Vector: vector.Random, NFeatures: 64, NonZero: 100, Angle: 40, Pairs: 1, Degree: 2,
		NComponents: 128, Seeds: 500, Epsilon: .05, Delta: .05, Axis: ByComponents,
		Below: ByComponents}, lesson.Lookout{Speed: 2}}
}

// Params returns the parameters that the picture is drawn from.
func (s State) Params() Params {
	p := s.params
	p.Question = s.Lookout.Question
	return p
}

// D is a power of two from 2^leastD to 2^mostD.
const leastD, mostD = 3, 14

// IsRoomy reports whether sums and notes are long, which is so in a comparison.
func (s *State) IsRoomy() bool { return s.Compare != "" }

// Parameters returns the parameters in the order of a link.
func (s *State) Parameters() []control.Parameter {
	coef0 := control.Real("coef0", "Constant c", 0, 1, &s.Coef0)
	coef0.Unlinked = s.Coef0 == 0
	axis := control.Choice("axis", "At equal", control.Options(ByComponents, "D",
		ByTime, "Time"), &s.Axis)
	axis.Unseen = s.Compare == ""
	axis.Unlinked = axis.Unseen && s.Axis == ByComponents
	pairs, angle := strconv.Itoa(s.Pairs), int(s.Angle)
	return slices.Concat([]control.Parameter{
		control.Choice("vector", "Vectors", bars.Presets, &s.Vector),
		control.Whole("nFeatures", "Coordinates d", 2, 256, &s.NFeatures),
		control.Whole("nonZero", "Not zero (%)", 1, 100, &s.NonZero),
		control.Whole("angle", "Angle (°)", 0, 180, &angle).Then(func() { s.Angle = float64(angle) }),
		control.Choice("pairs", "Pairs (x, y)", control.Options("1", "One", strconv.Itoa(ManyPairs), "Sample of 20"), &pairs).
			Then(func() { s.Pairs, _ = strconv.Atoi(pairs) }),
		control.Whole("degree", "Degree p", 1, MostDegree, &s.Degree),
		coef0,
		control.Power("nComponents", "Components D", leastD, mostD, &s.NComponents),
		control.Whole("seeds", "Seeds", fewestSeeds, MaxSeeds, &s.Seeds),
		s.firstSeed(),
		control.Real("epsilon", "Error ε below", .001, 1, &s.Epsilon),
		control.Real("delta", "Missed with δ", .001, .5, &s.Delta),
		s.rivals(),
		axis,
	}, s.belowParameters(), s.Lookout.Parameters())
}

// rivals returns the parameter for the methods beside Tensor Sketch.
func (s *State) rivals() control.Parameter {
	p := control.Parameter{Name: "compare", Label: "Tensor Sketch against", Several: true, Unlinked: s.Compare == "",
		Get: func() string { return s.Compare },
		Set: func(text string) (err error) {
			s.Compare, err = ParseCompare(text)
			return err
		}}
	for _, method := range Comparable() {
		p.Options = append(p.Options, control.Option{Value: method.Name, Label: method.Label})
	}
	return p
}

// firstSeed returns the parameter of the first seed, an integer. The other seeds are the integers after it.
func (s *State) firstSeed() control.Parameter {
	return control.Parameter{Name: "seed", Label: "First seed",
		Get: func() string { return strconv.FormatUint(s.Seed, 10) },
		Set: func(text string) error {
			n, err := strconv.ParseUint(text, 10, 64)
			if err != nil {
				return sketch.ErrParam.New("seed", strconv.Quote(format.Cut(text)),
					"be an integer from 0 to 18446744073709551615")
			}
			s.Seed = n
			return nil
		}}
}
