//go:build js && wasm

package main

import (
	"encoding/json"
	"errors"
	"maps"
	"strings"

	"github.com/hack-pad/safejs"
	"tensorsketch.example/jobs"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/prepare"
	"tensorsketch.example/sketch/model"
)

// A found is what a search of the API chooses, as ts.prepare returns it.
type found struct {
	Map         json.RawMessage
	Preparation json.RawMessage
	Radius      float64
	Targets     int
	TargetRange [2]float64
	Folds       int
	Keep        float64
	Linear      *bool
	Grid        struct {
		Step  float64
		Limit int
		Finer []byte
	}
	Candidates json.RawMessage
}

// Search chooses the map and the preparation for rows by the API, whose core searches in a worker. Its sums always
// merge: a linear model in passes over the rows is left to the command line.
func (m mapper) Search(c *jobs.Control, X sketch.Rows, kinds []prepare.Kind, targets learn.Targets,
	choices learn.Choices) (spec jobs.Spec, report *learn.Candidates, err error) {
	given, err := searchOptions(kinds, &choices)
	if err != nil {
		return spec, nil, err
	}
	var rows arrays
	in, err := rows.of(X)
	if err != nil {
		return spec, nil, err
	}
	y, err := targetsOf(&targets)
	if err != nil {
		return spec, nil, err
	}
	if spec.Task = learn.TaskClassify; targets.Labels == nil {
		spec.Task = learn.TaskRegress
	}
	given["task"] = spec.Task
	text, err := m.prepare(c, in, y, given)
	if err != nil {
		return spec, nil, err
	}
	var f found
	if err := json.Unmarshal(text, &f); err != nil {
		return spec, nil, err
	}
	return m.specOf(spec, &f)
}

// targetsOf returns labels or numbers as the API takes them.
func targetsOf(t *learn.Targets) (safejs.Value, error) {
	if t.Labels != nil {
		return parsedLabels(t.Labels)
	}
	var numbers array
	return filled(&numbers, "Float64Array", t.Y)
}

// prepare returns what ts.prepare resolves to, as JSON, and tells how far the search is.
func (m mapper) prepare(c *jobs.Control, rows any, y safejs.Value, given map[string]any) ([]byte, error) {
	heard, err := safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) any {
		done, _ := args[0].Float()
		all, _ := args[1].Float()
		go func() { _ = c.At(0, done/all) }() // which may wait; the signal ends the search
		if j := byControl[c]; j != nil {
			held, _ := j.given.Call("hold")
			return held
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	defer heard.Release()
	value, err := interruptible(c, func(options map[string]any) (safejs.Value, error) {
		maps.Copy(options, given)
		options["onProgress"] = heard
		return m.api.Call("prepare", rows, y, options)
	})()
	if err == nil {
		err = c.Check()
	}
	if err != nil {
		return nil, err
	}
	text, err := fromJSON("stringify", value)
	if err != nil {
		return nil, err
	}
	written, err := text.String()
	return []byte(written), err
}

// specOf completes a spec by what a search has found.
func (m mapper) specOf(spec jobs.Spec, f *found) (jobs.Spec, *learn.Candidates, error) {
	var candidates jobs.Candidates
	if err := json.Unmarshal(f.Candidates, &candidates); err != nil {
		return spec, nil, err
	}
	if f.Preparation == nil { // nothing was searched for
		return spec, nil, errors.New(strings.Join(candidates.Notes, "; "))
	}
	preparation, err := model.UnmarshalPreparation(f.Preparation)
	if err != nil {
		return spec, nil, err
	}
	spec.Preparation, spec.Radius, spec.Targets, spec.TargetRange, spec.Folds, spec.Keep, spec.WithoutLinear =
		preparation, f.Radius, f.Targets, f.TargetRange, f.Folds, f.Keep, f.Linear != nil && !*f.Linear
	spec.Step, spec.Limit, spec.Finer = f.Grid.Step, f.Grid.Limit, string(f.Grid.Finer)
	made, err := m.madeMap(f.Map, preparation.NOutputs())
	if err != nil {
		return spec, nil, err
	}
	made.candidates = f.Candidates
	spec.Features = made
	return spec, candidates.Report(), nil
}

// madeMap makes a map of parameters as JSON, for rows of so many numbers.
func (m mapper) madeMap(text []byte, nFeatures int) (*apiMap, error) {
	params, err := parsed(string(text))
	if err == nil {
		err = params.Set("nFeatures", nFeatures)
	}
	if err != nil {
		return nil, err
	}
	value, err := ask(m.api, "featureMap", params)
	if err != nil {
		return nil, err
	}
	file, err := fileOf(value, "", nil)
	if err != nil {
		return nil, err
	}
	content, err := parametersOf(file, nil)
	if err != nil {
		return nil, err
	}
	return m.mapOf(value, content.Params)
}

// searchOptions returns what was typed as the API takes it.
func searchOptions(kinds []prepare.Kind, c *learn.Choices) (map[string]any, error) {
	indicators := []any{}
	for i, kind := range kinds {
		if kind == prepare.Indicator {
			indicators = append(indicators, i)
		}
	}
	options := map[string]any{"search": jobs.SearchAuto, "indicators": indicators, "nFeatures": len(kinds)}
	if c.Candidates != nil {
		names := make([]any, len(c.Candidates))
		for i, name := range c.Candidates {
			names[i] = name
		}
		options["search"] = names
	}
	if c.Form != "" {
		options["preparation"] = c.Form
	}
	if c.Unit != nil {
		options["unitNorm"] = *c.Unit
	}
	params, err := paramsOf(&c.Params)
	for _, key := range []string{"nFeatures", "output", "normalize"} {
		delete(params, key)
	}
	if c.Params.Coef0 == 0 {
		delete(params, "coef0")
	}
	if !c.Seeded {
		delete(params, "seed")
	} else if n, ok := c.Params.Seed.Int(); ok {
		params["seed"] = float64(n)
	}
	options["map"] = params
	return options, err
}
