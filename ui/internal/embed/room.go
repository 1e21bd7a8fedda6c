package embed

import (
	"strconv"
	"strings"
	"time"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/table"
)

// A Room is the place Embed: the rows, their features, and what is saved.
type Room struct {
	Settings *Settings                 // of the link
	Release  *Release                  // also of the link
	Shows    func(control string) bool // reports whether the link shows a control
	Adopt    func(next Settings)       // adopts settings
	Start    func()                    // embeds with the current settings and data
	Drop     func()                    // ends the running embedding and discards it

	Data     Data
	Editing  int  // the column whose settings are shown, from 1, or 0
	Find     Find // which columns are listed
	Run      Run
	Result   *Result  // of the last embedding, nil before the first
	Map      *RowsMap // of its rows, or of the rows before while that is made; nil before the first
	MapBy    int      // what the map is coloured by: an index in its Colours
	MapRow   int      // the row picked there, from 1, or 0
	Saving   Saving
	Model    *Model // the opened model file, or nil
	Jobs     []Job
	Keyed    int    // number of the key that the map is drawn from; 0: drawn from the seed
	Meter    *Meter // of the last release measured, nil before the first
	Ledger   Ledger
	Requests Requests     // since the file was opened
	asked    askedRelease // the release that awaits confirmation
	many     int          // the component count before Nyström's method reduced it, or 0
}

// Press performs the action of a button, and reports whether it could do so without the browser.
func (e *Room) Press(action control.Action) bool {
	switch action {
	case DropModel:
		used := e.Applied() != nil // parameters and columns stay
		if e.Model = nil; used {
			e.Embed()
		}
	case ConfirmRelease:
		if e.IsAsked() {
			e.asked = askedRelease{}
			return false // the browser makes the release
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
	Generation int           // number of data sets shown so far
	Layout     *table.Layout // of the file or of the sample
	Reading    Reading       // what the visitor set for reading the file
	Bytes      int           // of the file; 0 for the sample
	Problem    string        // with the file last chosen
	Unread     bool          // the file cannot be read with these settings: there are no rows
}

// ImageSide is the width and height that images are scaled to at first.
const ImageSide = 28

// IsSample reports whether the rows are the page's own.
func (d *Data) IsSample() bool { return d.Bytes == 0 && !d.Unread }

// Rows returns the number of rows, or an estimate.
func (d *Data) Rows() int {
	if d.Layout.Total > 0 {
		return d.Layout.Total
	}
	return max(int(float64(d.unpacked())/max(d.Layout.BytesPerRow, 1)), 1)
}

// unpacked estimates the size of the file without compression, in bytes.
func (d *Data) unpacked() int {
	if d.Layout.Compression == "none" {
		return d.Bytes
	}
	return 5 * d.Bytes
}

// A RowError says that the core refused a row.
type RowError struct {
	Place    int    // line or row number in the file, from 1
	Overflow bool   // a feature exceeds the range of float32
	Message  string // the core's message
}

// Refusal explains which row the core refused with these parameters, and what can be done.
func (d *Data) Refusal(refused *RowError, params Settings) *table.Problem {
	problem := &table.Problem{File: d.name(), Place: d.place(refused.Place)}
	switch {
	case refused.Overflow:
		problem.What, problem.Remedy = "the features exceed what float32 holds", params.RemedyForOverflow()
		if params.Rows == RowsNone {
			problem.Remedy = "scale the rows to length 1, or " + problem.Remedy
		}
	case params.Method != sketch.MethodSpherical:
		_, want, _ := strings.Cut(refused.Message, " must ")
		problem.What, problem.Remedy = "the row must "+want, "correct it or remove it"
	case params.Rows != RowsNone:
		problem.What, problem.Remedy = "the row is all zeros, which no scaling brings to length 1", "remove it"
	default:
		problem.What, problem.Remedy = "the row is not of length 1, which spherical features need", "choose Rows: length 1"
	}
	return problem
}

// name names the rows in an error.
func (d *Data) name() string {
	if d.IsSample() {
		return "The sample"
	}
	return d.Layout.Name
}

// place names a row: by its line in text files, else by its row number.
func (d *Data) place(n int) string {
	if d.Layout.IsText() && !d.IsSample() {
		return "line " + strconv.Itoa(n)
	}
	return "row " + strconv.Itoa(n)
}

// Phase is the state of the embedding.
type Phase uint8

// The phases of an embedding.
const (
	Loading Phase = iota // the core is not loaded yet
	Running
	Done
	Stopping // the visitor stopped it; the rows embedded so far are being compared
	Stopped
	Failed
)

// Run is the running embedding, or how the last one ended.
type Run struct {
	Phase   Phase
	Rows    int     // rows embedded so far
	Done    float64 // share of the data read, 0 to 1
	Elapsed time.Duration
	Message string // why it failed
}

// Result is the result of an embedding: of all rows, or of the first ones.
type Result struct {
	Rows       int       // rows embedded
	ZeroRows   int       // how many of them have only zero features
	Preview    []Row     // of the first rows
	Shown      int       // number by which the worker knows the rows
	Of         []float64 // the two rows of each pair of the report, by their index in the sample
	Embed      Settings  // the settings it was made with
	Generation int       // of the data
	Layout     *table.Layout
	NFeatures  int
	Keyed      int    // number of the key it was made with, or 0
	Model      *Model // the model it was made with, or nil
	Partial    bool   // only the first rows were embedded
	Counts     table.Counts
	Elapsed    time.Duration
	CorePerRow time.Duration // measured separately after the result is shown; 0 before
	Report     *Report
	Heaviest   Share  // of the columns, if there are several
	Fitted     string // how many landmarks the map has and the rows they come from; "" if it needs none
	Number     int    // counts the results of this page, from 1
}

// SampleRows is the number of digits in the sample.
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

// SetData makes other rows the current data.
func (e *Room) SetData(data Data) {
	data.Generation = e.Data.Generation + 1
	e.Data, e.Editing, e.Find = data, 0, ""
	e.Map, e.MapBy, e.MapRow = nil, 0, 0
	if e.Model != nil && !data.IsSample() && !data.Unread {
		e.TakeModel(e.Model)
		return
	}
	e.Embed()
}

// Refuse shows that a file cannot be read, and why.
func (e *Room) Refuse(name string, bytes int, reading Reading, err error) {
	e.SetData(Data{Layout: &table.Layout{Name: name, Stem: name, Compression: "none"}, Reading: reading, Bytes: bytes,
		Unread: true})
	e.Data.Problem = err.Error()
}

// FailRun ends the run of the current data with a message. A result of other data is discarded.
func (e *Room) FailRun(message string) {
	e.Run = Run{Phase: Failed, Message: message}
	e.ForgetOthers()
}

// ForgetOthers discards the result if it belongs to other data than the current ones.
func (e *Room) ForgetOthers() {
	if e.Result != nil && e.Result.Generation != e.Data.Generation {
		e.Result, e.Meter = nil, nil
	}
}

// Limits up to which all rows are embedded to be shown, because that takes a page only a moment. Beyond them, only
// ShownMost rows are embedded, which show as much. Saving embeds all rows.
const (
	ShownBytes    = 32 << 20  // of the file
	ShownFeatures = 256 << 20 // bytes of features
	ShownMost     = 2000
)

// ShownRows returns how many rows are embedded to be shown, or 0 for all.
func (e *Room) ShownRows() int {
	rowBytes := 4 * e.Settings.NComponents
	if e.Data.unpacked() <= ShownBytes && rowBytes*e.Data.Rows() <= ShownFeatures {
		return 0
	}
	return max(min(ShownMost, ShownFeatures/rowBytes), 2)
}

// Embed starts the embedding again.
func (e *Room) Embed() {
	if !e.Data.Unread {
		e.Data.Problem = ""
	}
	switch {
	case e.Data.Layout == nil:
	case e.Data.Unread:
		e.Drop()
		e.FailRun("Nothing is embedded: the file could not be read.")
	case !e.Data.Layout.HasFeatures():
		e.Drop()
		e.FailRun("No column becomes a feature: under Rows, choose a use for at least one.")
	default:
		e.Start()
	}
}

// IsStale reports whether the result was made with other parameters, columns, model or key than the current ones.
func (e *Room) IsStale() bool {
	r := e.Result
	return r != nil && (*e.Settings != r.Embed || r.Layout != e.Data.Layout || r.Keyed != e.Keyed ||
		r.Model != e.Applied())
}

// ShownAfter is how long a run stays invisible, so that short runs do not make the page flicker.
const ShownAfter = 150 * time.Millisecond

// IsSeen reports whether the run is shown as running.
func (r Run) IsSeen() bool { return r.Phase == Running && r.Elapsed >= ShownAfter }

// TooFew returns the error of rows that are too few to choose landmarks from.
func (d *Data) TooFew(rows int, params Settings) *table.Problem {
	return &table.Problem{File: d.name(), What: "it has " + format.Plural(rows, "row") + ", too few for " +
		format.Plural(params.NComponents, "landmark"),
		Remedy: "lower the components D to " + format.Count(rows) + " or less"}
}
