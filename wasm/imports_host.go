//go:build tinycore && host

package main

import "unsafe"

// The build for other hosts than JavaScript imports nothing (packaging/host.md). This and host.ll stand in for the
// imports.

// hostRandom returns 0: there are no secure random bytes, so private releases are refused.
func hostRandom(unsafe.Pointer, uint32) int32 { return 0 }

// hostProgress returns 1: every call goes on to its end.
func hostProgress(float64) int32 { return 1 }

// trap ends the call and the instance.
//
//export llvm.trap
func trap()

// exhausted traps: no memory is left.
func exhausted() { trap() }
