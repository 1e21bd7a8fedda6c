package main

import (
	"strconv"

	"github.com/vugu/vugu"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/format"
)

// Components that only show the view of a room, and components without state.

// Opening says what the page makes of the rows.
type Opening struct {
	View  embed.OpeningView
	Notes []string // the parts of the link that could not be used
}

// Progress is the line that says how far an embedding or a file is, with its progress bar.
type Progress struct {
	View  embed.ProgressView
	Press PressHandler
}

// Picture is the scatter plot of kernel estimates against exact values, and the text about it.
type Picture struct {
	View  embed.PictureView
	Press PressHandler
}

// Saves lists the files a visitor can save, and the unfinished embeddings.
type Saves struct {
	View  embed.SavesView
	Press PressHandler
}

// Privacy shows the noise of a release and the accuracy that remains.
type Privacy struct {
	View  embed.PrivacyView
	Press PressHandler
}

// Columns lists the columns of a file and how each is used. The list may be long, so it has its own host element.
// The settings of one column have their own host element too.
type Columns struct{ View embed.ColumnsView }

// Unused lists the rows of a file that could not be used.
type Unused struct {
	View  embed.UnusedView
	Press PressHandler
}

// FileNotes lists what was seen in a file and not used, guessed, replaced or left out. Until it is opened, one line has
// their number and the beginning of the first.
type FileNotes struct{ Notes []columns.Note }

func (c *FileNotes) summary() string {
	if len(c.Notes) == 0 {
		return ""
	}
	return format.Plural(len(c.Notes), "note") + " on the rows: " + c.sentence(c.Notes[0])
}

func (c *FileNotes) sentence(n columns.Note) string { return n.String() + "." }

// Transport holds the controls that step through the picture, and writes out what the current step computes.
type Transport struct {
	View  BoardView
	Press PressHandler
	Edit  EditHandler
}

func (c *Transport) press(action Action) { c.Press.PressHandle(PressEvent{action}) }

func (c *Transport) chosen(event vugu.DOMEvent) {
	c.Edit.EditHandle(EditEvent{"speed", event.PropString("target", "value"), (*App).Change})
}

// Datatable offers the picture of a teaching place and its data for saving, and can show the data as a table.
type Datatable struct {
	Open  bool // the table is shown
	Press PressHandler
}

func (c *Datatable) open() string { return strconv.FormatBool(c.Open) }

// Take holds the buttons that save a picture or its data.
type Take struct {
	Of    Action // the picture
	Press PressHandler
}

func (c *Take) id(form string) string { return string(c.Of) + form }

// name tells the buttons of a place's pictures apart: "SVG of the report".
func (c *Take) name(form string) string { return form + " of the " + takenNames[c.Of] }

var takenNames = map[Action]string{SavePicture: "picture", SaveDetail: "predictions", SaveReport: "report"}

func (c *Take) press(form string) { c.Press.PressHandle(PressEvent{c.Of + Action(form)}) }

// Questions are things to notice, each with a button that sets the parameters that show it.
type Questions struct {
	Questions []Asked
	Press     PressHandler
}
