package main

import (
	"strconv"

	"github.com/vugu/vugu"
	"tensorsketch.example/ui/internal/embed"
)

// The components that show a view of a room, or nothing of their own.

// Opening says what the page shows and where the rows come from.
type Opening struct {
	View  embed.OpeningView
	Notes []string // what could not be used of the link
	Press PressHandler
	Alone bool // on the page, not in a frame
}

// Progress is the line that tells what the embedding is doing, with its bar.
type Progress struct {
	View  embed.ProgressView
	Press PressHandler
}

// Picture is the scatter of estimates against exact kernel values, and what can be said of it.
type Picture struct {
	View  embed.PictureView
	Press PressHandler
}

// Saves are the files a visitor can take away, and the embeddings that have been left half way.
type Saves struct {
	View  embed.SavesView
	Press PressHandler
}

// Privacy tells what noise a release gets and what that leaves.
type Privacy struct {
	View  embed.PrivacyView
	Press PressHandler
}

// Columns lists the columns of a file, with what becomes of each. The list may be long, so it has a host element of
// its own; so have the settings of one column.
type Columns struct{ View embed.ColumnsView }

// Unused lists the rows of a file that could not be used.
type Unused struct {
	View  embed.UnusedView
	Press PressHandler
}

// CanGoOffline reports whether the button is offered. In a frame it is not.
func (c *Opening) CanGoOffline() bool { return c.View.CanChoose && c.Alone }

// Transport steps through the picture and writes out what the step computes.
type Transport struct {
	View  BoardView
	Press PressHandler
	Edit  EditHandler
}

func (c *Transport) press(action Action) { c.Press.PressHandle(PressEvent{action}) }

func (c *Transport) chosen(event vugu.DOMEvent) {
	c.Edit.EditHandle(EditEvent{"speed", event.PropString("target", "value"), (*App).Change})
}

// Datatable is what can be taken away of a teaching place: the picture, and its data,
// which can also be read here.
type Datatable struct {
	Open  bool // the table is shown
	Press PressHandler
}

func (c *Datatable) open() string { return strconv.FormatBool(c.Open) }

// Take saves the picture of a place, or its data.
type Take struct{ Press PressHandler }

// Questions are things to notice, with buttons that set what shows them.
type Questions struct {
	Questions []Asked
	Press     PressHandler
}
