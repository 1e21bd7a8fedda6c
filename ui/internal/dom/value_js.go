package dom

import (
	"strconv"

	"github.com/hack-pad/safejs"
)

// Value is a JavaScript value. If JavaScript throws, a method of Value returns undefined, and the page shows the error
// (report). A function that returns an error shows none.
type Value struct{ v safejs.Value }

// Func is a Go function that JavaScript can call.
type Func = safejs.Func

// A Type is what JavaScript's typeof says of a value, or null.
type Type = safejs.Type

// Types of values that are told apart.
const (
	TypeBoolean = safejs.TypeBoolean
	TypeNumber  = safejs.TypeNumber
	TypeString  = safejs.TypeString
	TypeObject  = safejs.TypeObject
)

// Window returns the global object.
func Window() Value { return Value{safejs.Global()} }

// Document returns the page's document.
func Document() Value { return Get(Window(), "document") }

// Undefined returns the value undefined.
func Undefined() Value { return Value{} }

// Type returns the type of v.
func (v Value) Type() Type { return v.v.Type() }

// IsNull reports whether v is null.
func (v Value) IsNull() bool { return v.v.IsNull() }

// IsUndefined reports whether v is undefined.
func (v Value) IsUndefined() bool { return v.v.IsUndefined() }

// Equal reports whether JavaScript's === holds.
func (v Value) Equal(w Value) bool { return v.v.Equal(w.v) }

// Set sets a property.
func (v Value) Set(property string, x any) { report("setting "+property, v.v.Set(property, raw(x))) }

// Call calls a method.
func (v Value) Call(method string, args ...any) Value {
	result, err := v.v.Call(method, rawList(args)...)
	return reported(method, result, err)
}

// Try calls a method that may throw and returns what it threw as an error.
func Try(v Value, method string, args ...any) (Value, error) {
	result, err := v.v.Call(method, rawList(args)...)
	return Value{result}, errorOf(method, err)
}

// New calls a global constructor with new.
func New(constructor string, args ...any) Value {
	made, err := Get(Window(), constructor).v.New(rawList(args)...)
	return reported("new "+constructor, made, err)
}

// reported returns what JavaScript returned. It reports why there is nothing.
func reported(what string, v safejs.Value, err error) Value {
	report(what, err)
	return Value{v}
}

// raw returns an argument in the form that safejs takes.
func raw(x any) any {
	switch x := x.(type) {
	case Value:
		return x.v
	case []any:
		return rawList(x)
	case map[string]any:
		fields := make(map[string]any, len(x))
		for name, field := range x {
			fields[name] = raw(field)
		}
		return fields
	}
	return x
}

func rawList(list []any) []any {
	items := make([]any, len(list))
	for i, item := range list {
		items[i] = raw(item)
	}
	return items
}

// Get returns a property of v, or the property at the end of a path.
func Get(v Value, path ...string) Value {
	for _, property := range path {
		next, err := v.v.Get(property)
		v = reported(property, next, err)
	}
	return v
}

// List returns the items of an array, or none if v is not an array.
func List(v Value) []Value {
	var items []Value
	for i := range Int(v, "length") {
		item, err := v.v.Index(i)
		items = append(items, reported("item "+strconv.Itoa(i), item, err))
	}
	return items
}

// Items returns the items of an array that may be missing, at the end of a path.
func Items(v Value, path ...string) []Value {
	if list := find(v, path); Exists(list) {
		return List(list)
	}
	return nil
}

// Exists reports whether a value is neither null nor undefined.
func Exists(v Value) bool { return !v.IsNull() && !v.IsUndefined() }

// find returns the property at the end of a path, or undefined.
func find(v Value, path []string) Value {
	for _, property := range path {
		if t := v.Type(); t != TypeObject && t != safejs.TypeFunction {
			return Undefined()
		}
		next, err := v.v.Get(property)
		v = reported(property, next, err)
	}
	return v
}

// Text returns a string property, or "" for any other value.
func Text(v Value, path ...string) (text string) {
	if v = find(v, path); v.Type() == TypeString {
		var err error
		text, err = v.v.String()
		report("a text", err)
	}
	return text
}

// Number returns a number property, or 0 for any other value.
func Number(v Value, path ...string) (x float64) {
	if v = find(v, path); v.Type() == TypeNumber {
		var err error
		x, err = v.v.Float()
		report("a number", err)
	}
	return x
}

// Int returns a number property without its fraction, or 0 for any other value.
func Int(v Value, path ...string) int { return int(Number(v, path...)) }

// Truth reports whether a value counts as true.
func Truth(v Value, path ...string) bool {
	truth, err := find(v, path).v.Truthy()
	report("a truth", err)
	return truth
}

// BigInt returns n as a BigInt, because it may exceed the integers that a number holds.
func BigInt(n uint64) Value { return Window().Call("BigInt", strconv.FormatUint(n, 10)) }
