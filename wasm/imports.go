//go:build js && wasm && !host

package main

import "unsafe"

// hostRandom makes the host fill memory with cryptographically secure random bytes, at most 65536.
// It returns 1, or 0 if the host has none.
//
//go:wasmimport tensorsketch random
func hostRandom(to unsafe.Pointer, bytes uint32) int32

// hostProgress tells the host how much of a call is done, from 0 to 1. It returns 0 if the call should stop.
//
//go:wasmimport tensorsketch progress
func hostProgress(done float64) int32
