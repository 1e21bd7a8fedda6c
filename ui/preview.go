package main

import (
	"strconv"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/format"
)

// Preview is a table with the first features of the first rows.
type Preview struct{ View PreviewView }

// PreviewView is what a Preview shows. The first column holds the row's label or number; the features and an
// ellipsis follow.
type PreviewView struct {
	Title string
	Note  string // about zeros and columns passed over, or ""
	Head  []string
	Rows  [][]string
}

// PreviewView returns the first features of the first rows.
func (a *App) PreviewView() PreviewView {
	v := PreviewView{Title: "Features"}
	r := a.Result
	if r == nil || r.Rows == 0 {
		return v
	}
	v.Title = "Features: the first of " + format.Plural(r.Rows, "row") + " and " +
		format.Plural(r.Embed.NComponents, "column")
	first := "row"
	cell := r.Layout.First()
	if cell >= 0 {
		first = format.Cut(r.Layout.Columns[cell].Name)
	}
	v.Head = append(v.Head, first)
	columns, note := previewColumns(r)
	v.Note = note
	for _, column := range columns {
		v.Head = append(v.Head, "f"+strconv.Itoa(column))
	}
	write := featureFormat(r.Preview)
	for i, row := range r.Preview {
		cells := []string{strconv.Itoa(i + 1)}
		if cell >= 0 {
			cells[0] = format.Cut(row.Label)
		}
		for _, column := range columns {
			cells = append(cells, write(float64(row.At(column))))
		}
		v.Rows = append(v.Rows, cells)
	}
	if r.Embed.NComponents > len(columns) {
		v.Head = append(v.Head, "…")
		for i := range v.Rows {
			v.Rows[i] = append(v.Rows[i], "…")
		}
	}
	return v
}

// previewColumns returns the columns to show, normally the first ones. If most features are zero, or each of the
// first columns has a single value, it returns the first columns that tell rows apart, with a note.
func previewColumns(r *embed.Result) (columns []int, note string) {
	most, first := 0, len(r.Preview[0].First)
	for _, row := range r.Preview {
		most = max(most, row.NFilled)
	}
	alike := len(r.Preview) > 1
	for column := range first {
		columns = append(columns, column)
		alike = alike && embed.IsConstant(r.Preview, column)
	}
	varied := embed.FilledColumns(r.Preview, len(r.Preview) > 1)
	switch isSparse := most > 0 && 2*most < r.Embed.NComponents; {
	case r.Embed.NComponents <= first:
		return columns, ""
	case isSparse && len(varied) == 0:
		return embed.FilledColumns(r.Preview, false), sparse(r, most) + ". Columns of zeros are passed over here."
	case isSparse:
		return varied, sparse(r, most) + ". Columns of zeros or of one value are passed over here."
	case alike && len(varied) > 0:
		return varied, "The first " + format.Plural(first, "column") +
			" are of one value each. Such columns are passed over here."
	}
	return columns, ""
}

// sparse returns a sentence on how many features of a row are nonzero at most.
func sparse(r *embed.Result, most int) string {
	note := "At most " + format.Count(most) + " of the " + format.Count(r.Embed.NComponents) +
		" features of the rows below are not zero"
	if r.Embed.Method == sketch.MethodTensorSketch {
		note += ": few numbers have few products, each for one feature, and products too small beside others round to 0"
	}
	return note
}

// featureFormat returns a function that writes numbers of a column in a comparable form: with as many decimals as
// the largest one leaves room for.
func featureFormat(rows []embed.Row) func(float64) string {
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
