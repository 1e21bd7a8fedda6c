package embed

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path"
	"path/filepath"

	"tensorsketch.example/beam/internal/storage"
	"tensorsketch.example/beam/rows"
	"tensorsketch.example/dataset"
	"tensorsketch.example/jobs"
	"tensorsketch.example/jobs/native"

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
	if _, err := FilesOf(file); err != nil {
		return beam.PCollection{}, err
	}
	return beam.ParDo(s.Scope("embed.Write"), &filesFn{Embedding: embedding{Model: storage.Pack(file)}, Folder: folder,
		Format: format}, names), nil
}

type filesFn struct {
	Embedding embedding
	Folder    string
	Format    dataset.Format
}

func (f *filesFn) ProcessElement(ctx context.Context, name string, emit func(string)) error {
	model, err := storage.Unpack(f.Embedding.Model)
	if err != nil {
		return err
	}
	file, end, err := storage.File(ctx, name)
	if err != nil {
		return err
	}
	defer end()
	made, err := os.CreateTemp("", "tensorsketch-*")
	if err != nil {
		return err
	}
	defer os.Remove(made.Name())
	defer made.Close()
	q := &jobs.EmbedRequest{Model: &jobs.Named{Name: "the model", Content: model}}
	q.Files = []jobs.File{jobs.NewFile(name, file)}
	q.To = jobs.Target{Format: f.Format.String(),
		Create: func(bool) (jobs.Output, error) { return output{made}, nil }}
	reply, err := jobs.Embed(nil, native.Mapper{}, q)
	if err != nil {
		return err
	}
	to := OutputName(f.Folder, name, f.Format)
	if err := storage.Write(ctx, to, made); err != nil {
		return err
	}
	rows.Count(ctx, name, reply.Rows, &reply.LeftOut)
	emit(to)
	return nil
}

// An output is a file that is read from its begin once it is whole.
type output struct{ *os.File }

func (o output) Rewrite(head []byte) error {
	_, err := o.WriteAt(head, 0)
	return err
}

func (o output) Commit() error {
	_, err := o.Seek(0, io.SeekStart)
	return err
}
