package main

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/buckets"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/convergence"
	"tensorsketch.example/ui/internal/convolution"
	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/learn"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/plane"
)

// State is everything a link to the page holds: the place, its parameters, and the names of hidden controls. The
// rest of the page is computed from the state and the data. A link holds only the parameters of its own place; the
// other places keep the parameters that the visitor left them with.
type State struct {
	Place    string // one of places
	Embedded bool   // without header and footer, for an iframe
	Hide     string // names of controls that are not shown, in the place's order, separated by commas
	Step     int    // of the thread, from 1, or 0
	Lecture  bool   // the picture fills the screen

	Half string // of Learn: HalfPlane or HalfFile

	Start       plane.EntranceState
	Embed       embed.Settings // also for Learn, in the half of a file
	Release     embed.Release  // also for Embed
	Buckets     buckets.State
	Convolution convolution.State
	Convergence convergence.State
	Plane       plane.State
	LearnFile   learn.Settings
	Use         learn.UseSettings // also for Learn, in the half of a file
}

// The names of the places, as links give them.
const (
	PlaceStart       = "start"
	PlaceBuckets     = "buckets"
	PlaceConvolution = "convolution"
	PlaceConvergence = "convergence"
	PlaceEmbed       = "embed"
	PlaceLearn       = "learn"
	PlaceAbout       = "about"
)

// places lists the places in the order of the header.
var places = []*control.Place{&buckets.Place, &convolution.Place, &convergence.Place, &embed.Place,
	&plane.Place, {Name: PlaceAbout, Label: "About", Hideable: []string{"save"}}}

// placeOf returns the place with a name, or nil.
func placeOf(name string) *control.Place {
	if name == PlaceStart {
		return &startPlace
	}
	for _, p := range places {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// place returns the place of the state, with the controls of the half that is shown.
func (s *State) place() *control.Place {
	if s.IsHalf(HalfFile) {
		return &learn.Place
	}
	return placeOf(s.Place)
}

// lesson returns the parameters of the teaching place, or nil in other places.
func (s *State) lesson() lesson.State {
	switch {
	case s.Place == PlaceStart:
		return &s.Start
	case s.Place == PlaceBuckets:
		return &s.Buckets
	case s.Place == PlaceConvolution:
		return &s.Convolution
	case s.Place == PlaceConvergence:
		return &s.Convergence
	case s.IsHalf(HalfPlane):
		return &s.Plane
	}
	return nil
}

// lookout returns what the visitor looks at in the teaching place, or nil in other places.
func (s *State) lookout() *lesson.Lookout {
	if l := s.lesson(); l != nil {
		return l.Looks()
	}
	return nil
}

// HasBoard reports whether the state is of a teaching place with steps, figures and questions.
func (s State) HasBoard() bool { return s.IsLesson() && s.Place != PlaceStart }

// IsLecture reports whether the picture fills the screen.
func (s State) IsLecture() bool { return s.Lecture && s.HasBoard() }

// IsLesson reports whether the state has a picture that the core has computed: of a teaching place, or the entrance.
func (s State) IsLesson() bool { return s.lesson() != nil }

// parameters returns the parameters of the place, in the order of a link and bound to the state.
func (s *State) parameters() []control.Parameter {
	var parameters []control.Parameter
	if s.Place == PlaceLearn {
		parameters = append(parameters, s.half())
	}
	if l := s.lesson(); l != nil {
		return append(parameters, l.Parameters()...)
	}
	switch s.Place {
	case PlaceEmbed:
		parameters = append(s.Embed.Parameters(), s.Release.Parameters()...)
	case PlaceLearn:
		parameters = slices.Concat(parameters, s.Embed.Parameters(), s.LearnFile.Parameters(),
			s.Use.Parameters(&s.Release.Epsilon, &s.Release.Delta, &s.Release.Budget))
	}
	return parameters
}

// parameter returns a parameter of the place by its name, or nil.
func (s *State) parameter(name string) *control.Parameter { return control.Find(s.parameters(), name) }

// settle adjusts parameters whose range depends on the changed one, or returns an error that refuses the change.
func (s *State) settle(before *State) error {
	switch s.Place {
	case PlaceBuckets:
		return s.Buckets.Settle(&before.Buckets)
	case PlaceConvolution:
		s.Convolution.Settle(&before.Convolution)
	case PlaceEmbed, PlaceLearn:
		return s.Embed.Settle(&before.Embed)
	}
	return nil
}

// DefaultState returns the state of a page opened without a link.
func DefaultState() State {
	return State{Place: PlaceStart, Start: plane.DefaultEntrance(), Half: HalfPlane, Embed: embed.DefaultSettings(),
		Release: embed.DefaultRelease(),
		Buckets: buckets.DefaultState(), Convolution: convolution.DefaultState(), Convergence: convergence.DefaultState(),
		Plane: plane.DefaultState(), LearnFile: learn.DefaultSettings(), Use: learn.DefaultUseSettings()}
}

// Reset returns the state with all parameters of its place at their defaults, or as the step prepares them.
func (s State) Reset() State { return s.withParametersOf(s.beginning()) }

// beginning returns the defaults, or what the step prepares.
func (s *State) beginning() State {
	if s.Step > 0 {
		return prepared(s.Step)
	}
	return DefaultState()
}

// withParametersOf returns s with the parameters of its place taken from other.
func (s State) withParametersOf(other State) State {
	switch s.Place {
	case PlaceStart:
		s.Start = other.Start
	case PlaceEmbed:
		s.Embed, s.Release = other.Embed, other.Release
	case PlaceBuckets:
		s.Buckets = other.Buckets
	case PlaceConvolution:
		s.Convolution = other.Convolution
	case PlaceConvergence:
		s.Convergence = other.Convergence
	case PlaceLearn:
		if s.Half == HalfPlane {
			s.Plane = other.Plane
		} else {
			s.Embed, s.LearnFile, s.Use = other.Embed, other.LearnFile, other.Use
			s.Release.Epsilon, s.Release.Delta, s.Release.Budget = other.Release.Epsilon, other.Release.Delta,
				other.Release.Budget
		}
	}
	return s
}

// Get returns the value of a parameter as its field shows it, or "".
func (s State) Get(name string) string {
	if p := s.parameter(name); p != nil {
		return p.Get()
	}
	return ""
}

// With returns the state with a parameter of its place set from text. An error is a *sketch.Error that names the
// parameter.
func (s State) With(name, text string) (State, error) {
	next := s
	p := next.parameter(name)
	if p == nil {
		var names []string
		for _, p := range s.parameters() {
			if !p.Derived {
				names = append(names, p.Name)
			}
		}
		return s, sketch.ErrParam.New(format.Cut(name), "", "be one of "+strings.Join(names, ", "))
	}
	err := p.Take(text)
	if err == nil {
		err = next.settle(&s)
	}
	if err != nil {
		return s, err
	}
	return next, nil
}

// Hash returns the fragment of a link to the state, beginning with "#".
func (s State) Hash() string {
	var b strings.Builder
	path, own := s.Place, true
	if s.Step > 0 {
		path, own = PlaceStart+"/"+strconv.Itoa(s.Step), s.Reset() != s
	}
	b.WriteString("#/" + path)
	separator := "?"
	add := func(name, value string) {
		b.WriteString(separator + name + "=" + value)
		separator = "&"
	}
	for _, p := range s.parameters() {
		if own && !p.Derived && !p.Unlinked {
			add(p.Name, control.Escape(p.Get()))
		}
	}
	if s.Embedded {
		add("embed", "1")
	}
	if s.Lecture {
		add(lecture, "1")
	}
	if s.Hide != "" {
		add("hide", s.Hide)
	}
	return b.String()
}

// ParseHash reads the fragment of a link. A part that cannot be used keeps its default and is named in the notes, so
// every fragment gives a valid state.
func ParseHash(hash string) (State, []string) { return DefaultState().Follow(hash) }

// Follow reads the fragment of a link as ParseHash does. The other places keep their parameters.
func (s State) Follow(hash string) (next State, notes []string) {
	note := func(text string) { notes = append(notes, "The link was not used as it is: "+text) }
	path, query, _ := strings.Cut(strings.TrimPrefix(hash, "#"), "?")
	s.Place, s.Embedded, s.Hide, s.Step, s.Lecture = PlaceStart, false, "", 0, false
	if name := strings.Trim(path, "/"); placeOf(name) != nil {
		s.Place = name
	} else if n := stepOf(name); n > 0 {
		at := prepared(n)
		s.Step, s.Place, s.Half = n, at.Place, at.Half
	} else if name != "" {
		note("there is no place " + strconv.Quote(format.Cut(name)) + ".")
	}
	if s.Place == PlaceLearn && s.Step == 0 {
		s.readHalf(query)
	}
	s = s.Reset()
	var values []lesson.Change
	for _, pair := range strings.FieldsFunc(query, func(r rune) bool { return r == '&' }) {
		name, escaped, _ := strings.Cut(pair, "=")
		value, ok := control.Unescape(escaped)
		if !ok || !utf8.ValidString(value) {
			note(strconv.Quote(format.Cut(pair)) + " is not properly escaped.")
			continue
		}
		switch p := s.parameter(name); {
		case name == "embed" || name == lecture:
			if value != "1" && value != "0" {
				note(name + " must be 1 or 0, got " + strconv.Quote(format.Cut(value)) + ".")
			}
			if name == lecture {
				s.Lecture = value == "1"
			} else {
				s.Embedded = value == "1"
			}
		case name == "hide":
			var unknown []string
			s.Hide, unknown = s.parseHide(value)
			for _, name := range unknown {
				note("hide knows no control " + strconv.Quote(format.Cut(name)) + ".")
			}
		case p != nil && p.Derived:
			note(name + " belongs to x and at, and is not in links.")
		case len(s.parameters()) == 0:
			note("there are no parameters in this place; " + format.Cut(name) + " is not one.")
		case name == "":
			note(strconv.Quote(format.Cut(pair)) + " has no name.")
		case p == nil:
			_, err := s.With(name, value)
			note(err.Error() + ".")
		default:
			values = append(values, lesson.Change{Name: name, Text: value})
		}
	}
	for _, p := range s.parameters() { // in the parameters' own order, because some limit the range of others
		before := ""
		for _, given := range values {
			if given.Name != p.Name {
				continue
			}
			if next, err := s.With(given.Name, given.Text); err == nil {
				s = next
				now := s.Get(p.Name)
				if before != "" && before != now {
					note(p.Name + " stands there more than once; its last value counts, " + format.Cut(now) + ".")
				}
				before = now
				if n, _ := strconv.Atoi(given.Text); p.Name == "nComponents" && s.Get(p.Name) == strconv.Itoa(n+1) {
					note("nComponents must be even with complex signs, got " + strconv.Itoa(n) + "; here it is " + s.Get(p.Name) + ".")
				}
			} else {
				note(err.Error() + ".")
			}
		}
	}
	return s, notes
}

// parseHide reads a list of control names. It returns the known ones in the place's order, each once.
func (s *State) parseHide(list string) (hide string, unknown []string) {
	hideable := slices.Clone(s.place().Hideable)
	for _, p := range s.parameters() {
		hideable = append(hideable, p.Name)
	}
	known, unknown := control.Sort(list, hideable)
	return strings.Join(known, ","), unknown
}

// Shows reports whether a control is shown: neither the link nor the step hides it.
func (s State) Shows(name string) bool {
	hidden := s.Hide
	if s.Step > 0 {
		hidden += "," + steps[s.Step-1].hides
	}
	return !slices.Contains(strings.Split(hidden, ","), name)
}
