// Package labels says which label a cell of a table is, for the shell, the page and Beam: it is decided here alone.
package labels

import (
	"bytes"
	"slices"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch/learn"
)

// A Reader says which label a cell of a column is.
//
// A cell is a number if it is written as this program writes numbers, and any cell with a number is one if the column
// is one of numbers: then 1.0 is 1, as programs write it where a cell of the column is missing. A number with leading
// zeros, such as 007, is a text. If the classes are known, a cell is the class that dataset.Names finds. Words such as
// NA are no labels, as Layout.LacksLabel says, unless they are among the known classes.
type Reader struct {
	layout  *dataset.Layout
	numbers bool
	classes []learn.Label
	names   *dataset.Names // of the classes; nil if they are not known

	Units *dataset.Unused // counts the numbers that lack the unit of the column, unless it is nil
}

// NewReader returns a Reader of a column with numbers, as Stats.Numbers says, or without.
func NewReader(l *dataset.Layout, numbers bool) *Reader { return &Reader{layout: l, numbers: numbers} }

// NewKnownReader returns a Reader for a model with these classes.
func NewKnownReader(l *dataset.Layout, classes []learn.Label) *Reader {
	r := &Reader{layout: l, classes: slices.Clone(classes), numbers: AllNumbers(classes)}
	names := make([]string, len(classes))
	for i, class := range classes {
		names[i] = Text(class)
	}
	r.names = dataset.NewNames(names)
	return r
}

// Read returns the label of a cell. what says why there is none.
func (r *Reader) Read(cell []byte) (label learn.Label, what string) {
	if label, what = r.Class(cell); what == "" && r.layout.LacksLabel(cell) && !r.Knows(label) {
		return learn.Label{}, lacking(cell)
	}
	return label, what
}

// lacking says why a cell with a word is no label.
func lacking(cell []byte) string {
	return "the label " + columns.Quoted(string(cell)) + " counts as missing, unless it is typed as a class"
}

// Class is Read for a text that was typed as a class, which may be NA.
func (r *Reader) Class(cell []byte) (label learn.Label, what string) {
	cell = bytes.TrimSpace(cell)
	if len(cell) == 0 {
		return label, isMissing
	}
	if r.names != nil {
		if i, ok := r.names.Find(cell, r.layout.Decimal); ok {
			return r.classes[i], ""
		}
	}
	x, odd := r.layout.Number(cell)
	switch {
	case odd != "" || dataset.IsCode(cell, r.layout.Decimal):
		return learn.TextLabel(string(cell)), ""
	case x != x && r.numbers:
		return label, isMissing
	case x-x == 0 && r.isExact(x) && (r.numbers || string(dataset.AppendNumber(nil, x)) == string(cell)):
		return learn.NumberLabel(x), ""
	}
	return learn.TextLabel(string(cell)), ""
}

// isExact reports whether a whole number has all its digits in a float64. Longer ones are texts: codes of 20 digits
// would become one.
func (r *Reader) isExact(x float64) bool { return x < 1<<53 && x > -1<<53 }

const isMissing = "the label is missing"

// Number returns the number in a cell, for a model that predicts numbers. what says why there is none.
func (r *Reader) Number(cell []byte) (x float64, what string) {
	x, what = r.layout.LabelNumber(bytes.TrimSpace(cell), r.Units)
	if what == "" && x-x != 0 {
		what = isMissing
	}
	return x, what
}

// Knows reports whether a label is among the known classes.
func (r *Reader) Knows(l learn.Label) bool { return slices.Contains(r.classes, l) }

// Of returns the label of a value of JSON. It is false for a value that is none.
func Of(value any) (l learn.Label, ok bool) {
	switch value := value.(type) {
	case bool:
		return learn.BoolLabel(value), true
	case float64:
		return learn.NumberLabel(value), true
	case string:
		return learn.TextLabel(value), true
	}
	return l, false
}

// AllNumbers reports whether all classes are numbers.
func AllNumbers(classes []learn.Label) bool {
	return !slices.ContainsFunc(classes, func(l learn.Label) bool { _, ok := l.Value().(float64); return !ok })
}

// Text returns a label as it stands in a cell.
func Text(l learn.Label) string {
	switch value := l.Value().(type) {
	case float64:
		return string(dataset.AppendNumber(nil, value))
	case string:
		return value
	}
	return l.String()
}
