package dom

import (
	"strconv"
	"syscall/js"
)

// Value is a JavaScript value, Func a Go function that JavaScript can call.
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

// Get returns a property, or the property of a property.
func Get(v Value, path ...string) Value {
	for _, property := range path {
		v = v.Get(property)
	}
	return v
}

// Try calls a method that may throw.
func Try(v Value, method string, args ...any) (result Value, err error) {
	defer Catch(&err)
	return v.Call(method, args...), nil
}

// New returns new constructor(args...) of a global constructor.
func New(constructor string, args ...any) Value { return Window().Get(constructor).New(args...) }

// List returns the items of a list, none where there is no list.
func List(v Value) []Value {
	var items []Value
	for i := range Int(v, "length") {
		items = append(items, v.Index(i))
	}
	return items
}

// Exists reports whether a value is neither null nor undefined.
func Exists(v Value) bool { return !v.IsNull() && !v.IsUndefined() }

// find returns a property of a property, undefined where there is none.
func find(v Value, path []string) Value {
	for _, property := range path {
		if t := v.Type(); t != js.TypeObject && t != js.TypeFunction {
			return Undefined()
		}
		v = v.Get(property)
	}
	return v
}

// Text returns a string, and "" for any other value.
func Text(v Value, path ...string) (text string) {
	if v = find(v, path); v.Type() == js.TypeString {
		text = v.String()
	}
	return text
}

// Number returns a number, and 0 for any other value.
func Number(v Value, path ...string) (x float64) {
	if v = find(v, path); v.Type() == js.TypeNumber {
		x = v.Float()
	}
	return x
}

// Int returns a number without its fraction, and 0 for any other value.
func Int(v Value, path ...string) int { return int(Number(v, path...)) }

// Truth reports whether a value counts as true.
func Truth(v Value, path ...string) bool { return find(v, path).Truthy() }

// BigInt returns a BigInt, which holds integers that a number does not.
func BigInt(n uint64) Value { return Window().Call("BigInt", strconv.FormatUint(n, 10)) }
