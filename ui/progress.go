package main

import (
	"strconv"
	"time"

	"github.com/tensorsketch/tensorsketch/ui/internal/format"
)

// Progress is the line that tells what the embedding is doing, with its bar.
type Progress struct {
	View  ProgressView
	Press PressHandler
}

// ProgressView is what a Progress shows.
type ProgressView struct {
	Done       string // value of the bar, 0 to 1
	BarLabel   string
	Active     any    // nil where nothing runs: the bar keeps its place, unseen
	Figures    string // rows, rate, time left: change all the time
	Status     string // one sentence when the phase changes, read out
	CanStop    bool
	EmbedLabel string // of the button; empty: none
}

// ProgressView describes the run and the file being written.
func (a *App) ProgressView() ProgressView {
	if a.Saving.Name != "" {
		return ProgressView{Done: share(a.Saving.Done), BarLabel: "share written", Active: "true", CanStop: true,
			Status: "Writing " + a.Saving.Name + ".", Figures: percent(a.Saving.Done)}
	}
	v := ProgressView{Done: share(a.Run.Done), BarLabel: "share of the data embedded", Status: a.status()}
	switch {
	case a.Run.IsSeen():
		v.Active, v.CanStop, v.Figures = "true", true, a.Run.figures()
	case a.Run.Phase == Waiting:
		v.EmbedLabel = "Embed"
	case a.Run.Phase == Stopped:
		v.EmbedLabel = "Start again"
	}
	return v
}

// status is the sentence on the phase.
func (a *App) status() string {
	switch a.Run.Phase {
	case Loading:
		return "Loading the core."
	case Waiting:
		return "About " + format.Bytes(a.FeatureBytes()) + " of features: press Embed when columns and parameters are right." + a.before()
	case Running:
		if a.Run.IsSeen() {
			return "Embedding." + a.before()
		}
	case Stopping:
		return "Stopping."
	case Stopped:
		if a.Run.Rows == 0 {
			return "Stopped before the first rows were embedded." + a.before()
		}
		return "Stopped. Everything below is about the first " + format.Plural(a.Run.Rows, "row") + "; they can be saved."
	case Failed:
		return a.Run.Message + a.before()
	}
	if a.Saving.Error != "" {
		return a.Saving.Error
	}
	if a.Result == nil {
		return ""
	}
	text := "Embedded " + format.Plural(a.Result.Rows, "row") + " in " + format.Duration(a.Result.Elapsed)
	if n := a.Result.Unused.Total; n > 0 {
		text += "; " + format.Plural(n, "row") + " could not be used, see below"
	}
	return text + "."
}

// before says that what is shown is of other rows or parameters.
func (a *App) before() string {
	if a.IsStale() {
		return " What is shown below is the embedding before."
	}
	return ""
}

// figures tells how fast the rows go and when they will be through.
func (r Run) figures() string {
	text := format.Plural(r.Rows, "row")
	if seconds := r.Elapsed.Seconds(); seconds > .2 && r.Rows > 0 {
		text += " · " + format.Count(int(float64(r.Rows)/seconds)) + " rows/s"
		if r.Done > .01 {
			text += " · about " + format.Left(time.Duration(float64(r.Elapsed)*(1-r.Done)/r.Done)) + " left"
		}
	}
	return text
}

func share(done float64) string { return strconv.FormatFloat(done, 'f', 4, 64) }

func percent(done float64) string { return strconv.Itoa(int(100*done)) + "\u00a0%" }
