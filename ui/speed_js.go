package main

import (
	"errors"
	"time"

	"tensorsketch.example/ui/internal/dom"
)

// errLeft ends a test because the visitor has left its place.
var errLeft = errors.New("left")

// testSpeed starts the speed test of this browser, or stops the running one. The App is locked.
func (b *browser) testSpeed() {
	speed := &b.app.Speed
	switch {
	case speed.Running:
		speed.stop()
		return
	case b.run != nil || b.writer.busy:
		speed.Problem = "An embedding is at work, and would share the processor with the test. Stop it in the " +
			"place Embed, or wait for it."
		return
	}
	brake := &brake{background: b.Background}
	*speed = Speed{Running: true, stop: func() { brake.pull(errStopped) }}
	b.Background(func() {
		err := b.measureSpeed(brake)
		b.Change(func() {
			speed.Running = false
			switch {
			case errors.Is(err, errStopped):
				speed.Problem = "Stopped. What was measured before stays."
			case errors.Is(err, errLeft):
				speed.Problem = "The test ended when you left this place. What was measured before stays."
			case err != nil:
				speed.Problem = "The test failed: " + err.Error() + "."
			}
		})
	})
}

// A speedometer measures one workload through the public API.
type speedometer struct {
	page  *browser
	brake *brake
	model dom.Value // the feature map
	shape workload
	block dom.Value // a batch of rows
}

// measureSpeed measures all workloads and shows each figure once it is known.
func (b *browser) measureSpeed(brake *brake) (err error) {
	defer dom.Catch(&err)
	core, err := loadCore()
	if err != nil {
		return err
	}
	told := dom.Get(core.module, "capabilities")
	b.Change(func() {
		b.app.Speed.Core = Core{Build: dom.Text(told, "build"), Lanes: dom.Int(told, "lanes"),
			Threads: dom.Int(told, "threads")}
	})
	for i, shape := range workloads {
		if err := b.measureWorkload(brake, core, i, shape); err != nil {
			return err
		}
	}
	return nil
}

func (b *browser) measureWorkload(brake *brake, core *core, index int, shape workload) error {
	model, err := core.featureMap(shape.params(), dom.Undefined())
	if err != nil {
		return err
	}
	defer model.Call("dispose")
	s := &speedometer{page: b, brake: brake, model: model, shape: shape,
		block: dom.Float32Array(unitRows(batchRows(0), shape.d))}
	var found [3]time.Duration
	for k, measure := range [...]func() (time.Duration, error){
		oneCall:   func() (time.Duration, error) { return s.timeTransform(1) },
		oneThread: func() (time.Duration, error) { return s.timeTransform(batchRows(found[oneCall])) },
		inWorkers: func() (time.Duration, error) {
			return s.timeAsync(workerRows(found[oneThread], dom.Int(core.module, "capabilities", "threads"), shape.components))
		},
	} {
		b.Change(func() { b.app.Speed.Doing = 3*index + k })
		if found[k], err = measure(); err != nil {
			return err
		}
		b.Change(func() { b.app.Speed.Figures[index] = found })
	}
	return nil
}

// timeTransform measures transform on a number of rows in this thread. Array.prototype.forEach makes the calls,
// because a call from Go would take a microsecond longer.
func (s *speedometer) timeTransform(rows int) (time.Duration, error) {
	part := s.block.Call("subarray", 0, rows*s.shape.d)
	out := dom.New("Float32Array", rows*s.shape.components)
	call := dom.Get(s.model, "transform").Call("bind", s.model, part, out) // more arguments are ignored
	var m meter
	for n, done := 1, false; !done; {
		array := dom.New("Uint8Array", n)
		started := time.Now()
		array.Call("forEach", call)
		took := time.Since(started)
		done = m.add(n*rows, took)
		n = callsIn(n, took)
		if err := s.rest(); err != nil {
			return 0, err
		}
	}
	return m.perRow(), nil
}

// rest gives the browser a turn. It returns why the test must end, or nil.
func (s *speedometer) rest() error {
	if err := nextTurn(); err != nil {
		return err
	}
	left := false
	s.page.Look(func() { left = s.page.app.State.Place != PlaceAbout })
	if left {
		return errLeft
	}
	return s.brake.cause()
}

// timeAsync measures transformAsync on a number of rows. The first calls start the workers.
func (s *speedometer) timeAsync(rows int) (time.Duration, error) {
	x, batch := dom.New("Float32Array", rows*s.shape.d), batchRows(0)
	for start := 0; start < rows; start += batch {
		x.Call("set", s.block, start*s.shape.d)
	}
	out := dom.New("Float32Array", rows*s.shape.components)
	controller := dom.New("AbortController")
	defer s.brake.onPull(func() { controller.Call("abort") })()
	var m meter
	for done := false; !done; {
		started := time.Now()
		options := map[string]any{"out": out, "signal": dom.Get(controller, "signal")}
		_, err := dom.Ask(s.model, "transformAsync", x, options)
		if cause := s.brake.cause(); err != nil && cause != nil {
			return 0, cause
		}
		if err != nil {
			return 0, err
		}
		done = m.add(rows, time.Since(started))
		if err := s.rest(); err != nil {
			return 0, err
		}
	}
	return m.perRow(), nil
}
