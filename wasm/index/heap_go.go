//go:build js && wasm && !tinycore

package main

// hasRoom reports true: Go's own heap cannot say. The program ends where memory runs out.
func hasRoom(uintptr) bool { return true }
