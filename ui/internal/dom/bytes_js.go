package dom

import (
	"syscall/js"
	"unsafe"
)

type numeric interface{ float32 | float64 | int32 }

// bytesOf returns the memory of x as bytes. They are little-endian, as WebAssembly is.
func bytesOf[T numeric](x []T) []byte {
	if len(x) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), len(x)*int(unsafe.Sizeof(x[0])))
}

// Float32Array copies numbers into a new Float32Array.
func Float32Array(x []float32) Value {
	bytes := New("Uint8Array", 4*len(x))
	js.CopyBytesToJS(bytes, bytesOf(x))
	return New("Float32Array", Get(bytes, "buffer"))
}

// Numbers copies a typed array into dst, which it grows if necessary, and returns the result.
func Numbers[T numeric](dst []T, array Value) []T {
	n := Int(array, "length")
	if cap(dst) < n {
		dst = make([]T, n)
	}
	if dst = dst[:n]; n > 0 {
		bytes := bytesOf(dst)
		view := New("Uint8Array", Get(array, "buffer"), Get(array, "byteOffset"), len(bytes))
		js.CopyBytesToGo(bytes, view)
	}
	return dst
}

// Blob returns a new Blob with the content.
func Blob(content any, mediaType string) Value {
	return New("Blob", []any{content}, map[string]any{"type": mediaType})
}
