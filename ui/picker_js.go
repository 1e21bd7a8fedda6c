package main

import (
	"tensorsketch.example/ui/internal/dom"
	"tensorsketch.example/ui/internal/learn"
	"tensorsketch.example/ui/internal/lesson"
)

// A picker is the host element of a picture with places to pick: by a press, or by the arrow keys.
type picker struct {
	page  *browser
	id    string
	label string // of what is picked
	item  int    // that is picked, or −1
	count int

	pick     func(item int)
	step     func(item int, key string) (int, bool)
	host     dom.Value
	scene    dom.Value
	svg      dom.Value
	spot     dom.Value // marks what is picked, and has the focus
	picture  *learn.Picture
	size     lesson.Size
	resized  bool
	shown    any
	observer dom.Value
	heard    map[string]dom.Func
}

// newPicker returns a picker for the element with an id.
func newPicker(page *browser, id, label string, pick func(int), step func(int, string) (int, bool)) *picker {
	p := &picker{page: page, id: id, label: label, pick: pick, step: step, host: dom.Undefined(), item: -1}
	p.observer = page.Watch(func() bool { p.resized = true; return true })
	p.heard = map[string]dom.Func{"click": page.Quiet(p.onClick), "keydown": page.Quiet(p.onKey)}
	return p
}

// draw brings the picture up to date with a key. describe puts the picked item into words.
func (p *picker) draw(key any, item int, make func(size lesson.Size) *learn.Picture, describe func(int) string) {
	host := dom.Element(p.id)
	if !dom.Exists(host) {
		return
	}
	if !host.Equal(p.host) || dom.IsEmpty(host) {
		p.furnish(host)
	}
	if p.resized {
		p.size, p.resized, p.shown = roomIn(host), false, nil
	}
	if p.size.Width <= 0 {
		return
	}
	if full := (pickerKey{key, p.size}); p.shown != full {
		p.picture = make(p.size)
		p.svg.Set("innerHTML", p.picture.SVG)
		p.shown, p.count = full, len(p.picture.Spots)
	} else if item == p.item {
		return
	}
	p.item = item
	p.spot.Set("hidden", p.count == 0)
	if p.count == 0 {
		return
	}
	at := min(max(item, 0), p.count-1)
	setBounds(p.spot, p.picture.Spots[at])
	p.spot.Set("className", "spot")
	if item >= 0 {
		p.spot.Set("className", "spot picked")
	}
	for name, value := range map[string]any{"role": "slider", "tabindex": "0", "aria-label": p.label,
		"aria-valuetext": describe(at), "aria-valuemin": 0, "aria-valuemax": p.count - 1, "aria-valuenow": at} {
		dom.SetAttribute(p.spot, name, value)
	}
}

// A pickerKey is what a picture was drawn from.
type pickerKey struct {
	key  any
	size lesson.Size
}

func (p *picker) furnish(host dom.Value) {
	p.host, p.shown, p.resized = host, nil, true
	host.Set("innerHTML", "")
	p.scene = dom.NewElement(host, "div", "scene")
	p.svg = dom.NewElement(p.scene, "div", "drawing")
	p.spot = dom.NewElement(p.scene, "div", "spot")
	dom.SetAttribute(p.svg, "aria-hidden", "true") // the words below say it
	for kind, host := range map[string]dom.Value{"click": p.scene, "keydown": p.spot} {
		host.Call("addEventListener", kind, p.heard[kind])
	}
	p.observer.Call("disconnect")
	p.observer.Call("observe", host)
}

// reach is how far from an item a press still picks it, in pixels.
const reach = 24

func (p *picker) onClick(event dom.Value) (changed bool) {
	if p.picture == nil {
		return false
	}
	x, y := within(p.svg, event)
	item := p.picture.Hit(x, y, reach)
	if item < 0 {
		return false
	}
	p.pick(item)
	p.page.Provoke(p.spot, "focus", map[string]any{"preventScroll": true})
	return true
}

func (p *picker) onKey(event dom.Value) (changed bool) {
	if hasModifier(event) {
		return false
	}
	key := dom.Text(event, "key")
	if (key == "Enter" || key == " ") && p.count > 0 {
		event.Call("preventDefault")
		p.pick(max(p.item, 0))
		return true
	}
	item, ok := p.step(max(p.item, 0), key)
	if !ok {
		return false
	}
	event.Call("preventDefault")
	p.pick(item)
	return true
}
