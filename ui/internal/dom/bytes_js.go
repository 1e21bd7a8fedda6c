package dom

import (
	"unsafe"

	"github.com/hack-pad/safejs"
)

type numeric interface{ float32 | float64 }

// bytesOf returns the memory of x as bytes. They are little-endian, as WebAssembly is.
func bytesOf[T numeric](x []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(x[0])))
}

// CopyBytes copies bytes into a Uint8Array or Uint8ClampedArray.
func CopyBytes(array Value, bytes []byte) {
	_, err := safejs.CopyBytesToJS(array.v, bytes)
	report("copying bytes", err)
}

// Float32Array copies numbers into a new Float32Array.
func Float32Array(x []float32) Value {
	bytes := New("Uint8Array", 4*len(x))
	CopyBytes(bytes, bytesOf(x))
	return New("Float32Array", Get(bytes, "buffer"))
}

// Numbers copies a typed array.
func Numbers[T numeric](array Value) []T {
	numbers := make([]T, Int(array, "length"))
	if bytes := bytesOf(numbers); len(bytes) > 0 {
		view := New("Uint8Array", Get(array, "buffer"), Get(array, "byteOffset"), len(bytes))
		_, err := safejs.CopyBytesToGo(bytes, view.v)
		report("copying numbers", err)
	}
	return numbers
}

// Blob returns a new Blob with the content.
func Blob(content any, mediaType string) Value {
	return New("Blob", []any{content}, map[string]any{"type": mediaType})
}
