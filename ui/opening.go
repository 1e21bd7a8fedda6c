package main

import (
	"tensorsketch.example/ui/internal/format"
)

// Opening says what the page shows and where the rows come from.
type Opening struct {
	View  OpeningView
	Press PressHandler
}

// OpeningView is what an Opening shows.
type OpeningView struct {
	Title, Lede  string
	Notes        []string
	Name, Origin string // of the rows
	IsSample     bool
	CanChoose    bool
	CanGoOffline bool
	Requests     string // since the file was opened
	Problem      string // of the file last chosen
	Encoding     string // what is wrong with that of the file
	Model        string // what the model file that was opened does
	ModelLeft    bool   // it does nothing now, and can be used again
}

// OpeningView describes the data and what becomes of it.
func (a *App) OpeningView() OpeningView {
	v := OpeningView{Notes: a.Notes, IsSample: a.Data.IsSample(), CanChoose: a.State.Shows("data"),
		Problem: a.Data.Problem}
	v.Encoding = a.encodingProblem()
	v.Model, v.ModelLeft = a.modelNote(), a.Model != nil && a.Model.layout != nil && a.applied() == nil
	v.CanGoOffline = v.CanChoose && !a.State.Embedded
	v.Lede = "Inner products of the new rows estimate the kernel " + a.State.Embed.KernelFormula() +
		" of the old ones. It happens in this tab; nothing is uploaded."
	if v.IsSample {
		v.Title = "A digit becomes " + format.Plural(a.State.Embed.NComponents, "number")
		v.Name = "Sample: " + format.Count(sampleRows) + " digits drawn by this page, not real data"
		v.Origin = "8 × 8 shades each."
		if v.CanChoose {
			v.Origin += " Drop a file of your own rows anywhere: CSV and other formats."
		}
		return v
	}
	layout := a.Data.Layout
	v.Title = "A row becomes " + format.Plural(a.State.Embed.NComponents, "number")
	if r := a.Result; r != nil && r.Layout == layout {
		v.Title = "A row of " + format.Plural(r.NFeatures, "number") + " becomes one of " +
			format.Count(a.State.Embed.NComponents)
	}
	v.Name = layout.Name
	v.Requests = a.Requests.Text()
	v.Origin = format.Bytes(a.Data.Bytes) + " of " + layout.Kind() + ", " + format.Plural(len(layout.Columns), "column") +
		", listed below with their use."
	switch {
	case a.Data.Unread:
		v.Origin = format.Bytes(a.Data.Bytes) + ". It could not be read."
	case len(layout.Columns) == 0:
		v.Origin = format.Bytes(a.Data.Bytes) + " of " + layout.Kind() + "."
	}
	return v
}
