package main

import "github.com/vugu/vugu"

var _ vugu.DOMEvent // import fixer

// EditHandler is the interface for things that can handle EditEvent.
type EditHandler interface {
	EditHandle(event EditEvent)
}

// EditFunc implements EditHandler as a function.
type EditFunc func(event EditEvent)

// EditHandle implements the EditHandler interface.
func (f EditFunc) EditHandle(event EditEvent) { f(event) }

// assert EditFunc implements EditHandler
var _ EditHandler = EditFunc(nil)

// PressHandler is the interface for things that can handle PressEvent.
type PressHandler interface {
	PressHandle(event PressEvent)
}

// PressFunc implements PressHandler as a function.
type PressFunc func(event PressEvent)

// PressHandle implements the PressHandler interface.
func (f PressFunc) PressHandle(event PressEvent) { f(event) }

// assert PressFunc implements PressHandler
var _ PressHandler = PressFunc(nil)
