// Package native is the mathematics of package jobs by package sketch.
package native

import (
	"bytes"
	"runtime"

	"tensorsketch.example/dataset"
	"tensorsketch.example/jobs"
	"tensorsketch.example/privacy"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/prepare"
	"tensorsketch.example/sketch/model"
)

// A Mapper implements jobs.Mapper.
type Mapper struct {
	// Scratch makes a place for the rows of a fit in passes. Without it they are kept in memory.
	Scratch func() (Scratch, error)
}

// goroutines is how many a job may use.
func goroutines() int { return runtime.GOMAXPROCS(0) }

// NewMap makes a map.
func (Mapper) NewMap(p sketch.Params) (jobs.Map, error) { return mapOf(sketch.NewFeatureMap(p)) }

// OpenMap opens the map of a model file.
func (Mapper) OpenMap(file []byte, key *[32]byte) (jobs.Map, error) {
	if bytes.Contains(file, []byte(`"preparation":{`)) { // of a model: a map alone has none
		return preparedMap(file, key)
	}
	if key != nil {
		return mapOf(model.UnmarshalKeyed(file, *key))
	}
	return mapOf(model.Unmarshal(file))
}

// preparedMap opens the map of a model with the preparation before it.
func preparedMap(file []byte, key *[32]byte) (jobs.Map, error) {
	var m *learn.Model
	var err error
	if key != nil {
		m, err = model.UnmarshalModelKeyed(file, *key)
	} else {
		m, err = model.UnmarshalModel(file)
	}
	if err != nil {
		return nil, err
	}
	m.Map.SetGoroutines(goroutines())
	return &Map{FeatureMap: m.Map, preparation: m.Preparation}, nil
}

// OpenModel opens a model file with a head.
func (Mapper) OpenModel(file []byte, key *[32]byte) (jobs.Model, error) {
	if key != nil {
		return modelOf(model.UnmarshalModelKeyed(file, *key))
	}
	return modelOf(model.UnmarshalModel(file))
}

// OpenLearner opens a file of sums.
func (Mapper) OpenLearner(file []byte) (jobs.Learner, error) {
	l, err := model.UnmarshalLearner(file, nil)
	if err != nil {
		return nil, err
	}
	l.SetGoroutines(goroutines())
	return &sums{l}, nil
}

// NewLearner returns what takes the rows of a fit.
func (n Mapper) NewLearner(s jobs.Spec) (jobs.Learner, error) {
	spec := s.Spec
	spec.Map = s.Features.(*Map).FeatureMap
	switch {
	case spec.Task == "":
		return newUnlabelled(spec)
	case s.Loss != "" && s.Loss != learn.LossSquared:
		return n.newPasses(spec, s.Loss)
	case s.Passes:
		return &whole{spec: spec}, nil
	}
	l, err := learn.NewLearner(spec)
	if err != nil {
		return nil, err
	}
	l.SetGoroutines(goroutines())
	return &sums{l}, nil
}

// Search chooses the map and the preparation for rows.
func (Mapper) Search(c *jobs.Control, X sketch.Rows, kinds []prepare.Kind, targets learn.Targets,
	choices learn.Choices) (jobs.Spec, *learn.Candidates, error) {
	choices.Goroutines = goroutines()
	s, err := learn.NewSearcher(X, kinds, targets, choices)
	if err != nil {
		return jobs.Spec{}, nil, err
	}
	for {
		done, finished, err := s.Step()
		if err == nil {
			err = c.At(0, done)
		}
		if err != nil {
			return jobs.Spec{}, nil, err
		}
		if finished {
			spec, report := s.Result()
			spec.Map.SetGoroutines(goroutines())
			return specOf(spec, ""), report, nil
		}
	}
}

// A Map is a *sketch.FeatureMap, with the preparation of its rows or nil.
type Map struct {
	*sketch.FeatureMap
	preparation *prepare.Preparation
	features    []float32
}

// NFeatures returns the length of a row before it is prepared.
func (m *Map) NFeatures() int {
	if m.preparation != nil {
		return m.preparation.NFeatures()
	}
	return m.FeatureMap.NFeatures()
}

func mapOf(m *sketch.FeatureMap, err error) (jobs.Map, error) {
	if err != nil {
		return nil, err
	}
	m.SetGoroutines(goroutines())
	return &Map{FeatureMap: m}, nil
}

// Features returns the features of rows.
func (m *Map) Features(_ *jobs.Control, X sketch.Rows) ([]float32, error) {
	X, _, err := m.preparation.Rows(X, nil)
	if err != nil {
		return nil, err
	}
	n := rowsOf(X, m.FeatureMap.NFeatures()) * m.NComponents()
	if cap(m.features) < n {
		m.features = make([]float32, n)
	}
	return m.TransformRows(m.features[:n], X)
}

// rowsOf returns the number of rows of X.
func rowsOf(X sketch.Rows, d int) int {
	switch X := X.(type) {
	case sketch.Dense:
		return len(X) / d
	case sketch.CSR:
		return max(0, len(X.Indptr)-1)
	}
	return 0
}

// Fit fits the map to rows.
func (m *Map) Fit(_ *jobs.Control, X sketch.Rows) error { return m.FeatureMap.Fit(X) }

// Fitter fits the map to rows in parts.
func (m *Map) Fitter(*jobs.Control) (jobs.Fitter, error) { return m.NewFitter(0) }

// Bound returns C for a private release.
func (m *Map) Bound(radius float64) (float64, error) { return privacy.MapBound(m.Params(), radius) }

// File returns the map as a model file.
func (m *Map) File(p *dataset.Preprocessing) ([]byte, error) {
	if p == nil {
		return model.Marshal(m.FeatureMap)
	}
	return model.MarshalWith(m.FeatureMap, model.Options{Preprocessing: p})
}

// Close does nothing.
func (m *Map) Close() {}

// A Model is a *learn.Model.
type Model struct {
	model *learn.Model
	own   *Map
}

func modelOf(m *learn.Model, err error) (jobs.Model, error) {
	if err != nil {
		return nil, err
	}
	m.Map.SetGoroutines(goroutines())
	return &Model{m, &Map{FeatureMap: m.Map}}, nil
}

// About returns the model.
func (m *Model) About() *learn.Model { return m.model }

// Map returns the map of the model.
func (m *Model) Map() jobs.Map { return m.own }

// Scores returns the scores of rows.
func (m *Model) Scores(_ *jobs.Control, X sketch.Rows) ([]float64, error) { return m.model.Scores(X) }

// File returns the model file.
func (m *Model) File() ([]byte, error) { return model.MarshalModel(m.model, model.Options{}) }

// Close does nothing.
func (m *Model) Close() {}
