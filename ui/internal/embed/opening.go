package embed

import "tensorsketch.example/ui/internal/format"

// OpeningView is what an Opening shows.
type OpeningView struct{ Title, Lede string }

// OpeningView says what the page makes of the rows.
func (e *Room) OpeningView() OpeningView {
	D := e.Settings.NComponents
	v := OpeningView{Title: "A row becomes " + format.Plural(D, "number")}
	switch r := e.Result; {
	case e.Data.IsSample():
		v.Title = "A digit becomes " + format.Plural(D, "number")
	case r != nil && r.Layout == e.Data.Layout:
		v.Title = "A row of " + format.Plural(r.NFeatures, "number") + " becomes one of " + format.Count(D)
	}
	v.Lede = "Inner products of the new rows estimate the kernel " + e.Settings.KernelFormula() +
		" of the old ones. Everything happens in this tab. Nothing is uploaded."
	return v
}
