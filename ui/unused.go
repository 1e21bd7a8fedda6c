package main

import (
	"github.com/tensorsketch/tensorsketch/ui/internal/csvfile"
	"github.com/tensorsketch/tensorsketch/ui/internal/format"
)

// Unused lists the rows of a file that could not be used.
type Unused struct{ View UnusedView }

// UnusedView is what Unused shows.
type UnusedView struct {
	Hidden bool
	Title  string
	Rows   []*csvfile.Problem
	More   string
}

// UnusedView lists the first of the rows passed over, and counts all.
func (a *App) UnusedView() UnusedView {
	if a.Result == nil || a.Result.Unused.Total == 0 {
		return UnusedView{Hidden: true}
	}
	unused := a.Result.Unused
	v := UnusedView{Title: format.Plural(unused.Total, "row") + " of " + a.Result.Layout.Name + " could not be used", Rows: unused.First}
	if more := unused.Total - len(unused.First); more > 0 {
		v.More = "And " + format.Count(more) + " more."
	}
	return v
}
