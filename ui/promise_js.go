package main

import (
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
	wait, err := awaitable(promise)
	if err != nil {
		return safejs.Undefined(), err
	}
	return wait()
}

// awaitable takes in what becomes of a promise, so that a rejection nobody waits for
// is no error of the page. The function it returns blocks until the promise is
// settled; it can be called once.
func awaitable(promise safejs.Value) (wait func() (safejs.Value, error), err error) {
	type outcome struct {
		value safejs.Value
		err   error
	}
	settled := make(chan outcome, 1)
	values, reasons := make(chan safejs.Value, 1), make(chan safejs.Value, 1)
	onValue, err := signal(values)
	if err != nil {
		return nil, err
	}
	onReason, err := signal(reasons)
	if err != nil {
		return nil, err
	}
	if _, err := promise.Call("then", onValue, onReason); err != nil {
		return nil, err
	}
	go func() {
		defer onValue.Release()
		defer onReason.Release()
		select {
		case value := <-values:
			settled <- outcome{value: value}
		case reason := <-reasons:
			settled <- outcome{err: newJSError(reason)}
		}
	}()
	return func() (safejs.Value, error) {
		o := <-settled
		return o.value, o.err
	}, nil
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

// nextTurn returns when the browser has handled the events that are due.
func nextTurn() error {
	promise, err := safejs.Global().Call("giveWay")
	if err == nil {
		_, err = await(promise)
	}
	return err
}
