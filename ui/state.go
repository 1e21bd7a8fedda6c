package main

import (
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// State is everything a link to the page holds: the place, its parameters and
// what is hidden. The rest of the page is computed from it and from the data.
// A link holds the parameters of its own place only; those of the others are
// where the visitor left them.
type State struct {
	Place    string // one of places
	Embedded bool   // without header and footer, for an iframe
	Hide     string // names of controls that are not shown, in the place's order, separated by commas

	Embed       EmbedState
	Release     ReleaseState // of Embed
	Buckets     BucketsState
	Convolution ConvolutionState
	Convergence ConvergenceState
}

// The names of the places, as links give them.
const (
	PlaceBuckets     = "buckets"
	PlaceConvolution = "convolution"
	PlaceConvergence = "convergence"
	PlaceEmbed       = "embed"
	PlaceAbout       = "about"
)

// A place is one of the page's five.
type place struct {
	name, label string
	parameters  []parameter // in the order of a link
	groups      []group     // of the rail
	hideable    []string    // what a link can hide besides parameters
	// brings into range what a change of another parameter bounds, or refuses the change; may be nil
	settle func(before State, next *State) error
}

// A group of the rail: the names of parameters under a heading.
type group struct {
	id, title string
	names     []string
}

// places are in the order of the header.
var places = []*place{&bucketsPlace, &convolutionPlace, &convergencePlace, &embedPlace, &aboutPlace}

var aboutPlace = place{name: PlaceAbout, label: "About", hideable: []string{"save"}}

// placeOf returns a place by its name, or nil.
func placeOf(name string) *place {
	for _, p := range places {
		if p.name == name {
			return p
		}
	}
	return nil
}

// at returns the place of the state.
func (s State) at() *place { return placeOf(s.Place) }

func (p *place) parameter(name string) *parameter {
	for i := range p.parameters {
		if p.parameters[i].name == name {
			return &p.parameters[i]
		}
	}
	return nil
}

// names returns the parameters that links can hold.
func (p *place) names() []string {
	var names []string
	for i := range p.parameters {
		if !p.parameters[i].derived {
			names = append(names, p.parameters[i].name)
		}
	}
	return names
}

// DefaultState is what the page opens with.
func DefaultState() State {
	return State{Place: PlaceEmbed, Embed: defaultEmbed(), Release: defaultRelease(), Buckets: defaultBuckets(),
		Convolution: defaultConvolution(), Convergence: defaultConvergence()}
}

// Reset returns the state with all parameters of its place at their defaults.
func (s State) Reset() State { return s.as(DefaultState()) }

// as returns the state with the parameters that its place has in another.
func (s State) as(other State) State {
	switch s.Place {
	case PlaceEmbed:
		s.Embed, s.Release = other.Embed, other.Release
	case PlaceBuckets:
		s.Buckets = other.Buckets
	case PlaceConvolution:
		s.Convolution = other.Convolution
	case PlaceConvergence:
		s.Convergence = other.Convergence
	}
	return s
}

// Get returns a parameter of the place as its field shows it.
func (s State) Get(name string) string {
	if p := s.at().parameter(name); p != nil {
		return p.get(&s)
	}
	return ""
}

// With returns the state with a parameter of its place set from text. The error
// is a *sketch.Error that names it.
func (s State) With(name, text string) (State, error) {
	p := s.at().parameter(name)
	if p == nil {
		return s, refuse(format.Cut(name), "", "be one of "+strings.Join(s.at().names(), ", "))
	}
	next := s
	if err := p.set(&next, strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))); err != nil {
		return s, err
	}
	if settle := s.at().settle; settle != nil {
		if err := settle(s, &next); err != nil {
			return s, err
		}
	}
	return next, nil
}

// Hash returns the fragment of a link to the state, beginning with "#".
func (s State) Hash() string {
	var b strings.Builder
	b.WriteString("#/" + s.Place)
	separator := "?"
	add := func(name, value string) {
		b.WriteString(separator + name + "=" + value)
		separator = "&"
	}
	for _, p := range s.at().parameters {
		if !p.derived && (p.unless == nil || !p.unless(&s)) {
			add(p.name, escape(p.get(&s)))
		}
	}
	if s.Embedded {
		add("embed", "1")
	}
	if s.Hide != "" {
		add("hide", s.Hide)
	}
	return b.String()
}

// ParseHash reads the fragment of a link. What it cannot use keeps its default
// and is named in notes, so that any fragment gives a valid state.
func ParseHash(hash string) (State, []string) { return DefaultState().Follow(hash) }

// Follow reads the fragment of a link as ParseHash does, and keeps the other
// places as they are.
func (s State) Follow(hash string) (next State, notes []string) {
	note := func(text string) { notes = append(notes, "The link was not used as it is: "+text) }
	path, query, _ := strings.Cut(strings.TrimPrefix(hash, "#"), "?")
	s.Place, s.Embedded, s.Hide = PlaceEmbed, false, ""
	if name := strings.Trim(path, "/"); placeOf(name) != nil {
		s.Place = name
	} else if name != "" {
		note("there is no place " + strconv.Quote(format.Cut(name)) + ".")
	}
	s = s.Reset()
	var values []lesson.Change
	for _, pair := range strings.FieldsFunc(query, func(r rune) bool { return r == '&' }) {
		name, escaped, _ := strings.Cut(pair, "=")
		value, ok := unescape(escaped)
		if !ok {
			note(strconv.Quote(format.Cut(pair)) + " is not properly escaped.")
			continue
		}
		switch p := s.at().parameter(name); {
		case name == "embed":
			s.Embedded = value == "1"
		case name == "hide":
			var unknown []string
			s.Hide, unknown = s.at().parseHide(value)
			for _, name := range unknown {
				note("hide knows no control " + strconv.Quote(format.Cut(name)) + ".")
			}
		case p != nil && p.derived:
			note(name + " belongs to x and at, and is not in links.")
		case len(s.at().parameters) == 0:
			note("there are no parameters in this place; " + format.Cut(name) + " is not one.")
		case p == nil:
			_, err := s.With(name, value)
			note(err.Error() + ".")
		default:
			values = append(values, lesson.Change{Name: name, Text: value})
		}
	}
	for _, p := range s.at().parameters { // in their own order, for some bound others
		for _, given := range values {
			if given.Name != p.name {
				continue
			}
			if next, err := s.With(given.Name, given.Text); err == nil {
				s = next
				if n, _ := strconv.Atoi(given.Text); p.name == "nComponents" && s.Get(p.name) == strconv.Itoa(n+1) {
					note("nComponents must be even with complex signs, got " + strconv.Itoa(n) + "; here it is " + s.Get(p.name) + ".")
				}
			} else {
				note(err.Error() + ".")
			}
		}
	}
	return s, notes
}

// parseHide reads the names of controls. The known ones come back in the place's
// order, each once.
func (p *place) parseHide(list string) (hide string, unknown []string) {
	named := strings.FieldsFunc(list, func(r rune) bool { return r == ',' })
	hideable := slices.Clone(p.hideable)
	for i := range p.parameters {
		hideable = append(hideable, p.parameters[i].name)
	}
	var known []string
	for _, name := range hideable {
		if slices.Contains(named, name) {
			known = append(known, name)
		}
	}
	for _, name := range named {
		if !slices.Contains(hideable, name) {
			unknown = append(unknown, name)
		}
	}
	return strings.Join(known, ","), unknown
}

// Shows tells whether a control is shown.
func (s State) Shows(name string) bool {
	return !slices.Contains(strings.Split(s.Hide, ","), name)
}
