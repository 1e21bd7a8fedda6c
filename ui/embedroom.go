package main

import (
	"strconv"
	"strings"
	"time"

	"github.com/tensorsketch/tensorsketch/sketch"
	"github.com/tensorsketch/tensorsketch/ui/internal/csvfile"
	"github.com/tensorsketch/tensorsketch/ui/internal/embedding"
	"github.com/tensorsketch/tensorsketch/ui/internal/format"
	"github.com/tensorsketch/tensorsketch/ui/internal/report"
)

// Data are the rows to embed: the sample, or a file.
type Data struct {
	Generation int             // counts the data shown so far
	Layout     *csvfile.Layout // of the file or of the sample
	Header     csvfile.Header  // what was said about the first row
	Bytes      int             // of the file; 0 for the sample
	Problem    string          // why the file last chosen cannot be used
}

// IsSample tells whether the rows are the page's own.
func (d *Data) IsSample() bool { return d.Bytes == 0 }

// Rows estimates how many rows there are.
func (d *Data) Rows() int {
	if d.IsSample() {
		return sampleRows
	}
	return max(int(float64(d.Bytes)/max(d.Layout.BytesPerRow, 1)), 1)
}

// Refusal says which row the core refuses, embedded with those parameters, and what can
// be done.
func (d *Data) Refusal(refused *embedding.RowError, params EmbedState) *csvfile.Problem {
	problem := &csvfile.Problem{File: d.Layout.Name, Line: refused.Line}
	if d.IsSample() {
		problem.File, problem.Place = "The sample", "row "+strconv.Itoa(refused.Row+1)
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
	problem.What, problem.Remedy = "the features exceed what float32 holds", params.lower()
	if params.Rows != RowsUnit {
		problem.Remedy = "scale the rows to length 1, or " + problem.Remedy
	}
	return problem
}

// Phase is what the embedding is doing.
type Phase uint8

// The phases of an embedding.
const (
	Loading Phase = iota // the core is not there yet
	Waiting              // for the Embed button: the work is large
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
	embedding.Outcome
	Embed      EmbedState // it was made with
	Generation int        // of the data
	Layout     *csvfile.Layout
	Partial    bool
	Unused     csvfile.Unused
	Elapsed    time.Duration
	CorePerRow time.Duration // measured apart once the result is shown, 0 before
	Report     *report.Report
	Fitted     string // how many landmarks the map has, and of which rows; empty where it needs none
	Number     int    // counts the results of this page
}

// Saving is the file being written.
type Saving struct {
	Name  string // empty if none is
	Done  float64
	Error string
}

// sampleRows is how many digits the sample has.
const sampleRows = 1000

// SetRole uses a column for something else.
func (a *App) SetRole(column int, role csvfile.Role) {
	if layout := a.Data.Layout; column < len(layout.Columns) {
		a.setLayout(layout.With(column, role))
	}
}

// SetLabel makes a column the label, or none if it is −1.
func (a *App) SetLabel(column int) {
	if layout := a.Data.Layout; column < len(layout.Columns) {
		a.setLayout(layout.WithLabel(column))
	}
}

func (a *App) setLayout(layout *csvfile.Layout) {
	a.Data.Layout = layout
	a.embed()
}

// SetData shows other rows.
func (a *App) SetData(data Data) {
	data.Generation = a.Data.Generation + 1
	a.Data = data
	a.embed()
}

// Refuse shows why a file cannot be used; what was there before stays.
func (a *App) Refuse(err error) {
	a.Data.Problem = err.Error()
}

// What is embedded without being asked: everything a page does in a moment.
const (
	promptBytes    = 32 << 20  // of the file
	promptFeatures = 256 << 20 // bytes of features
)

// FeatureBytes estimates the size of the features to come.
func (a *App) FeatureBytes() int { return 4 * a.State.Embed.NComponents * a.Data.Rows() }

// embed starts anew, or waits for the button where that takes long.
func (a *App) embed() {
	a.Data.Problem = ""
	if a.Data.Layout == nil {
		return
	}
	if len(a.Data.Layout.Indexes(csvfile.Feature)) == 0 {
		a.Browser.Drop()
		a.Run = Run{Phase: Failed, Message: "No column is used as a feature: choose at least one below."}
		return
	}
	if a.Data.Bytes > promptBytes || a.FeatureBytes() > promptFeatures {
		a.Browser.Drop()
		a.Run = Run{Phase: Waiting}
		return
	}
	a.Browser.Embed()
}

// IsStale tells whether the result is of other parameters or other columns than
// those shown.
func (a *App) IsStale() bool {
	r := a.Result
	return r != nil && (a.State.Embed != r.Embed || r.Layout != a.Data.Layout)
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
	return &csvfile.Problem{File: name, What: "it has " + format.Plural(rows, "row") + ", too few for " + format.Plural(params.NComponents, "landmark"),
		Remedy: "lower the components D to " + format.Count(rows) + " or less"}
}
