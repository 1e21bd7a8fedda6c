// Package dom is the page's one way to the browser: it makes all callbacks, runs them one at a time, and reads and
// writes elements.
//
// Its functions panic where JavaScript throws, with an *Error. A Loop shows what its functions panic with; Catch makes
// it an error. Where a throw is expected, call the method of the Value itself: it returns an error.
package dom

// A gate lets one function at a time at the page. Nothing that JavaScript calls
// may wait: the browser stands still until it returns, and with it whoever it would wait for.
// What comes while the gate is shut therefore runs when it opens, and enter returns before.
type gate struct {
	shut    bool
	waiting []func() // to run alone, in order
	effects []func() // to run while the gate is open
}

// enter runs f alone: now, or when the gate opens.
func (g *gate) enter(f func()) {
	g.waiting = append(g.waiting, f)
	for !g.shut && len(g.waiting)+len(g.effects) > 0 {
		if len(g.waiting) > 0 {
			g.alone(pop(&g.waiting))
		} else {
			pop(&g.effects)()
		}
	}
}

// wait runs f alone, and returns after it. It is for goroutines of their own: a function that
// runs alone and waits here would wait for itself.
func (g *gate) wait(f func()) {
	done := make(chan struct{})
	g.enter(func() {
		defer close(done)
		f()
	})
	<-done
}

// afterwards runs f when the gate is open.
func (g *gate) afterwards(f func()) {
	g.effects = append(g.effects, f)
	if !g.shut {
		g.enter(func() {})
	}
}

func (g *gate) alone(f func()) {
	g.shut = true
	defer func() { g.shut = false }()
	f()
}

// pop removes the first function of a list and returns it.
func pop(list *[]func()) func() {
	f := (*list)[0]
	*list = (*list)[1:]
	return f
}
