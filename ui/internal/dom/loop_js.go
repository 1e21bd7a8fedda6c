package dom

import (
	"syscall/js"
)

// Only this file makes functions that JavaScript calls, and only this file calls browser methods that fire events
// before they return (TestOneWayToTheBrowser). So no handler runs while another does, and none can wait. Only this
// file starts goroutines, too (Background).

// A Loop runs the handlers of a page one after another, and requests a drawing after them.
type Loop struct {
	fail     func(message string) // shows an error
	gate     gate
	drawings chan struct{} // holds a value if a drawing is wanted
}

// NewLoop returns a loop that calls fail to show an error. fail runs alone.
func NewLoop(fail func(message string)) Loop {
	return Loop{fail: fail, drawings: make(chan struct{}, 1)}
}

// Func returns f as a JavaScript function. f runs alone, and the page is drawn after it. A panic is shown as an
// error, because in a callback it would end the application.
func (l *Loop) Func(f func(event Value)) Func {
	return l.Quiet(func(event Value) bool {
		f(event)
		return true
	})
}

// Quiet is like Func, but f returns whether the page has to be drawn.
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

// isGone reports whether the target of an event has left the page. Drawing can cause such an event, for example when
// it removes the focused element.
func isGone(event Value) bool {
	connected := find(event, []string{"target", "isConnected"})
	return connected.Type() == js.TypeBoolean && !Truth(connected)
}

// Listen adds f as a listener for events of a type. f runs as with Quiet.
func (l *Loop) Listen(target Value, eventType string, f func(event Value) (changed bool)) {
	target.Call("addEventListener", eventType, l.Quiet(f))
}

// signal returns a JavaScript function that sends its argument to a channel. It drops the argument if the channel is
// full and nobody is receiving.
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

// HearVugu puts the gate in front of the handlers of Vugu's elements. It drops their events while the gate is shut,
// because these come from elements that drawing removes.
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

// Provoke calls a browser method that may fire events before it returns, such as click and focus. It calls the
// method once the gate is open, still within the visitor's gesture.
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

// Change runs f alone, lets it change what is drawn, and has the page drawn. Only separate goroutines may call it.
func (l *Loop) Change(f func()) {
	l.Look(func() {
		defer l.redraw()
		f()
	})
}

// Look runs f alone, lets it read the page's state or change what is not drawn. Only separate goroutines may call
// it.
func (l *Loop) Look(f func()) {
	l.gate.wait(func() {
		defer l.rescue()
		f()
	})
}

// Draw runs f alone and returns its error, or its panic as an error.
func (l *Loop) Draw(f func() error) (err error) {
	l.gate.wait(func() {
		defer Catch(&err)
		err = f()
	})
	return err
}

// Background runs f in a new goroutine. A panic there is shown as an error, because it would end the application.
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

// Wait returns when the page has to be drawn.
func (l *Loop) Wait() { <-l.drawings }

func (l *Loop) redraw() {
	select {
	case l.drawings <- struct{}{}:
	default:
	}
}
