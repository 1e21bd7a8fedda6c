package main

import "sync"

// A brake ends the work of a goroutine, as a context.Context would: that brings what writes dates into the program.
type brake struct {
	background func(f func()) // calls f in a goroutine of its own
	mutex      sync.Mutex
	why        error  // nil until it is pulled
	then       func() // called once it is
}

// pull ends the work with a reason, unless it has ended.
func (b *brake) pull(why error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.why != nil {
		return
	}
	b.why = why
	if b.then != nil {
		b.background(b.then)
	}
}

// cause returns why the work must end, or nil.
func (b *brake) cause() error {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.why
}

// onPull has f called in a goroutine of its own when the brake is pulled, also if it is already, until release.
func (b *brake) onPull(f func()) (release func()) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.then = f; b.why != nil {
		b.background(f)
	}
	return func() {
		b.mutex.Lock()
		defer b.mutex.Unlock()
		b.then = nil
	}
}
