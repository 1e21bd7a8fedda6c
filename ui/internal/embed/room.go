package embed

import (
	"strconv"
	"strings"
	"time"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/preview"
	"tensorsketch.example/ui/internal/report"
	"tensorsketch.example/ui/internal/table"
)

// A Room is the place Embed: rows, what is made of them, and what is saved.
type Room struct {
	Settings *Settings                 // of the link
	Release  *Release                  // likewise
	Shows    func(control string) bool // whether the link shows a control
	Adopt    func(next Settings)       // takes over settings
	Start    func()                    // embeds with the settings and data of now
	Drop     func()                    // ends the embedding that runs and forgets it

	Data     Data
	Editing  int  // the column whose settings are shown, from 1, or 0
	Find     Find // which columns are listed
	Run      Run
	Result   *Result // of the last embedding, nil before the first
	Saving   Saving
	Model    *Model // the model file that was opened, nil: none
	Jobs     []Job
	Keyed    int    // the number of the key that the map is drawn from, 0: of the seed
	Meter    *Meter // of the last release looked at, nil before
	Ledger   Ledger
	Requests Requests     // since the file was opened
	asked    askedRelease // the release that is to be confirmed
	many     int          // the components before Nyström's method took fewer, or 0
}

// Press does what a button of the room asks for, and reports whether that needs no browser.
func (e *Room) Press(action control.Action) bool {
	switch action {
	case DropModel:
		used := e.Applied() != nil // parameters and columns stay
		if e.Model = nil; used {
			e.Embed()
		}
	case FitColumns:
		e.setLayout(e.Data.Layout.ForRelease())
	case AskRelease:
		e.asked = e.choice()
	case CancelRelease:
		e.asked = askedRelease{}
	default:
		return false
	}
	return true
}

// Data are the rows to embed: the sample, or a file.
type Data struct {
	Generation int           // counts the data shown so far
	Layout     *table.Layout // of the file or of the sample
	Reading    Reading       // what was said about the file
	Bytes      int           // of the file; 0 for the sample
	Problem    string        // with the file chosen last
	Unread     bool          // the file cannot be read as it is said to be: there are no rows
}

// ImageSide is what images are scaled to at first.
const ImageSide = 28

// IsSample reports whether the rows are the page's own.
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
func (d *Data) Refusal(refused *RowError, params Settings) *table.Problem {
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
	Embed      Settings      // it was made with
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

// SampleRows is how many digits the sample has.
const SampleRows = 1000

// SetLabel makes a column the label, or none if it is −1.
func (e *Room) SetLabel(column int) {
	if layout := e.Data.Layout; column < len(layout.Columns) {
		e.setLayout(layout.WithLabel(column))
	}
}

func (e *Room) setLayout(layout *table.Layout) {
	if layout != e.Data.Layout {
		e.Data.Layout = layout
		e.Embed()
	}
}

// SetData shows other rows.
func (e *Room) SetData(data Data) {
	data.Generation = e.Data.Generation + 1
	e.Data, e.Editing, e.Find = data, 0, Find{}
	if e.Model != nil && !data.IsSample() && !data.Unread {
		e.TakeModel(e.Model)
		return
	}
	e.Embed()
}

// Refuse shows a file that cannot be read, and why.
func (e *Room) Refuse(name string, bytes int, reading Reading, err error) {
	e.SetData(Data{Layout: &table.Layout{Name: name, Stem: name, Compression: "none"}, Reading: reading, Bytes: bytes,
		Unread: true})
	e.Data.Problem = err.Error()
}

// FailRun ends the run of the data shown. What was embedded of others goes.
func (e *Room) FailRun(message string) {
	e.Run = Run{Phase: Failed, Message: message}
	e.ForgetOthers()
}

// ForgetOthers forgets the result of data that are not shown any more.
func (e *Room) ForgetOthers() {
	if e.Result != nil && e.Result.Generation != e.Data.Generation {
		e.Result, e.Meter = nil, nil
	}
}

// What is embedded as a whole to be shown: everything a page does in a moment. Of more,
// ShownMost are, which say as much; saving embeds all.
const (
	ShownBytes    = 32 << 20  // of the file
	ShownFeatures = 256 << 20 // bytes of features
	ShownMost     = 2000
)

// ShownRows returns how many rows are embedded to be shown, 0 for all.
func (e *Room) ShownRows() int {
	rowBytes := 4 * e.Settings.NComponents
	if e.Data.unpacked() <= ShownBytes && rowBytes*e.Data.Rows() <= ShownFeatures {
		return 0
	}
	return max(min(ShownMost, ShownFeatures/rowBytes), 2)
}

// Embed starts anew.
func (e *Room) Embed() {
	if !e.Data.Unread {
		e.Data.Problem = ""
	}
	if e.Data.Layout == nil {
		return
	}
	switch {
	case e.Data.Unread:
		e.Drop()
		e.FailRun("Nothing is embedded: the file could not be read.")
		return
	case !e.Data.Layout.HasFeatures():
		e.Drop()
		e.FailRun("No column becomes a feature: choose a use for at least one below.")
		return
	}
	e.Start()
}

// IsStale reports whether the result is of other parameters, other columns or another key
// than those shown.
func (e *Room) IsStale() bool {
	r := e.Result
	return r != nil && (*e.Settings != r.Embed || r.Layout != e.Data.Layout || r.Keyed != e.Keyed ||
		r.Model != e.Applied())
}

// ShownAfter is how long an embedding may run unseen: short ones do not flicker.
const ShownAfter = 150 * time.Millisecond

// IsSeen reports whether the run is shown at work.
func (r Run) IsSeen() bool { return r.Phase == Running && r.Elapsed >= ShownAfter }

// TooFew returns an error where there are not enough rows to choose landmarks from.
func (d *Data) TooFew(rows int, params Settings) error {
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
