//go:build js && wasm

package main

import (
	"math"

	"tensorsketch.example/internal/portable"
)

// A method parameter in a block is: the kind of its value and the number of bytes of its name, both
// float64; the name padded to 8 bytes; the value. A bool or number is one float64. A text or list
// of numbers is its length as float64, then the padded text or the numbers.
const (
	kindBool = iota
	kindNumber
	kindText
	kindNumbers
)

// methodParam reads one method parameter.
func (r *blockReader) methodParam() (name string, value any) {
	kind := r.float64()
	name = string(r.padded(r.count("methodParams", r.float64())))
	if r.err != nil {
		return
	}
	switch number := r.float64(); kind {
	case kindBool:
		value = number != 0
	case kindNumber:
		value = number
	case kindText:
		value = string(r.padded(r.count("methodParams", number)))
	case kindNumbers:
		value = r.floats(r.count("methodParams", number))
	default:
		r.fail("methodParams", portable.FormatNumber(kind))
	}
	return
}

// appendParam is the inverse of methodParam.
func appendParam(b []byte, name string, value any) []byte {
	kind, n := kindNumber, 0
	switch v := value.(type) {
	case bool:
		kind = kindBool
	case string:
		kind, n = kindText, len(v)
	case []float64:
		kind, n = kindNumbers, len(v)
	}
	b = appendFloats(b, float64(kind), float64(len(name)))
	b = appendText(b, name)
	switch v := value.(type) {
	case bool:
		if v {
			return appendFloats(b, 1)
		}
		return appendFloats(b, 0)
	case float64:
		return appendFloats(b, v)
	case string:
		return appendText(appendFloats(b, float64(n)), v)
	case []float64:
		return appendFloats(appendFloats(b, float64(n)), v...)
	}
	return b
}

func appendFloats(b []byte, values ...float64) []byte {
	for _, v := range values {
		bits := math.Float64bits(v)
		for shift := 0; shift < 64; shift += 8 {
			b = append(b, byte(bits>>shift))
		}
	}
	return b
}

// appendText appends a text padded to 8 bytes.
func appendText(b []byte, text string) []byte {
	b = append(b, text...)
	for len(b)%8 != 0 {
		b = append(b, 0)
	}
	return b
}
