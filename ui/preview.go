package main

import (
	"strconv"

	"github.com/tensorsketch/tensorsketch/ui/internal/embedding"
	"github.com/tensorsketch/tensorsketch/ui/internal/format"
)

// Preview is a table of the first features of the first rows.
type Preview struct{ View PreviewView }

// PreviewView is what a Preview shows: a first column with the label or the
// number of the row, features, and an ellipsis.
type PreviewView struct {
	Title string
	Head  []string
	Rows  [][]string
}

// PreviewView returns the first numbers of the first rows.
func (a *App) PreviewView() PreviewView {
	v := PreviewView{Title: "Features"}
	r := a.Result
	if r == nil || r.Rows == 0 {
		return v
	}
	v.Title = "Features: the first of " + format.Plural(r.Rows, "row") + " and " + format.Plural(r.State.NComponents, "column")
	first := "row"
	hasLabel := r.Layout.Label() >= 0
	if hasLabel {
		first = cut(r.Layout.Columns[r.Layout.Label()].Name)
	}
	v.Head = append(v.Head, first)
	for i := range r.Preview[0].Features {
		v.Head = append(v.Head, "f"+strconv.Itoa(i))
	}
	write := featureFormat(r.Preview)
	for i, row := range r.Preview {
		cells := []string{strconv.Itoa(i + 1)}
		if hasLabel {
			cells[0] = cut(row.Label)
		}
		for _, x := range row.Features {
			cells = append(cells, write(float64(x)))
		}
		v.Rows = append(v.Rows, cells)
	}
	if r.State.NComponents > len(r.Preview[0].Features) {
		v.Head = append(v.Head, "…")
		for i := range v.Rows {
			v.Rows[i] = append(v.Rows[i], "…")
		}
	}
	return v
}

// featureFormat writes numbers so that a column of them can be compared: with as
// many decimals as the largest leaves room for.
func featureFormat(rows []embedding.PreviewRow) func(float64) string {
	most := float32(0)
	for _, row := range rows {
		most = max(most, row.Largest)
	}
	decimals := 4
	switch {
	case most >= 1e7 || most < .001 && most != 0:
		return func(x float64) string { return format.Number(x, 4) }
	case most >= 10000:
		decimals = 0
	case most >= 100:
		decimals = 2
	}
	return func(x float64) string { return format.Fixed(x, decimals) }
}
