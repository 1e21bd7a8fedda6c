package jobs

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
)

// A TablePlan says what each column of a table becomes: a dataset.Preprocessing before it has learned anything.
type TablePlan struct {
	Reading     json.RawMessage `json:"reading,omitempty"`
	Columns     []ColumnPlan    `json:"columns"`
	Sparse      bool            `json:"sparse"`
	SparseWidth int             `json:"sparseWidth,omitempty"`
	UnitNorm    bool            `json:"unitNorm"`
	KeepFew     bool            `json:"keepFew,omitempty"` // with UnitNorm: rows of fewer than 4 numbers keep their length
}

// A ColumnPlan says what a column becomes.
type ColumnPlan struct {
	Name    string   `json:"name"`
	Role    string   `json:"role"`
	Chosen  bool     `json:"chosen,omitempty"`  // somebody said what becomes of it
	Measure string   `json:"measure,omitempty"` // the unit beside the numbers
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

// PlanOf returns the plan that a preprocessing follows, without what it has learned.
func PlanOf(p *dataset.Preprocessing) (r TablePlan, err error) {
	r = TablePlan{Columns: []ColumnPlan{}, Sparse: p.Sparse, SparseWidth: p.Width, UnitNorm: p.UnitNorm,
		KeepFew: p.KeepFew}
	if r.Reading, err = json.Marshal(p.Reading); err != nil {
		return r, err
	}
	for _, c := range p.Columns {
		r.Columns = append(r.Columns, ColumnPlan{Name: c.Name, Role: c.Role.String(), Measure: c.Measure,
			Missing: c.Missing.String(), Scaling: c.Scaling.String(), Parts: c.PartNames(), Words: c.Words, Chars: c.Chars,
			Width: c.Width})
	}
	return r, nil
}

// Preprocessing returns the preprocessing of a plan, before it has learned anything.
func (p *TablePlan) Preprocessing() (*dataset.Preprocessing, error) {
	made := &dataset.Preprocessing{Sparse: p.Sparse, Width: p.SparseWidth, UnitNorm: p.UnitNorm, KeepFew: p.KeepFew}
	if p.Reading != nil {
		reading, err := dataset.ParseReading(p.Reading)
		if err != nil {
			return nil, err
		}
		made.Reading = &reading
	}
	for _, c := range p.Columns {
		if c.Role == columns.AsIgnored.String() {
			continue
		}
		column, err := c.parse()
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", columns.Quoted(c.Name), err)
		}
		made.Columns = append(made.Columns, column)
	}
	return made, nil
}

func (c *ColumnPlan) parse() (columns.Column, error) {
	role, ok := columns.ParseRole(c.Role)
	if !ok {
		return columns.Column{}, fmt.Errorf("role must be one of %s, got %s",
			strings.Trim(fmt.Sprint(columns.Roles), "[]"), columns.Quoted(c.Role))
	}
	column := columns.NewColumn(c.Name, role)
	if err := column.SetPolicies(c.Missing, c.Scaling); err != nil {
		return column, err
	}
	column.Fill, column.Hashed, column.Measure = c.Fill, c.Hashed, c.Measure
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
func (c *ColumnPlan) parseTyped(column *columns.Column) error {
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

// learnTexts has learning decide by all rows about texts that the first rows suggest no use for, where nobody chose
// one.
func (p *TablePlan) learnTexts(made *dataset.Preprocessing, l *dataset.Layout) error {
	chosen := Columns{Roles: p.typed(l)}
	l, err := chosen.apply(l)
	if err == nil {
		made.LearnTexts(l)
	}
	return err
}

// typed returns the roles of columns that are not what they usually are in a layout: of the label, what was
// chosen, and columns that the plan lacks because they are ignored.
func (p *TablePlan) typed(l *dataset.Layout) map[string][]string {
	usual, roles := map[string]string{}, map[string][]string{}
	for i := range l.Columns {
		usual[l.Columns[i].Name] = l.Columns[i].UsualRole().String()
	}
	for _, c := range p.Columns {
		if c.Role != usual[c.Name] || c.Chosen {
			roles[c.Role] = append(roles[c.Role], c.Name)
		}
		delete(usual, c.Name)
	}
	ignored := columns.AsIgnored.String() // such columns are not in a plan
	for i := range l.Columns {
		if name := l.Columns[i].Name; usual[name] != "" && usual[name] != ignored {
			roles[ignored] = append(roles[ignored], name)
		}
	}
	return roles
}
