package embed

import (
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/ui/internal/format"
)

// RowsView is what Rows shows: where the rows come from, their columns, and what of them cannot be used.
type RowsView struct {
	Name, Origin string // of the rows
	IsSample     bool
	CanChoose    bool
	Requests     string // requests since the file was opened
	Problem      string // with the file last chosen
	Encoding     string // the problem with the file's encoding
	Model        string // what the opened model file does
	ModelLeft    bool   // the model is not in use, and can be used again
	Columns      ColumnsView
	Unused       UnusedView
	Notes        []columns.Note // of the file and its rows
}

// RowsView describes the rows.
func (e *Room) RowsView() RowsView {
	v := RowsView{IsSample: e.Data.IsSample(), CanChoose: e.Shows("data"), Problem: e.Data.Problem,
		Encoding: e.encodingProblem(), Model: e.modelNote(),
		ModelLeft: e.Model != nil && e.Model.layout != nil && e.Applied() == nil,
		Columns:   e.ColumnsView(), Unused: e.UnusedView(), Notes: e.FileNotes()}
	if v.IsSample {
		v.Name = "Sample: " + format.Count(SampleRows) + " generated digits, not real data"
		v.Origin = "8 × 8 grey values each, and the digit as label. A quarter has ink and paper swapped: a linear model " +
			"fails there, a model on these features does not."
		if v.CanChoose {
			v.Origin += " Or drop a file of your own: CSV and other formats."
		}
		return v
	}
	layout := e.Data.Layout
	v.Name, v.Requests = format.Cut(layout.Name), e.Requests.Text()
	v.Origin = format.Bytes(e.Data.Bytes)
	switch {
	case e.Data.Unread:
		v.Origin += ". It could not be read."
	case len(layout.Columns) == 0:
		v.Origin += " of " + layout.Kind() + "."
	default:
		v.Origin += " of " + layout.Kind() + ", " + format.Plural(len(layout.Columns), "column") + "."
	}
	return v
}
