package main

import (
	"strconv"
	"strings"

	"github.com/tensorsketch/tensorsketch/ui/internal/csvfile"
	"github.com/tensorsketch/tensorsketch/ui/internal/format"
)

// Saves are the files a visitor can take away.
type Saves struct {
	View  SavesView
	Press PressHandler
}

// SavesView is what Saves shows.
type SavesView struct {
	Files    []SaveFile
	Hidden   bool
	Disabled bool
	Advice   string
}

// A SaveFile is a file on offer.
type SaveFile struct {
	Action     Action
	Name, Note string
}

// SavesView names the files of the result.
func (a *App) SavesView() SavesView {
	r, size := a.Result, ""
	if r == nil || r.Rows == 0 {
		r = &Result{Embed: a.State.Embed, Layout: sampleLayout}
	} else {
		size = format.Bytes(4 * r.Rows * r.Embed.NComponents)
	}
	v := SavesView{Hidden: !a.State.Shows("save"), Disabled: a.Result == nil || a.Result.Rows == 0}
	v.Files = []SaveFile{
		{SaveNPY, r.FileName(SaveNPY), size},
		{SaveCSV, r.FileName(SaveCSV), cellsOf(r.Layout)},
		{SaveModel, r.FileName(SaveModel), "parameters and seed"},
	}
	v.Advice = "The model file makes the same features of new rows, in any browser and in Go; it holds no row of yours."
	if r.Embed.IsFitted() {
		rows := format.Plural(r.Embed.NComponents, "row")
		v.Files[2].Note += ", and " + rows + " of the data"
		v.Advice = "The model file makes the same features of new rows, in any browser and in Go. It holds " + rows +
			" of the data, the landmarks: whoever gets the file can read them."
	}
	if r.Embed.Rows == RowsUnit {
		v.Advice += " It does not scale rows: bring them to length 1 first, as here."
	}
	if a.IsStale() {
		v.Advice += " What is saved is the last embedding, not what is chosen now."
	}
	return v
}

// cellsOf says what a line of the CSV holds.
func cellsOf(l *csvfile.Layout) string {
	var before []string
	if l.Label() >= 0 {
		before = append(before, "label")
	}
	switch kept := len(l.Indexes(csvfile.Keep)); {
	case kept == 1:
		before = append(before, "kept column")
	case kept > 1:
		before = append(before, "kept columns")
	}
	if len(before) == 0 {
		return "features"
	}
	return strings.Join(before, " and ") + ", then the features"
}

var endings = map[Action]string{SaveNPY: "-features.npy", SaveCSV: "-features.csv", SaveModel: "-model.json"}

// FileName returns the name of a file to save; it tells where rows are missing.
func (r *Result) FileName(action Action) string {
	stem := r.Layout.Stem()
	if action != SaveModel && r.Partial {
		stem += "-first-" + strconv.Itoa(r.Rows) + "-rows"
	}
	return stem + endings[action]
}
