//go:build js && wasm

package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"

	"github.com/hack-pad/safejs"
	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/jobs"
)

// A rowsRequest has the files of a request, which are sources of the host.
type rowsRequest struct {
	Files   []*from
	Reading json.RawMessage
}

// rows returns the rows as jobs take them.
func (q *rowsRequest) rows() (r jobs.Rows, err error) {
	for _, file := range q.Files {
		r.Files = append(r.Files, sniffed{jobs.NewFile(file.Name, file.file()), file.file(), file})
	}
	if q.Reading != nil {
		r.Reading, err = dataset.ParseReading(q.Reading)
	}
	return r, err
}

// sniffed is a file of a job, whose layout is found as by the call "sniff".
type sniffed struct {
	jobs.File
	io.ReaderAt // for jobs that hash the file
	from        *from
}

func (f sniffed) Sniff(p *dataset.Preprocessing, typed columns.Reading) (*dataset.Layout, error) {
	return f.from.sniff(p, typed)
}

// A modelRequest is the text of a model file.
type modelRequest struct {
	Name, Text string
	Key        *[32]byte // of a keyed map
}

func (q *modelRequest) named() jobs.Named {
	return jobs.Named{Name: q.Name, Content: []byte(q.Text), Key: q.Key}
}

func (j *job) mapper() (mapper, error) {
	api, err := j.given.Get("api")
	return mapper{api: api}, err
}

// fit fits a model to the rows of a file.
func (j *job) fit(q *struct {
	rowsRequest
	mapRequest
	Fit jobs.FitRequest
}) (any, error) {
	rows, err := q.rows()
	if err != nil {
		return nil, err
	}
	request := &q.Fit
	request.Files, request.Reading = rows.Files, rows.Reading
	if request.Map, err = q.params(); err != nil {
		return nil, err
	}
	m, err := j.mapper()
	if err != nil {
		return nil, err
	}
	return modelAndReport(jobs.Fit(j.Control, m, request))
}

// modelAndReport returns what a fit gives, and frees it.
func modelAndReport(reply *jobs.FitReply, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	defer reply.Close()
	text, err := reply.Model.File()
	return struct {
		Model  string         `json:"model"`
		Report *jobs.FitReply `json:"report"`
	}{string(text), reply}, err
}

// predict predicts the rows of files. Without a request of package jobs they become CSV, with the probabilities of the
// classes or, without calibration, their scores.
func (j *job) predict(q *struct {
	rowsRequest
	Model   modelRequest
	Predict *jobs.PredictRequest
}) (any, error) {
	rows, err := q.rows()
	if err != nil {
		return nil, err
	}
	request := q.Predict
	if request == nil {
		if request, err = usualPrediction(&rows, q.Model.Text); err != nil {
			return nil, err
		}
	} else {
		rows.Columns = request.Columns
	}
	m, err := j.mapper()
	if err != nil {
		return nil, err
	}
	request.Rows, request.Model, request.To.Create = rows, q.Model.named(), j.output
	return jobs.Predict(j.Control, m, request)
}

// usualPrediction returns the request for what the page saves.
func usualPrediction(rows *jobs.Rows, model string) (*jobs.PredictRequest, error) {
	if err := nameLabel(rows, model); err != nil {
		return nil, err
	}
	about, err := contentOf([]byte(model), nil)
	if err != nil {
		return &jobs.PredictRequest{}, nil // jobs.Predict says what is wrong with the model
	}
	hasClasses, isCalibrated := len(about.Head.Classes) > 0, about.Head.Calibration != nil
	return &jobs.PredictRequest{To: jobs.Target{Format: string(dataset.CSV), RowNumbers: true},
		Probabilities: isCalibrated, Scores: hasClasses && !isCalibrated}, nil
}

// evaluate compares what a model predicts with the labels of the rows of files.
func (j *job) evaluate(q *struct {
	rowsRequest
	Model    modelRequest
	Evaluate jobs.EvaluateRequest
}) (any, error) {
	rows, err := q.rows()
	if err != nil {
		return nil, err
	}
	m, err := j.mapper()
	if err != nil {
		return nil, err
	}
	request := &q.Evaluate
	request.Files, request.Reading, request.Model = rows.Files, rows.Reading, q.Model.named()
	return jobs.Evaluate(j.Control, m, request)
}

// nameLabel names the label of the first file for a model that does not say what columns become. The others are its
// numbers.
func nameLabel(rows *jobs.Rows, model string) error {
	var keys struct{ Preprocessing json.RawMessage }
	if json.Unmarshal([]byte(model), &keys) != nil || keys.Preprocessing != nil {
		return nil // jobs say what is wrong with the model
	}
	l, err := rows.Files[0].Sniff(nil, rows.Reading)
	if err != nil {
		return err
	}
	if at := l.Label(); at >= 0 {
		rows.Columns.Roles = map[string][]string{columns.AsLabel.String(): {l.Columns[at].Name}}
	}
	return nil
}

// errMade ends an embedding that is only for its model file.
var errMade = errors.New("made")

// embed makes the features of the rows of files. given has made(model, stem), which gets the model file before a
// feature is written, and returns a promise of whether the job goes on; and wrote(rows, encoder), which is told after
// each block how far the output is. It may have keySalt and includeKey for the model file.
func (j *job) embed(q *struct {
	rowsRequest
	mapRequest
	Plan  *jobs.TablePlan
	Model *modelRequest
	To    jobs.Target
	Only  string
	From  *jobs.Written
}) (any, error) {
	rows, err := q.rows()
	if err != nil {
		return nil, err
	}
	m, err := j.mapper()
	if err != nil {
		return nil, err
	}
	if m.saved, err = optionsOf(j.given, "keySalt", "includeKey"); err != nil {
		return nil, err
	}
	rows.Plan = q.Plan
	file := &knownFile{File: rows.Files[0]}
	rows.Files[0], q.To.Create = file, j.output
	request := &jobs.EmbedRequest{Rows: rows, To: q.To, Only: q.Only, From: q.From, Wrote: j.wrote,
		Made: func(model []byte) error { return j.made(model, file.stem) }}
	if request.Map, err = q.params(); err != nil {
		return nil, err
	}
	if q.Model != nil {
		request.Model = new(q.Model.named())
	}
	reply, err := jobs.Embed(j.Control, m, request)
	if err == errMade {
		return nil, nil
	}
	return reply, err
}

// optionsOf returns some of the properties of an object, as far as they are set.
func optionsOf(v safejs.Value, names ...string) (map[string]any, error) {
	options := map[string]any{}
	for _, name := range names {
		value, err := v.Get(name)
		if err != nil {
			return nil, err
		}
		if !value.IsUndefined() {
			options[name] = value
		}
	}
	return options, nil
}

func (j *job) made(model []byte, stem string) error {
	goesOn, err := await(j.given.Call("made", string(model), stem))
	if err != nil {
		return err
	}
	if more, err := goesOn.Bool(); err != nil || more {
		return err
	}
	return errMade
}

func (j *job) wrote(w jobs.Written) error {
	_, err := ask(j.given, "wrote", w.Rows, encoderState(w))
	return err
}

// encoderState returns the state of an encoder in base 64, or nil.
func encoderState(w jobs.Written) any {
	if w.Encoder == nil {
		return nil
	}
	return base64.StdEncoding.EncodeToString(w.Encoder)
}

// A knownFile remembers the name of a file without its endings.
type knownFile struct {
	jobs.File
	stem string
}

func (f *knownFile) Sniff(p *dataset.Preprocessing, typed columns.Reading) (*dataset.Layout, error) {
	l, err := f.File.Sniff(p, typed)
	if err == nil {
		f.stem = l.Stem()
	}
	return l, err
}

// output passes the bytes of an output to the host, whose write keeps them.
func (j *job) output(bool) (jobs.Output, error) { return output{j.given}, nil }

type output struct{ given safejs.Value }

func (o output) Write(bytes []byte) (int, error) { return len(bytes), o.pass("write", bytes) }

func (o output) Rewrite(head []byte) error { return o.pass("rewrite", head) }

func (o output) pass(to string, bytes []byte) error {
	array, err := newArray("Uint8Array", bytes)
	var held safejs.Value // a promise, if it takes its time
	if err == nil {
		held, err = ask(o.given, to, array)
	}
	if err == nil && held.Type() == safejs.TypeObject {
		_, err = await(held, nil)
	}
	return err
}

func (o output) Commit() error { return nil }
