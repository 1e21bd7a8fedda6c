//go:build js && wasm

// Command wasm is the core that pages embed: numeric exports over pointers and handles, called by
// public/api/core.js. Package sketch computes the features; this package only checks and converts
// arguments.
//
// No call from outside, however wrong, corrupts or ends the module. A pointer must lie in a live
// buffer from ts_alloc, with its whole length. A handle carries a generation. Memory is counted
// against a budget before it is allocated, because Go cannot survive running out of memory. A panic
// becomes a status. Functions return 0 or the status of the failure, and the ts_error_… exports
// return the details. docs/SPEC.md, section 7, has the conventions and the parameter block.
package main

func main() {
	select {} // exports work only while the program runs
}
