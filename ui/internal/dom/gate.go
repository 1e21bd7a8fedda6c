// Package dom is the page's only way to the browser. It makes all callbacks, runs them one at a time, and reads and
// writes elements.
//
// It stands on safejs: every call of JavaScript returns its error. Functions of this package that return an error hand
// it on, as Try and Ask do. The others report it, and the Loop shows the first reported error to the visitor.
package dom

// A gate runs one function at a time. A function called by JavaScript must not wait, because the browser stands
// still until it returns, and so would anything that it waits for. If the gate is shut, enter therefore returns at
// once, and its function runs when the gate opens.
type gate struct {
	shut    bool
	waiting []func() // to run alone, in order
	effects []func() // to run while the gate is open
}

// enter runs f alone: now, or once the gate opens.
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

// wait runs f alone and returns after it. Only separate goroutines may call it: a function that already runs alone
// would wait for itself.
func (g *gate) wait(f func()) {
	done := make(chan struct{})
	g.enter(func() {
		defer close(done)
		f()
	})
	<-done
}

// afterwards runs f once the gate is open.
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
