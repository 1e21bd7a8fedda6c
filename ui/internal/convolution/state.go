package convolution

import (
	"slices"

	"tensorsketch.example/ui/internal/bars"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/vector"
)

// A State holds the parameters of the place.
type State struct {
	bars.Bars
	Degree int
	View   string // Products, Coordinates or Frequencies
	Round  int    // which convolution of two sketches is shown, 1 to Degree − 1
	Slice  int    // the third coordinate of the products shown
	Slice2 int    // the fourth coordinate
	Y      string // shown or hidden
	Angle  int    // of y to x, in degrees
}

const (
	shown  = "shown"
	hidden = "hidden"

	usualAngle = 35
)

// Place describes the place for the header and its rail.
var Place = control.Place{Name: "convolution", Label: "Convolution", Hideable: lesson.Parts, Groups: []control.Group{
	bars.VectorGroup,
	{ID: "sketch", Title: "Sketch", Names: []string{"method", "nComponents", "degree", "seed"}},
	{ID: "look", Title: "View", Names: []string{"view", "round", "slice", "slice2"}},
	{ID: "second", Title: "Second vector", Names: []string{"y", "angle"}},
}}

// DefaultState returns the state that the place opens with.
func DefaultState() State {
	return State{Bars: bars.New(10, 12, 12), Degree: 2, View: string(Products), Round: 1, Y: hidden, Angle: usualAngle}
}

// Settle moves parameters into range whose range depends on others.
func (s *State) Settle(before *State) {
	s.Bars.Settle(&before.Bars, (*bars.Bars).Buckets)
	s.Round = min(s.Round, s.Degree-1)
	s.Slice, s.Slice2 = min(s.Slice, s.NFeatures-1), min(s.Slice2, s.NFeatures-1)
}

// Params returns the parameters that the picture is drawn from.
func (s State) Params() Params {
	return Params{X: s.X(), Method: s.Method, NComponents: s.NComponents, Degree: s.Degree, Seed: s.Seed,
		Show:  View(s.View),
		Stage: s.Round, Slice: s.Slice, Slice2: s.Slice2, Step: s.Step, ShowY: s.Y == shown, Angle: float64(s.Angle),
		Question: s.Question}
}

// Parameters returns the parameters in the order of a link.
func (s *State) Parameters() []control.Parameter {
	isCoordinates := s.View == string(Coordinates)
	round := control.Whole("round", "Convolution", 1, 3, &s.Round)
	round.Slider.Max = s.Degree - 1
	round.Unseen = s.Degree <= 2 || isCoordinates
	// slice makes the parameter for a coordinate that all products shown share. It is shown from the given degree
	// on.
	slice := func(name, label string, degree int, at *int) control.Parameter {
		p := control.Whole(name, label, 0, vector.Most-1, at)
		p.Slider.Max = max(s.NFeatures-1, 1)
		p.Unseen = s.Degree < degree || !isCoordinates
		return p
	}
	before := s.View
	view := control.Choice("view", "View", control.Options(string(Products), "Products",
		string(Coordinates), "x ⊗ x", string(Frequencies), "Frequencies"), &s.View).Then(func() { s.follow(before) })
	y := control.Choice("y", "Vector y", control.Options(shown, "Shown", hidden, "Hidden"), &s.Y)
	angle := control.Whole("angle", "Angle to x (°)", 0, 180, &s.Angle)
	y.Unlinked, angle.Unseen, angle.Unlinked = s.Y == hidden, s.Y == hidden, s.Angle == usualAngle
	return slices.Concat(s.Bars.Parameters(s.Buckets()), []control.Parameter{
		control.Whole("degree", "Degree p", 2, 4, &s.Degree),
		view,
		round,
		slice("slice", "Third coordinate", 3, &s.Slice),
		slice("slice2", "Fourth coordinate", 4, &s.Slice2),
		y, angle,
	}, s.Lookout.Parameters())
}

// follow keeps the item looked at when the view changes: a product xᵢxⱼ is a pair beside the products of sketches, and
// a cell of x ⊗ x.
func (s *State) follow(before string) {
	switch {
	case before == string(Coordinates) && s.View == string(Products) && s.At.Kind == lesson.Cell:
		s.At.Kind = lesson.Pair
	case s.View == string(Coordinates) && s.At.Kind == lesson.Pair:
		s.At.Kind = lesson.Cell
	case before == string(Products) && s.View == string(Coordinates) && s.At.Kind == lesson.Cell:
		s.At = lesson.Item{Kind: lesson.Bucket, I: (s.At.I + s.At.J) % s.Buckets()}
	}
}
