package main

import (
	"errors"
	"strconv"
	"time"

	"github.com/hack-pad/safejs"
	"tensorsketch.example/ui/internal/convergence"
)

// seeds are the workers of Convergence: each has a core of its own, and estimates
// the kernel under one seed after the other (public/page/seeds.js).
type seeds struct {
	page    *browser
	workers []safejs.Value
	heard   []safejs.Func // by the workers
	id      int           // of the work dealt last
	since   int           // the first work of this run of the samples
	run     int           // of the samples
	wanted  int           // seeds dealt
	against string        // what they were dealt for besides Tensor Sketch
	halted  bool          // by the visitor
	waiting bool          // estimates have come in that are not drawn
}

// mostWorkers are started, and a core is left to the page, so that it stays quick.
const mostWorkers = 4

// drawPause is the time between two drawings while estimates come in.
const drawPause = 120 * time.Millisecond

// Estimate has the workers compute what is missing of the seeds. Elsewhere than in
// Convergence it ends them. The App is locked.
func (b *browser) Estimate() {
	if b.app.State.Place != PlaceConvergence {
		b.seeds.end()
		b.seeds = nil
		return
	}
	if b.app.Picture() == nil {
		return
	}
	if b.seeds == nil {
		b.seeds = &seeds{page: b}
		if err := b.seeds.start(); err != nil {
			b.seeds.fail(err.Error())
			return
		}
	}
	if err := b.seeds.deal(); err != nil {
		b.seeds.fail(err.Error())
	}
}

func (s *seeds) start() error {
	cores := 1
	if navigator, err := safejs.Global().Get("navigator"); err == nil {
		if n, err := number(navigator, "hardwareConcurrency"); err == nil {
			cores = int(n)
		}
	}
	for range min(max(cores-1, 1), mostWorkers) {
		worker, err := newObject("Worker", "page/seeds.js", map[string]any{"type": "module"})
		if err != nil {
			return err
		}
		s.workers = append(s.workers, worker)
		onMessage, err := s.page.quietFunc(s.onMessage)
		if err != nil {
			return err
		}
		onError, err := s.page.jsFunc(s.onError)
		if err != nil {
			return err
		}
		s.heard = append(s.heard, onMessage, onError)
		for eventType, callback := range map[string]safejs.Func{"message": onMessage, "error": onError} {
			if _, err := worker.Call("addEventListener", eventType, callback); err != nil {
				return err
			}
		}
	}
	return nil
}

// fail ends the workers and says why; the visitor can have others started.
func (s *seeds) fail(message string) {
	s.end()
	if s.page.seeds == s {
		s.page.seeds = nil
	}
	s.page.app.FailSeeds(message)
}

func (s *seeds) end() {
	if s == nil {
		return
	}
	for _, worker := range s.workers {
		_, _ = worker.Call("terminate")
	}
	for _, callback := range s.heard {
		callback.Release()
	}
	s.workers, s.heard = nil, nil
}

// deal shares out the seeds that are missing, if others are than were dealt.
func (s *seeds) deal() error {
	samples, lesson := s.page.app.Lesson.samples, &s.page.app.Lesson
	if lesson.Broken {
		return nil
	}
	params := s.page.app.State.Convergence.Params()
	if samples.Run() == s.run && params.Seeds == s.wanted && params.Compare == s.against && lesson.Halted == s.halted {
		return nil
	}
	s.id++
	if samples.Run() != s.run {
		s.since = s.id
	}
	s.run, s.wanted, s.against, s.halted = samples.Run(), params.Seeds, params.Compare, lesson.Halted
	rows, err := float32Array(params.Rows())
	if err != nil {
		return err
	}
	bigInt, err := safejs.Global().Get("BigInt")
	if err != nil {
		return err
	}
	seed, err := bigInt.Invoke(strconv.FormatUint(params.Seed, 10))
	if err != nil {
		return err
	}
	var columns []any
	for c := range convergence.Columns {
		columns = append(columns, convergence.Components(c))
	}
	measured, tasks := samples.Unmeasured(params), samples.Tasks(params)
	for w, spans := range samples.Deal(params.Seeds, len(s.workers)) {
		work := map[string]any{"id": 0}
		laws, chunks := shareOf(w, len(s.workers), spans, measured, tasks)
		if len(laws)+len(chunks) > 0 && !s.halted {
			work = map[string]any{"id": s.id, "degree": params.Degree, "coef0": params.Coef0, "nFeatures": params.NFeatures,
				"rows": rows, "seed": seed,
				"measured": laws, "chunks": chunks, "columns": columns}
		}
		if _, err := s.workers[w].Call("postMessage", work); err != nil {
			return err
		}
	}
	return nil
}

// shareOf returns what a worker has to do, as seeds.js takes it: of what belongs to
// a comparison each takes its turn, between its spans.
func shareOf(worker, workers int, spans []convergence.Span, measured []string, tasks []convergence.Task) (laws,
	chunks []any) {
	for k := worker; k < len(measured); k += workers {
		laws = append(laws, measured[k])
	}
	for k := 0; k < len(spans) || k*workers+worker < len(tasks); k++ {
		if k < len(spans) {
			chunks = append(chunks, []any{spans[k].First, spans[k].Count})
		}
		if k*workers+worker < len(tasks) {
			task := tasks[k*workers+worker]
			chunks = append(chunks, []any{task.First, task.Count, task.Method, task.Column})
		}
	}
	return laws, chunks
}

// onMessage takes estimates in. They are drawn a moment later, with those that
// come meanwhile.
func (s *seeds) onMessage(event safejs.Value) (changed bool, err error) {
	if err := s.estimated(event); err != nil {
		s.fail(err.Error())
		return true, nil
	}
	return false, nil
}

func (s *seeds) estimated(event safejs.Value) error {
	data, err := event.Get("data")
	if err != nil {
		return err
	}
	id, err := number(data, "id")
	if err != nil {
		return err
	}
	samples := s.page.app.Lesson.samples
	if s.page.seeds != s || int(id) < s.since || samples.Run() != s.run {
		return nil
	}
	if message := text(data, "error"); message != "" {
		return errors.New(message)
	}
	column, err := number(data, "column")
	if err != nil {
		return err
	}
	if err := s.take(samples, data, int(column)); err != nil {
		return err
	}
	if !s.waiting {
		s.waiting = true
		time.AfterFunc(drawPause, func() {
			s.page.change(func() {
				s.waiting = false
				s.page.app.Lesson.arrived++
			})
		})
	}
	return nil
}

// take adds what has come of a column: a law, errors of a method, or estimates of
// Tensor Sketch.
func (s *seeds) take(samples *convergence.Samples, data safejs.Value, column int) error {
	numbers := map[string][]float64{}
	for _, name := range []string{"law", "squares", "estimates"} {
		array, err := data.Get(name)
		if err != nil || array.IsUndefined() {
			continue
		}
		if numbers[name], err = copyNumbers[float64](array); err != nil {
			return err
		}
	}
	method := text(data, "method")
	if law, ok := numbers["law"]; ok {
		samples.AddLaw(method, column, law)
		return nil
	}
	first, err := number(data, "first")
	if err != nil {
		return err
	}
	if method != "" {
		samples.AddSquares(method, column, int(first), numbers["squares"])
	} else {
		samples.Add(column, int(first), numbers["estimates"])
	}
	return nil
}

func (s *seeds) onError(event safejs.Value) error {
	if s.page.seeds != s {
		return nil
	}
	message := text(event, "message")
	if message == "" {
		message = "seeds.js cannot be loaded"
	}
	s.fail(message)
	return nil
}
