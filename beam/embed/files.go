package embed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"

	"tensorsketch.example/beam/internal/storage"
	"tensorsketch.example/beam/rows"
	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() {
	register.DoFn3x1[context.Context, string, func(string), error](&filesFn{})
	register.Emitter1[string]()
}

// FilesOf returns how files become the rows of a model file that has a preprocessing, for rows.Read.
func FilesOf(file []byte) (rows.Files, error) {
	p, err := dataset.FromModel(file)
	if err != nil {
		return rows.Files{}, err
	}
	text, err := json.Marshal(p)
	return rows.Files{Preprocessing: string(text)}, err
}

// OutputName returns the name of the file with the features of another: in the folder, with the format after its name.
func OutputName(folder, name string, format dataset.Format) string {
	return folder + "/" + path.Base(filepath.ToSlash(name)) + "." + format.String()
}

// Write reads each file of names, a PCollection<string>, and writes its features into the file OutputName, with the
// rows in their order. `tensorsketch transform FILE --model` writes the same bytes. A worker reads, transforms and
// writes a file as a whole, and a file appears when it is complete. Write returns the names of the files written.
//
// The model file must have a preprocessing. Rows that cannot be used are left out and counted, as in rows.Read. Errors
// are the errors of rows.Read and Rows.
func Write(s beam.Scope, file []byte, names beam.PCollection, folder string, format dataset.Format) (
	beam.PCollection, error) {
	files, err := FilesOf(file)
	if err != nil {
		return beam.PCollection{}, err
	}
	return beam.ParDo(s.Scope("embed.Write"), &filesFn{Embedding: embedding{Model: storage.Pack(file)}, Files: files,
		Folder: folder, Format: format}, names), nil
}

type filesFn struct {
	Embedding embedding
	Files     rows.Files
	Folder    string
	Format    dataset.Format
	p         *dataset.Preprocessing
}

func (f *filesFn) Setup() error {
	f.p = new(dataset.Preprocessing)
	if err := f.p.UnmarshalJSON([]byte(f.Files.Preprocessing)); err != nil {
		return err
	}
	return f.Embedding.Setup()
}

func (f *filesFn) ProcessElement(ctx context.Context, name string, emit func(string)) error {
	t, err := storage.Open(ctx, name, f.p)
	if err != nil {
		return err
	}
	defer t.Close()
	made, err := os.CreateTemp("", "tensorsketch-*")
	if err != nil {
		return err
	}
	defer os.Remove(made.Name())
	defer made.Close()
	if err := f.write(t, made); err != nil {
		return err
	}
	if _, err := made.Seek(0, io.SeekStart); err != nil {
		return err
	}
	to := OutputName(f.Folder, name, f.Format)
	if err := storage.Write(ctx, to, made); err != nil {
		return err
	}
	rows.Count(ctx, name, t.Counts().Rows, t.Unused())
	emit(to)
	return nil
}

// blockBytes bounds the bytes of features that are made at a time, as the command line does it.
const blockBytes = 4 << 20

// write writes the features of all rows of a table.
func (f *filesFn) write(t *storage.Table, to *os.File) error {
	m := f.Embedding.m
	m.SetGoroutines(runtime.GOMAXPROCS(0))
	d, D := m.NFeatures(), m.NComponents()
	names := f.p.CellNames()
	cells := make([][]byte, columns.FormatOf(f.Format.String()).CellCount(len(names)))
	encoder, err := dataset.NewEncoder(f.Format, names[:len(cells)], D)
	if err != nil {
		return err
	}
	text, total := encoder.AppendHeader(nil), int64(0)
	var batch dataset.Batch
	var Z []float32
	for {
		if err := t.Next(&batch); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		n, most := batch.Rows(), max(1, blockBytes/(4*D))
		for from := 0; from < n; from += most {
			upTo := min(n, from+most)
			var X sketch.Rows = batch.Dense[min(from*d, len(batch.Dense)):min(upTo*d, len(batch.Dense))]
			if len(batch.Sparse.Indptr) > 0 {
				X = batch.Sparse.Slice(from, upTo)
			}
			Z = slices.Grow(Z[:0], (upTo-from)*D)[:(upTo-from)*D]
			if _, err := m.TransformRows(Z, X); err != nil {
				if e, ok := errors.AsType[*sketch.Error](err); ok && e.Row >= 0 {
					return storage.Fault(e, t.Layout.Name, batch.Places[from+e.Row], t.Layout.Schema().Lines)
				}
				return err
			}
			for row := from; row < upTo; row++ {
				for k := range cells {
					cells[k] = batch.Cell(row, k)
				}
				if text, err = encoder.AppendRow(text, cells, Z[(row-from)*D:(row-from+1)*D]); err != nil {
					return fmt.Errorf("%s: %w", t.Layout.Name, err)
				}
			}
			total += int64(upTo - from)
			if _, err := to.Write(encoder.AppendBlock(text)); err != nil {
				return err
			}
			text = text[:0]
		}
	}
	if _, err := to.Write(encoder.AppendFooter(text)); err != nil {
		return err
	}
	if head := encoder.FinalHeader(total); head != nil {
		_, err = to.WriteAt(head, 0)
	}
	return err
}
