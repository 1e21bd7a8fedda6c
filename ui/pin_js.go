package main

import (
	"strconv"
	"strings"

	"tensorsketch.example/ui/internal/dom"
	"tensorsketch.example/ui/internal/lesson"
)

// On a phone the controls are beneath the picture. So that a visitor sees what they do, the picture sticks to the top
// of the window when the page is scrolled. It is drawn lower then, as lesson.FitLow has it, and keeps its room in the
// page: what is beneath never moves. The frame has the height of the picture as it is drawn otherwise. The low picture
// is drawn at the top of the window as soon as half of the frame is out of view, or less of it if the low picture fills
// the rest. The frame sticks where just the low picture is left in the window. In a low and wide window the picture is
// beside the controls, and always low.

// pins says whether a picture is to stay in view, as lesson.css has it for the window.
type pins struct {
	low    float64 // the height of a picture that stays, or 0: none does
	beside bool    // the picture is beside its controls
}

// A pin is how the frame of the picture is placed.
type pin struct {
	sticks, beside bool
	pinned         bool    // it is drawn low, because it sticks
	height         float64 // of the frame
	top            float64 // where it sticks, in the window
}

// pinsOf reads the custom properties of the frame. Nothing stays in view of a page that the visitor has zoomed, or that
// is partly under a keyboard: too little of the window is left.
func pinsOf(frame dom.Value) (p pins) {
	p.low, _ = strconv.ParseFloat(strings.TrimSuffix(dom.Style(frame, "--pin"), "px"), 64)
	p.beside = strings.TrimSpace(dom.Style(frame, "--beside")) == "1"
	if view := dom.Get(dom.Window(), "visualViewport"); dom.Exists(view) {
		const zoomed, covered = 1.05, .75
		scale := dom.Number(view, "scale")
		if scale > zoomed || dom.Number(view, "height")*scale < covered*dom.Number(dom.Window(), "innerHeight") {
			p.low = 0
		}
	}
	return p
}

// fit finds the size to draw the picture in, and places its frame. A pinned frame keeps its height.
func (s *stage) fit(picture lesson.Picture) {
	room, was := s.room, s.pin
	s.size = picture.Fit(room.width, room.window, room.em)
	if room.screen > 0 {
		s.size = lesson.FitWithin(picture, room.width, room.screen, room.em)
		s.pin = pin{height: room.screen}
		for class := range pinClasses(s.pin) {
			dom.SetClass(s.frame, class, false)
		}
		dom.Get(s.frame, "style").Set("height", "")
		return
	}
	low, ok := lesson.Size{}, false
	if room.low > 0 {
		low, ok = lesson.FitLow(picture, room.width, room.low, room.em)
	}
	s.pin = pin{sticks: ok, beside: ok && room.beside, pinned: ok && s.stuck, height: was.height}
	if ok && (room.beside || s.stuck || low.Height >= s.size.Height) {
		s.size = low
	}
	if !s.pin.pinned || s.pin.height < s.size.Height {
		s.pin.height = s.size.Height
	}
	if ok && !room.beside {
		s.pin.top = min(low.Height-s.pin.height, 0)
	}
	if s.pin == was {
		return
	}
	style := dom.Get(s.frame, "style")
	style.Set("height", px(s.pin.height))
	style.Set("top", "")
	if s.pin.top < 0 {
		style.Set("top", px(s.pin.top))
	}
	for class, has := range pinClasses(s.pin) {
		dom.SetClass(s.frame, class, has)
	}
	if now := s.isStuck(); now != s.stuck { // as after a keyboard has gone, without any scrolling
		s.stuck = now
		s.fit(picture)
	}
}

// pinClasses returns the classes of the frame.
func pinClasses(p pin) map[string]bool {
	return map[string]bool{"sticks": p.sticks, "pinned": p.pinned, "beside": p.beside}
}

// frameTop returns where the frame begins in the window.
func (s *stage) frameTop() float64 { return dom.Number(s.frame.Call("getBoundingClientRect"), "top") }

// isStuck reports whether the low picture is drawn now, at the top of the window.
func (s *stage) isStuck() bool {
	const blur = .5 // of positions, in pixels
	return s.pin.sticks && !s.pin.beside && s.frameTop() <= max(s.pin.top, -s.pin.height/2)+blur
}

// sceneTop returns where the picture begins in its frame: a low one at the top of the window.
func (s *stage) sceneTop() float64 {
	lowest := s.pin.height - s.size.Height
	if s.room.screen > 0 { // in lecture mode as much is free below as above
		return lowest / 2
	}
	if s.pin.pinned {
		return min(max(-s.frameTop(), 0), lowest)
	}
	return lowest
}

// watchPin looks again when the page is scrolled, and measures again when it is zoomed or a keyboard covers it.
func (s *stage) watchPin(measure func(dom.Value) bool) {
	s.page.Listen(dom.Window(), "scroll", func(dom.Value) bool {
		if !dom.Exists(s.frame) || s.drawn.picture == nil {
			return false
		}
		before := s.stuck
		if s.stuck = s.isStuck(); s.stuck && before {
			dom.Get(s.scene, "style").Set("top", px(s.sceneTop()))
		}
		return s.stuck != before
	})
	if view := dom.Get(dom.Window(), "visualViewport"); dom.Exists(view) {
		s.page.Listen(view, "resize", measure)
	}
}
