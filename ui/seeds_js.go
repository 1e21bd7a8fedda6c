package main

import (
	"cmp"
	"time"

	"tensorsketch.example/ui/internal/convergence"
	"tensorsketch.example/ui/internal/dom"
)

// seeds are the workers of Convergence. Each has its own core and estimates the kernel under one seed after another
// (public/page/seeds.js).
type seeds struct {
	page    *browser
	workers []dom.Value
	heard   []dom.Func // callbacks of the workers
	id      int        // of the work dealt last
	since   int        // the first id of this run of the samples
	dealt   dealt      // what was dealt for
	waiting bool       // some estimates received are not drawn yet
}

// dealt is what the shares of the workers depend on.
type dealt struct {
	run     int // of the samples
	seeds   int
	compare string
	halted  bool // by the visitor
}

// mostWorkers is the maximum number of workers. One processor core is left to the page, so that it stays responsive.
const mostWorkers = 4

// drawPause is the time between two drawings while estimates come in.
const drawPause = 120 * time.Millisecond

// Estimate has the workers compute the missing seeds. Outside Convergence it ends the workers. The App is locked.
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
	}
	s := b.seeds
	var err error
	defer func() {
		if err != nil {
			s.fail(err.Error())
		}
	}()
	defer dom.Catch(&err)
	if s.workers == nil {
		s.start()
	}
	s.deal()
}

func (s *seeds) start() {
	cores := dom.Int(dom.Window(), "navigator", "hardwareConcurrency")
	for range min(max(cores-1, 1), mostWorkers) {
		worker := dom.New("Worker", "page/seeds.js", map[string]any{"type": "module"})
		s.workers = append(s.workers, worker)
		onMessage, onError := s.page.Quiet(s.onMessage), s.page.Func(s.onError)
		s.heard = append(s.heard, onMessage, onError)
		worker.Call("addEventListener", "message", onMessage)
		worker.Call("addEventListener", "error", onError)
	}
}

// fail ends the workers and shows why. The visitor can have new ones started.
func (s *seeds) fail(message string) {
	s.end()
	s.page.seeds = nil
	s.page.app.FailSeeds(message)
}

func (s *seeds) end() {
	if s == nil {
		return
	}
	for _, worker := range s.workers {
		worker.Call("terminate")
	}
	for _, callback := range s.heard {
		callback.Release()
	}
	s.workers, s.heard = nil, nil
}

// deal shares out the missing seeds if the work has changed since the last time.
func (s *seeds) deal() {
	samples, lesson := s.page.app.Lesson.samples, &s.page.app.Lesson
	params := s.page.app.State.Convergence.Params()
	now := dealt{samples.Run(), params.Seeds, params.Compare, lesson.Halted}
	if lesson.Broken || now == s.dealt {
		return
	}
	s.id++
	if now.run != s.dealt.run {
		s.since = s.id
	}
	s.dealt = now
	rows, seed := dom.Float32Array(params.Rows()), dom.BigInt(params.Seed)
	var columns []any
	for c := range convergence.Columns {
		columns = append(columns, convergence.Components(c))
	}
	measured, tasks := samples.Unmeasured(params), samples.Tasks(params)
	for w, spans := range samples.Deal(params.Seeds, len(s.workers)) {
		work := map[string]any{"id": 0}
		laws, chunks := shareOf(w, len(s.workers), spans, measured, tasks)
		if len(laws)+len(chunks) > 0 && !now.halted {
			work = map[string]any{"id": s.id, "degree": params.Degree, "coef0": params.Coef0, "nFeatures": params.NFeatures,
				"rows": rows, "seed": seed,
				"measured": laws, "chunks": chunks, "columns": columns}
		}
		s.workers[w].Call("postMessage", work)
	}
}

// shareOf returns the work of one worker in the form that seeds.js takes. The laws and tasks of a comparison are
// dealt to the workers in turn; a worker's tasks alternate with its spans.
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

// onMessage takes in a worker's results. They are drawn a moment later, together with those that arrive meanwhile; the
// last ones at once, so that no picture without them is said to have all seeds.
func (s *seeds) onMessage(event dom.Value) (changed bool) {
	data := dom.Get(event, "data")
	samples := s.page.app.Lesson.samples
	if s.page.seeds != s || dom.Int(data, "id") < s.since || samples.Run() != s.dealt.run {
		return false
	}
	if message := dom.Text(data, "error"); message != "" {
		s.fail(message)
		return true
	}
	s.take(samples, data)
	if s.page.app.Missing() == 0 {
		s.page.app.Lesson.arrived++
		return true
	}
	if !s.waiting {
		s.waiting = true
		time.AfterFunc(drawPause, func() {
			s.page.Change(func() {
				s.waiting = false
				s.page.app.Lesson.arrived++
			})
		})
	}
	return false
}

// take adds a worker's result for a column: a law, the errors of a method, or estimates of Tensor Sketch.
func (s *seeds) take(samples *convergence.Samples, data dom.Value) {
	numbers := func(name string) []float64 { return dom.Numbers[float64](dom.Get(data, name)) }
	method, column, first := dom.Text(data, "method"), dom.Int(data, "column"), dom.Int(data, "first")
	switch {
	case dom.Exists(dom.Get(data, "law")):
		samples.AddLaw(method, column, numbers("law"))
	case method != "":
		samples.AddSquares(method, column, first, numbers("squares"))
	default:
		samples.Add(column, first, numbers("estimates"))
	}
}

func (s *seeds) onError(event dom.Value) {
	if s.page.seeds != s {
		return
	}
	s.fail(cmp.Or(dom.Text(event, "message"), "seeds.js cannot be loaded"))
}
