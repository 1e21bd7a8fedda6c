//go:build js && wasm

package main

import (
	"errors"

	"github.com/hack-pad/safejs"
	"tensorsketch.example/jobs"
	"tensorsketch.example/jobs/native"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/model"
)

// A mapper is the mathematics of package jobs by the public JavaScript API: this program links no map, and the API
// spreads rows over workers. It has no sums of other parts and no fits in passes.
type mapper struct {
	jobs.Mapper
	api   safejs.Value
	saved map[string]any // options of toJSON for the maps that it makes
}

// OpenModel opens a model file with a head.
func (m mapper) OpenModel(file []byte, key *[32]byte) (jobs.Model, error) {
	content, err := contentOf(file, key)
	if err != nil {
		return nil, err
	}
	value, err := m.open(file, key)
	if err != nil {
		return nil, err
	}
	return &apiModel{file: file, value: value, about: content.Head, own: apiMap{params: content.Params}}, nil
}

// open has the API open a model file.
func (m mapper) open(file []byte, key *[32]byte) (safejs.Value, error) {
	options := map[string]any{}
	if key != nil {
		bytes, err := newArray("Uint8Array", key[:])
		if err != nil {
			return bytes, err
		}
		options["key"] = bytes
	}
	return ask(m.api, "fromJSON", string(file), options)
}

// contentOf reads a model file that predicts, without its map.
func contentOf(file []byte, key *[32]byte) (*model.Content, error) {
	c, err := parametersOf(file, key)
	if err == nil && c.Head == nil {
		err = errors.New("this file makes features and predicts nothing: choose a model that was trained")
	}
	return c, err
}

// parametersOf reads a model file without its map.
func parametersOf(file []byte, key *[32]byte) (*model.Content, error) {
	if key != nil {
		return model.UnmarshalContentKeyed(file, *key)
	}
	return model.UnmarshalContent(file)
}

// An apiModel is a model of the API.
type apiModel struct {
	file  []byte
	value safejs.Value
	about *learn.Model
	own   apiMap
	rows  arrays
}

// About returns what the file says.
func (m *apiModel) About() *learn.Model { return m.about }

// Map returns the map of the model, which says its sizes.
func (m *apiModel) Map() jobs.Map { return &m.own }

// Scores returns the scores of rows.
func (m *apiModel) Scores(c *jobs.Control, X sketch.Rows) ([]float64, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	rows, err := m.rows.of(X)
	if err != nil {
		return nil, err
	}
	scores, err := interruptible(c, func(options map[string]any) (safejs.Value, error) {
		return m.value.Call("scoresAsync", rows, options)
	})()
	if err != nil {
		return nil, err
	}
	return numbersOf(nil, scores)
}

// File returns the file that was opened.
func (m *apiModel) File() ([]byte, error) { return m.file, nil }

// FitExact fits ridge regression with the exact kernel. The kernel is Go's: the API has it for single pairs only.
func (m mapper) FitExact(c *jobs.Control, e *jobs.Exact, held []float32) ([]float64, error) {
	return native.Mapper{}.FitExact(c, e, held)
}

// Close gives the memory of the core back.
func (m *apiModel) Close() { _, _ = m.value.Call("dispose") }
