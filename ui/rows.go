package main

import "tensorsketch.example/ui/internal/embed"

// Rows is the step in which rows are chosen: the file, its columns with their types and uses, and what of it cannot be
// used. It takes a view, so that any place with rows can show it.
type Rows struct {
	View  embed.RowsView
	Press PressHandler
	Alone bool // the page is not in a frame
}

// CanGoOffline reports whether the button is offered. A page in a frame does not offer it.
func (c *Rows) CanGoOffline() bool { return c.View.CanChoose && c.Alone }

func (c *Rows) class() string {
	if c.View.IsSample {
		return "embed-step rows of-sample"
	}
	return "embed-step rows"
}
