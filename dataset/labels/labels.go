// Package labels says which label a cell of a table is, for every program that learns from files.
package labels

import (
	"bytes"

	"tensorsketch.example/dataset"
	"tensorsketch.example/sketch/learn"
)

// Read returns the label in a cell without white space around it and, if labels are numbers, its number. what says why
// the row cannot be used: the label is missing or, for numbers, is none. Otherwise it is empty.
func Read(cell []byte, l *dataset.Layout, isNumber bool) (label string, x float64, what string) {
	cell = bytes.TrimSpace(cell)
	if isNumber {
		x, what = l.Number(cell)
	}
	if what == "" && (len(cell) == 0 || x-x != 0) {
		what = "the label is missing"
	}
	return string(cell), x, what
}

// Reader returns the function that makes labels of cells. A cell is a number if its column has numbers, or if it is
// written as a number is here; "007" is a text otherwise.
func Reader(l *dataset.Layout, isNumeric bool) func(cell string) learn.Label {
	return func(cell string) learn.Label {
		x, what := l.Number([]byte(cell))
		if what == "" && x-x == 0 && (isNumeric || string(dataset.AppendNumber(nil, x)) == cell) {
			return learn.NumberLabel(x)
		}
		return learn.TextLabel(cell)
	}
}

// KnownReader is Reader for a model with these classes: a cell that names one of them is that one.
func KnownReader(l *dataset.Layout, isNumeric bool, classes []learn.Label) func(cell string) learn.Label {
	read, named := Reader(l, isNumeric), map[string]learn.Label{}
	for _, class := range classes {
		named[Text(class)] = class
	}
	for _, class := range classes {
		if on, ok := class.Value().(bool); ok { // which tables have as 1 and 0
			text := string(dataset.AppendNumber(nil, map[bool]float64{true: 1}[on]))
			if _, taken := named[text]; !taken {
				named[text] = class
			}
		}
	}
	return func(cell string) learn.Label {
		if class, ok := named[cell]; ok {
			return class
		}
		label := read(cell)
		if class, ok := named[Text(label)]; ok {
			return class
		}
		return label
	}
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
