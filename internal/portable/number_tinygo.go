//go:build tinycore && !host

package portable

import "unsafe"

// hostNumber writes a number as JavaScript does, in ASCII, and returns the number of bytes, at most
// 25.
//
//go:wasmimport tensorsketch number
func hostNumber(x float64, to unsafe.Pointer) uint32

// FormatNumber formats a number for error messages. The host does it: strconv's tables of powers of
// ten would be a tenth of the module.
func FormatNumber(x float64) string {
	var text [32]byte
	return string(text[:hostNumber(x, unsafe.Pointer(&text))])
}
