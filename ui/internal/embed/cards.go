package embed

import (
	"cmp"
	"time"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// Cards returns the cards of the error, the predicted error, the time and the number of features.
func (e *Room) Cards() []lesson.Card {
	cards := []lesson.Card{
		{ID: "rmse", Title: "Error, root mean square", Value: "–"},
		{ID: "sigma", Title: "Predicted σ", Value: "–"},
		{ID: "time", Title: "Time", Value: "–"},
		{ID: "size", Title: "Features", Value: "–"},
	}
	r := e.Result
	if r == nil {
		for i := range cards {
			cards[i].Note = "\u00a0"
			if e.Run.Phase == Loading || e.Run.Phase == Running {
				cards[i].Note = "computing …"
			}
		}
		return cards
	}
	if len(r.Report.Pairs) > 0 {
		cards[0].Value, cards[0].Note = format.Number(r.Report.RMSE, 3),
			"this seed, "+format.Plural(len(r.Report.Pairs), "pair")+" of rows"
		cards[1].Value, cards[1].Unit, cards[1].Note = r.predicted()
	}
	cards[2].Value, cards[2].Unit, cards[2].Note = r.timing()
	cards[3].Value = format.Count(r.Rows) + " × " + format.Count(r.Embed.NComponents)
	cards[3].Note = "float32, " + format.Bytes(4*r.Rows*r.Embed.NComponents)
	if r.Partial {
		cards[3].Unit = "first rows"
	}
	return cards
}

// predicted returns σ, its kind, and a note on the error.
func (r *Result) predicted() (sigma, kind, note string) {
	kind = r.Report.Kind.String()
	switch {
	case r.Embed.IsFitted():
		return "–", kind, "there is no formula: it depends on the rows"
	case !r.Report.IsPredicted() && r.Embed.Normalize == sketch.NormalizeKernel:
		return "–", kind, "there is no formula for it with kernel normalisation"
	case !r.Report.IsPredicted():
		return "–", kind, "σ² of some pairs exceeds what float64 holds"
	}
	note = "over all seeds, the same pairs"
	if r.Report.IsBiased() {
		note = "over all seeds; bias " + format.Number(r.Report.Bias, 3)
	}
	return format.Number(r.Report.Sigma, 3), kind, note
}

// timing returns the time per row, whose time it is, and a note with the core's speed and the time of the whole run.
// Once the core's time is measured it is that; before, it is the run's time divided by the rows. In the run the page
// also read, stored and drew; during the first run the browser was also still compiling.
func (r *Result) timing() (perRow, unit, note string) {
	unit, note = "per row, by the page", "whole run "+format.Duration(r.Elapsed)
	if r.CorePerRow > 0 {
		unit, note = "per row, by the core", format.Count(int(time.Second/r.CorePerRow))+" rows/s · "+note
	}
	if r.Rows == 0 {
		return "–", unit, note
	}
	each := cmp.Or(r.CorePerRow, r.Elapsed/time.Duration(r.Rows))
	if each >= time.Millisecond {
		return format.Duration(each), unit, note
	}
	return format.Number(float64(each.Nanoseconds())/1e3, 3) + "\u00a0µs", unit, note
}
