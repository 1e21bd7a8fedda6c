//go:build js && wasm

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
)

// planJSON is a dataset.Preprocessing before it has learned anything.
type planJSON struct {
	Reading     json.RawMessage `json:"reading,omitempty"`
	Columns     []columnPlan    `json:"columns"`
	Sparse      bool            `json:"sparse"`
	SparseWidth int             `json:"sparseWidth,omitempty"`
	UnitNorm    bool            `json:"unitNorm"`
}

type columnPlan struct {
	Name    string   `json:"name"`
	Role    string   `json:"role"`
	Missing string   `json:"missing,omitempty"`
	Fill    float64  `json:"fill,omitempty"`
	Scaling string   `json:"scaling,omitempty"`
	Center  *float64 `json:"center,omitempty"` // given, so not learned; Scale and Values too
	Scale   *float64 `json:"scale,omitempty"`
	Hashed  int      `json:"hashed,omitempty"`
	Values  []string `json:"values,omitempty"`
	Parts   []string `json:"parts,omitempty"`
	Words   [2]int   `json:"words,omitzero"`
	Chars   [2]int   `json:"chars,omitzero"`
	Width   int      `json:"width,omitempty"`
}

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
	r := planJSON{Columns: []columnPlan{}, Sparse: p.Sparse, SparseWidth: p.Width, UnitNorm: p.UnitNorm}
	var err error
	if r.Reading, err = json.Marshal(p.Reading); err != nil {
		return nil, err
	}
	for _, c := range p.Columns {
		r.Columns = append(r.Columns, columnPlan{Name: c.Name, Role: c.Role.String(), Missing: c.Missing.String(),
			Scaling: c.Scaling.String(), Parts: c.PartNames(), Words: c.Words, Chars: c.Chars, Width: c.Width})
	}
	return r, nil
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

func newPreprocessing(q *struct{ Plan planJSON }) (any, error) {
	p, err := q.Plan.parse()
	if err != nil {
		return nil, err
	}
	return keepPreprocessing(p)
}

func (p *planJSON) parse() (*dataset.Preprocessing, error) {
	made := &dataset.Preprocessing{Sparse: p.Sparse, Width: p.SparseWidth, UnitNorm: p.UnitNorm}
	if p.Reading != nil {
		reading, err := dataset.ParseReading(p.Reading)
		if err != nil {
			return nil, err
		}
		made.Reading = &reading
	}
	for _, c := range p.Columns {
		column, err := c.parse()
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", columns.Quoted(c.Name), err)
		}
		made.Columns = append(made.Columns, column)
	}
	return made, nil
}

// misfit returns why a private release cannot be made of a file with this reading, with a plan or
// the preprocessing of a model file, by a method. The text is empty if a release can be made.
func misfit(q *struct {
	Reading       json.RawMessage
	Plan          *planJSON
	Preprocessing json.RawMessage
	Method        string
}) (any, error) {
	p, err := new(dataset.Preprocessing), error(nil)
	if q.Plan != nil {
		p, err = q.Plan.parse()
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

func (c *columnPlan) parse() (columns.Column, error) {
	role, ok := columns.ParseRole(c.Role)
	if !ok {
		return columns.Column{}, fmt.Errorf("role must be one of %s, got %s", strings.Trim(fmt.Sprint(columns.Roles), "[]"),
			columns.Quoted(c.Role))
	}
	column := columns.NewColumn(c.Name, role)
	if err := column.SetPolicies(c.Missing, c.Scaling); err != nil {
		return column, err
	}
	column.Fill, column.Hashed = c.Fill, c.Hashed
	if len(c.Parts) > 0 {
		var err error
		if column.Parts, err = columns.ParseDateParts(c.Parts); err != nil {
			return column, err
		}
	}
	if c.Width != 0 {
		column.Words, column.Chars, column.Width = c.Words, c.Chars, c.Width
	}
	return column, c.parseTyped(&column)
}

// parseTyped takes the values given in place of learned ones.
func (c *columnPlan) parseTyped(column *columns.Column) error {
	switch {
	case c.Center == nil && c.Scale == nil && c.Values == nil:
		return nil
	case c.Values != nil && (column.Role != columns.AsCategory || column.Hashed > 0):
		return errors.New("values are for a category that is not hashed; leave them out")
	case (c.Center == nil) != (c.Scale == nil):
		return errors.New("center and scale go together; give both, or neither to have them learned")
	case c.Center != nil && column.Scaling == columns.NoScaling:
		return errors.New("center and scale are for a column that is scaled; choose its scaling")
	case column.Missing == columns.Mean:
		return errors.New("the mean that missing cells count as is learned, and center and scale are typed; " +
			"choose another policy for missing cells")
	}
	if c.Center != nil {
		column.Center, column.Scale = *c.Center, *c.Scale
	}
	column.Values, column.Learned = c.Values, true
	return nil
}

// readModel reads the preprocessing of a model file.
func readModel(q *struct{ Model json.RawMessage }) (any, error) {
	p := new(dataset.Preprocessing)
	if err := json.Unmarshal(q.Model, p); err != nil {
		return nil, err
	}
	return keepPreprocessing(p)
}
