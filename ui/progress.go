package main

import (
	"strconv"
	"time"

	"tensorsketch.example/ui/internal/format"
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
	PauseLabel string // of the button; empty: none
	EmbedLabel string // likewise
}

// ProgressView describes the run and the file being written.
func (a *App) ProgressView() ProgressView {
	if s := &a.Saving; s.Name != "" {
		v := ProgressView{Done: share(s.Done), BarLabel: "share of the file read", Active: "true", CanStop: true,
			Status: "Writing " + s.Name + "."}
		switch {
		case s.FirstPass:
			v.Status = "Reading the file once, for what the columns need: then " + s.Name + " is written."
			v.Figures = percent(s.Done)
		case s.Paused:
			v.Status, v.PauseLabel = "Paused. The rows so far are kept.", "Go on"
			v.Figures = format.Plural(s.Rows, "row") + " · " + percent(s.Done)
		default:
			v.PauseLabel, v.Figures = "Pause", pace(s.Rows, s.Before, s.Done, s.Elapsed)
		}
		return v
	}
	v := ProgressView{Done: share(a.Run.Done), BarLabel: "share of the data embedded", Status: a.status()}
	switch {
	case a.Run.IsSeen():
		v.Active, v.CanStop, v.Figures = "true", true, pace(a.Run.Rows, 0, a.Run.Done, a.Run.Elapsed)
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
		return "Stopped. Everything below is about the first " + format.Plural(a.Run.Rows, "row") + "; saving embeds all."
	case Failed:
		return a.Run.Message + a.before()
	}
	if a.Saving.Message != "" {
		return a.Saving.Message
	}
	if a.Result == nil {
		return ""
	}
	text := "Embedded " + format.Plural(a.Result.Rows, "row") + " in " + format.Duration(a.Result.Elapsed)
	if n := a.Result.Counts.Unused; n > 0 {
		text += "; " + format.Plural(n, "row") + " could not be used, see below"
	}
	text += "."
	if a.Result.Partial {
		text = "Embedded the first " + format.Plural(a.Result.Rows, "row") + " of about " + format.Count(a.Data.Rows()) +
			" in " + format.Duration(a.Result.Elapsed) + ", to show here. Saving embeds all."
	}
	return text + a.Result.filled()
}

// filled counts the cells that were empty, and the values that a category does not have.
func (r *Result) filled() string {
	text := ""
	if n := r.Counts.Missing; n > 0 {
		text = " " + format.Plural(n, "cell") + " had no value."
	}
	if n := r.Counts.Unknown; n > 0 {
		text += " " + format.Plural(n, "value") + " of a category had not been met before."
	}
	return text
}

// before says that what is shown is of other rows or parameters.
func (a *App) before() string {
	if a.IsStale() {
		return " What is shown below is the embedding before."
	}
	return ""
}

// pace tells how fast the rows go, those before apart, and when they will be through.
func pace(rows, before int, done float64, elapsed time.Duration) string {
	text := format.Plural(rows, "row")
	if seconds := elapsed.Seconds(); seconds > .2 && rows > 0 {
		text += " · " + format.Count(int(float64(rows-before)/seconds)) + " rows/s"
		if done > .01 {
			text += " · about " + format.Left(time.Duration(float64(elapsed)*(1-done)/done)) + " left"
		}
	}
	return text
}

func share(done float64) string { return strconv.FormatFloat(done, 'f', 4, 64) }

func percent(done float64) string { return strconv.Itoa(int(100*done)) + "\u00a0%" }
