// Package storage opens and writes files wherever a file system of Beam finds them: on disk, or as gs://bucket/name.
package storage

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	"tensorsketch.example/dataset"
	_ "tensorsketch.example/dataset/columnar" // Parquet, Arrow and workbooks
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch"
)

// A Table is a file with rows that a preprocessing makes.
type Table struct {
	*dataset.Reader
	Layout *dataset.Layout
	Width  int // numbers of a row
	close  []func() error
}

// Open opens a file and finds how it is read. The error is a *dataset.Problem, or one of the file system.
func Open(ctx context.Context, name string, p *dataset.Preprocessing) (*Table, error) {
	t := &Table{Width: p.NFeatures()}
	file, err := t.file(ctx, name)
	if err == nil {
		t.Layout, err = p.SniffFile(name, file, columns.Reading{})
	}
	if err == nil {
		t.Layout, err = p.Apply(t.Layout)
	}
	var source dataset.Source
	if err == nil {
		source, err = t.Layout.Open(io.NewSectionReader(file, 0, file.Size()))
	}
	if err == nil {
		t.Reader, err = dataset.NewReader(source, p)
	}
	if err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// File returns the content of a file, and ends the reading of it.
func File(ctx context.Context, name string) (file dataset.File, end func(), err error) {
	t := new(Table)
	if file, err = t.file(ctx, name); err != nil {
		t.Close()
	}
	return file, t.Close, err
}

// file returns the content of a file, which for a remote one is a copy in $TMPDIR: columnar formats are read at any
// place.
func (t *Table) file(ctx context.Context, name string) (dataset.File, error) {
	system, err := filesystem.New(ctx, name)
	if err != nil {
		return nil, err
	}
	t.close = append(t.close, system.Close)
	content, err := system.OpenRead(ctx, name)
	if err != nil {
		return nil, err
	}
	t.close = append(t.close, content.Close)
	file, isLocal := content.(*os.File)
	if !isLocal {
		if file, err = os.CreateTemp("", "tensorsketch-*"); err != nil {
			return nil, err
		}
		t.close = append(t.close, file.Close, func() error { return os.Remove(file.Name()) })
		if _, err := io.Copy(file, content); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	about, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return io.NewSectionReader(file, 0, about.Size()), nil
}

// Close ends the reading.
func (t *Table) Close() {
	for _, end := range slices.Backward(t.close) {
		end()
	}
}

// Problem returns a problem with the row at a place of the table.
func (t *Table) Problem(place int64, what, remedy string) *dataset.Problem {
	return problem(t.Layout.Name, place, t.Layout.Schema().Lines, what, remedy)
}

// problem returns a problem with the row at a place of a file, which is a line or the number of the row.
func problem(file string, place int64, isLine bool, what, remedy string) *dataset.Problem {
	p := &dataset.Problem{File: file, Row: place, What: what, Remedy: remedy}
	if isLine {
		p.Line, p.Row = place, 0
	}
	return p
}

// Fault returns an error of a map or a learner about a row as a problem with its file, and other errors as they are.
func Fault(err error, file string, place int64, isLine bool) error {
	e, ok := errors.AsType[*sketch.Error](err)
	if !ok {
		return err
	}
	what := "the row must " + e.Want
	if part, ok := map[string]string{"y": "target", "labels": "label"}[e.Argument]; ok {
		what = "the " + part + " of the row must " + e.Want
	}
	if e.Value != "" {
		what += ", got " + e.Value
	}
	return problem(file, place, isLine, what, "correct it, or leave the row out")
}

// List returns the files that names and patterns such as gs://bucket/part-*.csv stand for, in this order.
func List(ctx context.Context, names []string) (files []string, err error) {
	for _, name := range names {
		found := []string{name}
		if strings.ContainsAny(name, "*?[") {
			system, err := filesystem.New(ctx, name)
			if err != nil {
				return nil, err
			}
			found, err = system.List(ctx, name)
			system.Close()
			if err != nil || len(found) == 0 {
				return nil, fmt.Errorf("%s: there are no such files", name)
			}
			slices.Sort(found)
		}
		files = append(files, found...)
	}
	return files, nil
}

// Read returns the content of a file.
func Read(ctx context.Context, name string) ([]byte, error) {
	system, err := filesystem.New(ctx, name)
	if err != nil {
		return nil, err
	}
	defer system.Close()
	return filesystem.Read(ctx, system, name)
}

// Write writes a file under another name and then renames it: a retried or failed call leaves a whole file, or the
// earlier one.
func Write(ctx context.Context, name string, content io.Reader) error {
	system, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer system.Close()
	part := name + ".part-" + rand.Text()
	w, err := system.OpenWrite(ctx, part)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, content)
	if closing := w.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = filesystem.Rename(ctx, system, part, name)
	}
	if remover, ok := system.(filesystem.Remover); ok && err != nil {
		remover.Remove(ctx, part)
	}
	return err
}

// Pack returns the bytes with gzip: pipelines hold the files that their steps need.
func Pack(data []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(data) // a Buffer returns no errors
	w.Close()
	return out.Bytes()
}

// Unpack returns what Pack was given.
func Unpack(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
