package main

import (
	"time"

	"tensorsketch.example/ui/internal/dom"
)

// address is the page's in the browser. Browsers refuse pages that change theirs
// all the time (Safari: over 100 times in 30 s), so changes wait for one another.
type address struct {
	shown time.Time // when it was changed last
	next  string    // what waits, or ""
	last  string    // what it holds, as far as is known
	timer *time.Timer
}

// addressPause is the time between two changes of the address.
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
	wait := addressPause - time.Since(a.shown)
	if wait <= 0 {
		a.flush()
		return
	}
	if a.timer == nil {
		a.timer = time.AfterFunc(wait, func() {
			b.Look(func() {
				a.timer = nil
				a.flush()
			})
		})
	}
}

// flush writes what waits. It is dropped where the visitor follows another link,
// which the page hears of only in a moment.
func (a *address) flush() {
	hash := a.next
	a.next = ""
	if hash != "" && hashShown() == a.last {
		a.write("replaceState", hash)
	}
}

// followed drops what waits: the visitor has gone elsewhere.
func (a *address) followed(hash string) { a.next, a.last = "", hash }

func (a *address) write(method, hash string) {
	a.shown = time.Now()
	if _, err := dom.Try(dom.Get(dom.Window(), "history"), method, nil, "", hash); err != nil {
		a.next = hash // too many at once: with the next one
		return
	}
	a.last = hash
}
