package main

import (
	"strconv"
	"strings"
	"time"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/preview"
	"tensorsketch.example/ui/internal/report"
	"tensorsketch.example/ui/internal/table"
)

// Data are the rows to embed: the sample, or a file.
type Data struct {
	Generation int           // counts the data shown so far
	Layout     *table.Layout // of the file or of the sample
	Reading    Reading       // what was said about the file
	Bytes      int           // of the file; 0 for the sample
	Problem    string        // what is to be said of the file last chosen
	Unread     bool          // the file cannot be read as it is said to be: there are no rows
}

// imageSide is what images are scaled to at first.
const imageSide = 28

// IsSample tells whether the rows are the page's own.
func (d *Data) IsSample() bool { return d.Bytes == 0 && !d.Unread }

// Rows estimates how many rows there are.
func (d *Data) Rows() int {
	if d.Layout.Total > 0 {
		return d.Layout.Total
	}
	return max(int(float64(d.unpacked())/max(d.Layout.BytesPerRow, 1)), 1)
}

// unpacked estimates the bytes of the file as it is without compression.
func (d *Data) unpacked() int {
	if d.Layout.Compression == "none" {
		return d.Bytes
	}
	return 5 * d.Bytes
}

// A RowError says that the core refuses a row.
type RowError struct {
	Place    int    // in the file, its line or number from 1
	Overflow bool   // a feature exceeds what float32 holds
	Message  string // the core's
}

func (e *RowError) Error() string { return e.Message }

// Refusal says which row the core refuses, embedded with those parameters, and what can
// be done.
func (d *Data) Refusal(refused *RowError, params EmbedState) *table.Problem {
	problem := &table.Problem{File: d.Layout.Name, Place: d.place(refused.Place)}
	if d.IsSample() {
		problem.File, problem.Place = "The sample", "row "+strconv.Itoa(refused.Place)
	}
	switch {
	case !refused.Overflow && params.Method == sketch.MethodSpherical && params.Rows == RowsUnit:
		problem.What, problem.Remedy = "the row is all zeros, which no scaling brings to length 1", "remove it"
		return problem
	case !refused.Overflow && params.Method == sketch.MethodSpherical:
		problem.What, problem.Remedy = "the row is not of length 1, which spherical features need", "choose Rows: length 1"
		return problem
	case !refused.Overflow:
		_, want, _ := strings.Cut(refused.Message, " must ")
		problem.What, problem.Remedy = "the row must "+want, "correct it or remove it"
		return problem
	}
	problem.What, problem.Remedy = "the features exceed what float32 holds", params.RemedyForOverflow()
	if params.Rows != RowsUnit {
		problem.Remedy = "scale the rows to length 1, or " + problem.Remedy
	}
	return problem
}

// place names a row of the file: files of text count lines, others rows.
func (d *Data) place(n int) string {
	if d.Layout.IsText() {
		return "line " + strconv.Itoa(n)
	}
	return "row " + strconv.Itoa(n)
}

// Phase is what the embedding is doing.
type Phase uint8

// The phases of an embedding.
const (
	Loading Phase = iota // the core is not there yet
	Running
	Done
	Stopping // by the visitor: the rows embedded so far are being compared
	Stopped
	Failed
)

// Run is the embedding at work, or how the last one ended.
type Run struct {
	Phase   Phase
	Rows    int     // embedded so far
	Done    float64 // share of the data read, 0 to 1
	Elapsed time.Duration
	Message string // why it failed
}

// Result is what an embedding left: all of the rows, or the first of them.
type Result struct {
	Rows       int           // embedded
	ZeroRows   int           // of them, those whose features are all zero
	Preview    []preview.Row // of the first ones
	Embed      EmbedState    // it was made with
	Generation int           // of the data
	Layout     *table.Layout
	NFeatures  int
	Keyed      int    // the key it was made with
	Model      *Model // that it was made by, nil: the parameters
	Partial    bool   // it is of the first rows
	Counts     table.Counts
	Elapsed    time.Duration
	CorePerRow time.Duration // measured apart once the result is shown, 0 before
	Report     *report.Report
	Heaviest   Share  // of the columns, where there are several
	Fitted     string // how many landmarks the map has, and of which rows; empty where it needs none
	Number     int    // counts the results of this page
}

// sampleRows is how many digits the sample has.
const sampleRows = 1000

// SetLabel makes a column the label, or none if it is −1.
func (a *App) SetLabel(column int) {
	if layout := a.Data.Layout; column < len(layout.Columns) {
		a.setLayout(layout.WithLabel(column))
	}
}

func (a *App) setLayout(layout *table.Layout) {
	if layout != a.Data.Layout {
		a.Data.Layout = layout
		a.embed()
	}
}

// SetData shows other rows.
func (a *App) SetData(data Data) {
	data.Generation = a.Data.Generation + 1
	a.Data, a.Editing, a.Find = data, 0, Find{}
	if a.Model != nil && !data.IsSample() && !data.Unread {
		a.TakeModel(a.Model)
		return
	}
	a.embed()
}

// Refuse shows a file that cannot be read, and why.
func (a *App) Refuse(name string, bytes int, reading Reading, err error) {
	a.SetData(Data{Layout: &table.Layout{Name: name, Stem: name, Compression: "none"}, Reading: reading, Bytes: bytes,
		Unread: true})
	a.Data.Problem = err.Error()
}

// fail ends the run of the data shown. What was embedded of others goes.
func (a *App) fail(message string) {
	a.Run = Run{Phase: Failed, Message: message}
	a.forgetOthers()
}

// forgetOthers forgets the result of data that are not shown any more.
func (a *App) forgetOthers() {
	if a.Result != nil && a.Result.Generation != a.Data.Generation {
		a.Result, a.Meter = nil, nil
	}
}

// What is embedded as a whole to be shown: everything a page does in a moment. Of more,
// shownRows are, which say as much; saving embeds all.
const (
	shownBytes    = 32 << 20  // of the file
	shownFeatures = 256 << 20 // bytes of features
	shownRows     = 2000
)

// ShownRows returns how many rows are embedded to be shown, 0 for all.
func (a *App) ShownRows() int {
	rowBytes := 4 * a.State.Embed.NComponents
	if a.Data.unpacked() <= shownBytes && rowBytes*a.Data.Rows() <= shownFeatures {
		return 0
	}
	return max(min(shownRows, shownFeatures/rowBytes), 2)
}

// embed starts anew.
func (a *App) embed() {
	if !a.Data.Unread {
		a.Data.Problem = ""
	}
	if a.Data.Layout == nil {
		return
	}
	switch {
	case a.Data.Unread:
		a.Browser.Drop()
		a.fail("Nothing is embedded: the file could not be read.")
		return
	case !a.Data.Layout.HasFeatures():
		a.Browser.Drop()
		a.fail("No column becomes a feature: choose a use for at least one below.")
		return
	}
	a.Browser.Embed()
}

// IsStale tells whether the result is of other parameters, other columns or another key
// than those shown.
func (a *App) IsStale() bool {
	r := a.Result
	return r != nil && (a.State.Embed != r.Embed || r.Layout != a.Data.Layout || r.Keyed != a.Keyed ||
		r.Model != a.applied())
}

// shownAfter is how long an embedding may run unseen: short ones do not flicker.
const shownAfter = 150 * time.Millisecond

// IsSeen tells whether the run is shown at work.
func (r Run) IsSeen() bool { return r.Phase == Running && r.Elapsed >= shownAfter }

// tooFew returns an error where there are not enough rows to choose landmarks from.
func (d *Data) tooFew(rows int, params EmbedState) error {
	if rows >= params.NComponents {
		return nil
	}
	name := d.Layout.Name
	if d.IsSample() {
		name = "The sample"
	}
	return &table.Problem{File: name, What: "it has " + format.Plural(rows, "row") + ", too few for " +
		format.Plural(params.NComponents, "landmark"),
		Remedy: "lower the components D to " + format.Count(rows) + " or less"}
}
