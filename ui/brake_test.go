package main

import (
	"errors"
	"testing"
)

func TestBrake(t *testing.T) {
	first, called := errors.New("first"), make(chan string, 3)
	b := &brake{background: func(f func()) { f() }}
	b.onPull(func() { called <- "released" })()
	release := b.onPull(func() { called <- "then" })
	if got := b.cause(); got != nil {
		t.Errorf("cause is %v before it is pulled", got)
	}
	b.pull(first)
	b.pull(errors.New("second"))
	if got := b.cause(); got != first {
		t.Errorf("cause is %v, want the first", got)
	}
	if got := <-called; got != "then" {
		t.Errorf("%q was called", got)
	}
	release()
	b.onPull(func() { called <- "late" })
	if got := <-called; got != "late" || len(called) > 0 {
		t.Errorf("%q was called, and %d more", got, len(called))
	}
}
