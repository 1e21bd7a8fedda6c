package main

import (
	"time"

	"github.com/tensorsketch/tensorsketch/ui/internal/format"
)

// Cards are the four figures under the picture.
type Cards struct{ Cards []Card }

// A Card is one figure with what belongs to it.
type Card struct{ ID, Title, Value, Unit, Note string }

// Cards returns the error, its prediction, the time and the size.
func (a *App) Cards() []Card {
	cards := []Card{
		{ID: "rmse", Title: "Error, root mean square", Value: "–"},
		{ID: "sigma", Title: "Predicted σ", Value: "–"},
		{ID: "time", Title: "Time", Value: "–", Note: "\u00a0"},
		{ID: "size", Title: "Features", Value: "–"},
	}
	r := a.Result
	if r == nil {
		return cards
	}
	if len(r.Report.Pairs) > 0 {
		cards[0].Value, cards[0].Note = format.Number(r.Report.RMSE, 3), "this seed, "+format.Plural(len(r.Report.Pairs), "pair")+" of rows"
		cards[1].Value, cards[1].Unit, cards[1].Note = format.Number(r.Report.Sigma, 3), r.Report.Kind.String(), "over all seeds, the same pairs"
	}
	cards[2].Value, cards[2].Unit, cards[2].Note = r.perRow(), "per row, "+r.threads(), r.timing()
	if r.Layout != sampleLayout {
		cards[2].Title = "Time, with reading"
	}
	cards[3].Value = format.Count(r.Rows) + " × " + format.Count(r.State.NComponents)
	cards[3].Note = "float32, " + format.Bytes(4*r.Rows*r.State.NComponents)
	if r.Partial {
		cards[3].Unit = "first rows"
	}
	return cards
}

// perRow is the time a row took, all threads together.
func (r *Result) perRow() string {
	if r.Rows == 0 {
		return "–"
	}
	micros := float64(r.Elapsed.Nanoseconds()) / 1e3 / float64(r.Rows)
	if micros >= 1000 {
		return format.Duration(time.Duration(micros * 1e3))
	}
	return format.Number(micros, 3) + "\u00a0µs"
}

// threads tells how many may share the work. The first result of a page is made
// while the browser still compiles.
func (r *Result) threads() string {
	switch {
	case r.Number == 1:
		return "warming up"
	case r.Threads > 1:
		return "≤\u00a0" + format.Count(r.Threads) + "\u00a0threads"
	}
	return "1\u00a0thread"
}

func (r *Result) timing() string {
	text := format.Duration(r.Elapsed)
	if seconds := r.Elapsed.Seconds(); seconds > 0 {
		text += " · " + format.Count(int(float64(r.Rows)/seconds)) + " rows/s"
	}
	return text
}
