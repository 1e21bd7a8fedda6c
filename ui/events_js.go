package main

import (
	"fmt"

	"github.com/hack-pad/safejs"
)

// This file alone makes functions that JavaScript calls, and calls those methods of the browser
// that answer with an event before they return (TestOneWayToTheBrowser). So no handler can
// run while another does, and none can wait. It alone begins goroutines, too (background).

// jsFunc returns f for JavaScript. f runs alone, and the page is drawn anew after it. An error is
// shown, a panic too: in a callback it would end the application.
func (b *browser) jsFunc(f func(event safejs.Value) error) (safejs.Func, error) {
	return b.quietFunc(func(event safejs.Value) (bool, error) { return true, f(event) })
}

// quietFunc is jsFunc, but f says whether the page has to be drawn anew.
func (b *browser) quietFunc(f func(event safejs.Value) (changed bool, err error)) (safejs.Func, error) {
	return safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) any {
		event, late := first(args), b.gate.shut
		b.gate.enter(func() {
			if late && isGone(event) {
				return
			}
			changed := true
			defer func() {
				if changed {
					b.redraw()
				}
			}()
			defer b.app.Rescue()
			var err error
			if changed, err = f(event); err != nil {
				changed = true
				b.app.Fail(err.Error())
			}
		})
		return nil
	})
}

// isGone reports whether an event is of an element that has left the page. Drawing brings about
// such events, as when it removes what has the focus.
func isGone(event safejs.Value) bool {
	target, err := event.Get("target")
	if err != nil || target.Type() != safejs.TypeObject {
		return false
	}
	connected, err := target.Get("isConnected")
	if err != nil || connected.Type() != safejs.TypeBoolean {
		return false
	}
	is, _ := connected.Bool()
	return !is
}

// addListener calls f for each event of a type, as jsFunc does.
func (b *browser) addListener(target safejs.Value, eventType string, f func(event safejs.Value) error) error {
	listener, err := b.jsFunc(f)
	if err != nil {
		return err
	}
	_, err = target.Call("addEventListener", eventType, listener)
	return err
}

// signal returns a function for JavaScript that sends its argument to a channel, where somebody
// waits for it or there is room.
func signal(c chan<- safejs.Value) (safejs.Func, error) {
	return safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) any {
		select {
		case c <- first(args):
		default:
		}
		return nil
	})
}

func first(args []safejs.Value) safejs.Value {
	if len(args) == 0 {
		return safejs.Undefined()
	}
	return args[0]
}

// hearVugu puts the gate before the handlers in Vugu's elements. What those hear while it
// is shut is of an element that drawing removes, and nobody's.
func (b *browser) hearVugu() error {
	state, err := safejs.Global().Get("vuguState")
	if err != nil {
		return err
	}
	handler, err := state.Get("eventHandlerFunc")
	if err != nil {
		return err
	}
	gated, err := safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) any {
		if b.gate.shut {
			return nil
		}
		b.gate.enter(func() {
			if _, err := handler.Invoke(first(args)); err != nil {
				b.app.Fail(err.Error())
			}
			b.redraw()
		})
		return nil
	})
	if err != nil {
		return err
	}
	return state.Set("eventHandlerFunc", gated)
}

// provoke calls a method of the browser that may bring about events before it returns, such as
// click and focus. It does so once the gate is open, still within the visitor's gesture.
func (b *browser) provoke(target safejs.Value, method string, args ...any) {
	b.gate.afterwards(func() {
		if _, err := target.Call(method, args...); err != nil {
			b.gate.enter(func() {
				b.app.Fail(err.Error())
				b.redraw()
			})
		}
	})
}

// change lets f change the App, and has the page drawn anew. It is for goroutines of their own.
func (b *browser) change(f func()) {
	b.look(func() {
		defer b.redraw()
		f()
	})
}

// look lets f look at the App, or change what is not drawn. It is for goroutines of their own.
func (b *browser) look(f func()) {
	b.gate.wait(func() {
		defer b.app.Rescue()
		f()
	})
}

// background runs f in a goroutine of its own. A panic there would end the application, so it is
// shown instead.
func (b *browser) background(f func()) {
	go func() {
		defer func() {
			if reason := recover(); reason != nil {
				b.change(func() { b.app.Fail(fmt.Sprint(reason)) })
			}
		}()
		f()
	}()
}

// caught is deferred in work that others wait for: it makes a panic the error of that work.
func caught(err *error) {
	if reason := recover(); reason != nil {
		*err = fmt.Errorf("something went wrong in this page: %v", reason)
	}
}

// redraw has the page drawn anew.
func (b *browser) redraw() {
	select {
	case b.drawings <- struct{}{}:
	default:
	}
}
