package main

import (
	"math"
	"slices"
	"strconv"

	"tensorsketch.example/ui/internal/dom"
	"tensorsketch.example/ui/internal/lesson"
)

// stage is the host element of a teaching place's picture. It contains elements that are made once: a canvas that a
// Painter paints on, the SVG over it, a strip for finger gestures, and a handle for each group that the keyboard
// walks through.
type stage struct {
	page    *browser
	host    dom.Value // as of the last drawing
	frame   dom.Value // in the host, for Vugu takes away what it does not know of the host's attributes
	scene   dom.Value // in the frame, with the size of the picture
	canvas  dom.Value
	svg     dom.Value
	strip   dom.Value
	grip    dom.Value // over the pinned item of the strip: a finger drags there, and scrolls elsewhere
	handles []dom.Value

	size  lesson.Size
	room  room
	pin   pin
	stuck bool // the frame sticks to the top of the window

	isPrinting bool // the room is paper

	drawn  stageKey
	count  int // number of drawings
	pixels []byte
	shared dom.Value // the pixels' bytes in JavaScript

	pointer  map[string]dom.Func // listeners by event, for every scene
	observer dom.Value           // of the frame's size

	pressed bool        // by the main button or a finger, until it lets go
	held    lesson.Item // the item that was pressed
	from    point       // where it was pressed
	drag    bool        // the pointer has moved since
	scrolls bool        // a finger that moves up or down from there scrolls
}

type point struct{ x, y float64 }

// A room is the space that a picture can fill.
type room struct {
	width, window, em, scale float64
	dark                     bool
	pins
	screen float64 // the height to fill in lecture mode, or 0
}

// A stageKey identifies what the picture was drawn from.
type stageKey struct {
	picture lesson.Picture
	look    lesson.Item
	room    room
	stuck   bool
}

// draw brings the stage up to date with the App.
func (s *stage) draw(app *App) {
	picture := app.Picture()
	host := dom.Element("stage")
	if !dom.Exists(host) || picture == nil {
		s.drawn = stageKey{}
		return
	}
	if !host.Equal(s.host) || dom.IsEmpty(host) {
		s.furnish(host)
	}
	key := stageKey{picture, app.Look(), s.room, s.stuck}
	if key == s.drawn {
		return
	}
	if s.room.width <= 0 {
		return
	}
	s.fit(picture)
	key.stuck = s.stuck
	s.paint(picture, key.look)
	s.svg.Set("innerHTML", picture.SVG(s.size, key.look, false))
	s.place(picture, key.look)
	s.drawn = key
	s.count++
	dom.Mark("first-picture")
}

// mark writes the number of drawings into an attribute. "data-drawn" is set as soon as the picture is drawn,
// "data-ready" once the words around it show the same state.
func (s *stage) mark(attribute string) { dom.SetAttribute(s.host, attribute, s.count) }

// drawFirst draws a changed picture before the words around it are written, and reports whether it drew.
func (s *stage) drawFirst(app *App) bool {
	if s.count == 0 || s.drawn.picture == nil || !app.State.IsLesson() {
		return false
	}
	before := s.count
	if s.draw(app); s.count == before {
		return false
	}
	s.mark("data-drawn")
	return true
}

// furnish fills a new host.
func (s *stage) furnish(host dom.Value) {
	s.host, s.handles, s.drawn, s.pin, s.stuck = host, nil, stageKey{}, pin{}, false
	s.frame = dom.NewElement(host, "div", "frame")
	s.scene = dom.NewElement(s.frame, "div", "scene")
	s.canvas = dom.NewElement(s.scene, "canvas", "cells")
	s.svg = dom.NewElement(s.scene, "div", "drawing")
	s.strip = dom.NewElement(s.scene, "div", "strip")
	s.grip = dom.NewElement(s.scene, "div", "grip")
	for _, picture := range []dom.Value{s.canvas, s.svg} {
		dom.SetAttribute(picture, "aria-hidden", "true") // the figure's caption says it
	}
	for eventType, listener := range s.pointer {
		s.scene.Call("addEventListener", eventType, listener)
	}
	s.observer.Call("disconnect")
	s.observer.Call("observe", s.frame)
	s.observer.Call("observe", dom.NewElement(s.frame, "span", "probe"))
	s.measure()
}

// measure measures the room. It is called only after the frame, the window or the theme has changed, because
// measuring makes the browser lay out the page. It reports whether anything is new.
func (s *stage) measure() bool {
	if !dom.Exists(s.frame) || s.isPrinting {
		return false
	}
	before, stuck := s.room, s.stuck
	if width, height, em := dom.Size(s.frame); em > 0 {
		window := dom.Window()
		s.room = room{width, dom.Number(window, "innerHeight"), em,
			min(max(dom.Number(window, "devicePixelRatio"), 1), 3), dom.Prefers("(prefers-color-scheme: dark)"),
			pinsOf(s.frame), 0}
		if s.page.app.State.IsLecture() {
			s.room.screen, s.room.low = height, 0
		}
		s.stuck = s.isStuck()
	}
	return s.room != before || s.stuck != stuck
}

// paint paints the cells of a picture that is a Painter.
func (s *stage) paint(picture lesson.Picture, look lesson.Item) {
	painter, ok := picture.(lesson.Painter)
	s.canvas.Set("hidden", !ok)
	if !ok {
		return
	}
	before := len(s.pixels)
	part, width, height, pixels := painter.Paint(s.size, look, s.room.scale, s.room.dark, s.pixels)
	s.pixels = pixels
	if width <= 0 || height <= 0 {
		s.canvas.Set("hidden", true)
		return
	}
	if len(pixels) != before || !dom.Exists(s.shared) {
		s.shared = dom.New("Uint8ClampedArray", len(pixels))
	}
	dom.CopyBytes(s.shared, pixels)
	for name, value := range map[string]int{"width": width, "height": height} {
		if dom.Int(s.canvas, name) != value {
			s.canvas.Set(name, value)
		}
	}
	setBounds(s.canvas, part)
	image := dom.New("ImageData", s.shared.Call("subarray", 0, 4*width*height), width)
	s.canvas.Call("getContext", "2d").Call("putImageData", image, 0, 0)
}

// setBounds sets position and size of an element, in CSS pixels.
func setBounds(target dom.Value, r lesson.Rect) {
	dom.Get(target, "style").Set("cssText", "left: "+px(r.X)+"; top: "+px(r.Y)+"; width: "+px(r.Width)+"; height: "+
		px(r.Height))
}

// px writes a length for CSS.
func px(length float64) string { return strconv.FormatFloat(length, 'f', 1, 64) + "px" }

// place positions the scene, the strip and the handles.
func (s *stage) place(picture lesson.Picture, look lesson.Item) {
	setBounds(s.scene, lesson.Rect{X: max(s.room.width-s.size.Width, 0) / 2, Y: s.sceneTop(),
		Width: s.size.Width, Height: s.size.Height})
	areas, usual := picture.Areas(s.size), s.size
	if s.pin.pinned { // while the focus moves on, the page scrolls, and nothing changes places
		usual = picture.Fit(s.room.width, s.room.window, s.room.em)
	}
	groups := lesson.InOrder(picture.Groups(), picture.Areas(usual))
	strip, grip := lesson.Rect{}, lesson.Rect{}
	for _, group := range groups {
		if group.CanNudge {
			area := slices.IndexFunc(areas, func(a lesson.Area) bool { return a.Kind == group.Kind })
			strip = areas[area].Rect
			if at := s.page.app.State.lookout().At; at.Kind == group.Kind {
				grip = lesson.Bounds(areas, at)
			}
		}
	}
	setBounds(s.strip, strip)
	setBounds(s.grip, grip)
	s.strip.Set("hidden", strip == lesson.Rect{})
	s.grip.Set("hidden", grip == lesson.Rect{})
	for len(s.handles) < len(groups) {
		s.handles = append(s.handles, dom.NewElement(s.scene, "div", "handle"))
	}
	for i, handle := range s.handles {
		handle.Set("hidden", i >= len(groups))
		if i < len(groups) {
			s.placeHandle(handle, picture, groups[i], look)
		}
	}
}

// placeHandle puts the handle of a group on the item looked at, or on the marker, or on the group's first item.
func (s *stage) placeHandle(handle dom.Value, picture lesson.Picture, group lesson.Group, look lesson.Item) {
	item := lesson.Item{Kind: group.Kind}
	switch {
	case look.Kind == group.Kind:
		item = look
	case group.Kind == lesson.Column:
		item.I = s.page.app.view(picture, look).Step
	}
	setBounds(handle, lesson.Bounds(picture.Areas(s.size), item))
	for name, value := range map[string]any{
		"role": "slider", "tabindex": "0", "aria-label": group.Label, "aria-valuetext": picture.Describe(item),
		"data-item":     item.String(),
		"aria-valuemin": 0, "aria-valuemax": group.Rows*group.Columns - 1, "aria-valuenow": item.J*group.Columns + item.I,
	} {
		dom.SetAttribute(handle, name, value)
	}
}

// watchRoom makes the listeners for the pointer. It also measures again when the frame, the window or the theme
// changes.
func (s *stage) watchRoom() {
	s.pointer = map[string]dom.Func{}
	for eventType, f := range map[string]func(dom.Value, lesson.Picture, point){
		"pointerdown": s.onDown, "pointermove": s.onMove, "pointerup": s.onUp, "pointercancel": s.onCancel,
		"pointerleave": s.onLeave,
	} {
		s.pointer[eventType] = s.page.Quiet(func(event dom.Value) bool {
			before := s.page.app.Lesson.Hover
			if picture := s.page.app.Picture(); picture != nil {
				x, y := within(s.scene, event)
				f(event, picture, point{x, y})
			}
			return eventType != "pointermove" || s.pressed || s.page.app.Lesson.Hover != before
		})
	}
	measure := func(dom.Value) bool { return s.measure() }
	s.observer = s.page.Watch(s.measure)
	s.page.Listen(dom.Window().Call("matchMedia", "(prefers-color-scheme: dark)"), "change", measure)
	s.page.Listen(dom.Window(), "resize", measure)
	s.watchPin(measure)
	s.watchPrint()
}

func (s *stage) onDown(event dom.Value, picture lesson.Picture, at point) {
	if dom.Number(event, "button") != 0 {
		return
	}
	s.pressed, s.held, s.from, s.drag = true, lesson.Hit(picture.Areas(s.size), at.x, at.y), at, false
	s.scrolls = dom.Text(event, "pointerType") == "touch" && !dom.Get(event, "target").Equal(s.grip)
	_, _ = dom.Try(s.scene, "setPointerCapture", dom.Get(event, "pointerId")) // a script's event has no pointer
}

// threshold is how far a pointer moves, in pixels, before a press is a drag.
const threshold = 3

func (s *stage) onMove(_ dom.Value, picture lesson.Picture, at point) {
	if !s.pressed {
		s.page.app.Lesson.Hover = lesson.Hit(picture.Areas(s.size), at.x, at.y)
		return
	}
	across, along := math.Abs(at.x-s.from.x), math.Abs(at.y-s.from.y)
	if !s.drag && s.scrolls && across+along > threshold && along >= across {
		s.letGo() // the browser is about to say so, too
		return
	}
	s.drag = s.drag || across+along > threshold
	if change, ok := picture.Drag(s.size, s.held, at.x, at.y); ok && s.drag {
		s.page.app.Lesson.Hover = s.held
		s.page.app.Set(change)
	}
}

func (s *stage) onUp(_ dom.Value, picture lesson.Picture, at point) {
	held, clicked := s.held, s.pressed && !s.drag
	s.letGo()
	if !clicked {
		return
	}
	if change, ok := picture.Drag(s.size, held, at.x, at.y); ok && held.Kind == lesson.Column {
		s.page.app.Set(change)
		return
	}
	if presser, ok := picture.(lesson.Presser); ok {
		if change, ok := presser.Press(s.size, at.x, at.y); ok {
			s.page.app.Set(change)
			return
		}
	}
	s.page.app.Pin(held)
}

func (s *stage) onCancel(dom.Value, lesson.Picture, point) { s.letGo() }

func (s *stage) letGo() { s.pressed, s.held, s.drag = false, lesson.Item{}, false }

func (s *stage) onLeave(dom.Value, lesson.Picture, point) {
	if !s.pressed {
		s.page.app.Lesson.Hover = lesson.Item{}
	}
}
