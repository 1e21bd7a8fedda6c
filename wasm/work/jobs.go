//go:build js && wasm

package main

import (
	"encoding/json"
	"fmt"

	"github.com/hack-pad/safejs"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/jobs"
)

// Jobs run in goroutines and answer by callback: an exported function must not wait, and a job waits for the API.

// A job is one at work.
type job struct {
	*jobs.Control
	given safejs.Value   // what a request in JSON cannot hold
	notes []columns.Note // said so far
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
// given has api, a module of the JavaScript API; signal, which is aborted when the job is stopped; hold(), which
// returns a promise of resume while the job is paused; onProgress(phase, rows, done, paused); onNews(news), JSON of
// what a job tells before its end; giveWay(), a promise that settles when events have been handled; and end(failed,
// reply), which gets the reply or the error as JSON. For a job with an output it has write(bytes) and rewrite(head),
// which may come at the end, and more for embed (files.go).
func serve() error {
	begin, err := safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) any {
		id, name, request := textOf(args[0]), textOf(args[1]), textOf(args[2])
		j := &job{given: args[3]}
		j.Control = &jobs.Control{Hear: j.hear, Yield: j.giveWay, Say: func(all []columns.Note) { j.notes = all }}
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
		f := failureOf(err)
		f.Notes = j.notes
		text, _ = json.Marshal(f)
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
	"fit":      asked((*job).fit),
	"predict":  asked((*job).predict),
	"evaluate": asked((*job).evaluate),
	"embed":    asked((*job).embed),
	"release":  asked((*job).release),
	"private":  asked((*job).privateFit),
	"ledger":   asked((*job).ledger),
	"curve":    asked((*job).curve),
	"band":     asked((*job).band),
	"exact":    asked((*job).exact),
	"detail":   asked((*job).detail),
	"behind":   asked((*job).behind),
	"rowsMap":  asked((*job).rowsMap),
	"search":   asked((*job).search),
	"check":    asked((*job).check),
	"file":     asked((*job).file),
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

// interruptible begins a call of the API, and returns what waits for its promise. The call gets options with a signal,
// which ends the work when the job is stopped, and with an onProgress, which holds it while the job is paused. After a
// stop, work on what the job has so far has neither.
func interruptible(c *jobs.Control, begin func(options map[string]any) (safejs.Value, error)) (
	wait func() (safejs.Value, error)) {
	options := map[string]any{}
	if j := byControl[c]; j != nil {
		for option, name := range map[string]string{"signal": "signal", "onProgress": "hold"} {
			value, err := j.given.Get(name)
			if err != nil {
				return func() (safejs.Value, error) { return value, err }
			}
			options[option] = value
		}
	}
	settled := awaited(begin(options))
	return func() (safejs.Value, error) {
		value, err := settled()
		if err != nil && c.Stopped() {
			err = jobs.ErrStopped
		}
		return value, err
	}
}

func (j *job) giveWay() { _, _ = await(j.given.Call("giveWay")) }
