package embed

import (
	"tensorsketch.example/ui/internal/format"
)

// OpeningView is what an Opening shows.
type OpeningView struct {
	Title, Lede  string
	Name, Origin string // of the rows
	IsSample     bool
	CanChoose    bool
	Requests     string // requests since the file was opened
	Problem      string // with the file last chosen
	Encoding     string // the problem with the file's encoding
	Model        string // what the opened model file does
	ModelLeft    bool   // the model is not in use, and can be used again
}

// OpeningView describes the data and what the page makes of them.
func (e *Room) OpeningView() OpeningView {
	v := OpeningView{IsSample: e.Data.IsSample(), CanChoose: e.Shows("data"),
		Problem: e.Data.Problem}
	v.Encoding = e.encodingProblem()
	v.Model, v.ModelLeft = e.modelNote(), e.Model != nil && e.Model.layout != nil && e.Applied() == nil
	v.Lede = "Inner products of the new rows estimate the kernel " + e.Settings.KernelFormula() +
		" of the old ones. It happens in this tab; nothing is uploaded."
	if v.IsSample {
		v.Title = "A digit becomes " + format.Plural(e.Settings.NComponents, "number")
		v.Name = "Sample: " + format.Count(SampleRows) + " generated digits, not real data"
		v.Origin = "8 × 8 grey values each, and the digit as label. In a quarter of them ink and paper are swapped: " +
			"a linear model gets every fourth digit wrong, and a model on these features nearly none."
		return v
	}
	layout := e.Data.Layout
	v.Title = "A row becomes " + format.Plural(e.Settings.NComponents, "number")
	if r := e.Result; r != nil && r.Layout == layout {
		v.Title = "A row of " + format.Plural(r.NFeatures, "number") + " becomes one of " +
			format.Count(e.Settings.NComponents)
	}
	v.Name = layout.Name
	v.Requests = e.Requests.Text()
	v.Origin = format.Bytes(e.Data.Bytes) + " of " + layout.Kind() + ", " + format.Plural(len(layout.Columns), "column") +
		", listed below with their use."
	switch {
	case e.Data.Unread:
		v.Origin = format.Bytes(e.Data.Bytes) + ". It could not be read."
	case len(layout.Columns) == 0:
		v.Origin = format.Bytes(e.Data.Bytes) + " of " + layout.Kind() + "."
	}
	return v
}
