package embed

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/table"
)

// SavesView is what Saves shows.
type SavesView struct {
	Files    []SaveFile
	Hidden   bool
	Disabled bool
	Asked    []string // what to confirm before a release is charged, one sentence each
	// CanNumber offers the checkbox for row numbers. Row numbers carry no noise.
	CanNumber bool
	Advice    string
	Where     string // where the jobs are
	Jobs      []JobView
	Progress  ProgressView // of the file being written
}

// A SaveFile is a file that can be saved.
type SaveFile struct {
	Action     control.Action
	Name, Note string
}

// saveFormats are the formats that features are written in. .npy is the first because its files are the smallest.
var saveFormats = written()

// ReleasedFormat is the format in which a release is made; other formats are made from it.
var ReleasedFormat = saveFormats[0].Name

func written() (formats []*columns.Format) {
	for i := range columns.Formats {
		switch f := &columns.Formats[i]; {
		case f.Raw:
			formats = slices.Insert(formats, 0, f)
		case f.Written:
			formats = append(formats, f)
		}
	}
	return formats
}

// The formats of CSV files without features, by their names in public/page/filejob.js.
const (
	labelsFormat = "labels" // row numbers, labels and kept cells, beside a .npy
	unusedFormat = "unused" // the rows that were left out
)

// TakesRowNumbers reports whether files of features in this format can contain row numbers.
func TakesRowNumbers(format string) bool {
	f := columns.FormatOf(format)
	return f != nil && f.Cells
}

// FormatOf returns the format that an action writes, or "" if it writes no file.
func FormatOf(action control.Action) string {
	name := strings.TrimPrefix(string(action), string(SaveFeatures))
	if f := columns.FormatOf(name); f != nil && f.Written || name == labelsFormat || name == unusedFormat {
		return name
	}
	return ""
}

// SavesView lists the files that can be made from the data.
func (e *Room) SavesView() SavesView {
	l, embed := e.Data.Layout, e.Settings
	v := SavesView{Hidden: !e.Shows("save"), Disabled: !e.canSave(), Where: "In this browser", Jobs: e.jobViews(),
		Progress: e.SavingView()}
	if slices.ContainsFunc(e.Jobs, func(j Job) bool { return j.InMemory }) {
		v.Where = "In this tab"
	}
	if e.Release.IsPrivate() {
		v.Files = []SaveFile{{AskRelease, "Make the release", "asks before anything is charged; " + e.size()}}
		v.Advice = "What is released has noise. It is made once, and can then be saved below in any format. What the " +
			"receiver needs to know of it, with the model, can be saved there too; nothing of the rows is in that."
		switch misfit, _ := e.misfit(); {
		case !e.IsAsked():
		case misfit != "":
			v.Advice = misfit
		default:
			v.Asked = e.releaseText()
		}
		return v
	}
	before := cellsBefore(l)
	for _, f := range saveFormats {
		file := SaveFile{SaveFeatures + control.Action(f.Name), e.FeaturesName(f.Name), f.Label}
		switch {
		case f.Raw:
			file.Note = e.size()
		case f.Name == "csv":
			file.Note = "features"
			if before != "" {
				file.Note = before + ", then the features"
			}
		}
		v.Files = append(v.Files, file)
		if f.Raw {
			labels := SaveFile{SaveLabels, FileName(l.Stem, labelsFormat), "row number"}
			if before != "" {
				labels.Note += ", " + before
			}
			labels.Note += " of each row of the " + f.Label
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
	if missing := embed.Of().WithoutONNX(); missing != "" {
		v.Advice += " " + missing
	} else {
		v.Files = append(v.Files, SaveFile{SaveONNX, l.Stem + "-model.onnx", "the map, for ONNX runtimes"})
	}
	for i := range v.Files {
		v.Files[i].Name = format.Cut(v.Files[i].Name)
	}
	if e.IsStale() && !v.Disabled {
		v.Advice += " What is saved is what is chosen now, not what is shown."
	}
	return v
}

// canSave reports whether the current data could be embedded. A private release is possible even if the map refuses
// rows, because these count as zeros.
func (e *Room) canSave() bool {
	r := e.Result
	return r != nil && r.Rows > 0 && r.Generation == e.Data.Generation &&
		(e.Run.Phase != Failed || e.Release.IsPrivate())
}

// FeaturesName returns the name of a file of features. It shows whether the features have noise.
func (e *Room) FeaturesName(format string) string {
	stem := e.Data.Layout.Stem
	if kind := e.Release.Kind; kind != ReleaseNone {
		stem += "-private-" + kind
	}
	return FileName(stem, format)
}

// size returns the size of the features as float32. It is exact if the rows have been counted, and an estimate
// otherwise.
func (e *Room) size() string {
	rows, about := e.Data.Rows(), "about "
	if e.Release.Kind == ReleaseMean {
		return format.Bytes(4 * e.Settings.NComponents)
	}
	if r := e.Result; r != nil && !r.Partial && !e.IsStale() {
		rows, about = r.Rows, ""
	}
	return about + format.Bytes(4*rows*e.Settings.NComponents)
}

// cellsBefore names the cells that precede the features in a line of the CSV.
func cellsBefore(l *table.Layout) string {
	var before []string
	if l.Label() >= 0 {
		before = append(before, "label")
	}
	switch kept := l.Count(columns.AsKept); {
	case kept == 1:
		before = append(before, "kept column")
	case kept > 1:
		before = append(before, "kept columns")
	}
	return strings.Join(before, " and ")
}

// FileName returns the name of a saved file in a format.
func FileName(stem, format string) string {
	switch format {
	case labelsFormat:
		return stem + "-labels.csv"
	case unusedFormat:
		return stem + "-left-out.csv"
	}
	return stem + "-features." + format
}

// A Job is an embedding written into the browser's own files. It is either unfinished, or waits to be saved by the
// visitor.
type Job struct {
	ID        string
	File      string // name of the embedded file
	FileBytes int
	Stem      string
	Format    string
	Rows      int // rows written
	Bytes     int // bytes written
	Done      bool
	Written   bool   // a tab is writing it
	InMemory  bool   // lost with its tab, because the browser keeps no files for the page
	Release   string // kind of the release, or "" if it has no noise
	Seen      string // what happened to its rows; only for the visitor
}

// FileName returns the name to save the job's file under. If the file has only the first rows, the name says so.
func (j *Job) FileName() string {
	stem := j.Named()
	if !j.Done && j.Rows > 0 {
		stem += "-first-" + strconv.Itoa(j.Rows) + "-rows"
	}
	return FileName(stem, j.Format)
}

// Seen says how many rows of a release were clipped or counted as zeros.
func Seen(clipped, zeroed int) string {
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

func (j *Job) Named() string {
	if j.Release != "" {
		return j.Stem + "-private-" + j.Release
	}
	return j.Stem
}

// JobView is what the page shows of a Job.
type JobView struct {
	Title, Note string
	Buttons     []control.Button // none while it is being written
}

// Job returns the job with an id, or nil.
func (e *Room) Job(id string) *Job {
	for _, job := range e.Jobs {
		if job.ID == id {
			return &job
		}
	}
	return nil
}

func (e *Room) jobViews() []JobView {
	var views []JobView
	for i := range e.Jobs {
		j := &e.Jobs[i]
		v := JobView{Title: format.Cut(FileName(j.Named(), j.Format)), Buttons: j.buttons()}
		if j.ID == e.Saving.Job {
			views = append(views, JobView{Title: v.Title, Note: "Being written, above."})
			continue
		}
		v.Note = "All " + format.Plural(j.Rows, "row") + ", " + format.Bytes(j.Bytes) + "."
		switch {
		case j.Written:
			v.Note = "Being written in another tab."
		case !j.Done:
			of, are := " of ", " are embedded, "
			if j.Format == unusedFormat {
				of, are = " left out of ", " are listed, "
			}
			v.Note = "Left half way: the first " + format.Plural(j.Rows, "row") + of + format.Cut(j.File) + are +
				format.Bytes(j.Bytes) + ". To go on, choose the file again."
		}
		if j.InMemory {
			v.Note += " Closing or reloading this tab loses it: the browser has no room for it, or keeps no files " +
				"for a page."
		}
		if j.Release != "" && j.Done && !j.InMemory {
			tab := "this tab"
			if j.File == "" {
				tab = "the tab that made it"
			}
			v.Note += " Save it before you close or reload " + tab + ": of a finished release only the ledger is kept."
		}
		v.Note += j.Seen
		views = append(views, v)
	}
	return views
}

// buttons returns the buttons of a job.
func (j *Job) buttons() []control.Button {
	if j.Written {
		return nil
	}
	var all []control.Button
	add := func(action control.Action, label string) {
		all = append(all, control.Button{Action: action + control.Action(j.ID), Label: label})
	}
	if !j.Done {
		add(ContinueJob, "Go on")
	}
	if j.Release != "" && j.Done {
		for _, f := range saveFormats {
			add(SaveAs+control.Action(f.Name+"-"), "Save as ."+f.Name)
		}
		add(SaveRelease, "Save what the receiver needs")
	} else if j.Rows > 0 {
		add(SaveJob, "Save these rows")
	}
	add(RemoveJob, "Remove")
	return all
}

// Saving is the file being written.
type Saving struct {
	Name      string  // "" if no file is being written
	FirstPass bool    // the rows are being read for what has to be learned first
	Rows      int     // rows written
	Before    int     // rows written before this run began
	Of        int     // about how many rows there are to write, or 0 if only the share read tells how far it is
	Done      float64 // share of the file that is read
	Elapsed   time.Duration
	Paused    bool
	Message   string // how the last file ended, if there is something to say
	Job       string // the ID of the job that is continued, or ""
	Waiting   int    // tasks that were asked for meanwhile
	Unseen    bool   // the last file ended while another place was shown
}

// Elsewhere tells another place how far the file is that Embed writes, or how that ended while Embed was not shown. It
// returns "" if there is nothing to tell.
func (e *Room) Elsewhere() string {
	if e.Saving.Name == "" && (!e.Saving.Unseen || e.Saving.Message == "") {
		return ""
	}
	return " Embed: " + e.SavingView().Status
}

// share returns how much of the work is done. A small file is read long before its rows are written.
func (s *Saving) share() float64 {
	if s.Of > 0 && !s.FirstPass {
		return min(s.Done, float64(s.Rows)/float64(s.Of))
	}
	return s.Done
}

// readAhead is the size of a file of which what is read ahead of the rows that are written is less than a hundredth.
const readAhead = 32 << 20

// RowsToWrite estimates how many rows of the file can be used, or returns 0 if its size tells enough.
func (e *Room) RowsToWrite() int {
	if e.Data.Layout == nil || e.Data.Bytes > readAhead || e.Data.Layout.Compression != "none" {
		return 0
	}
	of := e.Data.Rows()
	if r := e.Result; r != nil && r.Rows > 0 {
		of = of * r.Rows / (r.Rows + r.Counts.Unused)
	}
	return of
}

// Waits says how many tasks wait, or returns "".
func (s *Saving) Waits() string {
	if s.Waiting == 0 {
		return ""
	}
	return " " + format.Plural(s.Waiting, "more task") + " will follow."
}

// Dropped says how many waiting tasks will not be done, or returns "".
func Dropped(waiting int) string {
	if waiting == 0 {
		return ""
	}
	return " " + format.Plural(waiting, "waiting task") + format.Form(waiting, " was", " were") + " dropped."
}

// Left describes the rows of a file that was written in part, or returns "".
func (e *Room) Left(name string) string {
	for i := range e.Jobs {
		j := &e.Jobs[i]
		if j.Done || j.Written || FileName(j.Named(), j.Format) != name {
			continue
		}
		where := "this browser"
		if j.InMemory {
			where = "this tab alone"
		}
		return "The first " + format.Plural(j.Rows, "row") + " are kept in " + where +
			", below: go on, save them, or remove them."
	}
	return ""
}

// The actions of the room. An action on a Job is followed by the job's ID.
const (
	Stop           control.Action = "stop"        // the run
	StopSaving     control.Action = "stop-saving" // the file being written
	SaveFeatures   control.Action = "save-"       // followed by the name of a format
	SaveModel      control.Action = "save-model"
	SaveONNX       control.Action = "save-onnx"
	SaveLabels     control.Action = SaveFeatures + labelsFormat
	SaveUnused     control.Action = SaveFeatures + unusedFormat
	DropModel      control.Action = "drop-model"
	FitColumns     control.Action = "fit-columns"
	AskRelease     control.Action = "release"
	ConfirmRelease control.Action = "release-now"
	CancelRelease  control.Action = "release-not"

	ContinueJob control.Action = "continue-"
	SaveJob     control.Action = "save-job-"
	SaveRelease control.Action = "save-release-"
	SaveAs      control.Action = "save-as-" // followed by the format, "-" and the ID
	RemoveJob   control.Action = "remove-"
)
