package dom

import "time"

// Await blocks the goroutine until the promise is settled.
func Await(promise Value) (Value, error) {
	wait, err := Awaitable(promise)
	if err != nil {
		return Undefined(), err
	}
	return wait()
}

// Awaitable takes in what becomes of a promise, so that a rejection nobody waits for
// is no error of the page. The function it returns blocks until the promise is
// settled; it can be called once.
func Awaitable(promise Value) (wait func() (Value, error), err error) {
	defer Catch(&err)
	type outcome struct {
		value Value
		err   error
	}
	settled := make(chan outcome, 1)
	begin(promise, func(value Value, err error) { settled <- outcome{value, err} })
	return func() (Value, error) {
		o := <-settled
		return o.value, o.err
	}, nil
}

// Ask calls a method that returns a promise, and waits for it.
func Ask(v Value, method string, args ...any) (Value, error) {
	promise, err := v.Call(method, args...)
	if err != nil {
		return promise, Thrown(err)
	}
	return Await(promise)
}

// NextFrame waits until the browser is about to paint, or a moment in a tab that
// is not seen.
func NextFrame() {
	painted := make(chan Value, 1)
	onFrame := signal(painted)
	defer onFrame.Release()
	id := Call(Window(), "requestAnimationFrame", onFrame)
	timeout := time.NewTimer(250 * time.Millisecond)
	defer timeout.Stop()
	select {
	case <-painted:
	case <-timeout.C:
		Call(Window(), "cancelAnimationFrame", id)
	}
}
