//go:build tinycore

package portable

import "unsafe"

// hostNumber writes a number as JavaScript does, in ASCII, and returns how many
// bytes that takes, 25 at most.
//
//go:wasmimport tensorsketch number
func hostNumber(x float64, to unsafe.Pointer) uint32

// FormatNumber writes a number in an error's message. The host does it: strconv's
// tables of powers of ten would be a tenth of the module.
func FormatNumber(x float64) string {
	var text [32]byte
	return string(text[:hostNumber(x, unsafe.Pointer(&text))])
}
