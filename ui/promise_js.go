package main

import (
	"context"
	"time"

	"github.com/hack-pad/safejs"
)

// A jsError is a JavaScript error: what a promise was rejected with.
type jsError struct {
	name, message string
	code          string // of the core's errors
	row           int    // of the core's errors; −1 where none applies
	place         int    // of that row in the file, if the worker that reads it knows
}

func (e *jsError) Error() string { return e.message }

// await blocks the goroutine until the promise is settled.
func await(promise safejs.Value) (safejs.Value, error) {
	wait, err := listenTo(promise)
	if err != nil {
		return safejs.Undefined(), err
	}
	return wait()
}

// listenTo hears what becomes of a promise, so that a rejection nobody waits for
// is no error of the page. The function it returns blocks until the promise is
// settled; it can be called once.
func listenTo(promise safejs.Value) (wait func() (safejs.Value, error), err error) {
	type outcome struct {
		value safejs.Value
		err   error
	}
	settled := make(chan outcome, 1)
	var onValue, onError safejs.Func
	settle := func(o outcome) any {
		settled <- o
		onValue.Release()
		onError.Release()
		return nil
	}
	onValue, err = safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) any {
		return settle(outcome{value: first(args)})
	})
	if err != nil {
		return nil, err
	}
	onError, err = safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) any {
		return settle(outcome{err: newJSError(first(args))})
	})
	if err != nil {
		return nil, err
	}
	if _, err := promise.Call("then", onValue, onError); err != nil {
		return nil, err
	}
	return func() (safejs.Value, error) {
		o := <-settled
		return o.value, o.err
	}, nil
}

func first(args []safejs.Value) safejs.Value {
	if len(args) == 0 {
		return safejs.Undefined()
	}
	return args[0]
}

func newJSError(reason safejs.Value) error {
	e := &jsError{name: text(reason, "name"), message: text(reason, "message"), code: text(reason, "code"), row: -1}
	if e.message == "" {
		e.message = "the browser gave no reason"
	}
	if value, err := reason.Get("row"); err == nil && value.Type() == safejs.TypeNumber {
		e.row, _ = value.Int()
	}
	if value, err := reason.Get("place"); err == nil && value.Type() == safejs.TypeNumber {
		e.place, _ = value.Int()
	}
	return e
}

// text returns a property that is a string, or the empty string.
func text(v safejs.Value, property string) string {
	value, err := v.Get(property)
	if err != nil || value.Type() != safejs.TypeString {
		return ""
	}
	text, _ := value.String()
	return text
}

// slice is how long the page computes before it lets the browser have a turn.
const slice = 8 * time.Millisecond

// A pacer divides long work into slices.
type pacer struct {
	context context.Context
	since   time.Time
}

func newPacer(ctx context.Context) *pacer { return &pacer{ctx, time.Now()} }

// Pace lets the browser have a turn when a slice is over, and returns why the
// work shall stop.
func (p *pacer) Pace() error {
	if time.Since(p.since) >= slice {
		if err := nextTurn(); err != nil {
			return err
		}
		p.since = time.Now()
	}
	return context.Cause(p.context)
}

// turns is the channel to ourselves by which nextTurn waits: other than a timer,
// a message is not held back.
var turns struct {
	port    safejs.Value
	waiting []chan struct{}
}

// nextTurn returns when the browser has handled the events that are due.
func nextTurn() error {
	if turns.waiting == nil {
		if err := openTurns(); err != nil {
			return err
		}
	}
	done := make(chan struct{})
	turns.waiting = append(turns.waiting, done)
	if _, err := turns.port.Call("postMessage", 0); err != nil {
		return err
	}
	<-done
	return nil
}

func openTurns() error {
	constructor, err := safejs.Global().Get("MessageChannel")
	if err != nil {
		return err
	}
	channel, err := constructor.New()
	if err != nil {
		return err
	}
	receiver, err := channel.Get("port1")
	if err != nil {
		return err
	}
	if turns.port, err = channel.Get("port2"); err != nil {
		return err
	}
	onMessage, err := safejs.FuncOf(func(safejs.Value, []safejs.Value) any {
		close(turns.waiting[0])
		turns.waiting = turns.waiting[1:]
		return nil
	})
	if err != nil {
		return err
	}
	turns.waiting = []chan struct{}{}
	return receiver.Set("onmessage", onMessage)
}
