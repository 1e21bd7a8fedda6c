package dom

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// object returns what a JavaScript expression gives.
func object(t *testing.T, expression string) Value {
	t.Helper()
	made, err := Try(New("Function", "return ("+expression+")"), "call")
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return made
}

const broken = `{ fail() { throw Object.assign(new Error("x must be 3, not 4"),
	{ code: "E", row: 7, place: 9 }) }, text: "a", number: 1.5, list: [1, 2], none: null }`

// TestTry: what JavaScript threw is an *Error with all its parts, and what safejs refuses says what was done. Neither
// is shown.
func TestTry(t *testing.T) {
	v := object(t, broken)
	got, err := Try(v, "fail")
	var thrown *Error
	if !errors.As(err, &thrown) || *thrown != (Error{"x must be 3, not 4", "E", 7, 9}) || !got.IsUndefined() {
		t.Errorf("Try(fail) = %v, %+v", got.Type(), err)
	}
	if _, err = Try(v, "missing"); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("Try(missing): %v", err)
	}
	if _, err = Try(v, "fail", make(chan int)); err == nil {
		t.Error("a channel was taken as an argument")
	}
	if _, err = Ask(v, "fail"); !errors.As(err, &thrown) {
		t.Errorf("Ask(fail): %v", err)
	}
	if _, err = Ask(object(t, `{ now: () => 3 }`), "now"); err == nil {
		t.Error("Ask takes a number for a promise")
	}
	if err := taken(); err != nil {
		t.Errorf("shown, too: %v", err)
	}
}

// TestReported: a handler goes on after JavaScript has thrown. The visitor sees the first error, once, when it ends.
func TestReported(t *testing.T) {
	var shown []string
	l := NewLoop(func(message string) { shown = append(shown, message) })
	v, went := object(t, broken), false
	f := l.Func(func(event Value) {
		if Int(event) != 4 {
			t.Errorf("the argument is %v", Number(event))
		}
		if !v.Call("fail").IsUndefined() || !Get(v, "none", "next").IsUndefined() {
			t.Error("a call that failed gave a value")
		}
		Get(v, "none").Set("x", 1)
		went = true
	})
	call := object(t, `{ it: (f, x) => f(x) }`)
	call.Call("it", f, 4)
	if want := []string{"x must be 3, not 4"}; !slices.Equal(shown, want) || !went {
		t.Errorf("shown %q, want %q", shown, want)
	}
	l.Look(func() {})
	if err := l.Draw(func() error { v.Call("fail"); return nil }); err == nil || len(shown) != 1 {
		t.Errorf("Draw returned %v; shown %q", err, shown)
	}
	New("NoSuchThing")
	select {
	case <-l.drawings:
	default:
		t.Error("no drawing is wanted for an error of a goroutine")
	}
	if err := l.Draw(func() error { return nil }); err != nil || len(shown) != 2 {
		t.Errorf("Draw returned %v for an error from before; shown %q", err, shown)
	}
}

// TestCatch: an error that was reported is the function's own, and so is a panic.
func TestCatch(t *testing.T) {
	of := func(f func()) (err error) {
		defer Catch(&err)
		f()
		return nil
	}
	v := object(t, broken)
	var thrown *Error
	if err := of(func() { v.Call("fail") }); !errors.As(err, &thrown) || thrown.Code != "E" {
		t.Errorf("of a call: %v", err)
	}
	if err := of(func() { panic("out of range") }); err == nil || !strings.Contains(err.Error(), "out of range") {
		t.Errorf("of a panic: %v", err)
	}
	if err := of(func() {}); err != nil {
		t.Error(err)
	}
}

// TestValues: values of every kind come back as they went in, also inside lists and objects.
func TestValues(t *testing.T) {
	v := object(t, broken)
	echo := object(t, `{ it: (x) => ({ ...x, big: String(x.big) }) }`)
	back := echo.Call("it", map[string]any{"a": []any{v, 2, map[string]any{"b": "é"}}, "big": BigInt(1 << 63)})
	if Text(back, "a", "0", "text") != "a" || Number(back, "a", "0", "number") != 1.5 || Int(back, "a", "1") != 2 ||
		Text(back, "a", "2", "b") != "é" || Text(back, "big") != "9223372036854775808" {
		t.Errorf("came back as %v", Text(Get(Window(), "JSON").Call("stringify", Get(back, "a"))))
	}
	if Text(v, "none", "x") != "" || Truth(v, "none") || Int(v, "text") != 0 || len(List(Get(v, "list"))) != 2 ||
		!Get(back, "a", "0").Equal(v) || Exists(Get(v, "none")) {
		t.Error("a value is misread")
	}
	if x := Numbers[float32](Float32Array([]float32{1, -2.5})); !slices.Equal(x, []float32{1, -2.5}) {
		t.Errorf("numbers came back as %v", x)
	}
	if err := taken(); err != nil {
		t.Error(err)
	}
}
