package dom

import "time"

// Ask calls a method that returns a promise. It blocks the goroutine until the promise is settled.
func Ask(v Value, method string, args ...any) (Value, error) {
	promise, err := Try(v, method, args...)
	if err != nil {
		return promise, err
	}
	values, reasons := make(chan Value, 1), make(chan Value, 1)
	onValue, onReason := signal(values), signal(reasons)
	defer onValue.Release()
	defer onReason.Release()
	if _, err := Try(promise, "then", onValue, onReason); err != nil {
		return Undefined(), err
	}
	select {
	case value := <-values:
		return value, nil
	case reason := <-reasons:
		return Undefined(), newError(reason)
	}
}

// NextFrame waits until the browser is about to paint. In a hidden tab it returns after 250 ms.
func NextFrame() {
	painted := make(chan Value, 1)
	onFrame := signal(painted)
	defer onFrame.Release()
	id := Window().Call("requestAnimationFrame", onFrame)
	hidden := make(chan struct{})
	defer time.AfterFunc(250*time.Millisecond, func() { close(hidden) }).Stop()
	select {
	case <-painted:
	case <-hidden:
		Window().Call("cancelAnimationFrame", id)
	}
}
