package main

import (
	"slices"
	"strings"
)

// A Part is a part of a place that an iframe can do without: a group of controls, or what else a link can hide.
type Part struct {
	Label   string
	Action  Action // TogglePart, with the part's name
	IsShown bool
	hides   []string // what the link names to hide it
}

// partLabels name what links can hide besides groups of controls.
var partLabels = map[string]string{"title": "Heading", "play": "Steps", "cards": "Figures", "questions": "Questions",
	"save": "Saving", "data": "Rows"}

// parts returns the parts that the page shows of the place.
func (a *App) parts() (all []Part) {
	place := a.State.place()
	isSeen := func(name string) bool {
		p := a.State.parameter(name)
		return a.State.Shows(name) && (p == nil || !p.Unseen)
	}
	add := func(name, label string, hides ...string) {
		if isSeen(name) && slices.ContainsFunc(hides, isSeen) {
			all = append(all, Part{label, TogglePart + Action(name), !slices.Contains(a.Without, name), hides})
		}
	}
	for _, name := range place.Hideable {
		if label := partLabels[name]; label != "" {
			add(name, label, name)
		}
	}
	for _, group := range place.Groups {
		add(group.ID, group.Title, group.Names...)
	}
	return all
}

// togglePart leaves a part out of the iframe that is copied, or brings it back.
func (a *App) togglePart(name string) {
	if i := slices.Index(a.Without, name); i >= 0 {
		a.Without = slices.Delete(a.Without, i, i+1)
	} else {
		a.Without = append(a.Without, name)
	}
}

// FrameState returns the state that the iframe shows: without header and footer, and without the parts left out.
func (a *App) FrameState() State {
	state := a.State
	state.Embedded = true
	hidden := []string{state.Hide}
	for _, part := range a.parts() {
		if !part.IsShown {
			hidden = append(hidden, part.hides...)
		}
	}
	state.Hide, _ = state.parseHide(strings.Join(hidden, ","))
	return state
}
