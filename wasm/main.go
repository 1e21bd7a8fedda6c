//go:build js && wasm

// Command wasm is the core that pages embed: numeric exports over pointers and
// handles, called by public/api/core.js. Each row of features is computed by package
// sketch; here are only its border and its guard.
//
// No call from outside, however wrong, corrupts or ends the module: a pointer
// must lie in a live buffer from ts_alloc, with its whole
// length; a handle carries a generation; memory is counted against a budget
// before it is taken, because Go cannot survive running out of it; and a panic
// becomes a status. Functions return 0 or the status of the failure, of which
// ts_error_… tell more. docs/SPEC.md, section 7, has the conventions and the parameter block.
package main

func main() {
	select {} // exports work as long as the program runs
}
