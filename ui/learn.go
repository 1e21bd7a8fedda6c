package main

import (
	"strings"

	"tensorsketch.example/ui/internal/control"
)

// The halves of the place Learn.
const (
	HalfPlane = "plane"
	HalfFile  = "file"
)

var halves = control.Options(HalfPlane, "Plane", HalfFile, "Your file")

// IsHalf reports whether the state is of a half of Learn.
func (s *State) IsHalf(half string) bool { return s.Place == PlaceLearn && s.Half == half }

// half returns the parameter that chooses the half of Learn.
func (s *State) half() control.Parameter { return control.Choice("half", "Half", halves, &s.Half) }

// readHalf takes the half of Learn from the query of a link. The half says which other parameters the link may have.
func (s *State) readHalf(query string) {
	s.Half = HalfPlane
	half := s.half()
	for pair := range strings.SplitSeq(query, "&") {
		if value, found := strings.CutPrefix(pair, "half="); found {
			_ = half.Take(value) // Follow notes the error
		}
	}
}

// Halves are the links to the halves of Learn.
type Halves struct {
	Halves []PlaceLink
	Press  PressHandler
}

// Halves returns the links to the halves, or none if they are not shown: a frame shows one half.
func (a *App) Halves() []PlaceLink {
	if a.State.Place != PlaceLearn || a.State.Embedded || a.State.Step > 0 || !a.State.Shows("half") {
		return nil
	}
	var links []PlaceLink
	for _, half := range halves {
		state := a.State
		link := PlaceLink{Label: half.Label}
		if half.Value == state.Half {
			link.Current = "page"
		} else {
			state.Hide = "" // it names controls of this half
		}
		state.Half = half.Value
		link.Link = state.Hash()
		links = append(links, link)
	}
	return links
}
