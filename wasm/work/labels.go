//go:build js && wasm

package main

import (
	"fmt"
	"math"
	"slices"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/dataset/labels"
	"tensorsketch.example/sketch/learn"
)

// A labelReader says which label each cell is.
type labelReader struct {
	stats  *labels.Stats
	reader *labels.Reader
	layout *dataset.Layout // of a reader that goes by the stats; otherwise nil
	index  map[learn.Label]int32
	codes  []int32
	values []float64

	isKnown bool // the classes are given
	unknown int64
	some    []string // of the labels that are not among them
}

// newLabels makes a labelReader for the label of a preprocessing: for a model with these classes, or for a column with
// or without numbers. Without either, a first pass by seeLabels finds out.
func newLabels(q *struct {
	Layout, Preprocessing uint32
	Classes               []any
	Numbers               *bool
}) (any, error) {
	layout, column := kept[*dataset.Layout](q.Layout), new(dataset.Column)
	for _, c := range kept[*dataset.Preprocessing](q.Preprocessing).Columns {
		for i := range layout.Columns {
			if c.Role == columns.AsLabel && layout.Columns[i].Name == c.Name {
				layout = layout.WithLabel(i)
				column = &layout.Columns[i]
			}
		}
	}
	r := &labelReader{stats: labels.NewStats(layout, column), index: map[learn.Label]int32{}}
	switch {
	case q.Classes != nil:
		classes, err := classesOf(q.Classes)
		if err != nil {
			return nil, err
		}
		r.reader, r.isKnown = labels.NewKnownReader(layout, classes), true
	case q.Numbers != nil:
		r.reader = labels.NewReader(layout, *q.Numbers)
	default:
		r.layout = layout
		r.reader = labels.NewReader(layout, labels.NumbersInHead(column))
	}
	return keep(r), nil
}

func classesOf(values []any) (classes []learn.Label, err error) {
	for i, value := range values {
		class, ok := labels.Of(value)
		if !ok {
			return nil, fmt.Errorf("classes[%d] must be a text, a number, true or false, got %v", i, value)
		}
		classes = append(classes, class)
	}
	return classes, nil
}

// labelCells are the cells of a call: cell k is the bytes from offset k to offset k + 1.
type labelCells struct {
	Labels         uint32
	Cells, Offsets span
	Places         span // of their rows, or empty
}

func (c *labelCells) each(f func(k int, cell []byte)) {
	cells, offsets := bufferOf(c.Cells), numbersIn[int32](c.Offsets)
	for k := range len(offsets) - 1 {
		f(k, cells[offsets[k]:offsets[k+1]])
	}
}

// seeLabels sees the labels of rows in a first pass, and returns what is known of all so far.
func seeLabels(q *labelCells) (any, error) {
	r := kept[*labelReader](q.Labels)
	s := r.stats
	places := numbersIn[float64](q.Places)
	q.each(func(k int, cell []byte) {
		place := int64(0)
		if k < len(places) {
			place = int64(places[k])
		}
		s.SeeAt(cell, place)
	})
	if r.layout != nil {
		r.reader = labels.NewReader(r.layout, s.Numbers())
	}
	reply := struct {
		Task         string   `json:"task"`
		CanBeNumbers bool     `json:"canBeNumbers"`
		Numbers      bool     `json:"numbers"`
		Different    int      `json:"different"`
		Unlabelled   int64    `json:"unlabelled"`
		NotNumbers   int64    `json:"notNumbers"`
		Low          *float64 `json:"low"`
		High         *float64 `json:"high"`
	}{s.Task(), s.CanBeNumbers(), s.Numbers(), s.Different(), s.Unlabelled(), s.NotNumbers(), &s.Low, &s.High}
	if s.Low > s.High {
		reply.Low, reply.High = nil, nil
	}
	return reply, nil
}

// readLabels returns the labels of cells as indices, −1 where there is none, and the labels that are new: they follow
// the labels of earlier calls.
func readLabels(q *labelCells) (any, error) {
	r := kept[*labelReader](q.Labels)
	r.codes = r.codes[:0]
	fresh := []any{}
	q.each(func(_ int, cell []byte) {
		label, what := r.reader.Read(cell)
		if what != "" {
			r.codes = append(r.codes, -1)
			return
		}
		if r.isKnown && !r.reader.Knows(label) {
			r.unknown++
			if text := labels.Text(label); len(r.some) < 3 && !slices.Contains(r.some, text) {
				r.some = append(r.some, text)
			}
		}
		code, ok := r.index[label]
		if !ok {
			code = int32(len(r.index))
			r.index[label] = code
			fresh = append(fresh, label.Value())
		}
		r.codes = append(r.codes, code)
	})
	return struct {
		Fresh []any `json:"fresh"`
		Codes span  `json:"codes"`
	}{fresh, spanOf(r.codes)}, nil
}

// labelNotes notes the rows that were seen and whose label cannot be used for a task, and the labels that were read and
// are not among the classes.
func labelNotes(q *struct {
	Labels uint32
	Task   string
}) (any, error) {
	r := kept[*labelReader](q.Labels)
	file := ""
	u := r.stats.Unused(q.Task)
	if len(u.First) > 0 {
		file = u.First[0].File
	}
	notes := append([]columns.Note{}, dataset.RowNotes(file, new(dataset.Preprocessing), new(dataset.Counts), u)...)
	notes = append(notes, r.stats.UnitNotes(q.Task)...)
	if r.unknown > 0 {
		notes = append(notes, dataset.UnknownLabels(r.unknown, r.some))
	}
	return notes, nil
}

// labelNumbers returns the numbers of cells, NaN where there is none.
func labelNumbers(q *labelCells) (any, error) {
	r := kept[*labelReader](q.Labels)
	r.values = r.values[:0]
	q.each(func(_ int, cell []byte) {
		x, what := r.reader.Number(cell)
		if what != "" {
			x = math.NaN()
		}
		r.values = append(r.values, x)
	})
	return struct {
		Numbers span `json:"numbers"`
	}{spanOf(r.values)}, nil
}
