//go:build js && wasm

package main

import (
	"encoding/json"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/jobs"
)

// planOf returns the plan that the roles of a layout suggest.
func planOf(q *struct {
	Layout uint32
	Roles  map[string]string // by the name of a column, in place of the suggested ones
}) (any, error) {
	layout := kept[*dataset.Layout](q.Layout)
	p := dataset.NewPreprocessing(layout)
	for i := range p.Columns {
		if role, ok := columns.ParseRole(q.Roles[p.Columns[i].Name]); ok {
			p.Columns[i] = columns.NewColumn(p.Columns[i].Name, role)
		}
	}
	p.SetScaling(layout.SuggestedScaling())
	return jobs.PlanOf(p)
}

type preprocessingReply struct {
	Preprocessing uint32          `json:"preprocessing"`
	NeedsFit      bool            `json:"needsFit"`
	NFeatures     int             `json:"nFeatures"` // as far as known before a fit
	Sparse        bool            `json:"sparse"`
	Cells         []string        `json:"cells"`
	Model         json.RawMessage `json:"model,omitempty"` // for the model file, once fitted
}

// keepPreprocessing validates a preprocessing and gives it a handle.
func keepPreprocessing(p *dataset.Preprocessing) (*preprocessingReply, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	r := &preprocessingReply{NeedsFit: p.NeedsFit(), NFeatures: p.NFeatures(),
		Sparse: p.IsSparse(), Cells: append([]string{}, p.CellNames()...)}
	if !r.NeedsFit {
		var err error
		if r.Model, err = json.Marshal(p); err != nil {
			return nil, err
		}
	}
	r.Preprocessing = keep(p)
	return r, nil
}

func newPreprocessing(q *struct{ Plan jobs.TablePlan }) (any, error) {
	p, err := q.Plan.Preprocessing()
	if err != nil {
		return nil, err
	}
	return keepPreprocessing(p)
}

// misfit returns why a private release cannot be made of a file with this reading, with a plan or
// the preprocessing of a model file, by a method. The text is empty if a release can be made.
func misfit(q *struct {
	Reading       json.RawMessage
	Plan          *jobs.TablePlan
	Preprocessing json.RawMessage
	Method        string
}) (any, error) {
	p, err := new(dataset.Preprocessing), error(nil)
	if q.Plan != nil {
		p, err = q.Plan.Preprocessing()
	} else {
		err = json.Unmarshal(q.Preprocessing, p)
	}
	if err != nil {
		return nil, err
	}
	reading := new(columns.Reading)
	if q.Reading != nil {
		if *reading, err = dataset.ParseReading(q.Reading); err != nil {
			return nil, err
		}
	}
	r := columns.Release{Reading: reading, Columns: p.Columns, FromModel: q.Plan == nil, Sparse: p.Sparse,
		Width: p.Width, Method: q.Method}
	return r.Misfit(), nil
}

// readModel reads the preprocessing of a model file.
func readModel(q *struct{ Model json.RawMessage }) (any, error) {
	p := new(dataset.Preprocessing)
	if err := json.Unmarshal(q.Model, p); err != nil {
		return nil, err
	}
	p.MarkOfModel()
	return keepPreprocessing(p)
}
