// Command table says how the rows of a table become numbers, by the rules of package jobs: which columns are used, and
// what is made of them (docs/formats.md). Python's package runs it as WebAssembly, since a rule stands in Go alone:
//
//	table FILE LABEL TASK
//
// FILE is a CSV whose column LABEL is to be predicted, and TASK is classify or regress. It prints a Reply as JSON. A
// mistake of the caller goes to standard error, with status 1.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/jobs"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/prepare"
)

// A Reply is what was found.
type Reply struct {
	Preprocessing string         `json:"preprocessing"` // of a model file
	Indicators    []int          `json:"indicators"`    // coordinates of zeros and ones for a category each
	Sparse        bool           `json:"sparse"`
	Unused        int64          `json:"unused"` // rows that cannot be used, such as those without a label
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

// found does all passes of a fit over the rows, and neither searches nor learns.
func found(name, label, task string) (*Reply, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	about, err := file.Stat()
	if err != nil {
		return nil, err
	}
	m := &mapper{}
	q := &jobs.FitRequest{Task: task, WithoutFit: true}
	q.Files = []jobs.File{jobs.NewFile("X", io.NewSectionReader(file, 0, about.Size()))}
	q.Columns.Roles = map[string][]string{columns.AsLabel.String(): {label}}
	said, err := jobs.Fit(nil, m, q)
	if err != nil {
		return nil, err
	}
	m.Unused, m.Notes = said.Unused, said.Notes
	return &m.Reply, nil
}

// A mapper takes note of the rows and the preprocessing, and computes nothing.
type mapper struct {
	jobs.Mapper
	Reply
}

// A learner takes no note of rows.
type learner struct {
	jobs.Learner
	spec jobs.Spec
}

// Spec returns what it was made of.
func (l learner) Spec() jobs.Spec { return l.spec }

// Rows returns 0.
func (learner) Rows() int64 { return 0 }

// Add does nothing.
func (learner) Add(*jobs.Control, sketch.Rows, []learn.Label, []float64) error { return nil }

// A features is the map of such a learner.
type features struct{ jobs.Map }

// NComponents returns 1.
func (features) NComponents() int { return 1 }

// NFeatures returns 1.
func (features) NFeatures() int { return 1 }

// NewMap is called for rows that are too wide to search.
func (m *mapper) NewMap(sketch.Params) (jobs.Map, error) {
	return nil, errors.New("the rows are too wide to search: leave columns of texts out, or state what becomes of them " +
		"by `tensorsketch fit`, whose models TensorSketchModel.load opens")
}

// Search takes note of the rows.
func (m *mapper) Search(_ *jobs.Control, X sketch.Rows, kinds []prepare.Kind, _ learn.Targets,
	_ learn.Choices) (jobs.Spec, *learn.Candidates, error) {
	_, m.Sparse = X.(sketch.CSR)
	m.Indicators = []int{}
	for at, kind := range kinds {
		if kind == prepare.Indicator {
			m.Indicators = append(m.Indicators, at)
		}
	}
	return jobs.Spec{Features: features{}}, &learn.Candidates{}, nil
}

// NewLearner takes note of the preprocessing.
func (m *mapper) NewLearner(s jobs.Spec) (jobs.Learner, error) {
	m.Preprocessing = s.Preprocessing
	return learner{spec: s}, nil
}
