package dom

import (
	"strconv"

	"github.com/hack-pad/safejs"
)

// Value is a JavaScript value, Func a Go function that JavaScript can call.
type (
	Value = safejs.Value
	Func  = safejs.Func
)

// Window returns the global object.
func Window() Value { return safejs.Global() }

// Document returns the page's document.
func Document() Value { return Get(Window(), "document") }

// Undefined returns the value undefined.
func Undefined() Value { return safejs.Undefined() }

// Get returns a property, or the property of a property.
func Get(v Value, path ...string) Value {
	for _, property := range path {
		v = must(v.Get(property))
	}
	return v
}

// Call calls a method.
func Call(v Value, method string, args ...any) Value { return must(v.Call(method, args...)) }

// Set sets a property.
func Set(v Value, property string, x any) { check(v.Set(property, x)) }

// New returns new constructor(args...) of a global constructor.
func New(constructor string, args ...any) Value {
	return must(Get(Window(), constructor).New(args...))
}

// List returns the items of a list, none where there is no list.
func List(v Value) []Value {
	var items []Value
	for i := range Int(v, "length") {
		items = append(items, must(v.Index(i)))
	}
	return items
}

// Exists reports whether a value is neither null nor undefined.
func Exists(v Value) bool { return !v.IsNull() && !v.IsUndefined() }

// find returns a property of a property, undefined where there is none.
func find(v Value, path []string) Value {
	for _, property := range path {
		next, err := v.Get(property)
		if err != nil {
			return Undefined()
		}
		v = next
	}
	return v
}

// Text returns a string, and "" for any other value.
func Text(v Value, path ...string) (text string) {
	if v = find(v, path); v.Type() == safejs.TypeString {
		text, _ = v.String()
	}
	return text
}

// Number returns a number, and 0 for any other value.
func Number(v Value, path ...string) (x float64) {
	if v = find(v, path); v.Type() == safejs.TypeNumber {
		x, _ = v.Float()
	}
	return x
}

// Int returns a number without its fraction, and 0 for any other value.
func Int(v Value, path ...string) int { return int(Number(v, path...)) }

// Truth reports whether a value counts as true.
func Truth(v Value, path ...string) bool {
	truth, _ := find(v, path).Truthy()
	return truth
}

// BigInt returns a BigInt, which holds integers that a number does not.
func BigInt(n uint64) Value {
	return must(Get(Window(), "BigInt").Invoke(strconv.FormatUint(n, 10)))
}
