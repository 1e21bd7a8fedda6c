package dom

import (
	"syscall/js"
)

// This file alone makes functions that JavaScript calls, and calls those methods of the browser
// that answer with an event before they return (TestOneWayToTheBrowser). So no handler can
// run while another does, and none can wait. It alone begins goroutines, too (Background).

// A Loop runs the handlers of a page one after the other, and has the page drawn after them.
type Loop struct {
	fail     func(message string) // shows an error
	gate     gate
	drawings chan struct{} // wanted
}

// NewLoop returns a loop that calls fail, alone, to show an error.
func NewLoop(fail func(message string)) Loop {
	return Loop{fail: fail, drawings: make(chan struct{}, 1)}
}

// Func returns f for JavaScript. f runs alone, and the page is drawn anew after it. A panic would
// end the application in a callback, so it is shown instead.
func (l *Loop) Func(f func(event Value)) Func {
	return l.Quiet(func(event Value) bool {
		f(event)
		return true
	})
}

// Quiet is Func, but f says whether the page has to be drawn anew.
func (l *Loop) Quiet(f func(event Value) (changed bool)) Func {
	return js.FuncOf(func(_ Value, args []Value) any {
		event, late := first(args), l.gate.shut
		l.gate.enter(func() {
			if late && isGone(event) {
				return
			}
			changed := true
			defer func() {
				if changed {
					l.redraw()
				}
			}()
			defer l.rescue()
			changed = f(event)
		})
		return nil
	})
}

// isGone reports whether an event is of an element that has left the page. Drawing brings about
// such events, as when it removes what has the focus.
func isGone(event Value) bool {
	connected := find(event, []string{"target", "isConnected"})
	return connected.Type() == js.TypeBoolean && !Truth(connected)
}

// Listen calls f for each event of a type, as Func does.
func (l *Loop) Listen(target Value, eventType string, f func(event Value)) {
	target.Call("addEventListener", eventType, l.Func(f))
}

// signal returns a function for JavaScript that sends its argument to a channel, where somebody
// waits for it or there is room.
func signal(c chan<- Value) Func {
	return js.FuncOf(func(_ Value, args []Value) any {
		select {
		case c <- first(args):
		default:
		}
		return nil
	})
}

func first(args []Value) Value {
	if len(args) == 0 {
		return Undefined()
	}
	return args[0]
}

// HearVugu puts the gate before the handlers in Vugu's elements. What those hear while it
// is shut is of an element that drawing removes, and nobody's.
func (l *Loop) HearVugu() {
	state := Get(Window(), "vuguState")
	handler := Get(state, "eventHandlerFunc")
	state.Set("eventHandlerFunc", js.FuncOf(func(_ Value, args []Value) any {
		if l.gate.shut {
			return nil
		}
		l.gate.enter(func() {
			defer l.redraw()
			defer l.rescue()
			handler.Invoke(first(args))
		})
		return nil
	}))
}

// Provoke calls a method of the browser that may bring about events before it returns, such as
// click and focus. It does so once the gate is open, still within the visitor's gesture.
func (l *Loop) Provoke(target Value, method string, args ...any) {
	l.gate.afterwards(func() {
		if _, err := Try(target, method, args...); err != nil {
			l.gate.enter(func() {
				l.fail(err.Error())
				l.redraw()
			})
		}
	})
}

// Change lets f change what is drawn, and has the page drawn anew. It is for goroutines of their
// own.
func (l *Loop) Change(f func()) {
	l.Look(func() {
		defer l.redraw()
		f()
	})
}

// Look lets f look at the page's state, or change what is not drawn. It is for goroutines of
// their own.
func (l *Loop) Look(f func()) {
	l.gate.wait(func() {
		defer l.rescue()
		f()
	})
}

// Draw runs f alone, and returns its error or its panic.
func (l *Loop) Draw(f func() error) (err error) {
	l.gate.wait(func() {
		defer Catch(&err)
		err = f()
	})
	return err
}

// Background runs f in a goroutine of its own. A panic there would end the application, so it is
// shown instead.
func (l *Loop) Background(f func()) {
	go func() {
		defer func() {
			if reason := recover(); reason != nil {
				l.Change(func() { l.fail(told(reason)) })
			}
		}()
		f()
	}()
}

func (l *Loop) rescue() {
	if reason := recover(); reason != nil {
		l.fail(told(reason))
	}
}

// Wait returns when the page has to be drawn anew.
func (l *Loop) Wait() { <-l.drawings }

func (l *Loop) redraw() {
	select {
	case l.drawings <- struct{}{}:
	default:
	}
}
