package main

import "time"

// Play calls Tick while the lesson plays. The App is locked.
func (b *browser) Play() {
	if b.playing {
		return
	}
	b.playing = true
	b.background(func() {
		for playing := true; playing; {
			speed := 1
			b.change(func() {
				if lookout := b.app.State.lookout(); lookout != nil {
					speed = lookout.Speed
				}
			})
			time.Sleep(time.Second / time.Duration(speed))
			b.change(func() {
				defer b.app.Rescue()
				b.app.Tick()
				playing = b.app.Lesson.Playing && b.app.State.IsLesson()
				b.playing = playing
			})
		}
	})
}

// IsCalm tells whether the visitor wants no motion.
func (b *browser) IsCalm() bool {
	calm, err := matches("(prefers-reduced-motion: reduce)")
	return err == nil && calm
}
