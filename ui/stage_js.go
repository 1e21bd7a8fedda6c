package main

import (
	"math"
	"strconv"
	"syscall/js"

	"github.com/hack-pad/safejs"
	"tensorsketch.example/ui/internal/lesson"
)

// stage is the host element of a teaching place's picture. In it are, made once:
// a canvas for what a Painter paints, the SVG over it, a strip that takes the
// gestures of a finger, and a handle for each group that the keyboard walks
// through.
type stage struct {
	page    *browser
	host    safejs.Value // as drawn last
	scene   safejs.Value // fills it: the size of the picture
	canvas  safejs.Value
	svg     safejs.Value
	strip   safejs.Value
	handles []safejs.Value

	size   lesson.Size
	room   room
	drawn  stageKey
	count  int // of drawings
	pixels []byte
	shared safejs.Value // the bytes of the pixels on JavaScript's side

	pointer  map[string]safejs.Func // listeners by event, for whatever scene there is
	observer safejs.Value           // of the host's size

	pressed bool        // by the main button or a finger, until it lets go
	held    lesson.Item // what was pressed
	from    point       // where
	drag    bool        // the pointer has moved since
}

type point struct{ x, y float64 }

// A room is what the picture can fill.
type room struct {
	width, window, em, scale float64
	dark                     bool
}

// A stageKey tells whether the picture has to be drawn anew.
type stageKey struct {
	picture lesson.Picture
	look    lesson.Item
	room    room
}

// draw brings the stage up to the App.
func (s *stage) draw(app *App) error {
	picture := app.Picture()
	host, err := element("stage")
	if err != nil || host.IsNull() || picture == nil {
		s.drawn = stageKey{}
		return err
	}
	if empty, err := isEmpty(host); err != nil {
		return err
	} else if empty || !host.Equal(s.host) {
		if err := s.furnish(host); err != nil {
			return err
		}
	}
	key := stageKey{picture, app.Look(), s.room}
	if key == s.drawn {
		return nil
	}
	s.size = picture.Fit(s.room.width, s.room.window, s.room.em)
	if s.size.Width <= 0 {
		return nil
	}
	if err := s.paint(picture, key.look); err != nil {
		return err
	}
	if err := s.svg.Set("innerHTML", picture.SVG(s.size, key.look, false)); err != nil {
		return err
	}
	if err := s.place(picture, key.look); err != nil {
		return err
	}
	s.drawn = key
	s.count++
	return mark("first-picture")
}

// mark tells that the numbers of the core are drawn, and how often; the words
// around the picture are those of the same state.
func (s *stage) mark() error {
	_, err := s.host.Call("setAttribute", "data-ready", s.count)
	return err
}

// drawFirst draws a picture that changes before the words around it are written,
// and tells whether it did.
func (s *stage) drawFirst(app *App) (bool, error) {
	if s.count == 0 || s.drawn.picture == nil || !app.State.IsLesson() {
		return false, nil
	}
	before := s.count
	if err := s.draw(app); err != nil || s.count == before {
		return false, err
	}
	_, err := s.host.Call("setAttribute", "data-drawn", s.count)
	return true, err
}

// furnish fills a new host.
func (s *stage) furnish(host safejs.Value) error {
	s.host, s.handles, s.drawn = host, nil, stageKey{}
	var err error
	for _, part := range []struct {
		value *safejs.Value
		tag   string
		class string
	}{{&s.scene, "div", "scene"}, {&s.canvas, "canvas", "cells"}, {&s.svg, "div", "drawing"}, {&s.strip, "div", "strip"}} {
		if *part.value, err = newElement(part.tag, part.class); err != nil {
			return err
		}
		parent := s.scene
		if part.class == "scene" {
			parent = host
		}
		if _, err := parent.Call("append", *part.value); err != nil {
			return err
		}
	}
	if _, err := s.svg.Call("setAttribute", "aria-hidden", "true"); err != nil { // the figure's caption says it
		return err
	}
	for eventType, listener := range s.pointer {
		if _, err := s.scene.Call("addEventListener", eventType, listener); err != nil {
			return err
		}
	}
	if _, err := s.observer.Call("disconnect"); err != nil {
		return err
	}
	if _, err := s.observer.Call("observe", host); err != nil {
		return err
	}
	return s.measure()
}

func newElement(tag, class string) (safejs.Value, error) {
	document, err := safejs.Global().Get("document")
	if err != nil {
		return document, err
	}
	made, err := document.Call("createElement", tag)
	if err != nil {
		return made, err
	}
	return made, made.Set("className", class)
}

// measure takes the size of the room. It is asked only after the window or the
// theme has changed, for asking has the browser lay out the page.
func (s *stage) measure() error {
	if s.host.IsUndefined() || s.host.IsNull() {
		return nil
	}
	size, err := pictureSize(s.host)
	if err != nil || size.Em == 0 {
		return err
	}
	window := safejs.Global()
	height, err := number(window, "innerHeight")
	if err != nil {
		return err
	}
	scale, err := number(window, "devicePixelRatio")
	if err != nil {
		return err
	}
	dark, err := matches("(prefers-color-scheme: dark)")
	s.room = room{size.Width, height, size.Em, min(max(scale, 1), 3), dark}
	return err
}

// matches asks a media query.
func matches(query string) (bool, error) {
	list, err := safejs.Global().Call("matchMedia", query)
	if err != nil {
		return false, err
	}
	value, err := list.Get("matches")
	if err != nil {
		return false, err
	}
	return value.Bool()
}

// paint has a Painter paint its cells.
func (s *stage) paint(picture lesson.Picture, look lesson.Item) error {
	painter, ok := picture.(lesson.Painter)
	if err := s.canvas.Set("hidden", !ok); err != nil || !ok {
		return err
	}
	before := len(s.pixels)
	part, width, height, pixels := painter.Paint(s.size, look, s.room.scale, s.room.dark, s.pixels)
	s.pixels = pixels
	if width <= 0 || height <= 0 {
		return s.canvas.Set("hidden", true)
	}
	if len(pixels) != before || s.shared.IsUndefined() {
		var err error
		if s.shared, err = newObject("Uint8ClampedArray", len(pixels)); err != nil {
			return err
		}
	}
	js.CopyBytesToJS(safejs.Unsafe(s.shared), pixels)
	for name, value := range map[string]int{"width": width, "height": height} {
		if current, err := number(s.canvas, name); err != nil || int(current) == value {
			continue
		}
		if err := s.canvas.Set(name, value); err != nil {
			return err
		}
	}
	if err := setBounds(s.canvas, part); err != nil {
		return err
	}
	used, err := s.shared.Call("subarray", 0, 4*width*height)
	if err != nil {
		return err
	}
	image, err := newObject("ImageData", used, width)
	if err != nil {
		return err
	}
	context, err := s.canvas.Call("getContext", "2d")
	if err != nil {
		return err
	}
	_, err = context.Call("putImageData", image, 0, 0)
	return err
}

func setBounds(target safejs.Value, r lesson.Rect) error {
	style, err := target.Get("style")
	if err != nil {
		return err
	}
	for name, value := range map[string]float64{"left": r.X, "top": r.Y, "width": r.Width, "height": r.Height} {
		if err := style.Set(name, strconv.FormatFloat(value, 'f', 1, 64)+"px"); err != nil {
			return err
		}
	}
	return nil
}

// place puts the strip and the handles where the picture has what they are for.
func (s *stage) place(picture lesson.Picture, look lesson.Item) error {
	if err := setBounds(s.scene, lesson.Rect{Width: s.size.Width, Height: s.size.Height}); err != nil {
		return err
	}
	groups := picture.Groups()
	strip := lesson.Rect{}
	for _, group := range groups {
		if group.CanNudge {
			first, last := picture.Bounds(s.size, lesson.Item{Kind: group.Kind}),
				picture.Bounds(s.size, lesson.Item{Kind: group.Kind, I: group.Columns - 1})
			strip = lesson.Rect{X: first.X, Y: first.Y, Width: last.X + last.Width - first.X, Height: first.Height}
		}
	}
	if err := setBounds(s.strip, strip); err != nil {
		return err
	}
	for len(s.handles) < len(groups) {
		handle, err := newElement("div", "handle")
		if err != nil {
			return err
		}
		if _, err := s.scene.Call("append", handle); err != nil {
			return err
		}
		s.handles = append(s.handles, handle)
	}
	for i, handle := range s.handles {
		if err := handle.Set("hidden", i >= len(groups)); err != nil {
			return err
		}
		if i < len(groups) {
			if err := s.placeHandle(handle, picture, groups[i], look); err != nil {
				return err
			}
		}
	}
	return nil
}

// placeHandle puts the handle of a group on the item looked at, or on the marker,
// or on its first.
func (s *stage) placeHandle(handle safejs.Value, picture lesson.Picture, group lesson.Group, look lesson.Item) error {
	item := lesson.Item{Kind: group.Kind}
	switch {
	case look.Kind == group.Kind:
		item = look
	case group.Kind == lesson.Column:
		item.I = s.page.app.view(picture, look).Step
	}
	if err := setBounds(handle, picture.Bounds(s.size, item)); err != nil {
		return err
	}
	for name, value := range map[string]any{
		"role": "slider", "tabindex": "0", "aria-label": group.Label, "aria-valuetext": picture.Describe(item),
		"data-item":     item.String(),
		"aria-valuemin": 0, "aria-valuemax": group.Rows*group.Columns - 1, "aria-valuenow": item.J*group.Columns + item.I,
	} {
		if _, err := handle.Call("setAttribute", name, value); err != nil {
			return err
		}
	}
	return nil
}

// makePointer makes the listeners for the pointer, once.
func (s *stage) makePointer() error {
	s.pointer = map[string]safejs.Func{}
	for eventType, f := range map[string]func(safejs.Value, lesson.Picture, point) error{
		"pointerdown": s.onDown, "pointermove": s.onMove, "pointerup": s.onUp, "pointercancel": s.onCancel,
		"pointerleave": s.onLeave,
	} {
		listener, err := s.page.jsFunc(func(event safejs.Value) error {
			picture := s.page.app.Picture()
			if picture == nil {
				return nil
			}
			at, err := s.pointOf(event)
			if err != nil {
				return err
			}
			return f(event, picture, at)
		})
		if err != nil {
			return err
		}
		s.pointer[eventType] = listener
	}
	return nil
}

func (s *stage) pointOf(event safejs.Value) (point, error) {
	box, err := s.scene.Call("getBoundingClientRect")
	if err != nil {
		return point{}, err
	}
	var values [4]float64
	for i, source := range []struct {
		value safejs.Value
		name  string
	}{{event, "clientX"}, {box, "left"}, {event, "clientY"}, {box, "top"}} {
		if values[i], err = number(source.value, source.name); err != nil {
			return point{}, err
		}
	}
	return point{values[0] - values[1], values[2] - values[3]}, nil
}

func (s *stage) onDown(event safejs.Value, picture lesson.Picture, at point) error {
	if button, err := number(event, "button"); err != nil || button != 0 {
		return err
	}
	s.pressed, s.held, s.from, s.drag = true, picture.Hit(s.size, at.x, at.y), at, false
	id, err := event.Get("pointerId")
	if err != nil {
		return err
	}
	_, _ = s.scene.Call("setPointerCapture", id) // there is none for events made by a script
	return nil
}

// threshold is how far a pointer moves, in pixels, before a press is a drag.
const threshold = 3

func (s *stage) onMove(_ safejs.Value, picture lesson.Picture, at point) error {
	if !s.pressed {
		s.page.app.Lesson.Hover = picture.Hit(s.size, at.x, at.y)
		return nil
	}
	s.drag = s.drag || math.Abs(at.x-s.from.x)+math.Abs(at.y-s.from.y) > threshold
	if change, ok := picture.Drag(s.size, s.held, at.x, at.y); ok && s.drag {
		s.page.app.Lesson.Hover = s.held
		s.page.app.Set(change)
	}
	return nil
}

func (s *stage) onUp(_ safejs.Value, picture lesson.Picture, at point) error {
	held, clicked := s.held, s.pressed && !s.drag
	s.pressed, s.held, s.drag = false, lesson.Item{}, false
	if !clicked {
		return nil
	}
	if change, ok := picture.Drag(s.size, held, at.x, at.y); ok && held.Kind == lesson.Column {
		s.page.app.Set(change)
		return nil
	}
	s.page.app.Pin(held)
	return nil
}

func (s *stage) onCancel(safejs.Value, lesson.Picture, point) error {
	s.pressed, s.held, s.drag = false, lesson.Item{}, false
	return nil
}

func (s *stage) onLeave(safejs.Value, lesson.Picture, point) error {
	if !s.pressed {
		s.page.app.Lesson.Hover = lesson.Item{}
	}
	return nil
}

// watchRoom measures anew when the host, the window or the theme has changed.
func (s *stage) watchRoom() error {
	window := safejs.Global()
	onResize, err := s.page.jsFunc(func(safejs.Value) error { return s.measure() })
	if err != nil {
		return err
	}
	if s.observer, err = newObject("ResizeObserver", onResize); err != nil {
		return err
	}
	if err := s.makePointer(); err != nil {
		return err
	}
	theme, err := window.Call("matchMedia", "(prefers-color-scheme: dark)")
	if err != nil {
		return err
	}
	measure := func(safejs.Value) error { return s.measure() }
	if err := s.page.addListener(theme, "change", measure); err != nil {
		return err
	}
	return s.page.addListener(window, "resize", measure)
}
