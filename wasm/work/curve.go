//go:build js && wasm

package main

import (
	"encoding/json"

	"tensorsketch.example/jobs"
)

// learning keeps the rows and models of the last curve. The page asks for one at a time.
var learning *jobs.Session

// A mapRequest has the parameters of a map. The seed is a whole number as text, or a text.
type mapRequest struct {
	Map          jobs.MapParams
	Number, Text *string
	Key          *[32]byte
}

func (q *mapRequest) params() (p jobs.MapParams, err error) {
	p = q.Map
	switch {
	case q.Number != nil:
		err = json.Unmarshal([]byte(*q.Number), &p.Seed)
	case q.Text != nil:
		p.Seed = jobs.Seed{Text: *q.Text, IsText: true}
	}
	p.Key = q.Key
	return p, err
}

// curve fits a model for each number of components.
func (j *job) curve(q *struct {
	rowsRequest
	mapRequest
	Plan  *jobs.TablePlan
	Rows  float64
	Task  string
	Sizes []int
	Deal  uint32
}) (any, error) {
	request := &jobs.CurveRequest{ID: q.Rows, Task: q.Task, Sizes: q.Sizes, Deal: q.Deal,
		Head:  func(h jobs.CurveHead) { j.news("head", h) },
		Point: func(p jobs.Point) { j.news("point", p) }}
	var err error
	if request.Rows, err = q.rows(); err != nil {
		return nil, err
	}
	request.Plan = q.Plan
	if request.Map, err = q.params(); err != nil {
		return nil, err
	}
	m, err := j.mapper()
	if err != nil {
		return nil, err
	}
	if learning == nil {
		learning = jobs.NewSession(m)
	}
	return learning.Curve(j.Control, request)
}

// band fits the sizes of the curve again under other seeds.
func (j *job) band(q *struct{ Seeds int }) (any, error) {
	type seen struct {
		D     int     `json:"D"`
		Seed  int     `json:"seed"`
		Score float64 `json:"score"`
	}
	return learning.Band(j.Control, &jobs.BandRequest{Seeds: q.Seeds,
		Point: func(D, seed int, score float64) { j.news("band", seen{D, seed, score}) }})
}

// exact fits the exact kernel to some of the rows.
func (j *job) exact(*struct{}) (any, error) { return learning.Exact(j.Control) }

// detail returns what a model predicts for the rows held out.
func (j *job) detail(q *struct{ D int }) (any, error) { return learning.Detail(q.D), nil }

// rowsMap places rows held out by their features.
func (j *job) rowsMap(q *struct{ D int }) (any, error) { return learning.MapRows(j.Control, q.D) }

// check tries a model on the rows held out.
func (j *job) check(q *struct{ D int }) (any, error) { return learning.Check(j.Control, q.D) }

// behind returns rows held out.
func (j *job) behind(q *jobs.BehindRequest) (any, error) { return learning.Behind(q), nil }

// search fits a model by what held-out rows choose.
func (j *job) search(*struct{}) (any, error) { return modelAndReport(learning.Search(j.Control)) }

// file returns the model file of a model of the curve.
func (j *job) file(q *struct{ D int }) (any, error) {
	text, err := learning.File(j.Control, q.D)
	if text == nil {
		return nil, err
	}
	return string(text), err
}
