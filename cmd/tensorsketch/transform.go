package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/jobs"
	"tensorsketch.example/jobs/native"
)

var transformVerb = verb{
	name: "transform", does: "write the features of the rows of files", usage: "FILE … [-o OUT] [flags]",
	example: "tensorsketch transform digits.csv --components 1024 --coef0 1 --save-model map.json -o features.npy",
	prepare: func(f *flags) func([]string) error {
		var q jobs.EmbedRequest
		var m modelFlag
		var out rowOutput
		var cells, saved string
		f.heading("Output")
		outputFlags(f, &out, columns.FormatNames(true))
		f.boolean(&q.To.RowNumbers, "row-numbers", "write the line or number of each row first")
		f.output(&cells, "cells", "`FILE` also write row numbers, labels and kept columns alone, as for .npy")
		f.heading("A model file, of this program, the page or Go, instead of the flags for map and columns")
		modelFlags(f, &m)
		f.output(&saved, "save-model", "`FILE` write the model, for other files like these")
		mapFlags(f, &q.Map)
		columnFlags(f, &q.Columns)
		readingFlags(f, &q.Reading)
		f.common()
		return func(files []string) error {
			if saved != "" {
				q.Made = func(model []byte) error { return writeWhole(saved, model) }
			}
			return transform(f, &q, &m, &out, cells, files)
		}
	},
}

// outputFlags defines the flags for the rows that a verb writes, in one of the listed formats.
func outputFlags(f *flags, o *rowOutput, listed []string) {
	f.output(&o.path, "o", "`FILE` default -, standard output")
	f.choice(&o.format, "to", "`FORMAT` "+strings.Join(listed, " ")+
		"; else by the name of the output, else csv", columns.FormatNames(true))
}

func transform(f *flags, q *jobs.EmbedRequest, m *modelFlag, out *rowOutput, cells string, files []string) (err error) {
	if err := needFiles(files); err != nil {
		return err
	}
	if err := out.resolve(); err != nil {
		return err
	}
	out.fill(&q.To)
	if cells != "" {
		beside := &rowOutput{path: cells}
		if err := beside.resolve(); err != nil {
			return err
		}
		q.Cells = new(jobs.Target)
		beside.fill(q.Cells)
	}
	if q.Model, err = m.ofMap(f); err != nil {
		return err
	}
	closeAll, err := openRows(&q.Rows, files, "")
	if err != nil {
		return err
	}
	defer closeAll()
	reply, err := jobs.Embed(f.control(), native.Mapper{}, q)
	if err != nil || !f.json {
		return err
	}
	printJSON(out.results(), struct {
		*jobs.EmbedReply
		*written
	}{reply, out.written()})
	return nil
}

// needFiles returns an error if there are no files.
func needFiles(files []string) error {
	if len(files) == 0 {
		return usage("name a file, or - for standard input")
	}
	return nil
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

// written says where rows were written, as JSON.
type written struct {
	Output string `json:"output"`
	Format string `json:"format"`
}

func (o *rowOutput) written() *written { return &written{o.path, o.format} }

// fill has a job write to this output.
func (o *rowOutput) fill(to *jobs.Target) {
	to.Format = o.format
	to.Create = func(rewinds bool) (jobs.Output, error) {
		if facts := columns.FormatOf(o.format); o.path == "-" && !facts.Lines && isTerminal(os.Stdout) {
			return nil, usage("%s is not for a terminal; name a file with -o", facts.Label)
		}
		return createOutput(o.path, rewinds)
	}
}
