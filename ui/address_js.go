package main

import (
	"time"

	"tensorsketch.example/ui/internal/dom"
)

// address is the page's address in the browser. Browsers refuse changes of the address that are too frequent
// (Safari: over 100 in 30 s), so changes are at least addressPause apart.
type address struct {
	shown time.Duration // by now: when it was last changed
	next  string        // the hash waiting to be written, or ""
	last  string        // the hash it holds, as far as is known
	waits bool          // a timer will write it
}

// addressPause is the least time between two changes of the address.
const addressPause = 400 * time.Millisecond

func hashShown() string { return dom.Text(dom.Window(), "location", "hash") }

// ShowHash puts the state into the address. The App is locked.
func (b *browser) ShowHash(hash string, entry bool) {
	a := &b.address
	if entry {
		a.flush()
		a.write("pushState", hash)
		return
	}
	a.next = hash
	wait := addressPause - (now() - a.shown)
	if wait <= 0 {
		a.flush()
		return
	}
	if !a.waits {
		a.waits = true
		time.AfterFunc(wait, func() {
			b.Look(func() {
				a.waits = false
				a.flush()
			})
		})
	}
}

// flush writes the waiting hash. It drops the hash if the visitor has followed another link, an event that the page
// receives only a moment later.
func (a *address) flush() {
	hash := a.next
	a.next = ""
	if hash != "" && hashShown() == a.last {
		a.write("replaceState", hash)
	}
}

// followed drops the waiting hash, because the visitor has gone elsewhere.
func (a *address) followed(hash string) { a.next, a.last = "", hash }

func (a *address) write(method, hash string) {
	a.shown = now()
	// Entries that the page has written have a state. What was just followed has none: it is shown from its top, and
	// going back leads to where the visitor was.
	if _, err := dom.Try(dom.Get(dom.Window(), "history"), method, 1, "", hash); err != nil {
		a.next = hash // too many changes at once: write it with the next one
		return
	}
	a.last = hash
}
