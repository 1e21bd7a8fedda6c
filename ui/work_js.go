package main

import "time"

// workPause lets the page breathe between two portions of work, and a drag go on
// before any is done.
const workPause = 20 * time.Millisecond

// work does what a picture has left to compute.
func (b *browser) work() {
	if b.working || !b.app.HasWork() {
		return
	}
	b.working = true
	b.background(func() {
		for more := true; more; {
			time.Sleep(workPause)
			b.look(func() {
				defer func() { b.working = more }()
				more = false // unless all goes well
				b.app.Work()
				more = b.app.HasWork()
			})
		}
		b.change(func() {})
	})
}
