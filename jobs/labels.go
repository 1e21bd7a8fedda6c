package jobs

import (
	"fmt"
	"io"
	"iter"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/dataset/labels"
	"tensorsketch.example/sketch/learn"
)

// A labelFile has the labels of a table, one in each row, in the order of the table's rows.
type labelFile struct {
	File
	layout *dataset.Layout
	source dataset.Source
	block  dataset.Block
	row    int // next of the block
}

// openLabels opens a file of labels. It has one column, or its label is found as in other files.
func openLabels(file File) (*labelFile, error) {
	l, err := file.Sniff(nil, columns.Reading{})
	if err != nil {
		return nil, err
	}
	if len(l.Columns) == 1 {
		l = l.WithLabel(0)
	}
	at := l.Label()
	if at < 0 {
		return nil, &dataset.Problem{File: file.Name(), What: "it has several columns, and none is the label",
			Remedy: "give a file with one column"}
	}
	others := map[int]columns.Role{}
	for i := range l.Columns {
		if i != at {
			others[i] = columns.AsIgnored
		}
	}
	return &labelFile{File: file, layout: l.WithRoles(others)}, nil
}

// rewind begins with the first row again.
func (f *labelFile) rewind() (err error) {
	if f.source != nil && f.IsPipe() {
		return fmt.Errorf("%s is read twice, so it cannot be a pipe", f.Name())
	}
	f.block, f.row = dataset.Block{}, 0
	f.source, err = f.Open(f.layout)
	return err
}

// next returns the next label, valid until the call after it.
func (f *labelFile) next() ([]byte, error) {
	if f.row == f.block.Rows() {
		if err := f.source.Next(&f.block); err == io.EOF {
			return nil, &dataset.Problem{File: f.Name(), What: "it has fewer labels than there are rows",
				Remedy: "give one for each"}
		} else if err != nil {
			return nil, err
		}
		if unused := f.source.Unused(); unused.Total > 0 {
			return nil, unused.First[0]
		}
		f.row = 0
	}
	f.row++
	return f.block.Text(f.row-1, 0), nil
}

// each passes all labels, from the first one on.
func (f *labelFile) each(see func(label []byte, place int64)) error {
	source, err := f.Open(f.layout)
	for err == nil {
		var b dataset.Block
		if err = source.Next(&b); err == nil {
			for row := range b.Rows() {
				see(b.Text(row, 0), 0)
			}
		}
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// atEnd returns an error if there are more labels.
func (f *labelFile) atEnd() error {
	if f.row == f.block.Rows() && f.source.Next(new(dataset.Block)) == io.EOF {
		return nil
	}
	return &dataset.Problem{File: f.Name(), What: "it has more labels than there are rows", Remedy: "give one for each"}
}

// needLabels opens the file of labels, if there is one, and returns an error for a file without its label column.
func (t *table) needLabels(file File) (err error) {
	if file != nil {
		t.labels, err = openLabels(file)
		return err
	}
	for i := range t.p.Columns {
		c := &t.p.Columns[i]
		if c.Role != columns.AsLabel {
			continue
		}
		for _, part := range t.parts {
			if part.layout.Label() < 0 {
				return withRemedy(&dataset.Problem{File: part.Name(),
					What: fmt.Sprintf("it has no column %q, which holds the labels", c.Name)}, "", "add it, or give {labels} FILE")
			}
		}
		return nil
	}
	return fail("label", "no column is the label; name it with {label}, or give {labels} FILE")
}

// labelLayout returns the layout by which labels are read, and the column of the label.
func (t *table) labelLayout() (*dataset.Layout, *dataset.Column) {
	l := t.parts[0].layout // with the label of the preprocessing
	if t.labels != nil {
		l = t.labels.layout
	}
	if i := l.Label(); i >= 0 {
		return l, &l.Columns[i]
	}
	return l, new(dataset.Column)
}

// labelled reads all rows that have labels, in blocks of at most so many, whose labels are in b.labels or, for numbers,
// b.targets. Others count as unused: with a missing label or, for numbers, one that is none.
func (t *table) labelled(phase string, most int, r *labels.Reader, numbers bool) iter.Seq2[*block, error] {
	return func(yield func(*block, error) bool) {
		if t.labels != nil {
			if err := t.labels.rewind(); err != nil {
				yield(nil, err)
				return
			}
		}
		for b, err := range t.blocks(phase, most) {
			if err != nil {
				yield(nil, err)
				return
			}
			var used []int
			for row := b.from; row < b.to; row++ {
				what, err := t.readLabel(b, row, r, numbers)
				if err != nil {
					yield(nil, err)
					return
				}
				if what == "" {
					used = append(used, row)
				} else {
					t.unused.Add(b.problem(row-b.from, what, labels.Remedy))
				}
			}
			if len(used) < b.to-b.from {
				b.keep(used, t.p.NFeatures())
			}
			if len(used) > 0 && !yield(b, nil) {
				return
			}
		}
		if t.labels != nil {
			if err := t.labels.atEnd(); err != nil {
				yield(nil, err)
			}
		}
	}
}

// noneUsed is the error of rows without one that can be used. It says what is wrong with the first.
func (t *table) noneUsed() error {
	if t.unused.Total == 0 {
		return &dataset.Problem{File: t.parts[0].Name(), What: "it has no rows", Remedy: "give one with rows"}
	}
	problem := *t.unused.First[0]
	problem.What = "none of the " + Count(t.unused.Total, "row") + " can be used: " + problem.What
	return &problem
}

// keep makes b a block of these rows of its batch alone, of d numbers each.
func (b *block) keep(rows []int, d int) {
	batch := new(dataset.Batch)
	for _, row := range rows {
		batch.Places = append(batch.Places, b.Places[row])
		if len(b.Sparse.Indptr) > 0 {
			batch.Sparse = JoinSparse(batch.Sparse, b.Sparse.Slice(row, row+1))
		} else {
			batch.Dense = append(batch.Dense, b.Dense[row*d:(row+1)*d]...)
		}
	}
	b.Batch, b.from, b.to = batch, 0, len(rows)
}

// readLabel adds the label of a row of the batch to the block. It returns what is wrong with it, or "".
func (t *table) readLabel(b *block, row int, r *labels.Reader, isNumber bool) (what string, err error) {
	var cell []byte
	if t.labels == nil {
		cell = b.Cell(row, 0)
	} else if cell, err = t.labels.next(); err != nil {
		return "", err
	}
	return b.take(r, cell, isNumber), nil
}

// take adds the label in a cell to the block, or returns what is wrong with it.
func (b *block) take(r *labels.Reader, cell []byte, isNumber bool) (what string) {
	if isNumber {
		x, what := r.Number(cell)
		if what == "" {
			b.targets = append(b.targets, x)
		}
		return what
	}
	label, what := r.Read(cell)
	if what == "" {
		b.labels = append(b.labels, label)
	}
	return what
}

// labelReader returns what says which label a cell is: one of the classes, if they are known. seen is nil without a
// first pass.
func (t *table) labelReader(seen *labels.Stats, classes []learn.Label) *labels.Reader {
	layout, column := t.labelLayout()
	switch {
	case classes != nil:
		return labels.NewKnownReader(layout, classes)
	case seen != nil:
		return labels.NewReader(layout, seen.Numbers())
	}
	return labels.NewReader(layout, labels.NumbersInHead(column))
}

// firstPass learns what the preprocessing needs and, unless seen is nil, about the labels.
func (t *table) firstPass(seen *labels.Stats) error {
	if seen == nil {
		return t.learn(0, nil)
	}
	if t.labels == nil {
		return t.learn(0, seen.SeeAt)
	}
	if t.labels.IsPipe() {
		if err := t.labels.Keep(); err != nil {
			return err
		}
	}
	if err := t.learn(0, nil); err != nil {
		return err
	}
	return t.labels.each(seen.SeeAt)
}
