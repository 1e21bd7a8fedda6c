package embed

import (
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/table"
)

// UnusedView is what Unused shows.
type UnusedView struct {
	Hidden bool
	Title  string
	Rows   []*table.Problem
	More   string
	Save   control.Button // saves all of them; without a label in a private release, because these rows carry no noise
}

// UnusedView lists the first of the unused rows, and counts all of them.
func (e *Room) UnusedView() UnusedView {
	if e.Result == nil || e.Result.Counts.Unused == 0 {
		return UnusedView{Hidden: true}
	}
	counts := e.Result.Counts
	v := UnusedView{Title: format.Plural(counts.Unused, "row") + " of " + format.Cut(e.Result.Layout.Name) +
		" could not be used",
		Rows: counts.First}
	if more := counts.Unused - len(counts.First); more > 0 {
		v.More = "And " + format.Count(more) + " more."
	}
	if !e.Release.IsPrivate() && e.Result.Generation == e.Data.Generation {
		v.Save = control.Button{Action: SaveUnused, Label: FileName(e.Data.Layout.Stem, unusedFormat)}
	}
	return v
}
