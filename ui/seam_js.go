package main

import (
	"context"
	"time"

	"github.com/hack-pad/safejs"
	"tensorsketch.example/ui/internal/dom"
)

// What the embedding on the page calls, until the worker makes previews.

var await, awaitable, thrown = dom.Await, dom.Awaitable, dom.Thrown

func text(v safejs.Value, property string) string { return dom.Text(v, property) }

func newObject(constructor string, args ...any) (v safejs.Value, err error) {
	defer dom.Catch(&err)
	return dom.New(constructor, args...), nil
}

func float32Array(x []float32) (v safejs.Value, err error) {
	defer dom.Catch(&err)
	return dom.Float32Array(x), nil
}

func copyNumbers[T float32 | float64 | int32](array safejs.Value) (numbers []T, err error) {
	defer dom.Catch(&err)
	return dom.Numbers[T](nil, array), nil
}

func copyFloats(dst []float32, array safejs.Value) (numbers []float32, err error) {
	defer dom.Catch(&err)
	return dom.Numbers(dst, array), nil
}

// slice is how long the page computes before it lets the browser have a turn.
const slice = 8 * time.Millisecond

// A pacer divides long work into slices.
type pacer struct {
	context context.Context
	since   time.Time
}

func newPacer(ctx context.Context) *pacer { return &pacer{ctx, time.Now()} }

// Pace lets the browser have a turn when a slice is over, and returns why the work shall stop.
func (p *pacer) Pace() error {
	if time.Since(p.since) >= slice {
		dom.NextTurn()
		p.since = time.Now()
	}
	return context.Cause(p.context)
}
