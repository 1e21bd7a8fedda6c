package embed

import (
	"strconv"
	"time"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/format"
)

// ProgressView is what a Progress shows.
type ProgressView struct {
	Label      string
	Of         string // before the ids of its elements
	Done       string // value of the bar, 0 to 1
	BarLabel   string
	Active     any            // nil if nothing runs; the bar then keeps its place, invisible
	Figures    string         // rows, rate and time left, which change all the time
	Status     string         // one sentence per phase, which is read out
	Stop       control.Action // stops it, or "" if nothing runs
	PauseLabel string         // label of the button, or "" for none
	EmbedLabel string         // label of the button, or "" for none
}

// SavingView describes the file being written, or how the last one ended.
func (e *Room) SavingView() ProgressView {
	s := &e.Saving
	done := s.share()
	v := ProgressView{Label: "Progress of the file", Of: "saving-", Done: share(done),
		BarLabel: "share of the file read", Status: s.Message}
	if s.Name == "" {
		return v
	}
	v.Active, v.Stop, v.Status, v.PauseLabel = "true", StopSaving, "Writing "+format.Cut(s.Name)+".", "Pause"
	switch {
	case s.FirstPass:
		v.Status = "Reading the file once, for what the columns need: then " + format.Cut(s.Name) + " is written."
		v.Figures = percent(done)
	case s.Paused:
		v.Status = "Paused. The rows so far are kept."
		v.Figures = format.Plural(s.Rows, "row") + " · " + percent(done)
	default:
		v.Figures = pace(s.Rows, s.Before, done, s.Elapsed)
	}
	if s.Paused {
		v.PauseLabel = "Go on"
		if s.FirstPass {
			v.Status = "Paused while the file is read for what the columns need."
		}
	}
	v.Status += s.Waits()
	return v
}

// ProgressView describes the run.
func (e *Room) ProgressView() ProgressView {
	v := ProgressView{Label: "Progress", Done: share(e.Run.Done), BarLabel: "share of the data embedded",
		Status: e.status()}
	switch {
	case e.Run.IsSeen():
		v.Active, v.Stop, v.Figures = "true", Stop, pace(e.Run.Rows, 0, e.Run.Done, e.Run.Elapsed)
	case e.Run.Phase == Stopped:
		v.EmbedLabel = "Start again"
	}
	return v
}

// status returns the sentence about the phase.
func (e *Room) status() string {
	switch e.Run.Phase {
	case Loading:
		return "Loading the core."
	case Running:
		if e.Run.IsSeen() {
			return "Embedding." + e.before()
		}
	case Stopping:
		return "Stopping."
	case Stopped:
		if e.Run.Rows == 0 {
			return "Stopped before the first rows were embedded." + e.before()
		}
		return "Stopped. What is shown is about the first " + format.Plural(e.Run.Rows, "row") + ". Saving embeds all."
	case Failed:
		return e.Run.Message + e.before()
	}
	if e.Result == nil {
		return ""
	}
	text := "Embedded " + format.Plural(e.Result.Rows, "row") + " in " + format.Duration(e.Result.Elapsed)
	if n := e.Result.Counts.Unused; n > 0 {
		text += "; " + format.Plural(n, "row") + " could not be used: see Rows"
	}
	text += "."
	if e.Result.Partial {
		text = "Embedded the first " + format.Plural(e.Result.Rows, "row") + " of about " + format.Count(e.Data.Rows()) +
			" in " + format.Duration(e.Result.Elapsed) + ", to show here. Saving embeds all."
	}
	return text
}

// FileNotes are the notes of the file, and of its rows once they have been read with the current settings.
func (e *Room) FileNotes() []columns.Note {
	if e.Data.IsSample() || e.Data.Layout == nil {
		return nil
	}
	if e.Result != nil && e.Result.Generation == e.Data.Generation && !e.IsStale() && len(e.Result.Counts.Notes) > 0 {
		return e.Result.Counts.Notes
	}
	return e.Data.Layout.RoleNotes()
}

// before says that the result shown is the previous one, or returns "" if it is current.
func (e *Room) before() string {
	if e.IsStale() {
		return " What is shown is the embedding before."
	}
	return ""
}

// pace says how many rows are done, how fast (not counting the rows before), and how much time is left.
func pace(rows, before int, done float64, elapsed time.Duration) string {
	text := format.Plural(rows, "row")
	if seconds := elapsed.Seconds(); seconds > .2 && rows > 0 {
		text += " · " + format.Count(int(float64(rows-before)/seconds)) + " rows/s"
		if done > .01 && rows > before {
			left := float64(rows) * (1 - done) / done // rows
			text += " · about " + format.Left(time.Duration(float64(elapsed)*left/float64(rows-before))) + " left"
		}
	}
	return text
}

func share(done float64) string { return strconv.FormatFloat(done, 'f', 4, 64) }

func percent(done float64) string { return strconv.Itoa(int(100*done)) + "\u00a0%" }
