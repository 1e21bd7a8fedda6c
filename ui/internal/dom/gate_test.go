package dom

import (
	"strings"
	"testing"
)

// TestGate: what comes while a function runs, runs after it, in order; effects run when the gate
// is open, so that what they bring about runs at once.
func TestGate(t *testing.T) {
	var g gate
	var said []string
	say := func(what string) func() { return func() { said = append(said, what) } }
	g.enter(func() {
		g.afterwards(func() {
			if g.shut {
				t.Error("an effect ran while the gate was shut")
			}
			g.enter(say("brought about"))
			said = append(said, "effect")
		})
		g.enter(func() {
			said = append(said, "second")
			g.enter(say("third"))
		})
		said = append(said, "first")
	})
	g.afterwards(say("last"))
	g.wait(say("waited"))
	if got, want := strings.Join(said, ", "), "first, second, third, brought about, effect, last, waited"; got != want {
		t.Errorf("%s; want %s", got, want)
	}
	if g.shut {
		t.Error("the gate stays shut")
	}
}

// TestGateWait: a goroutine that comes while the gate is shut waits until its function has run.
func TestGateWait(t *testing.T) {
	var g gate
	ran, done := false, make(chan struct{})
	g.enter(func() {
		come := make(chan struct{})
		go func() {
			g.enter(func() { close(come) })
			close(done)
		}()
		<-done // enter does not wait
		select {
		case <-come:
			t.Error("two functions run at once")
		default:
		}
	})
	g.wait(func() { ran = true })
	if !ran {
		t.Error("wait returned before its function ran")
	}
}

// TestGatePanic: a function that panics leaves the gate open.
func TestGatePanic(t *testing.T) {
	var g gate
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is lost")
			}
		}()
		g.enter(func() { panic("broken") })
	}()
	ran := false
	g.enter(func() { ran = true })
	if !ran {
		t.Error("the gate stays shut after a panic")
	}
}
