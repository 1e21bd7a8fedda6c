package main

import (
	"io"

	"github.com/hack-pad/safejs"
	"tensorsketch.example/dataset/plan"
	"tensorsketch.example/ui/internal/embedding"
	"tensorsketch.example/ui/internal/table"
)

// A fileWorker reads and embeds files, apart from the page: filejob.js, by way of
// fileworker.js.
type fileWorker struct{ value safejs.Value }

// newFileWorker makes one; onProgress hears how far a run is.
func newFileWorker(onProgress safejs.Func) (*fileWorker, error) {
	value, err := newObject("FileWorker", onProgress)
	return &fileWorker{value}, err
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

// A fileSource gives the rows of a file as the worker hands them over.
type fileSource struct {
	worker    *fileWorker
	reading   int
	nFeatures int
	names     []string // of the columns that have features,
	widths    []int    // and how many each has
	left      int      // rows to give, −1: all
	rest      *fileRows
	read      int // bytes of the file
	counts    table.Counts
}

// read opens the rows of a file: all, or the first ones.
func (w *fileWorker) read(file safejs.Value, reading Reading, plan map[string]any, model *openModel,
	most int) (*fileSource, error) {
	request := fileRequest(file, &reading.Reading, model)
	request["plan"], request["most"] = plan, most
	reply, err := w.call("read", request)
	if err != nil {
		return nil, err
	}
	r := reader{}
	s := &fileSource{worker: w, reading: r.int(reply, "reading"), nFeatures: r.int(reply, "nFeatures"), left: most}
	widths := r.get(reply, "widths")
	for i := range r.int(widths, "length") {
		column := r.at(widths, i)
		s.names, s.widths = append(s.names, text(column, "name")), append(s.widths, r.int(column, "width"))
	}
	if most == 0 {
		s.left = -1
	}
	return s, r.err
}

// Next returns rows of one block, so that a block is split and never copied together.
func (s *fileSource) Next(most int) (embedding.Rows, error) {
	if s.left == 0 {
		return nil, io.EOF
	}
	if s.rest == nil {
		if err := s.next(); err != nil {
			return nil, err
		}
	}
	n := min(most, s.rest.rows)
	if s.left > 0 {
		n = min(n, s.left)
		s.left -= n
	}
	rows := s.rest
	s.rest = nil
	if n < rows.rows {
		var given embedding.Rows = rows.Slice(0, n)
		if s.left != 0 {
			s.rest = rows.Slice(n, rows.rows).(*fileRows)
		}
		return given, nil
	}
	return rows, nil
}

func (s *fileSource) next() error {
	block, err := s.worker.call("next", map[string]any{"reading": s.reading})
	if err != nil {
		return err
	}
	r := reader{}
	s.read = r.int(block, "at")
	s.counts = r.counts(r.get(block, "counts"))
	n := r.int(block, "rows")
	if r.err == nil && n == 0 {
		return io.EOF
	}
	s.rest = &fileRows{block: block, rows: n}
	return r.err
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

// fileRows are rows of a file, a block as of blocks.js: dense or sparse.
type fileRows struct {
	block   safejs.Value
	rows    int
	vectors func(dst []float32, i int) // once the numbers have been copied
}

func (f *fileRows) Len() int { return f.rows }

func (f *fileRows) x() safejs.Value {
	x, _ := f.block.Get("X")
	return x
}

func (f *fileRows) Numbers() int {
	n, _ := safejs.Global().Call("sizeOf", f.x())
	numbers, _ := n.Int()
	return numbers
}

func (f *fileRows) Place(i int) int {
	r := reader{}
	place, _ := r.at(r.get(f.block, "places"), i).Float()
	return int(place)
}

func (f *fileRows) Label(i int) string {
	r := reader{}
	offsets := r.get(f.block, "offsets")
	cells := (r.int(offsets, "length") - 1) / f.rows
	if cells < 1 || r.err != nil {
		return ""
	}
	from, _ := r.at(offsets, i*cells).Int()
	to, _ := r.at(offsets, i*cells+1).Int()
	view, err := r.get(f.block, "cells").Call("subarray", from, to)
	if err != nil {
		return ""
	}
	label := make([]byte, to-from)
	_, _ = safejs.CopyBytesToGo(label, view)
	return string(label)
}

func (f *fileRows) Slice(from, to int) embedding.Rows {
	block, _ := safejs.Global().Call("rowsOf", f.block, from, to)
	return &fileRows{block: block, rows: to - from}
}

func (f *fileRows) Vector(dst []float32, i int) {
	if f.vectors == nil {
		f.vectors = vectorsOf(f.x())
	}
	f.vectors(dst, i)
}

// vectorsOf copies the numbers of X.
func vectorsOf(x safejs.Value) func(dst []float32, i int) {
	r := reader{}
	indptr := r.get(x, "indptr")
	if indptr.IsUndefined() {
		numbers, _ := copyNumbers[float32](x)
		return func(dst []float32, i int) { copy(dst, numbers[i*len(dst):(i+1)*len(dst)]) }
	}
	ends, _ := copyNumbers[int32](indptr)
	indices, _ := copyNumbers[int32](r.get(x, "indices"))
	data, _ := copyNumbers[float32](r.get(x, "data"))
	return func(dst []float32, i int) {
		clear(dst)
		for k := ends[i]; k < ends[i+1]; k++ {
			dst[indices[k]] = data[k]
		}
	}
}

// rowsForCore returns rows as FeatureMap.transform takes them.
func rowsForCore(rows embedding.Rows) (safejs.Value, error) {
	if f, ok := rows.(*fileRows); ok {
		return f.block.Get("X")
	}
	return float32Array(rows.(*embedding.Dense).X)
}
