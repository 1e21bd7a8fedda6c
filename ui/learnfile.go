package main

import (
	"cmp"
	"html"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/learn"
	"tensorsketch.example/ui/internal/sample"
	"tensorsketch.example/ui/internal/table"
)

// The actions of the half of Learn that learns from a file.
const (
	LearnNow    Action = "learn-now"
	LearnStop   Action = "learn-stop"
	LearnPause  Action = "learn-pause"
	LearnSeeds  Action = "learn-seeds"
	LearnExact  Action = "learn-exact"
	LearnSearch Action = "learn-search"
	UseFound    Action = "use-found"
	LearnCheck  Action = "learn-check"
	SaveDetail  Action = "save-detail"
	SaveReport  Action = "save-report"
	MoreBehind  Action = "more-behind"
)

// otherSeeds is how many seeds the band adds.
const otherSeeds = 4

// LearnFile is the half of Learn that learns from the rows of a file: the rows and the curve.
type LearnFile struct {
	View  LearnFileView
	Notes []string
	Press PressHandler
}

// LearnFileView is what a LearnFile shows.
type LearnFileView struct {
	Title, Lede  string
	Name, Origin string // of the rows
	Guess        string // why the label was guessed, or ""
	Table        embed.ColumnsView
	Answer       string
	CannotLearn  bool   // the rows give nothing to learn
	Columns      string // what they are used for
	Embed        string // the link to Embed, where that is chosen
	IsSample     bool
	CanChoose    bool
	Problem      string
	Requests     string
	Notes        []columns.Note
	Split        string

	Active     any // nil if nothing runs
	Done       string
	Status     string
	Figures    string
	CanStop    bool
	PauseLabel string
	LearnLabel string // of the button that begins again, or ""

	Ready      any // counts the sessions whose curve is complete; nil before the first
	Busy       string
	Summary    string
	CanSeeds   bool
	CanExact   bool
	CanSearch  bool
	Found      string // what a search has chosen
	Other      string // the label of the button that has the other model used
	ExactLabel string
	CanSave    bool
}

// LearnFileView describes the half for the state.
func (a *App) LearnFileView() LearnFileView {
	r, rows := &a.Learned, a.Room.RowsView()
	v := LearnFileView{Title: "Learn from rows", Name: rows.Name, Origin: rows.Origin, IsSample: rows.IsSample,
		CanChoose: a.State.Shows("data"), Problem: a.Data.Problem, Requests: rows.Requests,
		CanSave: a.State.Shows("save")}
	v.Lede = "One column is predicted from the others. A model learns from three quarters of the rows and is tried " +
		"on the rest, which it has not seen. The more components D a row becomes, the better it can bend. All of it " +
		"happens in this tab."
	if !v.IsSample && len(a.Data.Layout.Columns) > 0 {
		v.Origin = format.Bytes(a.Data.Bytes) + " of " + a.Data.Layout.Kind() + ", " +
			format.Plural(len(a.Data.Layout.Columns), "column") + "."
		toEmbed := a.State
		toEmbed.Place, toEmbed.Hide = PlaceEmbed, ""
		v.Embed = toEmbed.Hash()
		if !a.isUnlearned() {
			v.Columns = columnsText(a.Data.Layout, a.Learned.Head, r.InUse())
		}
	}
	v.Split, v.Summary = strings.TrimSpace(r.Split()+a.learnLimits()), r.Summary()
	if v.Notes = rows.Notes; r.Head != nil && len(r.Head.Notes) > 0 {
		v.Notes = r.Head.Notes
	}
	v.Done, v.Status, v.Figures = strconv.FormatFloat(r.Done, 'f', 4, 64), r.Status(), r.Figures()
	v.Busy = strconv.FormatBool(r.Phase.Runs() && r.Phase != learn.Searching ||
		a.CanLearn() && a.learnedFrom != a.learning())
	if r.Phase.Runs() {
		v.Active, v.CanStop, v.PauseLabel = "true", true, "Pause"
		if r.Paused {
			v.PauseLabel = "Go on"
		}
	}
	switch problem := a.learnProblem(); {
	case problem != "":
		v.Status = problem
	case r.Phase == learn.Searching:
		v.Ready = strconv.Itoa(r.ID)
	case r.Phase == learn.Stopped || r.Phase == learn.Failed:
		v.LearnLabel = "Learn again"
	case r.Phase == learn.Done:
		v.Ready = strconv.Itoa(r.ID)
		v.CanSeeds = len(r.Seeds) == 0 && a.Keyed == 0
		v.CanExact = r.Kernel == nil
		v.CanSearch = r.Found == nil
	}
	v.Status += a.Elsewhere()
	v.Found, v.Other = r.FoundWords(), "Use the model of these settings"
	if r.Curves {
		v.Other = "Use the model that was found"
	}
	v.Answer, v.Table, v.CannotLearn = r.Answer(), rows.Columns, a.learnProblem() != ""
	if !v.Table.Hidden {
		v.Table.Looked = embed.TypesText(a.Data.Layout) // no column is written
	}
	if v.CannotLearn {
		v.Answer = ""
	}
	if l := a.Data.Layout; l != nil && !v.IsSample && l.LabelGuess() != "" {
		v.Guess = "A guess, " + l.LabelGuess() + "."
	}
	v.ExactLabel = "Compare with the exact kernel"
	if r.Head != nil && r.Head.Train > 0 {
		v.ExactLabel += ", " + format.Plural(min(r.Head.Train, learn.ExactRows), "row")
	}
	return v
}

// columnsText says which columns are learned from, which are not, and how rows are scaled. The model that a search
// found may use columns that the curve leaves out, such as dates with empty cells.
func columnsText(l *table.Layout, head *learn.Head, found *learn.Found) string {
	var used, left, more []string
	for i := range l.Columns {
		c := &l.Columns[i]
		name, isUsed := format.Cut(c.Name), c.Role.IsFeature() || c.IsOpen()
		if head != nil && slices.Contains(head.Unused, c.Name) {
			isUsed = false
		}
		switch {
		case c.Role == columns.AsLabel:
		case !isUsed && found != nil && slices.Contains(found.Used, c.Name):
			used, more = append(used, name), append(more, name)
		case isUsed:
			used = append(used, name)
		default:
			left = append(left, name)
		}
	}
	const most = 6
	text := "Learned from: " + cmp.Or(format.First(most, used), "no column") + "."
	if len(left) > 0 {
		text += " Not learned from: " + format.First(most, left) + "."
	}
	if len(more) > 0 {
		text += " The curve does not use " + format.First(most, more) + "."
	}
	switch {
	case head == nil:
		return text
	case head.IsUnit:
		return text + " Rows are scaled to length 1; as they are may do better."
	}
	return text + " Rows are as they are."
}

// learnProblem says why nothing can be learned, or returns "".
func (a *App) learnProblem() string {
	switch d := &a.Data; {
	case d.Layout == nil:
		return ""
	case d.Unread:
		return "Nothing is learned: the file could not be read."
	case !d.Layout.CanLearn():
		return "No column is learned from: choose a use for at least one in the list of columns."
	case d.Layout.Label() < 0:
		return "No column looks like a label, so nothing is learned yet. Choose “What to predict” above: a column of few " +
			"different values gives classes, a column of numbers a number."
	}
	return ""
}

// isUnlearned reports whether nothing was learned, and nothing will be before the visitor does something.
func (a *App) isUnlearned() bool {
	r := &a.Learned
	return a.learnProblem() != "" || r.Phase == learn.Failed && len(r.Points) == 0
}

// learnLimits says what of Embed's settings is not learned from, each sentence after a space.
func (a *App) learnLimits() (text string) {
	if d := a.State.Embed.NComponents; d > learn.MostComponents {
		text += " The curve ends at D " + format.Count(learn.MostComponents) +
			", the most that can be learned from here; D is " + format.Count(d) + "."
	}
	if a.Applied() != nil {
		text += " There is no curve for an opened model, because it has only one D. To predict with it, choose it below, " +
			"under “Predict another file”."
	}
	return text
}

// CanLearn reports whether there are rows with a label.
func (a *App) CanLearn() bool { return a.Data.Layout != nil && a.learnProblem() == "" }

// labelHTML writes the menu that chooses the label column.
func labelHTML(d *embed.Data) string {
	if d.IsSample() || d.Unread {
		return ""
	}
	return embed.LabelHTML(d.Layout, "What to predict")
}

// LearnDetail shows what a model predicts for the held-out rows, and the rows behind what is picked.
type LearnDetail struct {
	View  LearnDetailView
	Press PressHandler
}

// LearnDetailView is what a LearnDetail shows.
type LearnDetailView struct {
	Title, Summary, Hint string
	CanSave              bool
	Picked               string // describes what is picked
	Note                 string // on the rows behind it
	More                 bool   // there are more rows than are shown
}

// LearnDetailView describes the predictions.
func (a *App) LearnDetailView() LearnDetailView {
	r := &a.Learned
	v := LearnDetailView{Title: "What the model predicts",
		Summary: "The predictions for held-out rows come with the curve.",
		Hint:    "Pick a cell, and the rows behind it are listed."}
	d := r.Detail
	if d == nil {
		return v
	}
	v.CanSave = a.State.Shows("save")
	v.Title, v.Summary = d.Title(), d.Summary()
	if r.InUse() != nil {
		v.Title += ", of the curve"
	}
	if d.IsNumber() {
		v.Hint = "Pick a dot, and its row is shown."
	}
	if r.Cell > 0 && r.Dot() < 0 {
		v.Picked = d.Describe(r.Cell - 1)
		v.Hint = ""
		if b := r.Behind; b != nil && b.Cell == r.Cell {
			v.Note, v.More = b.Note(), len(b.Rows) < b.Total
		} else {
			v.Note = "Looking for the rows."
		}
	}
	return v
}

// LearnReport shows what was tried, and how far the model can be trusted.
type LearnReport struct {
	View  LearnReportView
	Press PressHandler
}

// LearnReportView is what a LearnReport shows.
type LearnReportView struct {
	Panels     string // their number, or "" before there are any
	Said, Asks string
	CheckLabel string
	CanCheck   bool
	CanSave    bool
}

// LearnReportView describes the report.
func (a *App) LearnReportView() LearnReportView {
	r := &a.Learned
	n := r.ReportPanels()
	if n == 0 {
		return LearnReportView{}
	}
	p := r.Chosen()
	return LearnReportView{Panels: strconv.Itoa(n), Said: r.ReportWords(), Asks: r.Asks(),
		CanSave: a.State.Shows("save"), CheckLabel: "Check the model, D " + format.Count(p.D),
		CanCheck: !r.Phase.Runs() && r.Detail.D == p.D && (r.Check == nil || r.Check.D != p.D)}
}

// behindHTML writes the rows behind what is picked, in the map of the rows or elsewhere.
func (a *App) behindHTML(inMap bool) string {
	r := &a.Learned
	b, d := r.Behind, r.Detail
	if (r.Dot() >= 0) != inMap || b == nil || d == nil || r.Cell == 0 || b.Cell != r.Cell || len(b.Rows) == 0 {
		return ""
	}
	isDigit := b.Width == sample.Features && isDigits(b.Rows)
	var t strings.Builder
	t.WriteString(`<div class="scroll" tabindex="0" role="region" aria-label="Rows behind what is picked">` +
		`<table><thead><tr>`)
	first := "Row"
	if a.Data.Layout.IsText() && !a.Data.IsSample() {
		first = "Line"
	}
	heads := []string{first, "Label", "Predicted", "Scores", "Learned from"}
	if d.IsNumber() {
		heads[3] = "Error"
	}
	for _, head := range heads {
		t.WriteString(`<th scope="col">` + head + `</th>`)
	}
	t.WriteString(`</tr></thead><tbody>`)
	for i := range b.Rows {
		row := &b.Rows[i]
		t.WriteString(`<tr><th scope="row">` + format.Count(row.Place) + `</th><td>` +
			html.EscapeString(format.Cut(row.Label)) +
			`</td><td>` + html.EscapeString(format.Cut(row.PredictedText())) + `</td><td>` +
			html.EscapeString(row.ScoresText(d)) + `</td><td>`)
		if isDigit {
			t.WriteString(digitHTML(row))
		} else {
			t.WriteString(html.EscapeString(row.ValuesText(b.Width)))
		}
		t.WriteString(`</td></tr>`)
	}
	t.WriteString(`</tbody></table></div>`)
	return t.String()
}

// isDigits reports whether rows look like 8 × 8 shades: no number is negative.
func isDigits(rows []learn.Row) bool {
	for i := range rows {
		for _, x := range rows[i].Values {
			if x < 0 {
				return false
			}
		}
	}
	return true
}

// digitHTML draws a row as shades. The largest number is black.
func digitHTML(row *learn.Row) string {
	most := 0.0
	for _, x := range row.Values {
		most = max(most, x)
	}
	shades := make([]float32, len(row.Values))
	for i, x := range row.Values {
		if most > 0 {
			shades[i] = float32(int(x/most*sample.Most + .5))
		}
	}
	return sample.PictureOf(shades, "row "+strconv.Itoa(row.Place)+" as an image")
}

// PickSize chooses the D whose predictions are shown, by the number of its point.
func (a *App) PickSize(k int) {
	points := a.Learned.Sketches()
	if k < 0 || k >= len(points) {
		return
	}
	a.Learned.Pick(points[k].D)
}

// PickCell picks a cell of the confusion matrix or a point, from 0, and asks for the rows behind it.
func (a *App) PickCell(item int) {
	if d := a.Learned.Detail; d == nil || item < 0 || item >= d.Items() {
		return
	}
	a.Learned.PickCell(item)
	a.Browser.LearnDetail()
}

// PickDot picks a row of the map, from 0, and asks for it.
func (a *App) PickDot(row int) {
	if r := &a.Learned; r.Map != nil && r.Detail != nil && row >= 0 && row < r.Map.Size() {
		r.PickDot(row)
		a.Browser.LearnDetail()
	}
}

// A learning is what is learned from, and with which settings.
type learning struct {
	layout     *table.Layout
	settings   embed.Settings
	task       string
	keyed      int
	generation int
}

func (a *App) learning() learning {
	return learning{a.Data.Layout, a.State.Embed, a.State.LearnFile.Task, a.Keyed, a.Data.Generation}
}

// searchesItself reports whether a search follows the curve by itself: of a file with untouched settings, as fit of the
// shell does. The sample shows the curve alone.
func (a *App) searchesItself() bool {
	return !a.Data.IsSample() && a.Learned.Found == nil && a.State.Embed == embed.DefaultSettings() && a.Keyed == 0
}

// start embeds, or in its half of Learn learns, with the current settings and data.
func (a *App) start() {
	if a.State.IsHalf(HalfFile) {
		a.Browser.Learn()
		return
	}
	a.Browser.Embed()
}

// isBehind reports whether a change of the state left the place without a result of the current settings and data.
func (a *App) isBehind(before State) bool {
	switch {
	case a.State.IsHalf(HalfFile):
		return a.learnedFrom != a.learning()
	case a.State.Embed != before.Embed:
		return true
	}
	return a.State.Place == PlaceEmbed && before.Place != PlaceEmbed &&
		(a.Result == nil || a.IsStale() || a.Result.Generation != a.Data.Generation)
}

// LearnProgress is the line that says what is being learned.
type LearnProgress struct {
	View  LearnFileView
	Press PressHandler
}

// LearnCurve is the picture of the scores against D, and what can be compared.
type LearnCurve struct {
	View  LearnFileView
	Press PressHandler
}
