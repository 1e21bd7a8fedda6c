package dom

import (
	"strconv"
	"syscall/js"
)

// Value is a JavaScript value. Func is a Go function that JavaScript can call.
type (
	Value = js.Value
	Func  = js.Func
)

// Window returns the global object.
func Window() Value { return js.Global() }

// Document returns the page's document.
func Document() Value { return Get(Window(), "document") }

// Undefined returns the value undefined.
func Undefined() Value { return js.Undefined() }

// Get returns a property of v, or the property at the end of a path.
func Get(v Value, path ...string) Value {
	for _, property := range path {
		v = v.Get(property)
	}
	return v
}

// Try calls a method that may throw and returns what it threw as an error.
func Try(v Value, method string, args ...any) (result Value, err error) {
	defer Catch(&err)
	return v.Call(method, args...), nil
}

// New calls a global constructor with new.
func New(constructor string, args ...any) Value { return Window().Get(constructor).New(args...) }

// List returns the items of an array, or none if v is not an array.
func List(v Value) []Value {
	var items []Value
	for i := range Int(v, "length") {
		items = append(items, v.Index(i))
	}
	return items
}

// Exists reports whether a value is neither null nor undefined.
func Exists(v Value) bool { return !v.IsNull() && !v.IsUndefined() }

// find returns the property at the end of a path, or undefined.
func find(v Value, path []string) Value {
	for _, property := range path {
		if t := v.Type(); t != js.TypeObject && t != js.TypeFunction {
			return Undefined()
		}
		v = v.Get(property)
	}
	return v
}

// Text returns a string property, or "" for any other value.
func Text(v Value, path ...string) (text string) {
	if v = find(v, path); v.Type() == js.TypeString {
		text = v.String()
	}
	return text
}

// Number returns a number property, or 0 for any other value.
func Number(v Value, path ...string) (x float64) {
	if v = find(v, path); v.Type() == js.TypeNumber {
		x = v.Float()
	}
	return x
}

// Int returns a number property without its fraction, or 0 for any other value.
func Int(v Value, path ...string) int { return int(Number(v, path...)) }

// Truth reports whether a value counts as true.
func Truth(v Value, path ...string) bool { return find(v, path).Truthy() }

// BigInt returns n as a BigInt, because it may exceed the integers that a number holds.
func BigInt(n uint64) Value { return Window().Call("BigInt", strconv.FormatUint(n, 10)) }
