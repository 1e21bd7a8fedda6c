package main

import (
	"unsafe"

	"github.com/hack-pad/safejs"
)

// newObject returns new Constructor(args...) of a global constructor.
func newObject(constructor string, args ...any) (safejs.Value, error) {
	c, err := safejs.Global().Get(constructor)
	if err != nil {
		return safejs.Undefined(), err
	}
	return c.New(args...)
}

// bytesOf returns the memory of numbers as bytes, little-endian as in WebAssembly.
func bytesOf(x []float32) []byte {
	if len(x) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), 4*len(x))
}

// uint8Array copies bytes into a new Uint8Array.
func uint8Array(b []byte) (safejs.Value, error) {
	array, err := newObject("Uint8Array", len(b))
	if err != nil {
		return array, err
	}
	_, err = safejs.CopyBytesToJS(array, b)
	return array, err
}

// float32Array copies numbers into a new Float32Array.
func float32Array(x []float32) (safejs.Value, error) {
	bytes, err := uint8Array(bytesOf(x))
	if err != nil {
		return bytes, err
	}
	buffer, err := bytes.Get("buffer")
	if err != nil {
		return buffer, err
	}
	return newObject("Float32Array", buffer)
}

// copyNumbers copies a typed array.
func copyNumbers[T numeric](array safejs.Value) ([]T, error) {
	n, err := array.Length()
	if err != nil || n == 0 {
		return nil, err
	}
	numbers := make([]T, n)
	return numbers, copyInto(numbers, array)
}

type numeric interface{ float32 | float64 | int32 }

// copyInto copies as many numbers of a typed array as dst has.
func copyInto[T numeric](dst []T, array safejs.Value) error {
	if len(dst) == 0 {
		return nil
	}
	buffer, err := array.Get("buffer")
	if err != nil {
		return err
	}
	offset, err := array.Get("byteOffset")
	if err != nil {
		return err
	}
	size := len(dst) * int(unsafe.Sizeof(dst[0]))
	view, err := newObject("Uint8Array", buffer, offset, size)
	if err != nil {
		return err
	}
	_, err = safejs.CopyBytesToGo(unsafe.Slice((*byte)(unsafe.Pointer(&dst[0])), size), view)
	return err
}

func blobOf(parts []any, mediaType string) (safejs.Value, error) {
	return newObject("Blob", parts, map[string]any{"type": mediaType})
}
