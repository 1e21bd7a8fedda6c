// Command table says how the rows of a table become numbers, by the rules of package jobs: which columns are used, and
// what is made of them (docs/formats.md). Python's package runs it as WebAssembly, since a rule stands in Go alone:
//
//	table FILE LABEL TASK
//
// FILE is a CSV whose column LABEL is to be predicted, and TASK is classify or regress. It prints a Reply as JSON. A
// mistake of the caller goes to standard error, with status 1.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/jobs"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// A Reply is what was found.
type Reply struct {
	Preprocessing string         `json:"preprocessing"` // of a model file
	Indicators    []int          `json:"indicators"`    // coordinates of zeros and ones for a category each
	Sparse        bool           `json:"sparse"`
	Rows          int            `json:"rows"` // that can be used, of a sample
	Notes         []columns.Note `json:"notes"`
}

func main() {
	if len(os.Args) != 4 {
		fail(errors.New("want FILE LABEL TASK"))
	}
	reply, err := found(os.Args[1], os.Args[2], os.Args[3])
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(reply)
	}
	if err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, jobs.Plain(err))
	os.Exit(1)
}

// found begins the fit of a search, up to the search.
func found(file, label, task string) (*Reply, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	m := &mapper{}
	q := &jobs.FitRequest{Task: task, WithoutFit: true}
	q.Files = []jobs.File{jobs.NewFile("X", bytes.NewReader(text))}
	q.Columns.Roles = map[string][]string{columns.AsLabel.String(): {label}}
	control := &jobs.Control{Say: func(notes []columns.Note) { m.Notes = append([]columns.Note{}, notes...) }}
	if _, err = jobs.Fit(control, m, q); m.Preprocessing != "" {
		return &m.Reply, nil
	}
	return nil, err
}

// A mapper takes note of the rows and the preprocessing, and computes nothing.
type mapper struct {
	jobs.Mapper
	Reply
}

// errFound ends the fit.
var errFound = errors.New("the preprocessing is known")

// NewMap is called for rows that are too wide to search.
func (m *mapper) NewMap(sketch.Params) (jobs.Map, error) {
	return nil, errors.New("the rows are too wide to search: leave columns of texts out, or state what becomes of them " +
		"by `tensorsketch fit`, whose models TensorSketchModel.load opens")
}

// Search takes note of the rows.
func (m *mapper) Search(_ *jobs.Control, X sketch.Rows, kinds []learn.Kind, _ learn.Targets,
	_ learn.Choices) (jobs.Spec, *learn.Candidates, error) {
	switch X := X.(type) {
	case sketch.Dense:
		m.Rows = len(X) / len(kinds)
	case sketch.CSR:
		m.Rows, m.Sparse = len(X.Indptr)-1, true
	}
	m.Indicators = []int{}
	for at, kind := range kinds {
		if kind == learn.Indicator {
			m.Indicators = append(m.Indicators, at)
		}
	}
	return jobs.Spec{}, &learn.Candidates{}, nil
}

// NewLearner takes note of the preprocessing.
func (m *mapper) NewLearner(s jobs.Spec) (jobs.Learner, error) {
	m.Preprocessing = s.Preprocessing
	return nil, errFound
}
