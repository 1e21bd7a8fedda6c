package buckets

import (
	"slices"
	"strconv"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/bars"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// A State holds the parameters of the place.
type State struct {
	bars.Bars
	Hash  string // sketch.HashSeed or sketch.HashRandomState
	Signs string // on or off
	Draws int    // number of seeds in the histogram
	Y     string // shown or hidden
	Angle int    // of y to x, in degrees
}

const (
	shown  = "shown"
	hidden = "hidden"
	on     = "on"
	off    = "off"
)

// Place describes the place for the header and its rail.
var Place = control.Place{Name: "buckets", Label: "Buckets", Hideable: lesson.Parts, Groups: []control.Group{
	bars.VectorGroup,
	{ID: "sketch", Title: "Sketch", Names: []string{"method", "nComponents", "signs", "seed"}},
	{ID: "many", Title: "Many seeds", Names: []string{"draws"}},
	{ID: "second", Title: "Second vector", Names: []string{"y", "angle"}},
	{ID: "family", Title: "Hash family", Names: []string{"hash"}},
}}

// DefaultState returns the state that the place opens with.
func DefaultState() State {
	return State{Bars: bars.New(16, 8, 16), Hash: sketch.HashSeed, Signs: on, Y: shown, Angle: 35}
}

// Params returns the parameters that the picture is drawn from.
func (s State) Params() Params {
	return Params{X: s.X(), Method: s.Method, NComponents: s.NComponents, Seed: s.Seed, Hash: s.Hash,
		ShowY: s.Y == shown, Angle: float64(s.Angle), Step: s.Step, Signless: s.Signs == off, Draws: s.Draws,
		Question: s.Question}
}

// Parameters returns the parameters in the order of a link.
func (s *State) Parameters() []control.Parameter {
	hash := control.Choice("hash", "Hash family", control.Options(sketch.HashSeed, "Carter–Wegman",
		sketch.HashRandomState, "scikit-learn"), &s.Hash)
	hash.Unseen = s.IsComplex() // complex signs come only from the Carter–Wegman family
	signs := control.Choice("signs", "Signs", control.Options(on, "On", off, "Off"), &s.Signs)
	signs.Unseen, signs.Unlinked = s.IsComplex(), s.Signs == on
	draws := control.Whole("draws", "Seeds drawn", 0, MostDraws, &s.Draws)
	draws.Unlinked = s.Draws == 0
	common := s.Bars.Parameters(s.NFeatures)
	control.Find(common, "method").Options = methods
	angle := control.Whole("angle", "Angle to x (°)", 0, 180, &s.Angle)
	angle.Unseen = s.Y != shown
	return slices.Concat(common,
		[]control.Parameter{hash, signs, draws, control.Choice("y", "Vector y", control.Options(shown, "Shown",
			hidden, "Hidden"), &s.Y), angle},
		s.Lookout.Parameters())
}

var methods = control.Options(sketch.MethodTensorSketch, "Count Sketch",
	sketch.MethodComplexTensorSketch, "Complex signs")

// Settle brings D and the step into range. It refuses seeds that scikit-learn's tables do not accept, and refuses
// these tables if signs are complex. Complex signs are on.
func (s *State) Settle(before *State) error {
	switch {
	case !s.IsComplex() || s.Hash == sketch.HashSeed:
	case before.IsComplex():
		return sketch.ErrParam.New("hash", strconv.Quote(s.Hash), "be "+strconv.Quote(sketch.HashSeed)+" with complex signs")
	default:
		s.Hash = sketch.HashSeed
	}
	if s.IsComplex() {
		s.Signs = on
	}
	s.Bars.Settle(&before.Bars, func(b *bars.Bars) int { return b.NFeatures })
	if n, isInt := s.Seed.Int(); s.Hash == sketch.HashRandomState && (!isInt || n >= 1<<32) {
		return sketch.ErrParam.New("seed", strconv.Quote(format.Cut(control.FormatSeed(s.Seed))),
			"be an integer from 0 to 4294967295 for scikit-learn's tables")
	}
	return nil
}
