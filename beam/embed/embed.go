// Package embed turns rows into features by a model file of Tensor Sketch, in pipelines of Apache Beam. The features
// have the bits that every other program gives them, since a row's arithmetic depends on that row alone.
package embed

import (
	"bytes"
	"errors"
	"tensorsketch.example/beam/internal/storage"
	"tensorsketch.example/beam/rows"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/model"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() { register.DoFn1x2[rows.Row, rows.Row, error](&rowsFn{}) }

// Rows returns a PCollection<rows.Row>. It replaces the Values of each row of col by their features, and changes
// nothing else.
// file is any model file that model.Unmarshal reads, with or without a head. The rows must be as its map takes them;
// rows.Read makes such rows of files, with the preprocessing of the model: see Files.
//
// The error says why the file cannot be read. A row of another length, or with a number that is not finite, ends the
// pipeline with an error that names its file and place.
func Rows(s beam.Scope, file []byte, col beam.PCollection) (beam.PCollection, error) {
	if _, err := open(file); err != nil {
		return beam.PCollection{}, err
	}
	return beam.ParDo(s.Scope("embed.Rows"), &rowsFn{embedding{Model: storage.Pack(file)}}, col), nil
}

// open opens the map of a model file, unless the model prepares the rows first, as a search of the command line makes
// it.
func open(file []byte) (*sketch.FeatureMap, error) {
	if bytes.Contains(file, []byte(`"preparation":{`)) {
		return nil, errors.New("the model prepares its rows, which pipelines do not yet: fit it with --search off, or use " +
			"tensorsketch transform")
	}
	return model.Unmarshal(file)
}

// An embedding is a model that a step of a pipeline holds.
type embedding struct {
	Model []byte // the packed file
	m     *sketch.FeatureMap
}

func (e *embedding) Setup() error {
	file, err := storage.Unpack(e.Model)
	if err == nil {
		e.m, err = open(file)
	}
	return err
}

type rowsFn struct{ Embedding embedding }

func (f *rowsFn) Setup() error { return f.Embedding.Setup() }

func (f *rowsFn) ProcessElement(r rows.Row) (rows.Row, error) {
	m := f.Embedding.m
	X, err := rows.Join([]rows.Row{r}, m.NFeatures())
	if err != nil {
		return r, err
	}
	r.Values, r.Indices = make([]float32, m.NComponents()), nil
	if _, err := m.TransformRows(r.Values, X); err != nil {
		return r, r.Fault(err)
	}
	return r, nil
}
