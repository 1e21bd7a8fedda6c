//go:build js && wasm && !tinycore

package main

import "runtime"

func collectGarbage() { runtime.GC() }

// freePages does nothing: Go's collector frees buffers.
func freePages(*uint64) {}

// recovers says that exports recover from panics.
const recovers = true

// recovered turns a panic into a status; defer it with the address of the export's result.
func recovered(s *status) {
	switch p := recover().(type) {
	case nil:
	case error:
		*s = fail(statusInternal, "internal error: "+p.Error())
	case string:
		*s = fail(statusInternal, "internal error: "+p)
	default:
		*s = fail(statusInternal, "internal error")
	}
}
