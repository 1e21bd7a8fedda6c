package main

import (
	"github.com/hack-pad/safejs"
	"tensorsketch.example/dataset/plan"
	"tensorsketch.example/ui/internal/table"
)

// A fileWorker reads and embeds rows, apart from the page: filejob.js, by way of fileworker.js.
type fileWorker struct{ value safejs.Value }

// newFileWorker returns the one that boot.js has made; onProgress hears how far it is.
func newFileWorker(onProgress safejs.Func) (*fileWorker, error) {
	value, err := safejs.Global().Get("files")
	if err != nil {
		return nil, err
	}
	return &fileWorker{value}, value.Set("onProgress", onProgress)
}

// call asks the worker for something and waits for the answer.
func (w *fileWorker) call(name string, request map[string]any) (safejs.Value, error) {
	promise, err := w.value.Call("call", name, request)
	if err != nil {
		return safejs.Undefined(), err
	}
	return await(promise)
}

// fileRequest names a file and how it is read.
func fileRequest(file safejs.Value, typed *plan.Reading, model *openModel) map[string]any {
	request := map[string]any{"file": file, "options": readingValue(typed)}
	if model != nil {
		request["model"] = model.value
	}
	return request
}

// planOf says what becomes of the columns, for the worker.
func planOf(l *table.Layout, unit bool, sparseWidth int) map[string]any {
	columns := []any{}
	for i := range l.Columns {
		c := &l.Columns[i]
		if c.Role == plan.AsIgnored {
			continue
		}
		column := map[string]any{"name": c.Name, "role": c.Role.String()}
		give(column, "missing", c.Role.Policies() != nil, c.Missing.String())
		give(column, "fill", c.Missing == plan.Constant, c.Fill)
		give(column, "scaling", c.IsScaled(), c.Scaling.String())
		give(column, "hashed", c.Hashed > 0, c.Hashed)
		if c.Role == plan.AsDate {
			parts := []any{}
			for _, part := range c.Parts {
				parts = append(parts, part.String())
			}
			column["parts"] = parts
		}
		if c.Role == plan.AsWords {
			column["words"], column["chars"], column["width"] = []any{c.Words[0], c.Words[1]}, []any{c.Chars[0], c.Chars[1]},
				c.Width
		}
		columns = append(columns, column)
	}
	made := map[string]any{"reading": readingValue(&l.Reading), "columns": columns, "sparse": l.Sparse, "unitNorm": unit}
	give(made, "sparseWidth", l.Sparse && sparseWidth > 0, sparseWidth)
	return made
}

// open returns the layout of a file, read for a model or for none.
func (w *fileWorker) open(file safejs.Value, said Reading, model *openModel) (*table.Layout, error) {
	typed := said.Reading
	if len(typed.Missing()) == 0 {
		typed.Unset("compression") // of a reading that is whole, no rows would be looked at
	}
	reply, err := w.call("open", fileRequest(file, &typed, model))
	if err != nil {
		return nil, err
	}
	r := reader{}
	layout := r.get(reply, "layout")
	l := &table.Layout{Name: text(file, "name"), Stem: text(layout, "stem"), Format: text(layout, "format"),
		Compression: text(layout, "compression"),
		Header:      r.truth(layout, "header"), Sparse: r.truth(layout, "sparse"), Rows: r.int(layout, "rows"),
		BytesPerRow: r.number(layout, "bytesPerRow"), Total: r.int(layout, "total")}
	l.Reading = readingOf(&r, r.get(layout, "reading"))
	guessed := r.get(layout, "guessed")
	for i := range r.int(guessed, "length") {
		key, _ := r.at(guessed, i).String()
		if _, ok := said.Get(key); !ok {
			l.Guessed = append(l.Guessed, key)
		}
	}
	l.Scaling, _ = plan.ParseScaling(text(layout, "scaling"))
	columns := r.get(layout, "columns")
	n := r.int(columns, "length")
	for i := range n {
		c := r.at(columns, i)
		role, _ := plan.ParseRole(text(c, "role"))
		column := table.Column{Column: plan.NewColumn(text(c, "name"), role), Example: text(c, "example"),
			Odd: r.int(c, "odd")}
		column.Type, _ = plan.ParseType(text(c, "type"))
		l.Columns = append(l.Columns, column)
	}
	return l.WithScaling(l.Scaling), r.err
}

// A reader reads properties of JavaScript objects until one fails. What is absent is
// zero.
type reader struct{ err error }

func (r *reader) get(v safejs.Value, property string) safejs.Value {
	value, err := v.Get(property)
	if r.err == nil {
		r.err = err
	}
	return value
}

func (r *reader) at(v safejs.Value, i int) safejs.Value {
	value, err := v.Index(i)
	if r.err == nil {
		r.err = err
	}
	return value
}

func (r *reader) number(v safejs.Value, property string) float64 {
	value := r.get(v, property)
	if value.Type() != safejs.TypeNumber {
		return 0
	}
	x, err := value.Float()
	if r.err == nil {
		r.err = err
	}
	return x
}

func (r *reader) int(v safejs.Value, property string) int { return int(r.number(v, property)) }

func (r *reader) truth(v safejs.Value, property string) bool {
	value, err := r.get(v, property).Truthy()
	if r.err == nil {
		r.err = err
	}
	return value
}

func (r *reader) counts(v safejs.Value) (c table.Counts) {
	if v.IsNull() || v.IsUndefined() {
		return c
	}
	c.Unused = r.int(v, "unused")
	c.Missing, c.Unknown = r.sum(r.get(v, "missing")), r.sum(r.get(v, "unknown"))
	first := r.get(v, "first")
	for i := range r.int(first, "length") {
		p := r.at(first, i)
		c.First = append(c.First, &table.Problem{File: text(p, "file"), Place: text(p, "where"), What: text(p, "what"),
			Remedy: text(p, "remedy")})
	}
	return c
}

func (r *reader) sum(v safejs.Value) (sum int) {
	if v.IsNull() || v.IsUndefined() {
		return 0
	}
	for i := range r.int(v, "length") {
		n, err := r.at(v, i).Float()
		if r.err == nil {
			r.err = err
		}
		sum += int(n)
	}
	return sum
}
