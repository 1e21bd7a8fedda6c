package main

import (
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/table"
)

// Unused lists the rows of a file that could not be used.
type Unused struct {
	View  UnusedView
	Press PressHandler
}

// UnusedView is what Unused shows.
type UnusedView struct {
	Hidden bool
	Title  string
	Rows   []*table.Problem
	More   string
	Save   string // label of the button that saves all of them, empty in a private release: they carry no noise
}

// UnusedView lists the first of the rows passed over, and counts all.
func (a *App) UnusedView() UnusedView {
	if a.Result == nil || a.Result.Counts.Unused == 0 {
		return UnusedView{Hidden: true}
	}
	counts := a.Result.Counts
	v := UnusedView{Title: format.Plural(counts.Unused, "row") + " of " + a.Result.Layout.Name + " could not be used",
		Rows: counts.First}
	if more := counts.Unused - len(counts.First); more > 0 {
		v.More = "And " + format.Count(more) + " more."
	}
	if !a.State.Release.IsPrivate() && a.Result.Generation == a.Data.Generation {
		v.Save = FileName(a.Data.Layout.Stem, unusedFormat, 0)
	}
	return v
}
