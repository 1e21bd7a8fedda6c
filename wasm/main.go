//go:build js && wasm

// Command wasm is the core that pages embed: numeric exports over pointers and handles, called by
// public/api/core.js. Package sketch computes the features; this package only checks and converts
// arguments.
//
// The interface holds only between files of one release. Exports work once _initialize has been called.
// A core by Go's own compiler has run instead, and imports Go's runtime (public/api/gojs.js). The core
// imports
//
//   - tensorsketch.random(pointer, bytes), which fills memory with at most 65,536 secure random bytes and
//     returns 1, or 0 if there are none;
//   - tensorsketch.progress(share), which hears how much of a long call is done and returns 1 to go on or
//     0 to stop it.
//
// With the tag host it imports nothing, and has functions for SQL besides (host.go, packaging/host.md).
//
// No call from outside, however wrong, corrupts or ends the module. A pointer is a byte offset into the
// export mem, which any call may grow and so detach. Its range must lie, aligned, in one live buffer from
// ts_alloc. A handle carries a generation. Memory is counted against a budget before it is allocated,
// because Go cannot survive running out of memory: buffers in whole 8 KiB pages, maps, and a fixed 16 MiB
// for the runtime. ts_budget sets it, by default to 2^30 and at most to 2^32 bytes.
//
// Most exports return a status, 0 for success (status.go). The ts_error_… exports return the details of
// the last failure, −1 for a row, column or count that does not apply. A panic becomes a status, or a trap
// under TinyGo.
//
// A parameter block has exactly this length and order:
//
//  1. A header of float64: blockVersion, then the fields that params.go lists. Names are numbers from 0:
//     methods in the order of sketch.Methods, hash as seed, random-state, tables, others as listed in
//     docs/SPEC.md. −0 is the default degree.
//  2. nFeatures, float64.
//  3. The seed's payload, padded with zeros to a multiple of 8; the integer 0 where tables come from
//     elsewhere.
//  4. The parameters of the method (values.go). Those left out take their defaults.
//  5. Given tables: int32 indexHash, then int32 bitHash, row by row.
package main

func main() {
	select {} // exports work only while the program runs
}
