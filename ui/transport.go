package main

import "github.com/vugu/vugu"

// Transport steps through the picture and writes out what the step computes.
type Transport struct {
	View  BoardView
	Press PressHandler
	Edit  EditHandler
}

func (c *Transport) press(action Action) { c.Press.PressHandle(PressEvent{action}) }

func (c *Transport) chosen(event vugu.DOMEvent) {
	c.Edit.EditHandle(EditEvent{"speed", event.PropString("target", "value"), Chosen})
}
