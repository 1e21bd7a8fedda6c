package main

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"tensorsketch.example/dataset/plan"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/table"
)

// Saves are the files a visitor can take away, and the embeddings that have been left
// half way.
type Saves struct {
	View  SavesView
	Press PressHandler
}

// SavesView is what Saves shows.
type SavesView struct {
	Files    []SaveFile
	Hidden   bool
	Disabled bool
	Asked    []string // what is to be confirmed before a release is charged, one sentence each
	// CanNumber offers the tick that writes row numbers, which carry no noise.
	CanNumber bool
	Advice    string
	Where     string // the jobs are
	Jobs      []JobView
}

// A SaveFile is a file on offer.
type SaveFile struct {
	Action     Action
	Name, Note string
}

// saveFormats are those that features are written in: .npy, the smallest, is first.
var saveFormats = written()

func written() []*plan.Format {
	formats := []*plan.Format{plan.FormatOf("npy")}
	for i := range plan.Formats {
		if f := &plan.Formats[i]; f.Written && f != formats[0] {
			formats = append(formats, f)
		}
	}
	return formats
}

// The formats of CSV files without features, as public/page/filejob.js calls them.
const (
	labelsFormat = "labels" // row numbers, labels and kept cells, beside a .npy
	unusedFormat = "unused" // the rows left out
)

// takesRowNumbers reports whether a format of features has a place for them.
func takesRowNumbers(format string) bool {
	f := plan.FormatOf(format)
	return f != nil && f.Cells
}

// formatOf returns the format that an action writes, empty where it writes none.
func formatOf(action Action) string {
	switch action {
	case SaveLabels:
		return labelsFormat
	case SaveUnused:
		return unusedFormat
	}
	if f := plan.FormatOf(strings.TrimPrefix(string(action), string(SaveFeatures))); f != nil && f.Written {
		return f.Name
	}
	return ""
}

// SavesView names the files that can be made of the data.
func (a *App) SavesView() SavesView {
	l, embed := a.Data.Layout, a.State.Embed
	v := SavesView{Hidden: !a.State.Shows("save"), Disabled: !a.canSave(), Where: "In this browser", Jobs: a.jobViews()}
	if slices.ContainsFunc(a.Jobs, func(j Job) bool { return j.InMemory }) {
		v.Where = "In this tab"
	}
	if a.State.Release.IsPrivate() {
		v.Files = []SaveFile{{AskRelease, "Make the release", "asks before anything is charged; " + a.size()}}
		v.Advice = "What is released has noise. It is made once, and can then be saved below in any format. What the " +
			"receiver needs to know of it, with the model, can be saved there too; nothing of the rows is in that."
		asked := a.PrivacyView()
		if v.Asked = asked.Asked; a.IsAsked() && asked.Misfit != "" {
			v.Advice = asked.Misfit
		}
		return v
	}
	for _, f := range saveFormats {
		file := SaveFile{SaveFeatures + Action(f.Name), a.featuresName(f.Name), f.Label}
		switch f.Name {
		case "npy":
			file.Note = a.size()
		case "csv":
			file.Note = "features"
			if before := cellsBefore(l); before != "" {
				file.Note = before + ", then the features"
			}
		}
		v.Files = append(v.Files, file)
		if f.Name == "npy" {
			labels := SaveFile{SaveLabels, FileName(l.Stem, labelsFormat, 0), "row number"}
			if before := cellsBefore(l); before != "" {
				labels.Note += ", " + before
			}
			labels.Note += " of each row of the .npy"
			v.Files = append(v.Files, labels)
		}
	}
	v.CanNumber = true
	model := SaveFile{SaveModel, l.Stem + "-model.json", "parameters, seed and columns"}
	v.Advice = "The model file makes the same features of new rows, in any browser, in Node and in Go; "
	var holds []string
	if l.Learns() {
		holds = append(holds, "what was learned of the columns")
	}
	if embed.IsFitted() {
		holds = append(holds, format.Plural(embed.NComponents, "row")+" of the data")
	}
	if len(holds) == 0 {
		v.Advice += "it holds no row of yours."
	} else {
		model.Note += ", and " + strings.Join(holds, " and ")
		v.Advice += "it holds " + strings.Join(holds, " and ") + ": anyone who gets the file can read them."
	}
	v.Files = append(v.Files, model)
	if a.IsStale() && !v.Disabled {
		v.Advice += " What is saved is what is chosen now, not what is shown."
	}
	return v
}

// canSave reports whether the data shown could be embedded. A private release counts rows that the map refuses as
// zeros.
func (a *App) canSave() bool {
	r := a.Result
	return r != nil && r.Rows > 0 && r.Generation == a.Data.Generation &&
		(a.Run.Phase != Failed || a.State.Release.IsPrivate())
}

// featuresName is that of the features, which tells whether they have noise.
func (a *App) featuresName(format string) string {
	stem := a.Data.Layout.Stem
	if kind := a.State.Release.Kind; kind != ReleaseNone {
		stem += "-private-" + kind
	}
	return FileName(stem, format, 0)
}

// size estimates that of the features as float32, or tells it where the rows are counted.
func (a *App) size() string {
	rows, about := a.Data.Rows(), "about "
	if a.State.Release.Kind == ReleaseMean {
		return format.Bytes(4 * a.State.Embed.NComponents)
	}
	if r := a.Result; r != nil && !r.Partial && !a.IsStale() {
		rows, about = r.Rows, ""
	}
	return about + format.Bytes(4*rows*a.State.Embed.NComponents)
}

// cellsBefore names the cells that a line of the CSV has before its features.
func cellsBefore(l *table.Layout) string {
	var before []string
	if l.Label() >= 0 {
		before = append(before, "label")
	}
	switch kept := l.Count(plan.AsKept); {
	case kept == 1:
		before = append(before, "kept column")
	case kept > 1:
		before = append(before, "kept columns")
	}
	return strings.Join(before, " and ")
}

// FileName returns the name of a file that is saved in a format; it tells where only the
// first rows are in it.
func FileName(stem, format string, firstRows int) string {
	if firstRows > 0 {
		stem += "-first-" + strconv.Itoa(firstRows) + "-rows"
	}
	switch format {
	case labelsFormat:
		return stem + "-labels.csv"
	case unusedFormat:
		return stem + "-left-out.csv"
	}
	return stem + "-features." + format
}

// A Job is an embedding that has been written into the browser's own files: one that
// was left half way, or one that waits to be taken away.
type Job struct {
	ID        string
	File      string // it is of
	FileBytes int
	Stem      string
	Format    string
	Rows      int // written
	Bytes     int // of these
	Done      bool
	Written   bool   // a tab is at it
	InMemory  bool   // gone with its tab: the browser keeps no files for the page
	Release   string // its kind, empty where there is no noise
	Seen      string // what became of its rows, for the visitor alone
}

// FileName returns the name to save it under.
func (j *Job) FileName() string {
	if j.Done {
		return FileName(j.stem(), j.Format, 0)
	}
	return FileName(j.stem(), j.Format, j.Rows)
}

// seen tells what became of rows of a release.
func seen(clipped, zeroed int) string {
	text := ""
	if clipped > 0 {
		text = " " + format.Plural(clipped, "row") + " longer than R: scaled to it."
	}
	if zeroed > 0 {
		text += " " + format.Plural(zeroed, "row") + " that could not be used: counted as zeros."
	}
	if text != "" {
		text += " These counts are for you alone."
	}
	return text
}

func (j *Job) stem() string {
	if j.Release != "" {
		return j.Stem + "-private-" + j.Release
	}
	return j.Stem
}

// JobView is how a Job is shown.
type JobView struct {
	ID, Title, Note string
	IsFree          bool // no tab is at it
	CanContinue     bool
	CanSave         bool
	IsPrivate       bool
	Formats         []SaveFile // of a release: it can be saved in each of them
}

// job returns one of the jobs, or nil.
func (a *App) job(id string) *Job {
	for _, job := range a.Jobs {
		if job.ID == id {
			return &job
		}
	}
	return nil
}

func (a *App) jobViews() []JobView {
	var views []JobView
	for i := range a.Jobs {
		j := &a.Jobs[i]
		v := JobView{ID: j.ID, Title: FileName(j.stem(), j.Format, 0), IsPrivate: j.Release != "" && j.Done,
			IsFree: !j.Written, CanSave: j.Rows > 0 && !j.Written, CanContinue: !j.Done && !j.Written}
		if v.IsPrivate && !j.Written {
			v.CanSave = false
			for _, f := range saveFormats {
				v.Formats = append(v.Formats, SaveFile{SaveAs + Action(f.Name+"-"+j.ID), "Save as ." + f.Name, ""})
			}
		}
		v.Note = "All " + format.Plural(j.Rows, "row") + ", " + format.Bytes(j.Bytes) + "."
		switch {
		case j.Written:
			v.Note = "Being written in another tab."
		case !j.Done:
			v.Note = "Left half way: the first " + format.Plural(j.Rows, "row") + " of " + j.File + " are embedded, "
			if j.Format == unusedFormat {
				v.Note = "Left half way: the first " + format.Plural(j.Rows, "row") + " left out of " + j.File + " are listed, "
			}
			v.Note += format.Bytes(j.Bytes) + ". To go on, choose the file again."
		}
		if j.InMemory {
			v.Note += " Closing or reloading this tab loses it: this browser, or this private window of it, " +
				"keeps no files for a page."
		}
		v.Note += j.Seen
		views = append(views, v)
	}
	return views
}

// Saving is the file being written.
type Saving struct {
	Name      string // empty if none is
	FirstPass bool   // its rows are read for what has to be learned first
	Rows      int    // written
	Before    int    // of these, when this run began
	Done      float64
	Elapsed   time.Duration
	Paused    bool
	Message   string // how the last one ended, where that is to be said
}

// left says what is left of the file that was written last, if it is not whole.
func (a *App) left() string {
	if len(a.Jobs) == 0 || a.Jobs[0].Done || a.Jobs[0].Written {
		return ""
	}
	where := "this browser"
	if a.Jobs[0].InMemory {
		where = "this tab alone"
	}
	return "The first " + format.Plural(a.Jobs[0].Rows, "row") + " are kept in " + where +
		", below: go on, save them, or remove them."
}

// What is done with a Job is an action with its ID behind it.
const (
	ContinueJob Action = "continue-"
	SaveJob     Action = "save-job-"
	SaveRelease Action = "save-release-"
	SaveAs      Action = "save-as-" // and the format, and "-"
	RemoveJob   Action = "remove-"
)

// of returns the job that an action is about.
func (a Action) of(prefix Action) (id string, ok bool) {
	return strings.CutPrefix(string(a), string(prefix))
}
