package main

import (
	"context"
	"errors"
	"time"

	"github.com/hack-pad/safejs"
)

// errLeft ends a test whose place the visitor has left.
var errLeft = errors.New("left")

// testSpeed starts the test of this browser's speed, or stops the one that runs.
// The App is locked.
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
	ctx, cancel := context.WithCancelCause(context.Background())
	*speed = Speed{Running: true, stop: func() { cancel(errStopped) }}
	b.background(func() {
		err := b.measureSpeed(ctx)
		b.change(func() {
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
		cancel(nil)
	})
}

// describe asks the core for its capabilities.
func (c *core) describe() Core {
	capabilities, err := c.module.Get("capabilities")
	if err != nil {
		return Core{}
	}
	lanes, _ := number(capabilities, "lanes")
	return Core{Build: text(capabilities, "build"), Lanes: int(lanes), Threads: c.threads()}
}

// A speedometer measures one workload through the public API.
type speedometer struct {
	page    *browser
	context context.Context
	model   *featureMap
	shape   workload
	block   safejs.Value // a batch of rows
}

// measureSpeed measures all workloads, and shows each figure when it is known.
func (b *browser) measureSpeed(ctx context.Context) (err error) {
	defer caught(&err)
	core, err := loadCore()
	if err != nil {
		return err
	}
	b.change(func() { b.app.Speed.Core = core.describe() })
	for i, shape := range workloads {
		if err := b.measureWorkload(ctx, core, i, shape); err != nil {
			return err
		}
	}
	return nil
}

func (b *browser) measureWorkload(ctx context.Context, core *core, index int, shape workload) error {
	model, err := core.featureMap(shape.params(), safejs.Undefined())
	if err != nil {
		return err
	}
	defer model.dispose()
	block, err := float32Array(unitRows(batchRows(0), shape.d))
	if err != nil {
		return err
	}
	s := &speedometer{page: b, context: ctx, model: model, shape: shape, block: block}
	var found [3]time.Duration
	for k, measure := range [...]func() (time.Duration, error){
		oneCall:   func() (time.Duration, error) { return s.timeTransform(1) },
		oneThread: func() (time.Duration, error) { return s.timeTransform(batchRows(found[oneCall])) },
		inWorkers: func() (time.Duration, error) {
			return s.timeAsync(workerRows(found[oneThread], core.threads(), shape.components))
		},
	} {
		b.change(func() { b.app.Speed.Doing = 3*index + k })
		if found[k], err = measure(); err != nil {
			return err
		}
		b.change(func() { b.app.Speed.Figures[index] = found })
	}
	return nil
}

// timeTransform measures transform on so many rows in this thread. The engine
// makes the calls, in Array.prototype.forEach: from Go each would take a
// microsecond more.
func (s *speedometer) timeTransform(rows int) (time.Duration, error) {
	part, err := s.block.Call("subarray", 0, rows*s.shape.d)
	if err != nil {
		return 0, err
	}
	out, err := newObject("Float32Array", rows*s.shape.components)
	if err != nil {
		return 0, err
	}
	transform, err := s.model.value.Get("transform")
	if err != nil {
		return 0, err
	}
	call, err := transform.Call("bind", s.model.value, part, out) // what forEach adds to the arguments is ignored
	if err != nil {
		return 0, err
	}
	var m meter
	for n, done := 1, false; !done; {
		took, err := repeat(call, n)
		if err != nil {
			return 0, err
		}
		done = m.add(n*rows, took)
		n = callsIn(n, took)
		if err := s.rest(); err != nil {
			return 0, err
		}
	}
	return m.perRow(), nil
}

// repeat calls a function n times.
func repeat(call safejs.Value, n int) (time.Duration, error) {
	array, err := newObject("Uint8Array", n)
	if err != nil {
		return 0, err
	}
	started := time.Now()
	_, err = array.Call("forEach", call)
	return time.Since(started), thrown(err)
}

// rest lets the browser have a turn, and returns why the test shall end.
func (s *speedometer) rest() error {
	if err := nextTurn(); err != nil {
		return err
	}
	left := false
	s.page.look(func() { left = s.page.app.State.Place != PlaceAbout })
	if left {
		return errLeft
	}
	return context.Cause(s.context)
}

// timeAsync measures transformAsync on so many rows. The first call starts the
// workers.
func (s *speedometer) timeAsync(rows int) (time.Duration, error) {
	x, err := s.repeated(rows)
	if err != nil {
		return 0, err
	}
	out, err := newObject("Float32Array", rows*s.shape.components)
	if err != nil {
		return 0, err
	}
	signal, release, err := signalOf(s.context)
	if err != nil {
		return 0, err
	}
	defer release()
	var m meter
	for done := false; !done; {
		started := time.Now()
		promise, err := s.model.value.Call("transformAsync", x, map[string]any{"out": out, "signal": signal})
		if err != nil {
			return 0, thrown(err)
		}
		if _, err := await(promise); err != nil {
			if cause := context.Cause(s.context); cause != nil {
				return 0, cause
			}
			return 0, err
		}
		done = m.add(rows, time.Since(started))
		if err := s.rest(); err != nil {
			return 0, err
		}
	}
	return m.perRow(), nil
}

// signalOf returns an AbortSignal that is aborted when the context ends.
func signalOf(ctx context.Context) (signal safejs.Value, release func() bool, err error) {
	controller, err := newObject("AbortController")
	if err != nil {
		return signal, nil, err
	}
	signal, err = controller.Get("signal")
	return signal, context.AfterFunc(ctx, func() { _, _ = controller.Call("abort") }), err
}

// repeated returns so many rows: the block again and again.
func (s *speedometer) repeated(rows int) (safejs.Value, error) {
	n := batchRows(0)
	x, err := newObject("Float32Array", rows*s.shape.d)
	for start := 0; start < rows && err == nil; start += n {
		_, err = x.Call("set", s.block, start*s.shape.d)
	}
	return x, err
}
