package main

import "tensorsketch.example/ui/internal/control"

// Rail holds the controls, in groups.
type Rail struct {
	View  RailView
	Edit  EditHandler
	Press PressHandler
}

// RailView is what a Rail shows.
type RailView struct {
	Label  string
	Groups []Group
	IsStep bool // the groups stand under the heading of a step
}

// A Group is a set of controls under one heading.
type Group struct {
	ID, Title string
	Fields    []Field
	Buttons   []control.Button
	Note      string
	Menu      string // id of the element that the method menu is drawn into, or ""
}

// besides has the buttons of a teaching place that go with a parameter.
var besides = map[string][]control.Button{
	"seed":     {{Action: NewSeed, Label: "New seed"}, {Action: Reset, Label: "Reset"}},
	"dataSeed": {{Action: NewPoints, Label: "New points"}},
	"brush":    {{Action: ClearPoints, Label: "Remove all of yours"}},
}

// HasRail reports whether any control is shown.
func (a *App) HasRail() bool { return len(a.RailView().Groups) > 0 }

// RailView returns the controls that the link does not hide. The controls of a private release have their own view.
func (a *App) RailView() RailView {
	return a.railView("Parameters", func(group string) bool { return group != "privacy" })
}

// ReleaseView returns the controls of a private release that the link does not hide.
func (a *App) ReleaseView() RailView {
	return a.railView("Private release", func(group string) bool { return group == "privacy" })
}

func (a *App) railView(label string, has func(group string) bool) RailView {
	view := RailView{Label: label, IsStep: !a.State.IsLesson()}
	for _, group := range a.State.place().Groups {
		if !a.State.Shows(group.ID) || !has(group.ID) {
			continue
		}
		shown := Group{ID: group.ID, Title: group.Title}
		for _, name := range group.Names {
			switch {
			case !a.State.Shows(name) || a.State.parameter(name).Unseen:
			case name == "method" && !a.State.IsLesson():
				shown.Menu = "menu"
			default:
				shown.Fields = append(shown.Fields, a.Field(name))
				if a.State.IsLesson() {
					shown.Buttons = append(shown.Buttons, besides[name]...)
				}
			}
		}
		switch group.ID {
		case "own":
			shown.Note = "With the keyboard: go to the picture with Tab, move with the arrows, and press Enter."
		case "planner":
			shown.Note = a.BoardView().Plan
		case "map":
			shown.Note = a.State.Embed.Of().Says
		case "scaling":
			shown.Note = a.State.Embed.RowsNote()
		case "formula":
			shown.Title += " " + a.State.Embed.KernelFormula()
		case "compare":
			shown.Note = "Not offered: Count Sketch, which is Tensor Sketch at p = 1, and Nyström and k-Space, which need " +
				"rows of data. Maps that take long to make have no marks at the largest D."
		}
		if len(shown.Fields) > 0 || shown.Menu != "" {
			view.Groups = append(view.Groups, shown)
		}
	}
	return view
}
