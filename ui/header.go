package main

import "strconv"

// Header is the top of the page: links to the places, and buttons that copy links.
type Header struct {
	View  HeaderView
	Press PressHandler
}

// HeaderView is what a Header shows.
type HeaderView struct {
	Places              []PlaceLink
	CopyLink, CopyFrame string // the labels of the buttons
	Parts               []Part // of the place, if they are to be chosen
}

// Expanded reports, as an attribute, whether the parts are shown.
func (v HeaderView) Expanded() string { return strconv.FormatBool(len(v.Parts) > 0) }

// A PlaceLink leads to a place in the state in which the visitor left it, and from a file in Embed to what Learn makes
// of that.
type PlaceLink struct {
	Label, Link string
	Current     any // "page", or nil
}

// HeaderView returns the links to all places.
func (a *App) HeaderView() HeaderView {
	v := HeaderView{CopyLink: a.Said(CopyLink, "Copy link"), CopyFrame: a.Said(CopyFrame, "Copy iframe")}
	for _, place := range places {
		state := a.State
		state.Lecture = false
		link := PlaceLink{Label: place.Label}
		if place.Name == state.Place {
			link.Current = "page"
		} else {
			state.Hide, state.Step = "", 0 // they belong to this place
			if place.Name == PlaceLearn && state.Place == PlaceEmbed && !a.Data.IsSample() {
				state.Half = HalfFile // the visitor's file goes along
			}
		}
		state.Place = place.Name
		link.Link = state.Hash()
		v.Places = append(v.Places, link)
	}
	if a.ShowsParts {
		v.Parts = a.parts()
	}
	return v
}
