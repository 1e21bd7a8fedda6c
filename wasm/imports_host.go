//go:build tinycore && host

package main

import "unsafe"

// The build for other hosts than JavaScript imports nothing (packaging/host.md). This and host.ll stand in for the
// imports.

// hostRandom returns 0 where the host gave nothing that nobody can guess: private releases are refused.
func hostRandom(at unsafe.Pointer, n uint32) int32 { return fillFromEntropy(at, n) }

// hostProgress returns 1: every call goes on to its end.
func hostProgress(float64) int32 { return 1 }

// trap ends the call and the instance.
//
//export llvm.trap
func trap()

// exhausted traps: no memory is left.
func exhausted() { trap() }
