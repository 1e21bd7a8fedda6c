// Package npy writes the header of NumPy's .npy files.
package npy

import (
	"strconv"
	"strings"
)

const magic = "\x93NUMPY\x01\x00"

// alignment of the data behind the header, as the format asks.
const alignment = 64

// Float32Header returns the header, version 1.0, of a rows × columns array of
// little-endian float32 in C order. The numbers follow it immediately.
func Float32Header(rows, columns int) []byte {
	shape := "(" + strconv.Itoa(rows) + ", " + strconv.Itoa(columns) + ")"
	dict := "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }"
	length := len(magic) + 2 + len(dict) + 1
	padding := (alignment - length%alignment) % alignment
	dict += strings.Repeat(" ", padding) + "\n"
	header := append([]byte(magic), byte(len(dict)), byte(len(dict)>>8))
	return append(header, dict...)
}
