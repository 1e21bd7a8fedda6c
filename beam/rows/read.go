package rows

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"tensorsketch.example/beam/internal/storage"
	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/dataset/labels"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// Files says how files become rows. Package learn has Files of a learner.
type Files struct {
	Preprocessing string // the JSON of a dataset.Preprocessing that has learned its values
	Task          string // which labels are read: learn.TaskClassify, learn.TaskRegress, or "" for none
	IsNumeric     bool   // labels are numbers wherever they can be read as one
	Classes       []byte // the JSON list of the labels that may occur; nil if all may
}

// The counters of a pipeline.
var (
	used    = beam.NewCounter("tensorsketch", "rows")
	leftOut = beam.NewCounter("tensorsketch", "rows left out")
)

func init() {
	register.DoFn3x1[context.Context, string, func(Row), error](&readFn{})
	register.Emitter1[Row]()
}

// Read returns the rows of files, given a PCollection<string> of their names. The files are in any format that package
// dataset reads. A file is read by one worker.
//
// Rows that cannot be used are left out, as the command line does it: the counter "rows left out" of the namespace
// "tensorsketch" has their number, and a warning for each file the first of them. A file that cannot be read ends the
// pipeline. So does a missing cell where the preprocessing refuses it. The error names the file, the row and the
// column.
func Read(s beam.Scope, f Files, names beam.PCollection) beam.PCollection {
	return beam.ParDo(s.Scope("rows.Read"), &readFn{Files: f}, names)
}

type readFn struct {
	Files Files
	p     *dataset.Preprocessing
}

func (f *readFn) Setup() error {
	f.p = new(dataset.Preprocessing)
	return f.p.UnmarshalJSON([]byte(f.Files.Preprocessing))
}

func (f *readFn) ProcessElement(ctx context.Context, name string, emit func(Row)) error {
	t, err := storage.Open(ctx, name, f.p)
	if err != nil {
		return err
	}
	defer t.Close()
	label, err := f.labelReader(t)
	if err != nil {
		return err
	}
	cells := len(f.p.CellNames())
	var batch dataset.Batch
	n := int64(0)
	for {
		if err := t.Next(&batch); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		dense, sparse := slices.Clone(batch.Dense), sketch.CSR{Indices: slices.Clone(batch.Sparse.Indices),
			Data: slices.Clone(batch.Sparse.Data)}
		for i := range batch.Rows() {
			r := Row{File: name, Place: batch.Places[i], IsLine: t.Layout.Schema().Lines}
			if what := label(&r, &batch, i); what != "" {
				t.Unused().Add(t.Problem(r.Place, what, "correct it, or leave the row out"))
				continue
			}
			if batch.Sparse.Indptr != nil {
				from, to := batch.Sparse.Indptr[i], batch.Sparse.Indptr[i+1]
				r.Values, r.Indices = sparse.Data[from:to:to], append([]int32{}, sparse.Indices[from:to]...)
			} else {
				r.Values = dense[i*t.Width : (i+1)*t.Width : (i+1)*t.Width]
			}
			if f.Files.Task == "" {
				for k := range cells {
					r.Cells = append(r.Cells, string(batch.Cell(i, k)))
				}
			}
			n++
			emit(r)
		}
	}
	Count(ctx, name, n, t.Unused())
	return nil
}

// Count counts the rows of a file that were used and those that were not, and warns of the first of these.
func Count(ctx context.Context, name string, n int64, u *dataset.Unused) {
	used.Inc(ctx, n)
	if u.Total > 0 {
		leftOut.Inc(ctx, u.Total)
		log.Warnf(ctx, "%s: rows left out: %d; the first: %v", name, u.Total, u.First[0])
	}
}

// labelReader returns the function that sets the label of a row. It returns why the row cannot be used, or "".
func (f *readFn) labelReader(t *storage.Table) (func(r *Row, b *dataset.Batch, row int) string, error) {
	if f.Files.Task == "" {
		return func(*Row, *dataset.Batch, int) string { return "" }, nil
	}
	if t.Layout.Label() < 0 {
		what := "no column is the label"
		for _, c := range f.p.Columns {
			if c.Role == columns.AsLabel {
				what = fmt.Sprintf("it has no column %q, which holds the labels", c.Name)
			}
		}
		return nil, &dataset.Problem{File: t.Layout.Name, What: what, Remedy: "add it"}
	}
	read := labels.NewReader(t.Layout, f.Files.IsNumeric)
	if f.Files.Classes != nil {
		classes, err := classesOf(f.Files.Classes)
		if err != nil {
			return nil, err
		}
		read = labels.NewKnownReader(t.Layout, classes)
	}
	isNumber := f.Files.Task == learn.TaskRegress
	return func(r *Row, b *dataset.Batch, row int) (what string) {
		if isNumber {
			r.Targets = make([]float64, 1)
			r.Targets[0], what = read.Number(b.Cell(row, 0))
		} else {
			r.Label, what = read.Read(b.Cell(row, 0))
		}
		return what
	}, nil
}

// classesOf returns the labels of a JSON list.
func classesOf(list []byte) (classes []learn.Label, err error) {
	var values []any
	if err := json.Unmarshal(list, &values); err != nil {
		return nil, err
	}
	for _, value := range values {
		if class, ok := labels.Of(value); ok {
			classes = append(classes, class)
		}
	}
	return classes, nil
}
