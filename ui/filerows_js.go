package main

import (
	"strings"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/dom"
	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/table"
)

// A fileWorker reads and embeds rows outside the page's thread (filejob.js, through fileworker.js).
type fileWorker struct{ value dom.Value }

// call sends the worker a request and waits for the answer.
func (w *fileWorker) call(name string, request map[string]any) (dom.Value, error) {
	return dom.Ask(w.value, "call", name, request)
}

// tell sends the worker a request whose answer nothing waits for. The App is locked.
func (b *browser) tell(name string) {
	b.Background(func() { _, _ = b.files.call(name, map[string]any{}) })
}

// sentence ends an error with a full stop.
func sentence(err error) string { return strings.TrimSuffix(err.Error(), ".") + "." }

// planOf returns the plan for the worker: how each column is used. The columns are one text: to make an object of each
// of 10,000 columns would keep the page waiting.
func planOf(l *table.Layout, s scaling, sparseWidth int) map[string]any {
	made := map[string]any{"reading": readingValue(&l.Reading), "columns": l.ColumnsJSON(), "sparse": l.Sparse,
		"unitNorm": s.unit, "keepFew": s.keepFew}
	give(made, "sparseWidth", l.Sparse && sparseWidth > 0, sparseWidth)
	return made
}

// A scaling says how rows are scaled, as a plan does.
type scaling struct{ unit, keepFew bool }

// scalingOf returns the chosen scaling of rows. Spherical features take rows of length 1 alone.
func scalingOf(s *embed.Settings) scaling {
	return scaling{s.Rows != embed.RowsNone, s.Rows == embed.RowsAuto && s.Method != sketch.MethodSpherical}
}

// open has the worker read a file, for a model if it is not nil, and returns the file's layout.
func (w *fileWorker) open(file dom.Value, said embed.Reading, model *openModel) (l *table.Layout, err error) {
	typed := said.Reading
	if len(typed.Missing()) == 0 {
		typed.Unset("compression") // with a complete reading, the worker would not look at any rows
	}
	request := map[string]any{"file": file, "options": readingValue(&typed)}
	if model != nil {
		request["model"] = model.value
	}
	reply, err := w.call("open", request)
	if err != nil {
		return nil, err
	}
	defer dom.Catch(&err)
	layout := dom.Get(reply, "layout")
	l = &table.Layout{Name: dom.Text(file, "name"), Stem: dom.Text(layout, "stem"), Format: dom.Text(layout, "format"),
		Compression: dom.Text(layout, "compression"), Sparse: dom.Truth(layout, "sparse"), Rows: dom.Int(layout, "rows"),
		BytesPerRow: dom.Number(layout, "bytesPerRow"), Total: dom.Int(layout, "total")}
	l.Reading = readingOf(dom.Get(layout, "reading"))
	for _, key := range dom.List(dom.Get(layout, "guessed")) {
		if _, ok := said.Get(dom.Text(key)); !ok {
			l.Guessed = append(l.Guessed, dom.Text(key))
		}
	}
	l.Scaling, _ = columns.ParseScaling(dom.Text(layout, "scaling"))
	// The columns are one text: 10,000 objects would take six calls each.
	if l.Columns, err = table.ParseColumns(dom.Text(layout, "columns")); err != nil {
		return nil, err
	}
	l.Notes = notesOf(dom.Get(layout, "notes"))
	return l.Explained().WithScaling(l.Scaling), nil
}

// notesOf reads the notes of a file or its rows.
func notesOf(v dom.Value) (notes []columns.Note) {
	if !dom.Exists(v) {
		return nil
	}
	for _, n := range dom.List(v) {
		note := columns.Note{Code: columns.NoteCode(dom.Text(n, "code")), Column: dom.Text(n, "column"),
			What: dom.Text(n, "what"), Remedy: dom.Text(n, "remedy")}
		if note.Code == columns.NoteUnitNorm {
			note.Remedy = "choose Rows: length 1 to divide them by it"
		}
		if count := dom.Get(n, "count"); dom.Exists(count) {
			note.Count = int64(dom.Int(count))
		}
		notes = append(notes, note)
	}
	return notes
}

// countsOf reads the counts of unused rows and of missing and unknown cells, and the first problems.
func countsOf(v dom.Value) (c table.Counts) {
	if !dom.Exists(v) {
		return c
	}
	c.Unused = dom.Int(v, "unused")
	c.Notes = notesOf(dom.Get(v, "notes"))
	for _, p := range dom.List(dom.Get(v, "first")) {
		c.First = append(c.First, &table.Problem{File: dom.Text(p, "file"), Place: dom.Text(p, "where"),
			What: dom.Text(p, "what"), Remedy: dom.Text(p, "remedy")})
	}
	return c
}
