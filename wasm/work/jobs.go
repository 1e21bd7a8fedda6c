//go:build js && wasm

package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/hack-pad/safejs"
	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/jobs"
)

// Jobs run in goroutines and answer by callback: an exported function must not wait, and a job waits for the API.

// A job is one at work.
type job struct {
	*jobs.Control
	given safejs.Value // what a request in JSON cannot hold
}

var (
	running   = map[string]*job{}
	byControl = map[*jobs.Control]*job{}
)

// serve puts begin and control where the host finds them: at the global object that this program sees.
//
//	begin(id, name, request, given)
//	control(id, "stop" | "drop" | "pause" | "resume")
//
// given has api, a module of the JavaScript API; signal, which is aborted when the job is stopped; onProgress(phase,
// rows, done, paused); onNews(news), JSON of what a job tells before its end; write(bytes), for a job with an output;
// giveWay(), a promise that settles when events have been handled; and end(failed, reply), which gets the reply or the
// error as JSON.
func serve() error {
	begin, err := safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) any {
		id, name, request := textOf(args[0]), textOf(args[1]), textOf(args[2])
		j := &job{given: args[3]}
		j.Control = &jobs.Control{Hear: j.hear, Yield: j.giveWay}
		running[id], byControl[j.Control] = j, j
		go j.run(id, name, []byte(request))
		return nil
	})
	if err != nil {
		return err
	}
	control, err := safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) any {
		if j := running[textOf(args[0])]; j != nil {
			map[string]func(){"stop": j.Stop, "drop": j.Drop, "pause": j.Pause,
				"resume": j.Resume}[textOf(args[1])]()
		}
		return nil
	})
	if err != nil {
		return err
	}
	return safejs.Global().Set("jobs", map[string]any{"begin": begin, "control": control})
}

func (j *job) run(id, name string, request []byte) {
	answer, err := j.answer(name, request)
	var text []byte
	if err == nil {
		text, err = json.Marshal(answer)
	}
	if err != nil {
		text, _ = json.Marshal(failureOf(err))
	}
	delete(running, id)
	delete(byControl, j.Control)
	_, _ = j.given.Call("end", err != nil, string(text)) // the host's function throws nothing
}

// answer does the job. A panic is a fault of this program, which goes on.
func (j *job) answer(name string, request []byte) (reply any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicWords(p)
		}
	}()
	do := jobsByName[name]
	if do == nil {
		return nil, fmt.Errorf("internal error: there is no job %q", name)
	}
	return do(j, request)
}

var jobsByName = map[string]func(*job, []byte) (any, error){
	"predict": asked((*job).predict),
	"curve":   asked((*job).curve),
	"band":    asked((*job).band),
	"exact":   asked((*job).exact),
	"detail":  asked((*job).detail),
	"behind":  asked((*job).behind),
	"file":    asked((*job).file),
}

// asked decodes the request of a job.
func asked[T any](do func(*job, *T) (any, error)) func(*job, []byte) (any, error) {
	return func(j *job, text []byte) (any, error) {
		var request T
		if err := decode(text, &request); err != nil {
			return nil, err
		}
		return do(j, &request)
	}
}

func (j *job) hear(p jobs.Progress) {
	_, _ = j.given.Call("onProgress", p.Phase, p.Rows, p.Done, p.Paused) // an error there does not end the job
}

// news tells what a job finds before its end.
func (j *job) news(name string, value any) {
	if text, err := json.Marshal(map[string]any{name: value}); err == nil {
		_, _ = j.given.Call("onNews", string(text))
	}
}

// interruptible waits for a promise of the API. What makes it gets options with a signal, which ends the work when the
// job is stopped. After a stop, work on what the job has so far has none.
func interruptible(c *jobs.Control, begin func(options map[string]any) (safejs.Value, error)) (safejs.Value, error) {
	options := map[string]any{}
	if j := byControl[c]; j != nil {
		signal, err := j.given.Get("signal")
		if err != nil {
			return signal, err
		}
		options["signal"] = signal
	}
	value, err := await(begin(options))
	if err != nil && c.Stopped() {
		err = jobs.ErrStopped
	}
	return value, err
}

func (j *job) giveWay() { _, _ = await(j.given.Call("giveWay")) }

// A rowsRequest has the files of a request, which are sources of the host.
type rowsRequest struct {
	Files   []*from
	Reading json.RawMessage
}

// rows returns the rows as jobs take them.
func (q *rowsRequest) rows() (r jobs.Rows, err error) {
	for _, file := range q.Files {
		r.Files = append(r.Files, jobs.NewFile(file.Name, file.file()))
	}
	if q.Reading != nil {
		r.Reading, err = dataset.ParseReading(q.Reading)
	}
	return r, err
}

// A modelRequest is the text of a model file.
type modelRequest struct{ Name, Text string }

func (q *modelRequest) named() jobs.Named { return jobs.Named{Name: q.Name, Content: []byte(q.Text)} }

func (j *job) mapper() (mapper, error) {
	api, err := j.given.Get("api")
	return mapper{api: api}, err
}

// predict predicts the rows of files as CSV, with the probabilities of the classes or, without calibration, their
// scores.
func (j *job) predict(q *struct {
	rowsRequest
	Model modelRequest
}) (any, error) {
	rows, err := q.rows()
	if err != nil {
		return nil, err
	}
	if err = nameLabel(&rows, q.Model.Text); err != nil {
		return nil, err
	}
	about, err := contentOf([]byte(q.Model.Text), nil)
	if err != nil {
		return nil, err
	}
	m, err := j.mapper()
	if err != nil {
		return nil, err
	}
	request := &jobs.PredictRequest{Rows: rows, Model: q.Model.named(),
		To: jobs.Target{Format: string(dataset.CSV), RowNumbers: true, Create: j.output}}
	request.Probabilities = about.Head.Calibration != nil
	request.Scores = len(about.Head.Classes) > 0 && !request.Probabilities
	return jobs.Predict(j.Control, m, request)
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

// output passes the bytes of an output to the host, whose write keeps them. Its format is never rewound.
func (j *job) output(bool) (jobs.Output, error) { return output{j.given}, nil }

type output struct{ given safejs.Value }

func (o output) Write(bytes []byte) (int, error) {
	array, err := newArray("Uint8Array", bytes)
	if err == nil {
		_, err = ask(o.given, "write", array)
	}
	return len(bytes), err
}

func (o output) Rewrite([]byte) error { return io.ErrShortWrite }

func (o output) Commit() error { return nil }
