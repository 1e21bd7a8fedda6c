package main

import (
	"strconv"

	"github.com/vugu/vugu"
)

// Entry is a parameter to type, some with a slider or with buttons to step.
type Entry struct {
	Field Field
	Edit  EditHandler
}

func (c *Entry) typed(event vugu.DOMEvent) {
	c.Edit.EditHandle(EditEvent{c.Field.Name, event.PropString("target", "value"), Typed})
}

func (c *Entry) changed(event vugu.DOMEvent) {
	c.Edit.EditHandle(EditEvent{c.Field.Name, event.PropString("target", "value"), Chosen})
}

func (c *Entry) moved(event vugu.DOMEvent) {
	c.Edit.EditHandle(EditEvent{c.Field.Name, event.PropString("target", "value"), Slid})
}

func (c *Entry) step(by string) { c.Edit.EditHandle(EditEvent{c.Field.Name, by, Stepped}) }

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
