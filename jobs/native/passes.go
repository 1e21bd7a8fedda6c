package native

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"math"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/jobs"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// A Scratch keeps bytes that are written once and read many times.
type Scratch interface {
	io.Writer
	io.ReaderAt
}

// memory is a Scratch in memory.
type memory struct{ bytes []byte }

func (m *memory) Write(p []byte) (int, error) {
	m.bytes = append(m.bytes, p...)
	return len(p), nil
}

func (m *memory) ReadAt(p []byte, at int64) (int, error) { return copy(p, m.bytes[at:]), nil }

// passes keep the rows of a fit, for a solver that passes over them many times, and add up their sums, from which it
// starts, if there are not too many features.
type passes struct {
	jobs.Learner // nil: it is only added to and fitted
	spec         learn.Spec
	loss         string
	sums         *learn.Learner // nil for too many features
	rows         *rowStore
	index        map[learn.Label]int32
	labels       []learn.Label
}

func (n Mapper) newPasses(s learn.Spec, loss string) (*passes, error) {
	scratch, err := Scratch(&memory{}), error(nil)
	if n.Scratch != nil {
		scratch, err = n.Scratch()
	}
	if err != nil {
		return nil, err
	}
	p := &passes{spec: s, loss: loss, index: map[learn.Label]int32{}}
	p.rows = &rowStore{scratch: scratch, writer: bufio.NewWriterSize(scratch, 1<<20), m: s.Map.Clone()}
	if s.Map.NComponents() <= solve.MaxComponents {
		if p.sums, err = learn.NewLearner(s); err != nil {
			return nil, err
		}
		p.sums.SetGoroutines(goroutines())
	}
	for _, class := range s.Classes {
		p.index[class] = int32(len(p.labels))
		p.labels = append(p.labels, class)
	}
	return p, nil
}

func (p *passes) Spec() jobs.Spec { return specOf(p.spec, p.loss) }

func (p *passes) Rows() int64 { return int64(p.rows.Rows()) }

func (p *passes) Add(_ *jobs.Control, X sketch.Rows, own []learn.Label, _ []float64) error {
	if p.sums != nil {
		if err := p.sums.Add(X, own, nil); err != nil {
			return err
		}
	}
	classes := make([]int32, len(own))
	for i, label := range own {
		class, known := p.index[label]
		if !known {
			class = int32(len(p.labels))
			p.index[label] = class
			p.labels = append(p.labels, label)
		}
		classes[i] = class
	}
	return p.rows.add(X, classes)
}

// sort gives the classes their order.
func (p *passes) sort() []learn.Label {
	sorted := learn.SortClasses(p.labels)
	place := make([]int32, len(p.labels))
	for k, label := range sorted {
		place[p.index[label]] = int32(k)
	}
	for i, class := range p.rows.classes {
		p.rows.classes[i] = place[class]
	}
	return sorted
}

// Fit fits the rows with their fifth held out, and then all.
func (p *passes) Fit(c *jobs.Control, options jobs.FitOptions) (jobs.Model, error) {
	classes := p.sort()
	if err := p.rows.writer.Flush(); err != nil {
		return nil, err
	}
	m := &learn.Model{Map: p.spec.Map, Preprocessing: p.spec.Preprocessing, Task: learn.TaskClassify, Loss: p.loss,
		Classes: classes}
	o, linear := learn.SolverOptions{Diagonal: p.sums == nil}, (*learn.LinearReport)(nil)
	if p.sums != nil {
		head, err := fit(c, p.sums, learn.RidgeOptions{})
		if err != nil {
			return nil, err
		}
		linear = head.Report.Linear
		o.Start, o.Precondition = head.Linear, p.sums.Moments().System()
	}
	head, err := p.solve(c, len(classes), options.C, o)
	if err != nil {
		return nil, err
	}
	m.Alpha, m.Linear, m.Calibration, m.Report = head.Alpha, head.Linear, head.Calibration, head.Report
	m.Report.Linear = linear
	return modelOf(m, nil)
}

// mostMemo bounds the bytes that a solver keeps of rows between the passes of one step.
const mostMemo = 256 << 20

func (p *passes) solve(c *jobs.Control, classes int, C float64, o learn.SolverOptions) (*learn.Head, error) {
	problem := solve.Problem{Loss: p.loss, NComponents: p.rows.NComponents(), Classes: classes, C: C}
	run := solve.RunOptions{Goroutines: goroutines(), Frugal: 8*problem.MemoLength(p.rows.Rows()) > mostMemo,
		Progress: func(done float64) bool { return c.At(0, done) == nil }}
	var held []uint8
	if p.spec.Folds > 0 {
		held = solve.HeldOutOf(p.rows.hashes)
	}
	p.rows.control = c
	head, err := learn.FitHead(problem, solve.RowData{Source: p.rows, Labels: solve.RowLabels{Classes: p.rows.classes}},
		held, o, run)
	if head == nil && err == nil {
		err = jobs.ErrStopped
	}
	return head, err
}

func (p *passes) Close() {}

// A rowStore is a solve.Source of the features of rows, which are computed anew in every pass.
type rowStore struct {
	scratch Scratch
	writer  *bufio.Writer
	control *jobs.Control // asked before each block
	m       *sketch.FeatureMap
	ends    []int64 // of each sparse row, in entries
	sparse  bool
	classes []int32
	hashes  []uint64 // of the rows, which say which are held out

	bytes []byte // of one Read
	Z     []float32
}

// add adds rows with their classes.
func (f *rowStore) add(X sketch.Rows, classes []int32) error {
	hashes, err := solve.RowHashes(X, f.m.NFeatures())
	if err != nil {
		return err
	}
	f.hashes, f.classes = append(f.hashes, hashes...), append(f.classes, classes...)
	switch X := X.(type) {
	case sketch.Dense:
		return f.addDense(X)
	case sketch.CSR:
		f.sparse = true
		return f.addSparse(X)
	}
	return errors.New("rows must be dense or CSR")
}

func (f *rowStore) addDense(X sketch.Dense) error {
	var row []byte
	for d := f.m.NFeatures(); len(X) > 0; X = X[d:] {
		row = row[:0]
		for _, x := range X[:d] {
			row = binary.LittleEndian.AppendUint32(row, math.Float32bits(x+0)) // +0: −0 is the same row
		}
		if _, err := f.writer.Write(row); err != nil {
			return err
		}
	}
	return nil
}

func (f *rowStore) addSparse(X sketch.CSR) error {
	var row []byte
	for r := range len(X.Indptr) - 1 {
		row = row[:0]
		for k := X.Indptr[r]; k < X.Indptr[r+1]; k++ {
			row = binary.LittleEndian.AppendUint32(row, uint32(X.Indices[k]))
			row = binary.LittleEndian.AppendUint32(row, math.Float32bits(X.Data[k]))
		}
		f.ends = append(f.ends, f.end(len(f.ends)-1)+int64(len(row)/8))
		if _, err := f.writer.Write(row); err != nil {
			return err
		}
	}
	return nil
}

// end returns where sparse row r ends, and 0 before the first.
func (f *rowStore) end(r int) int64 {
	if r < 0 {
		return 0
	}
	return f.ends[r]
}

// Rows returns the number of rows.
func (f *rowStore) Rows() int { return len(f.classes) }

// NComponents returns the number of features of a row.
func (f *rowStore) NComponents() int { return f.m.NComponents() }

// Clone returns a source of the same rows with its own memory.
func (f *rowStore) Clone() solve.Source {
	clone := *f
	clone.m, clone.bytes, clone.Z = f.m.Clone(), nil, nil
	return &clone
}

// Read returns the features of some rows.
func (f *rowStore) Read(from, to int) (solve.Features, error) {
	if err := f.control.Check(); err != nil {
		return solve.Features{}, err
	}
	first, size := 4*int64(from)*int64(f.m.NFeatures()), 4*int64(to-from)*int64(f.m.NFeatures())
	if f.sparse {
		first = 8 * f.end(from-1)
		size = 8*f.end(to-1) - first
	}
	if int64(cap(f.bytes)) < size {
		f.bytes = make([]byte, size)
	}
	f.bytes = f.bytes[:size]
	if _, err := f.scratch.ReadAt(f.bytes, first); err != nil {
		return solve.Features{}, err
	}
	n := (to - from) * f.m.NComponents()
	if cap(f.Z) < n {
		f.Z = make([]float32, n)
	}
	_, err := f.m.TransformRows(f.Z[:n], f.rows(from, to))
	return solve.Features{Dense: f.Z[:n]}, err
}

// rows returns rows from their bytes.
func (f *rowStore) rows(from, to int) sketch.Rows {
	number := func(at int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(f.bytes[at:])) }
	if !f.sparse {
		rows := make(sketch.Dense, len(f.bytes)/4)
		for i := range rows {
			rows[i] = number(4 * i)
		}
		return rows
	}
	rows := sketch.CSR{Indptr: make([]int32, 1, to-from+1)}
	for r := from; r < to; r++ {
		rows.Indptr = append(rows.Indptr, int32(f.end(r)-f.end(from-1)))
	}
	for at := 0; at < len(f.bytes); at += 8 {
		rows.Indices = append(rows.Indices, int32(binary.LittleEndian.Uint32(f.bytes[at:])))
		rows.Data = append(rows.Data, number(at+4))
	}
	return rows
}
