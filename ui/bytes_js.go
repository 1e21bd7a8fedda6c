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

// copyFloats copies a Float32Array into dst, grown as it needs, and returns it.
func copyFloats(dst []float32, array safejs.Value) ([]float32, error) {
	n, err := array.Length()
	if err != nil {
		return nil, err
	}
	if cap(dst) < n {
		dst = make([]float32, n)
	}
	dst = dst[:n]
	buffer, err := array.Get("buffer")
	if err != nil {
		return nil, err
	}
	offset, err := array.Get("byteOffset")
	if err != nil {
		return nil, err
	}
	view, err := newObject("Uint8Array", buffer, offset, 4*n)
	if err != nil {
		return nil, err
	}
	_, err = safejs.CopyBytesToGo(bytesOf(dst), view)
	return dst, err
}

// newBlob returns a Blob of one part, a typed array.
func newBlob(part safejs.Value) (safejs.Value, error) {
	return blobOf([]any{part}, "application/octet-stream")
}

func blobOf(parts []any, mediaType string) (safejs.Value, error) {
	return newObject("Blob", parts, map[string]any{"type": mediaType})
}

// readBlob returns the bytes of a Blob or File from one offset to another.
func readBlob(blob safejs.Value, from, to int) ([]byte, error) {
	part, err := blob.Call("slice", from, to)
	if err != nil {
		return nil, err
	}
	return blobBytes(part)
}

// blobBytes returns all bytes of a Blob or File.
func blobBytes(blob safejs.Value) ([]byte, error) {
	promise, err := blob.Call("arrayBuffer")
	if err != nil {
		return nil, err
	}
	buffer, err := await(promise)
	if err != nil {
		return nil, err
	}
	return bytesOfBuffer(buffer)
}

// bytesOfBuffer copies an ArrayBuffer.
func bytesOfBuffer(buffer safejs.Value) ([]byte, error) {
	view, err := newObject("Uint8Array", buffer)
	if err != nil {
		return nil, err
	}
	n, err := view.Length()
	if err != nil {
		return nil, err
	}
	bytes := make([]byte, n)
	_, err = safejs.CopyBytesToGo(bytes, view)
	return bytes, err
}

// copyDoubles copies a Float64Array.
func copyDoubles(array safejs.Value) ([]float64, error) {
	n, err := array.Length()
	if err != nil || n == 0 {
		return nil, err
	}
	buffer, err := array.Get("buffer")
	if err != nil {
		return nil, err
	}
	bytes, err := newObject("Uint8Array", buffer)
	if err != nil {
		return nil, err
	}
	numbers := make([]float64, n)
	_, err = safejs.CopyBytesToGo(unsafe.Slice((*byte)(unsafe.Pointer(&numbers[0])), 8*n), bytes)
	return numbers, err
}
