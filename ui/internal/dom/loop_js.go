package dom

import (
	"fmt"

	"github.com/hack-pad/safejs"
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
	l := Loop{fail: fail, drawings: make(chan struct{}, 1)}
	wake = l.redraw
	return l
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
	return funcOf(func(event Value) {
		late := l.gate.shut
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
	})
}

// funcOf returns f as a JavaScript function. f gets its first argument.
func funcOf(f func(argument Value)) Func {
	made, err := safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) any {
		argument := Undefined()
		if len(args) > 0 {
			argument = Value{args[0]}
		}
		f(argument)
		return nil
	})
	report("making a function", err)
	return made
}

// isGone reports whether the target of an event has left the page. Drawing can cause such an event, for example when
// it removes the focused element.
func isGone(event Value) bool {
	connected := find(event, []string{"target", "isConnected"})
	return connected.Type() == TypeBoolean && !Truth(connected)
}

// Listen adds f as a listener for events of a type. f runs as with Quiet.
func (l *Loop) Listen(target Value, eventType string, f func(event Value) (changed bool)) {
	target.Call("addEventListener", eventType, l.Quiet(f))
}

// Watch returns a ResizeObserver for which f runs as with Quiet, in the frame after the change. The observer's own
// call does not enter Go, where a drawing may be due. A drawing there could resize what is observed, and the browser
// would report an error to the window ("ResizeObserver loop completed with undelivered notifications").
func (l *Loop) Watch(f func() (changed bool)) Value {
	onFrame := l.Quiet(func(Value) bool { return f() })
	return New("ResizeObserver", Get(Window(), "requestAnimationFrame").Call("bind", Window(), onFrame))
}

// signal returns a JavaScript function that sends its argument to a channel. It drops the argument if the channel is
// full and nobody is receiving.
func signal(c chan<- Value) Func {
	return funcOf(func(argument Value) {
		select {
		case c <- argument:
		default:
		}
	})
}

// HearVugu puts the gate in front of the handlers of Vugu's elements. It drops their events while the gate is shut,
// because these come from elements that drawing removes.
func (l *Loop) HearVugu() {
	state := Get(Window(), "vuguState")
	handler := Get(state, "eventHandlerFunc")
	state.Set("eventHandlerFunc", funcOf(func(event Value) {
		if l.gate.shut {
			return
		}
		l.gate.enter(func() {
			defer l.redraw()
			defer l.rescue()
			_, err := handler.v.Invoke(event.v)
			report("handling an event", err)
		})
	}))
}

// Provoke calls a browser method that may fire events before it returns, such as click and focus. It calls the
// method once the gate is open, still within the visitor's gesture.
func (l *Loop) Provoke(target Value, method string, args ...any) {
	l.Afterwards(func() error {
		_, err := Try(target, method, args...)
		return err
	})
}

// Afterwards calls f once the gate is open, as Provoke calls a method.
func (l *Loop) Afterwards(f func() error) {
	l.gate.afterwards(func() {
		if err := f(); err != nil {
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

// Draw runs f alone and returns its error, or its panic as an error. It shows errors from before.
func (l *Loop) Draw(f func() error) (err error) {
	l.gate.wait(func() {
		l.showReported()
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
				l.Change(func() { l.fail(fmt.Sprint(reason)) })
			}
		}()
		f()
	}()
}

// rescue shows what was reported, and a panic, which is a fault of this page.
func (l *Loop) rescue() {
	reason := recover()
	l.showReported()
	if reason != nil {
		l.fail(fmt.Sprint(reason))
	}
}

// showReported shows the visitor an error that no caller has taken. Nothing else does.
func (l *Loop) showReported() {
	if err := taken(); err != nil {
		l.fail(err.Error())
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
