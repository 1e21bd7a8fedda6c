//go:build js && wasm

package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"unsafe"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/jobs"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn/prepare"
	"tensorsketch.example/sketch/model"
)

// answer executes a request: {"call": NAME, …}.
func answer(request []byte) (any, error) {
	var name struct{ Call string }
	if err := json.Unmarshal(request, &name); err != nil {
		return nil, err
	}
	call := calls[name.Call]
	if call == nil {
		return nil, fmt.Errorf("internal error: there is no call %q; known are %s", name.Call,
			strings.Join(slices.Sorted(maps.Keys(calls)), ", "))
	}
	return call(request)
}

var calls = map[string]func(request []byte) (any, error){
	"sniff":         with(sniff),
	"plan":          with(planOf),
	"preprocessing": with(newPreprocessing),
	"model":         with(readModel),
	"misfit":        with(misfit),
	"fit":           with(fit),
	"fitStep":       with(fitStep),
	"open":          with(openRows),
	"next":          with(next),
	"state":         with(state),
	"encoder":       with(newEncoder),
	"encode":        with(encode),
	"finish":        with(finish),
	"components":    with(components),
	"onnx":          with(toONNX),
	"releaseFile":   with(releaseFile),
	"labels":        with(newLabels),
	"seeLabels":     with(seeLabels),
	"readLabels":    with(readLabels),
	"labelNumbers":  with(labelNumbers),
	"labelNotes":    with(labelNotes),
	"close":         with(closeHandle),
}

// with decodes the request into the argument type of a call.
func with[T any](call func(*T) (any, error)) func([]byte) (any, error) {
	return func(request []byte) (any, error) {
		var arguments T
		if err := decode(request, &arguments); err != nil {
			return nil, err
		}
		return call(&arguments)
	}
}

// fail stores an error as the reply and returns 1.
func fail(err error) uint32 {
	reply, _ = json.Marshal(failureOf(err))
	return 1
}

// A failure is an error as the host gets it.
type failure struct {
	Message  string   `json:"message"`
	Problem  *problem `json:"problem,omitempty"`
	Columnar bool     `json:"columnar,omitempty"` // dataset-columnar.wasm can do it
	Code     string   `json:"code,omitempty"`     // of an error of the API, or about an argument
	Argument string   `json:"argument,omitempty"` // of an error about one
	Row      *int     `json:"row,omitempty"`      // of an error of the API about one
	Place    int64    `json:"place,omitempty"`    // of this row in the file: its line or its number

	Notes []columns.Note `json:"notes,omitempty"` // what a job had said
}

func failureOf(err error) *failure {
	_, isOther := errors.AsType[*dataset.NoCodecError](err)
	f := &failure{Message: wordsOf(err), Columnar: isOther}
	if p, ok := errors.AsType[*dataset.Problem](err); ok {
		f.Problem = problemOf(p)
	}
	if e, ok := errors.AsType[*apiError](err); ok {
		f.Code, f.Argument = e.code, e.argument
	}
	if e, ok := errors.AsType[*jobs.Error](err); ok {
		if f.Argument = e.Argument; f.Argument != "" {
			f.Code = sketch.ErrParam.String()
		}
	}
	if e, ok := errors.AsType[*sketch.Error](err); ok {
		f.Code, f.Argument = e.Code.String(), e.Argument
	}
	if e, ok := errors.AsType[*jobs.RowError](err); ok {
		f.Row, f.Place = &e.Cause.Row, e.Line+e.Problem.Row
	}
	if errors.Is(err, jobs.ErrStopped) {
		f.Code = "STOPPED"
	}
	return f
}

// A problem is a dataset.Problem as JSON fields.
type problem struct {
	File   string `json:"file"`
	Row    int64  `json:"row,omitempty"` // its line or its number
	Where  string `json:"where"`
	What   string `json:"what"`
	Remedy string `json:"remedy"`
}

func problemOf(p *dataset.Problem) *problem {
	return &problem{p.File, p.Line + p.Row, p.Where(), p.What, columns.Plain(p.Remedy)}
}

// report tells the host about a row that is left out.
func report(p *dataset.Problem) {
	told, err := json.Marshal(problemOf(p))
	if err == nil {
		hostProblem(unsafe.Pointer(unsafe.SliceData(told)), uint32(len(told)))
	}
}

// hostProblem passes a problem, as JSON, to the host when it asked for all of them.
//
//go:wasmimport dataset problem
func hostProblem(at unsafe.Pointer, n uint32)

// Handles.

var (
	handles    = map[uint32]any{}
	lastHandle uint32
)

func keep(value any) uint32 {
	lastHandle++
	handles[lastHandle] = value
	return lastHandle
}

// kept returns the value of a handle. It panics if the handle has none of the type; call makes an error of that.
func kept[T any](handle uint32) T {
	value, ok := handles[handle].(T)
	if !ok {
		panic(fmt.Sprintf("handle %d is none of what the call takes", handle))
	}
	return value
}

func closeHandle(q *struct{ Handle uint32 }) (any, error) {
	delete(handles, q.Handle)
	return nil, nil
}

// Layouts.

type layoutReply struct {
	Layout      uint32        `json:"layout"`
	Stem        string        `json:"stem"`
	Format      string        `json:"format"`
	Compression string        `json:"compression"`
	Sparse      bool          `json:"sparse"`
	Delimiter   string        `json:"delimiter,omitempty"`
	Decimal     string        `json:"decimal,omitempty"`
	Header      bool          `json:"header"`
	Width       int           `json:"width,omitempty"`
	Rows        int           `json:"rows"`
	BytesPerRow float64       `json:"bytesPerRow"`
	Total       int64         `json:"total,omitempty"`
	Scaling     string        `json:"scaling"` // suggested
	Columns     []columnReply `json:"columns"`

	Reading columns.Reading `json:"reading"` // complete for the format, with defaults
	Guessed []string        `json:"guessed"` // the keys of it that were guessed
	Notes   []columns.Note  `json:"notes"`
}

type columnReply struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Role    string `json:"role"`
	Usual   string `json:"usual"` // its role if it is not the label
	Example string `json:"example"`
	Odd     int    `json:"odd"`
	Values  string `json:"values"` // what its first cells hold
	Measure string `json:"measure,omitempty"`
}

// sniff reads as much of a source as it needs to detect the layout.
func sniff(q *struct {
	from
	Reading       json.RawMessage
	Preprocessing uint32 // the preprocessing that the rows are for; 0: none
}) (any, error) {
	var reading columns.Reading
	var err error
	if q.Reading != nil {
		if reading, err = dataset.ParseReading(q.Reading); err != nil {
			return nil, err
		}
	}
	var layout *dataset.Layout
	var p *dataset.Preprocessing
	if q.Preprocessing != 0 {
		p = kept[*dataset.Preprocessing](q.Preprocessing)
	}
	if layout, err = q.sniff(p, reading); err != nil {
		return nil, err
	}
	if p == nil {
		p = dataset.NewPreprocessing(layout)
	}
	return layoutOf(layout, p), nil
}

func layoutOf(l *dataset.Layout, p *dataset.Preprocessing) *layoutReply {
	r := &layoutReply{
		Layout: keep(l), Stem: l.Stem(), Format: l.Format.String(), Compression: l.Compression.String(),
		Sparse: l.Sparse, Header: l.Header,
		Width: l.Width, Rows: l.Rows, BytesPerRow: l.BytesPerRow, Total: l.Total,
		Scaling: l.SuggestedScaling().String(), Columns: []columnReply{},
		Reading: l.Reading(), Guessed: append([]string{}, l.Guessed...),
		Notes: append([]columns.Note{}, dataset.Notes(l, p, nil, nil)...),
	}
	r.Delimiter, r.Decimal = r.Reading.Delimiter, r.Reading.Decimal
	for _, c := range l.Columns {
		r.Columns = append(r.Columns, columnReply{c.Name, c.Type.String(), c.Role.String(), c.UsualRole().String(), c.Example,
			c.Odd, c.Values, c.Measure})
	}
	return r
}

// Rows.

// of opens a source with the columns that the preprocessing uses: all rows, or about the first
// Most.
type of struct {
	from
	Layout, Preprocessing uint32
	Most                  int64
}

func (o *of) open() (dataset.Source, *dataset.Preprocessing, error) {
	layout, p := kept[*dataset.Layout](o.Layout), kept[*dataset.Preprocessing](o.Preprocessing)
	layout, err := p.Apply(layout)
	if err != nil {
		return nil, nil, err
	}
	rows, err := layout.Open(o.file())
	if err == nil && o.Most > 0 {
		rows = dataset.FirstRows(rows, o.Most)
	}
	return rows, p, err
}

type countsReply struct {
	Rows    int64     `json:"rows"`
	Missing []int64   `json:"missing"`
	Unknown []int64   `json:"unknown"`
	Unused  int64     `json:"unused"`
	First   []problem `json:"first"` // the first unused rows

	Notes []columns.Note `json:"notes"`
}

// A noter writes the notes of a reading.
type noter struct {
	file  string
	p     *dataset.Preprocessing
	notes []columns.Note // of the file
	cuts  jobs.Cuts      // of the model that is asked
}

func (o *of) noter() *noter {
	layout, p := kept[*dataset.Layout](o.Layout), kept[*dataset.Preprocessing](o.Preprocessing)
	return &noter{file: layout.Name, p: p, notes: dataset.Notes(layout, p, nil, nil)}
}

func (n *noter) countsOf(c *dataset.Counts, unused *dataset.Unused) *countsReply {
	r := &countsReply{Rows: c.Rows, Missing: c.Missing, Unknown: c.Unknown, Unused: unused.Total, First: []problem{},
		Notes: append(append([]columns.Note{}, n.notes...), n.cuts.RowNotes(n.file, n.p, *c, unused)...)}
	first := slices.Clone(unused.First) // the format may be ahead of the check for missing cells
	slices.SortStableFunc(first, func(p, q *dataset.Problem) int { return cmp.Compare(p.Line+p.Row, q.Line+q.Row) })
	for _, p := range first {
		r.First = append(r.First, *problemOf(p))
	}
	return r
}

// A fitting is a first pass in progress.
type fitting struct {
	*dataset.Fitting
	learned *dataset.Preprocessing
	rows    dataset.Source
	*noter
}

// fit begins the first pass over a file.
func fit(q *of) (any, error) {
	rows, p, err := q.open()
	if err != nil {
		return nil, err
	}
	learned := *p // StartFit leaves the columns of p alone
	started, err := learned.StartFit(rows)
	if err != nil {
		return nil, err
	}
	return keep(&fitting{started, &learned, rows, q.noter()}), nil
}

// fitStep reads a block. After the last block it returns the learned preprocessing under a new
// handle.
func fitStep(q *struct{ Fitting uint32 }) (any, error) {
	f := kept[*fitting](q.Fitting)
	if more, err := f.Step(); more || err != nil {
		return nil, err
	}
	r, err := keepPreprocessing(f.learned)
	return struct {
		*preprocessingReply
		Counts *countsReply `json:"counts"`
	}{r, f.countsOf(f.Counts(), f.rows.Unused())}, err
}

// A rowReader is an open file.
type rowReader struct {
	*dataset.Reader
	batch   dataset.Batch
	cells   int // of a row
	bytes   []byte
	offsets []int32
	places  []float64

	preparation *prepare.Preparation // of the model that is asked, or nil
	*noter
}

func openRows(q *struct {
	of
	KeepAll bool
	Hold    bool  // rows that cannot be used hold their places
	Report  bool  // report each row that is left out to the host
	AllRows int64 // with KeepAll: the number of rows, if known

	Preparation json.RawMessage // of the model that is asked, if it has one
}) (any, error) {
	rows, p, err := q.open()
	if err != nil {
		return nil, err
	}
	rows.Unused().Keep, rows.Unused().Rows, rows.Unused().HoldPlaces = q.KeepAll, q.AllRows, q.Hold
	if q.Report {
		rows.Unused().Report = report
	}
	reader, err := dataset.NewReader(rows, p)
	if err != nil {
		return nil, err
	}
	r := &rowReader{Reader: reader, cells: len(p.CellNames()), noter: q.noter()}
	if q.Preparation != nil {
		r.preparation, err = model.UnmarshalPreparation(q.Preparation)
	}
	return keep(r), err
}

// blockReply gives the spans of a block's rows, valid until the next block: dense or CSR rows,
// their places in the file, and their cells. Cell k is the bytes from offsets[k] to offsets[k+1].
type blockReply struct {
	Rows    int   `json:"rows"` // 0 after the last
	Dense   *span `json:"dense,omitempty"`
	Indptr  *span `json:"indptr,omitempty"`
	Indices *span `json:"indices,omitempty"`
	Data    *span `json:"data,omitempty"`
	Cells   span  `json:"cells"`
	Offsets span  `json:"offsets"`
	Places  span  `json:"places"`
}

func next(q *struct{ Reader uint32 }) (any, error) {
	r := kept[*rowReader](q.Reader)
	switch err := r.Next(&r.batch); {
	case err == io.EOF:
		return &blockReply{}, nil
	case err != nil:
		return nil, err
	}
	r.packCells()
	r.places = r.places[:0]
	for _, place := range r.batch.Places {
		r.places = append(r.places, float64(place))
	}
	block := &blockReply{Rows: r.batch.Rows(), Cells: spanOf(r.bytes), Offsets: spanOf(r.offsets),
		Places: spanOf(r.places)}
	if r.batch.Dense != nil {
		r.cuts.Add(r.preparation, sketch.Dense(r.batch.Dense))
		block.Dense = new(spanOf(r.batch.Dense))
	} else {
		rows := &r.batch.Sparse
		block.Indptr, block.Indices, block.Data = new(spanOf(rows.Indptr)), new(spanOf(rows.Indices)), new(spanOf(rows.Data))
	}
	return block, nil
}

func (r *rowReader) packCells() {
	r.bytes, r.offsets = r.bytes[:0], append(r.offsets[:0], 0)
	for row := range r.batch.Rows() {
		for k := range r.cells {
			r.bytes = append(r.bytes, r.batch.Cell(row, k)...)
			r.offsets = append(r.offsets, int32(len(r.bytes)))
		}
	}
}

// state returns the counts of the rows so far.
func state(q *struct{ Reader uint32 }) (any, error) {
	r := kept[*rowReader](q.Reader)
	return r.countsOf(r.Counts(), r.Unused()), nil
}

// numbersIn returns the numbers in a buffer, whose address is a multiple of 8.
func numbersIn[T float32 | float64 | int32](at span) []T {
	bytes := bufferOf(at)
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(bytes))), len(bytes)/int(unsafe.Sizeof(*new(T))))
}

// from names a source: a file of the host.
type from struct {
	Source uint32
	Size   int64
	Name   string
	Rows   bool // rows at hand, as JSON
}

func (f *from) file() *io.SectionReader { return io.NewSectionReader(f, 0, f.Size) }

// sniff finds the layout, for a preprocessing unless p is nil.
func (f *from) sniff(p *dataset.Preprocessing, typed columns.Reading) (l *dataset.Layout, err error) {
	switch {
	case p != nil && f.Rows && typed.Format == "":
		return p.SniffRows(f.Name, f.file())
	case p != nil:
		return p.SniffFile(f.Name, f.file(), typed)
	}
	if l, err = dataset.SniffFile(f.Name, f.file(), typed); err == nil {
		l.AtHand = f.Rows
	}
	return l, err
}

// hostRead reads up to n bytes of a source from a position and returns how many it read: 0 at the
// end, −1 if the file cannot be read, −2 if it has changed.
//
//go:wasmimport dataset read
func hostRead(id uint32, at float64, to unsafe.Pointer, n uint32) int32

// ReadAt reads no further than the size that the source had when it was opened. An end before that
// size is therefore an error.
func (f *from) ReadAt(p []byte, at int64) (done int, err error) {
	problem := func(what, remedy string) error { return &dataset.Problem{File: f.Name, What: what, Remedy: remedy} }
	for done < len(p) {
		from := float64(at) + float64(done)
		n := hostRead(f.Source, from, unsafe.Pointer(&p[done]), uint32(min(len(p)-done, math.MaxInt32)))
		switch {
		case n == 0:
			return done, problem(fmt.Sprintf("it had %d bytes when it was opened and ends after %.0f", f.Size, from),
				"open it again when nothing writes to it any more")
		case n == -2:
			return done, problem("it has changed while it was read", "open it again when nothing writes to it any more")
		case n < 0:
			return done, problem("the file can no longer be read: it has changed or moved since it was chosen",
				"choose it again")
		}
		done += int(n)
	}
	return done, nil
}
