package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/model"
)

var transformVerb = verb{
	name: "transform", does: "write the features of the rows of files", usage: "FILE … [-o OUT] [flags]",
	example: "tensorsketch transform digits.csv --components 1024 --coef0 1 --save-model map.json -o features.npy",
	prepare: func(f *flags) func([]string) error {
		var t transform
		f.heading("Output")
		outputFlags(f, &t.out)
		f.boolean(&t.rowNumbers, "row-numbers", "write the line or number of each row first")
		f.words(&t.cells, "cells", "`FILE` also write row numbers, labels and kept columns alone, as for .npy")
		f.heading("A model file, of this program, the page or Go, instead of the flags for map and columns")
		modelFlags(f, &t.model)
		f.words(&t.saveModel, "save-model", "`FILE` write the model, for other files like these")
		mapFlags(f, &t.params)
		columnFlags(f, &t.columns)
		readingFlags(f, &t.reading)
		f.common()
		return func(files []string) error { return t.run(f, files) }
	},
}

// outputFlags defines the flags for the rows that a verb writes.
func outputFlags(f *flags, o *rowOutput) {
	f.words(&o.path, "o", "`FILE` default -, standard output")
	f.choice(&o.format, "to", "`FORMAT` "+strings.Join(columns.FormatNames(true), " ")+
		"; else by the name of the output, else csv", columns.FormatNames(true))
}

// A transform is the work of the verb.
type transform struct {
	out        rowOutput
	rowNumbers bool
	cells      string
	model      modelFlag
	saveModel  string
	params     sketch.Params
	columns    columnUse
	reading    columns.Reading
}

// blockFeatures bounds the bytes of features that are made at a time. A row group of Parquet has as many.
const blockFeatures = 4 << 20

func (v *transform) run(f *flags, files []string) error {
	if err := needFiles(files); err != nil {
		return err
	}
	if err := v.out.resolve(); err != nil {
		return err
	}
	t, m, err := v.open(f, files)
	if err != nil {
		return err
	}
	defer t.close()
	if err := v.write(t, m); err != nil {
		return err
	}
	t.say(f)
	if f.json {
		unused, notes := noted(t)
		printJSON(v.out.results(), map[string]any{"rows": t.rows, "unused": unused, "notes": notes,
			"nFeatures": m.NFeatures(), "nComponents": m.NComponents(), "output": v.out.path, "format": v.out.format})
	}
	return nil
}

// needFiles returns an error if there are no files.
func needFiles(files []string) error {
	if len(files) == 0 {
		return usage("name a file, or - for standard input")
	}
	return nil
}

// open opens the files, and reads the model or makes it.
func (v *transform) open(f *flags, files []string) (*table, *sketch.FeatureMap, error) {
	if v.model.name != "" {
		return v.openWithModel(f, files)
	}
	if v.model.keyFile != "" {
		return nil, nil, usage("--key-file is for a --model; leave it out")
	}
	t, err := openTable(files, v.reading, &v.columns, nil)
	if err != nil {
		return nil, nil, err
	}
	t.say(f)
	if err := t.learn(0, nil); err != nil {
		return nil, nil, err
	}
	m, err := newMap(v.params, t)
	if err != nil {
		return nil, nil, err
	}
	if v.saveModel != "" {
		text, err := model.MarshalWith(m, model.Options{Preprocessing: t.p})
		if err == nil {
			err = writeWhole(v.saveModel, text)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return t, m, nil
}

func (v *transform) openWithModel(f *flags, files []string) (*table, *sketch.FeatureMap, error) {
	err := f.refuse("--model, which has its own map", append(flagsOf(func(f *flags) { mapFlags(f, new(sketch.Params)) }),
		"save-model"))
	if err != nil {
		return nil, nil, err
	}
	m, p, err := readModel(&v.model, model.Unmarshal, model.UnmarshalKeyed)
	if err == nil && p != nil {
		err = f.refuse("--model, which has its own columns", flagsOf(func(f *flags) { columnFlags(f, new(columnUse)) }))
	}
	if err != nil {
		return nil, nil, err
	}
	t, err := openFor(m, p, files, v.reading, &v.columns)
	return t, m, err
}

// refuse returns an error if one of these flags is given besides another.
func (f *flags) refuse(other string, names []string) error {
	for _, name := range names {
		if f.given(name) {
			return usage("%s contradicts %s; leave one out", dashed(name), other)
		}
	}
	return nil
}

// flagsOf returns the names of the flags that a function defines.
func flagsOf(define func(f *flags)) []string {
	f := newFlags(&verb{})
	define(f)
	return slices.DeleteFunc(f.order, func(name string) bool { return name[0] == ' ' })
}

// write writes the features of all rows.
func (v *transform) write(t *table, m *sketch.FeatureMap) error {
	w, err := v.out.create(t.p.CellNames(), m.NComponents(), dataset.EncoderOptions{RowNumbers: v.rowNumbers})
	if err != nil {
		return err
	}
	beside := rowOutput{path: v.cells}
	var cells *rowWriter
	if v.cells != "" {
		if err = beside.resolve(); err == nil {
			cells, err = beside.create(t.p.CellNames(), 0, dataset.EncoderOptions{RowNumbers: true})
		}
		if err != nil {
			return err
		}
	}
	var Z []float32
	D := m.NComponents()
	for b, err := range t.blocks("Transforming", max(1, blockFeatures/(4*D))) {
		if err != nil {
			return err
		}
		Z = slices.Grow(Z[:0], (b.to-b.from)*D)[:(b.to-b.from)*D]
		if _, err := m.TransformRows(Z, b.rows(m.NFeatures())); err != nil {
			return b.rowError(err)
		}
		if err := w.add(b, Z, nil); err != nil {
			return err
		}
		if cells != nil {
			if err := cells.add(b, nil, nil); err != nil {
				return err
			}
		}
	}
	if cells != nil {
		if err := cells.commit(); err != nil {
			return err
		}
	}
	return w.commit()
}

// A rowOutput is where a verb writes rows, and in which format.
type rowOutput struct{ path, format string }

// resolve finds the format.
func (o *rowOutput) resolve() error {
	if o.path == "" {
		o.path = "-"
	}
	if o.format != "" {
		return nil
	}
	if o.path == "-" || strings.HasPrefix(o.path, "/dev/") {
		o.format = string(dataset.CSV)
		return nil
	}
	o.format = strings.TrimPrefix(strings.ToLower(filepath.Ext(o.path)), ".")
	if !slices.Contains(columns.FormatNames(true), o.format) {
		return usage("%s: the name does not say in which format; end it with .%s, or give --to", o.path,
			either(columns.FormatNames(true)))
	}
	return nil
}

// results returns where results as JSON go: to standard output, if no rows do.
func (o *rowOutput) results() io.Writer {
	if o.path == "-" {
		return stderr
	}
	return stdout
}

// create begins the output with these cells before the numbers of a row, as far as the format has places for them.
func (o *rowOutput) create(cells []string, nComponents int, options dataset.EncoderOptions) (*rowWriter, error) {
	format, facts := dataset.Format(o.format), columns.FormatOf(o.format)
	w := &rowWriter{rowNumbers: options.RowNumbers, cells: make([][]byte, facts.CellCount(len(cells)))}
	switch {
	case w.rowNumbers && !facts.Cells:
		return nil, usage("%s has no place for row numbers; write them beside it with --cells FILE", o.format)
	case o.path == "-" && !facts.Lines && isTerminal(os.Stdout):
		return nil, usage("%s is not for a terminal; name a file with -o", facts.Label)
	}
	var err error
	w.encoder, err = dataset.NewEncoderWith(format, cells[:len(w.cells)], nComponents, options)
	if err != nil {
		return nil, usageError{err}
	}
	if w.output, err = createOutput(o.path, w.encoder.FinalHeader(0) != nil); err != nil {
		return nil, err
	}
	w.bytes = w.encoder.AppendHeader(nil)
	return w, nil
}

// A rowWriter writes rows.
type rowWriter struct {
	*output
	encoder    *dataset.Encoder
	rowNumbers bool
	cells      [][]byte
	bytes      []byte // not yet written
	rows       int64
}

// add writes the cells of a block with Z, the numbers of its rows. more returns the cells of a row that are not in the
// table and follow those; it may be nil.
func (w *rowWriter) add(b *block, Z []float32, more func(row int) []string) error {
	rows := b.to - b.from
	D := len(Z) / rows
	for row := range rows {
		var added []string
		if more != nil {
			added = more(row)
			added = added[:min(len(added), len(w.cells))] // .npy has no cells
		}
		own := len(w.cells) - len(added)
		for k := range own {
			w.cells[k] = b.Cell(b.from+row, k)
		}
		for k := range added {
			w.cells[own+k] = append(w.cells[own+k][:0:0], added[k]...)
		}
		var err error
		if z := Z[row*D : (row+1)*D]; w.rowNumbers {
			w.bytes, err = w.encoder.AppendRowAt(w.bytes, b.Places[b.from+row], w.cells, z)
		} else {
			w.bytes, err = w.encoder.AppendRow(w.bytes, w.cells, z)
		}
		if err != nil {
			return b.labelError(row, err)
		}
	}
	w.rows += int64(rows)
	w.bytes = w.encoder.AppendBlock(w.bytes)
	return w.flush()
}

// labelError returns an error about the label of a row as a problem with its file.
func (b *block) labelError(row int, err error) error {
	_, message, _ := strings.Cut(plainMessage(err), ": ") // the row of the output
	what, remedy, _ := strings.Cut(message, "; ")
	return b.problem(row, what, remedy)
}

func (w *rowWriter) flush() error {
	_, err := w.Write(w.bytes)
	w.bytes = w.bytes[:0]
	if err != nil {
		return named(w.path, errors.New("it could not be written: "+cause(err).Error()))
	}
	return nil
}

// commit ends the output.
func (w *rowWriter) commit() error {
	w.bytes = w.encoder.AppendFooter(w.bytes)
	err := w.flush()
	if head := w.encoder.FinalHeader(w.rows); err == nil && head != nil {
		err = w.rewrite(head)
	}
	if err != nil {
		return err
	}
	return w.output.commit()
}
