package main

// Rail holds the controls, in groups.
type Rail struct {
	View   RailView
	Type   TypeHandler
	Change ChangeHandler
}

// RailView is what a Rail shows.
type RailView struct{ Groups []Group }

// A Group of controls under one heading.
type Group struct {
	ID, Title string
	Fields    []Field
}

// HasRail tells whether a control is shown.
func (a *App) HasRail() bool { return len(a.RailView().Groups) > 0 }

// RailView returns the controls that the link does not hide.
func (a *App) RailView() RailView {
	var view RailView
	for _, group := range []struct {
		id, title string
		names     []string
	}{
		{"kernel", "Kernel (γ⟨x, y⟩ + c)ᵖ", []string{"degree", "gamma", "coef0"}},
		{"sketch", "Sketch", []string{"nComponents", "seed", "output"}},
		{"scaling", "Scaling", []string{"rows", "normalize"}},
	} {
		var fields []Field
		for _, name := range group.names {
			if a.State.Shows(name) {
				fields = append(fields, a.Field(name))
			}
		}
		if len(fields) > 0 {
			view.Groups = append(view.Groups, Group{group.id, group.title, fields})
		}
	}
	return view
}
