package main

import (
	"strconv"

	"github.com/vugu/vugu"
)

// Entry is a parameter to type, some with a slider.
type Entry struct {
	Field  Field
	Type   TypeHandler
	Change ChangeHandler
}

func (c *Entry) typed(event vugu.DOMEvent) {
	c.Type.TypeHandle(TypeEvent{c.Field.Name, event.PropString("target", "value")})
}

func (c *Entry) changed(event vugu.DOMEvent) {
	c.Change.ChangeHandle(ChangeEvent{c.Field.Name, event.PropString("target", "value")})
}

func (c *Entry) moved(event vugu.DOMEvent) {
	c.Change.ChangeHandle(ChangeEvent{c.Field.Name, FromSlider(c.Field.Name, event.PropString("target", "value"))})
}

func (c *Entry) inputMode() string {
	if c.Field.Name == "seed" {
		return "text"
	}
	return "decimal"
}

func (c *Entry) invalid() string { return strconv.FormatBool(c.Field.Error != "") }

// fill tells the style sheet how much of the slider's track is before the thumb.
func (c *Entry) fill() string {
	s := c.Field.Slider
	return "--fill:" + strconv.Itoa(100*(s.At-s.Min)/(s.Max-s.Min)) + "%"
}
