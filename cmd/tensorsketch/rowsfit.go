package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"runtime"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// A rowFile keeps the rows of a table on disk, for a solver that passes over them many times. It is a learn.Source of
// their features, which are computed anew in every pass.
type rowFile struct {
	file    *os.File
	writer  *bufio.Writer
	m       *sketch.FeatureMap
	ends    []int64 // of each sparse row in the file, in entries; nil if rows are dense
	sparse  bool
	classes []int32
	held    []uint8 // 1: held out

	bytes []byte // of one Read
	Z     []float32
}

// newRowFile makes a file for rows of a map. It is removed when the program ends.
func newRowFile(m *sketch.FeatureMap, isSparse bool) (*rowFile, error) {
	file, err := os.CreateTemp("", "tensorsketch-*")
	if err != nil {
		return nil, err
	}
	remove(file.Name(), file)
	return &rowFile{file: file, writer: bufio.NewWriterSize(file, 1<<20), m: m, sparse: isSparse}, nil
}

// add adds rows with their classes.
func (f *rowFile) add(X sketch.Rows, classes []int32) error {
	held, err := learn.HeldOutRows(X, f.m.NFeatures())
	if err != nil {
		return err
	}
	f.held, f.classes = append(f.held, held...), append(f.classes, classes...)
	var row []byte
	write := func() error {
		_, err := f.writer.Write(row)
		return err
	}
	switch X := X.(type) {
	case sketch.Dense:
		for d := f.m.NFeatures(); len(X) > 0; X = X[d:] {
			row = row[:0]
			for _, x := range X[:d] {
				row = binary.LittleEndian.AppendUint32(row, math.Float32bits(x+0)) // +0: −0 is the same row
			}
			if err := write(); err != nil {
				return err
			}
		}
	case sketch.CSR:
		for r := range len(X.Indptr) - 1 {
			row = row[:0]
			for k := X.Indptr[r]; k < X.Indptr[r+1]; k++ {
				row = binary.LittleEndian.AppendUint32(row, uint32(X.Indices[k]))
				row = binary.LittleEndian.AppendUint32(row, math.Float32bits(X.Data[k]))
			}
			f.ends = append(f.ends, f.end(len(f.ends)-1)+int64(len(row)/8))
			if err := write(); err != nil {
				return err
			}
		}
	}
	return nil
}

// end returns where sparse row r ends, and 0 before the first.
func (f *rowFile) end(r int) int64 {
	if r < 0 {
		return 0
	}
	return f.ends[r]
}

// Rows returns the number of rows.
func (f *rowFile) Rows() int { return len(f.classes) }

// NComponents returns the number of features of a row.
func (f *rowFile) NComponents() int { return f.m.NComponents() }

// Clone returns a source of the same rows with its own memory.
func (f *rowFile) Clone() learn.Source {
	clone := *f
	clone.m, clone.bytes, clone.Z = f.m.Clone(), nil, nil
	return &clone
}

// Read returns the features of some rows.
func (f *rowFile) Read(from, to int) (learn.Features, error) {
	first, size := 4*int64(from)*int64(f.m.NFeatures()), 4*int64(to-from)*int64(f.m.NFeatures())
	if f.sparse {
		first = 8 * f.end(from-1)
		size = 8*f.end(to-1) - first
	}
	if int64(cap(f.bytes)) < size {
		f.bytes = make([]byte, size)
	}
	f.bytes = f.bytes[:size]
	if _, err := f.file.ReadAt(f.bytes, first); err != nil {
		return learn.Features{}, fmt.Errorf("the copy of the rows in %s: %w", os.TempDir(), cause(err))
	}
	var X sketch.Rows
	number := func(at int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(f.bytes[at:])) }
	if f.sparse {
		rows := sketch.CSR{Indptr: make([]int32, 1, to-from+1)}
		for r := from; r < to; r++ {
			rows.Indptr = append(rows.Indptr, int32(f.end(r)-f.end(from-1)))
		}
		for at := 0; at < len(f.bytes); at += 8 {
			rows.Indices = append(rows.Indices, int32(binary.LittleEndian.Uint32(f.bytes[at:])))
			rows.Data = append(rows.Data, number(at+4))
		}
		X = rows
	} else {
		rows := make(sketch.Dense, len(f.bytes)/4)
		for i := range rows {
			rows[i] = number(4 * i)
		}
		X = rows
	}
	n := (to - from) * f.m.NComponents()
	if cap(f.Z) < n {
		f.Z = make([]float32, n)
	}
	_, err := f.m.TransformRows(f.Z[:n], X)
	return learn.Features{Dense: f.Z[:n]}, err
}

// mostMemo bounds the bytes that a solver keeps of rows between the passes of one step.
const mostMemo = 256 << 20

// runRows fits a model by passes over the rows: of all, after one of the rows that are not held out.
func (v *fit) runRows(f *flags, files []string) error {
	if v.spec.Task == learn.TaskRegress {
		return usage("--loss %s is for --task classify; leave it out for numbers", v.loss)
	}
	v.spec.Task = learn.TaskClassify
	t, err := v.open(f, files)
	if err != nil {
		return err
	}
	defer t.close()
	rows, err := newRowFile(v.spec.Map.Clone(), t.p.IsSparse())
	if err != nil {
		return err
	}
	start, classes, err := v.readRows(t, rows)
	if err != nil {
		return err
	}
	t.say(f)
	m := &learn.Model{Map: v.spec.Map, Preprocessing: v.spec.Preprocessing, Task: learn.TaskClassify, Loss: v.loss,
		Classes: classes}
	o, linear := learn.SolverOptions{Diagonal: start == nil}, (*learn.LinearReport)(nil)
	if start != nil {
		head, err := fitLearner(start, learn.RidgeOptions{})
		if err != nil {
			return v.fitError(err)
		}
		linear = head.Report.Linear
		o.Start, o.Precondition = head.Linear, start.Moments().System()
	}
	head, err := v.solve(rows, len(classes), o)
	if err != nil {
		return v.fitError(err)
	}
	m.Alpha, m.Linear, m.Calibration, m.Report = head.Alpha, head.Linear, head.Calibration, head.Report
	m.Report.Linear = linear
	return v.finish(f, m, t)
}

// weight returns C.
func (v *fit) weight() float64 {
	if v.c == 0 {
		return 1
	}
	return v.c
}

// readRows keeps the rows, and adds up their moments if there are not too many features. It returns a learner of them,
// or nil.
func (v *fit) readRows(t *table, rows *rowFile) (*learn.Learner, []learn.Label, error) {
	var l *learn.Learner
	var err error
	if v.spec.Map.NComponents() <= learn.MaxComponents {
		if l, err = learn.NewLearner(v.spec); err != nil {
			return nil, nil, specError(err)
		}
		l.SetGoroutines(runtime.GOMAXPROCS(0))
	}
	index := map[learn.Label]int32{}
	var labels []learn.Label
	for _, class := range v.spec.Classes {
		index[class] = int32(len(labels))
		labels = append(labels, class)
	}
	for b, err := range t.labelled("Reading", max(64, blockFeatures/(4*v.spec.Map.NComponents())), v.read, false) {
		if err != nil {
			return nil, nil, err
		}
		X, own := b.rows(t.p.NFeatures()), b.labels
		if l != nil {
			if err := l.Add(X, own, nil); err != nil {
				return nil, nil, b.labelledError(err)
			}
		}
		classes := make([]int32, len(own))
		for i, label := range own {
			class, known := index[label]
			if !known {
				if class = int32(len(labels)); int(class) == learn.MaxClasses {
					return nil, nil, b.problem(i, fmt.Sprintf("there are more than %d labels", learn.MaxClasses),
						"merge rare ones, or name another column with --label")
				}
				index[label] = class
				labels = append(labels, label)
			}
			classes[i] = class
		}
		if err := rows.add(X, classes); err != nil {
			return nil, nil, fmt.Errorf("the copy of the rows in %s: %w", os.TempDir(), cause(err))
		}
	}
	sorted := learn.SortClasses(labels)
	place := make([]int32, len(labels))
	for k, label := range sorted {
		place[index[label]] = int32(k)
	}
	for i, class := range rows.classes {
		rows.classes[i] = place[class]
	}
	if len(sorted) < 2 {
		return nil, nil, fmt.Errorf("%s: there are rows of %s only; two classes at least are needed", t.parts[0].name,
			count(int64(len(sorted)), "label"))
	}
	return l, sorted, rows.writer.Flush()
}

// solve fits the rows with their fifth held out, and then all.
func (v *fit) solve(rows *rowFile, classes int, o learn.SolverOptions) (*learn.Head, error) {
	p := learn.Problem{Loss: v.loss, NComponents: rows.NComponents(), Classes: classes, C: v.weight()}
	const parts = 1 << 20
	progress.begin("Fitting", parts)
	defer progress.clear()
	run := learn.RunOptions{Goroutines: runtime.GOMAXPROCS(0), Frugal: 8*p.MemoLength(rows.Rows()) > mostMemo,
		Progress: func(done float64) bool { progress.show(int64(done*parts), ""); return true }}
	held := rows.held
	if v.spec.Folds == 0 {
		held = nil
	}
	return learn.FitHead(p, learn.RowData{Source: rows, Labels: learn.RowLabels{Classes: rows.classes}}, held, o, run)
}
