//go:build js && wasm

package main

import (
	"encoding/base64"
	"encoding/json"
	"io"

	"github.com/hack-pad/safejs"
	"tensorsketch.example/jobs"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/model"
)

// NewLearner returns a learner of the API, which adds up sums.
func (m mapper) NewLearner(s jobs.Spec) (jobs.Learner, error) {
	if s.Loss != learn.LossSquared {
		return nil, sketch.ErrParam.New("loss", s.Loss, `be "squared" here: the command line fits the others to files`)
	}
	options := map[string]any{"map": s.Features.(*apiMap).value, "task": s.Task, "radius": s.Radius, "folds": s.Folds,
		"keep": s.Keep, "linear": !s.WithoutLinear, "private": s.Private}
	if s.Task == learn.TaskRegress {
		options["targetRange"] = []any{s.TargetRange[0], s.TargetRange[1]}
	}
	var err error
	if s.Classes != nil {
		options["classes"], err = parsedLabels(s.Classes)
	}
	if err == nil && s.Preprocessing != "" {
		options["preprocessing"], err = parsed(s.Preprocessing)
	}
	if err == nil && s.Preparation != nil {
		err = setSearched(options, &s)
	}
	if err != nil {
		return nil, err
	}
	value, err := ask(m.api, "learner", options)
	return &apiLearner{spec: s, value: value, api: m.api}, err
}

// setSearched sets what a search has found beside the map.
func setSearched(options map[string]any, s *jobs.Spec) error {
	text, err := model.MarshalPreparation(s.Preparation)
	if err != nil {
		return err
	}
	if options["preparation"], err = parsed(string(text)); err != nil {
		return err
	}
	options["candidates"], err = parsed(string(s.Features.(*apiMap).candidates))
	options["grid"] = map[string]any{"step": s.Step, "limit": s.Limit,
		"finer": base64.StdEncoding.EncodeToString([]byte(s.Finer))}
	return err
}

// parsedLabels returns labels as the API takes them.
func parsedLabels(list []learn.Label) (safejs.Value, error) {
	values := make([]any, len(list))
	for i, label := range list {
		values[i] = label.Value()
	}
	text, err := json.Marshal(values)
	if err != nil {
		return safejs.Undefined(), err
	}
	return parsed(string(text))
}

// An apiLearner is a learner of the API.
type apiLearner struct {
	jobs.Learner
	spec    jobs.Spec
	value   safejs.Value
	api     safejs.Value
	rows    arrays
	targets array
	count   int64
}

// Spec returns what the learner was made of.
func (l *apiLearner) Spec() jobs.Spec { return l.spec }

// Rows returns the number of rows that were added.
func (l *apiLearner) Rows() int64 { return l.count }

// Add adds rows with labels or targets.
func (l *apiLearner) Add(c *jobs.Control, X sketch.Rows, labels []learn.Label, targets []float64) error {
	if err := c.Check(); err != nil {
		return err
	}
	rows, err := l.rows.of(X)
	if err != nil {
		return err
	}
	var y safejs.Value
	if targets != nil {
		y, err = filled(&l.targets, "Float64Array", targets)
	} else {
		y, err = parsedLabels(labels)
	}
	if err == nil {
		_, err = interruptible(c, func(options map[string]any) (safejs.Value, error) {
			return l.value.Call("addAsync", rows, y, options)
		})()
	}
	if err == nil {
		l.count += int64(len(labels) + len(targets))
	}
	return err
}

// Fit fits a model to the sums.
func (l *apiLearner) Fit(c *jobs.Control, o jobs.FitOptions) (jobs.Model, error) {
	value, err := interruptible(c, func(options map[string]any) (safejs.Value, error) {
		if o.Alpha != 0 {
			options["alpha"] = o.Alpha
		}
		if o.Low != 0 {
			options["alphaRange"] = []any{o.Low, o.High}
		}
		return l.value.Call("fit", options)
	})()
	if err != nil {
		return nil, err
	}
	return l.modelOf(value)
}

// Release returns the sums with noise. The ledger of the API, which it asks for, is for this release alone. The noise
// is the core's.
func (l *apiLearner) Release(_ *jobs.Control, g jobs.Guarantee, _ io.Reader) (*jobs.ReleasedSums, error) {
	options := map[string]any{"epsilon": g.Epsilon, "delta": g.Delta}
	ledger, err := ask(l.api, "ledger", options)
	if err != nil {
		return nil, err
	}
	options["ledger"] = ledger
	value, err := ask(l.value, "release", options)
	if err != nil {
		return nil, err
	}
	released := &jobs.ReleasedSums{Fit: func(c *jobs.Control) (jobs.Model, error) {
		model, err := interruptible(c, func(options map[string]any) (safejs.Value, error) {
			return value.Call("fit", options)
		})()
		if err != nil {
			return nil, err
		}
		return l.modelOf(model)
	}}
	for name, to := range map[string]*float64{"bound": &released.Bound, "sigma": &released.Sigma} {
		number, err := value.Get(name)
		if err != nil {
			return nil, err
		}
		if *to, err = number.Float(); err != nil {
			return nil, err
		}
	}
	return released, nil
}

// modelOf returns a model of the API.
func (l *apiLearner) modelOf(value safejs.Value) (jobs.Model, error) {
	file, err := fileOf(value, l.spec.Preprocessing, nil)
	if err != nil {
		return nil, err
	}
	features := l.spec.Features.(*apiMap)
	content, err := contentOf(file, features.key())
	if err != nil {
		return nil, err
	}
	return &apiModel{file: file, value: value, about: content.Head,
		own: apiMap{value: features.value, params: content.Params}}, nil
}

// File returns the sums.
func (l *apiLearner) File() ([]byte, error) {
	bytes, err := ask(l.value, "toBytes")
	if err != nil {
		return nil, err
	}
	n, err := bytes.Length()
	if err != nil {
		return nil, err
	}
	file := make([]byte, n)
	_, err = safejs.CopyBytesToGo(file, bytes)
	return file, err
}

// Close gives the memory of the core back.
func (l *apiLearner) Close() { _, _ = l.value.Call("dispose") }
