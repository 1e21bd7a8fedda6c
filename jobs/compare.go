package jobs

import (
	"errors"
	"fmt"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// A CompareRequest asks whether two sets of rows come from the same distribution: of two files under the map of a
// model, or of two files of sums.
type CompareRequest struct {
	Rows
	Model *Named  `json:"model,omitempty"`
	Sums  []Named `json:"sums,omitempty"`
}

// A CompareReply is the result of the test.
type CompareReply struct {
	Rows     [2]float64     `json:"rows"`
	Unused   int64          `json:"unused"`
	Notes    []columns.Note `json:"notes"`
	MMD2     float64        `json:"mmd2"`
	StdError float64        `json:"stdError"`
	Biased   float64        `json:"biased"`
	PValue   float64        `json:"pValue"`
}

// Compare tests whether two sets of rows come from the same distribution.
func Compare(c *Control, mapper Mapper, q *CompareRequest) (*CompareReply, error) {
	var tables []*table
	var found *learn.Comparison
	var err error
	if q.Model == nil {
		found, err = q.compareSums(c, mapper)
	} else {
		tables, found, err = q.compareRows(c, mapper)
	}
	if err != nil {
		return nil, err
	}
	t := told(0, tables...)
	return &CompareReply{Rows: found.Rows, Unused: t.Unused, Notes: t.Notes, MMD2: found.MMD2, StdError: found.StdError,
		Biased: found.Biased, PValue: found.PValue}, nil
}

// compareSums compares two files of sums.
func (q *CompareRequest) compareSums(c *Control, mapper Mapper) (*learn.Comparison, error) {
	if len(q.Sums) != 2 {
		return nil, fail("sums", "name two files")
	}
	var both [2]Learner
	for i := range q.Sums {
		var err error
		if both[i], err = readLearner(mapper, &q.Sums[i]); err != nil {
			return nil, failure("%s; files of rows need {model}", err)
		}
		defer both[i].Close()
	}
	found, err := both[0].Compare(c, both[1])
	e, ok := errors.AsType[*sketch.Error](err)
	switch {
	case !ok:
		return found, err
	case e.Argument == "rows":
		return nil, fmt.Errorf("%s and %s: %w", q.Sums[0].Name, q.Sums[1].Name, err)
	}
	return nil, unlike(e, q.Sums[1].Name, q.Sums[0].Name)
}

// compareRows compares two files of rows under the map of the model.
func (q *CompareRequest) compareRows(c *Control, mapper Mapper) ([]*table, *learn.Comparison, error) {
	if len(q.Files) != 2 {
		return nil, nil, fail("files", "name two files")
	}
	m, p, err := open(q.Model, mapper.OpenMap)
	if err == nil && q.Model.isPrepared() {
		err = fail("model", "{model} prepares its rows, and rows are compared as they are; "+
			"compare sums of both files instead")
	}
	if err == nil {
		defer m.Close()
		err = q.refuse(p, q.Model.Name)
	}
	if err != nil {
		return nil, nil, err
	}
	var tables []*table
	radius := 0.0
	for i := range q.Files {
		rows := q.Rows
		rows.Files = q.Files[i : i+1]
		rows.Columns.NoLabel = len(q.Columns.Roles[columns.AsLabel.String()]) == 0
		t, err := rows.openFor(c, m.NFeatures(), false, p)
		if err != nil {
			return nil, nil, err
		}
		tables = append(tables, t)
		longest := 1.0
		if !t.p.Divides() {
			if longest, err = t.longestRow(); err != nil {
				return nil, nil, err
			}
		}
		if longest == 0 {
			return nil, nil, fmt.Errorf("%s: it has no rows; give at least %d", q.Files[i].Name(), solve.MinTestRows)
		}
		radius = max(radius, longest)
	}
	var both [2]Learner
	for i, t := range tables {
		spec := Spec{Features: m}
		spec.Radius = radius
		if both[i], err = mapper.NewLearner(spec); err != nil {
			return nil, nil, named(q.Model.Name, err)
		}
		defer both[i].Close()
		if err := t.addTo(both[i]); err != nil {
			return nil, nil, err
		}
		t.say()
	}
	found, err := both[0].Compare(c, both[1])
	if err != nil {
		err = fmt.Errorf("%s and %s: %w", q.Files[0].Name(), q.Files[1].Name(), err)
	}
	return tables, found, err
}

// addTo adds all rows without labels.
func (t *table) addTo(l Learner) error {
	m := l.Spec().Features
	for b, err := range t.blocks("comparing", rowsToAdd(m)) {
		if err != nil {
			return err
		}
		if err := l.Add(t.c, b.rows(m.NFeatures()), nil, nil); err != nil {
			return b.rowError(err)
		}
	}
	return nil
}
