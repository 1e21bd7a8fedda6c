// Package need ends a test where a call that it needs fails, and fails one where a headline is not what its picture
// shows.
package need

import (
	"runtime"
	"strings"
	"testing"
)

// ender is a test, a benchmark or a property.
type ender interface {
	Helper()
	Fatal(args ...any)
}

// Value gives the value of a call, or ends the test with its error: need.Value(sketch.New(params))(t).
func Value[T any](value T, err error) func(t ender) T {
	return func(t ender) T {
		t.Helper()
		OK(t, err)
		return value
	}
}

// OK ends the test with the error, if there is one.
func OK(t ender, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Panics asserts that a call panics with a text that begins with want.
func Panics(t testing.TB, name, want string, call func()) {
	t.Helper()
	defer func() {
		if p, ok := recover().(string); !ok || !strings.HasPrefix(p, want) {
			t.Errorf("%s: panic %q, want one that begins with %q", name, p, want)
		}
	}()
	call()
}

// Allocated returns the bytes that a call allocates.
func Allocated(call func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}
