package main

import (
	"time"

	"tensorsketch.example/ui/internal/dom"
)

// Play calls Tick while the lesson plays. The App is locked.
func (b *browser) Play() {
	if b.playing {
		return
	}
	b.playing = true
	b.Background(func() {
		for playing := true; playing; {
			speed := 1
			b.Change(func() {
				if lookout := b.app.State.lookout(); lookout != nil {
					speed = lookout.Speed
				}
			})
			time.Sleep(time.Second / time.Duration(speed))
			b.Change(func() {
				b.app.Tick()
				playing = b.app.Lesson.Playing && b.app.State.IsLesson()
				b.playing = playing
			})
		}
	})
}

// IsCalm reports whether the visitor wants no motion.
func (b *browser) IsCalm() bool { return dom.Prefers("(prefers-reduced-motion: reduce)") }

// TurnParent tells the page around an iframe, of whatever origin, which way the visitor wants to turn.
func (b *browser) TurnParent(by int) {
	if parent := dom.Get(dom.Window(), "parent"); !parent.Equal(dom.Window()) {
		parent.Call("postMessage", map[string]any{"tensorSketch": "turn", "by": by}, "*")
	}
}

// ShowPicture scrolls to the picture if it is out of sight. A pinned picture never is.
func (b *browser) ShowPicture() {
	frame := dom.Document().Call("querySelector", "#stage > .frame")
	if dom.Exists(frame) && !dom.Matches(frame, ".pinned, .beside") {
		b.Provoke(frame, "scrollIntoView", map[string]any{"block": "nearest"})
	}
}

// workPause is the pause before each portion of work. It lets the page respond, and a drag continue before work
// begins.
const workPause = 20 * time.Millisecond

// work does the work that a picture has left, in the background.
func (b *browser) work() {
	if b.working || !b.app.HasWork() {
		return
	}
	b.working = true
	b.Background(func() {
		for more := true; more; {
			time.Sleep(workPause)
			shows := false
			b.Look(func() {
				defer func() { b.working = more }()
				more = false // in case Work panics
				shows = b.app.Work()
				more = b.app.HasWork()
			})
			if shows || !more {
				b.Change(func() {})
			}
		}
	})
}
