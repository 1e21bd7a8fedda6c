package main

import "github.com/vugu/vugu"

var _ vugu.DOMEvent // import fixer

// ChangeHandler is the interface for things that can handle ChangeEvent.
type ChangeHandler interface {
	ChangeHandle(event ChangeEvent)
}

// ChangeFunc implements ChangeHandler as a function.
type ChangeFunc func(event ChangeEvent)

// ChangeHandle implements the ChangeHandler interface.
func (f ChangeFunc) ChangeHandle(event ChangeEvent) { f(event) }

// assert ChangeFunc implements ChangeHandler
var _ ChangeHandler = ChangeFunc(nil)

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

// TypeHandler is the interface for things that can handle TypeEvent.
type TypeHandler interface {
	TypeHandle(event TypeEvent)
}

// TypeFunc implements TypeHandler as a function.
type TypeFunc func(event TypeEvent)

// TypeHandle implements the TypeHandler interface.
func (f TypeFunc) TypeHandle(event TypeEvent) { f(event) }

// assert TypeFunc implements TypeHandler
var _ TypeHandler = TypeFunc(nil)
