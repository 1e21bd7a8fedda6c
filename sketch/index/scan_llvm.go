//go:build tinycore

package index

import "unsafe"

// The bodies of these functions are in scan.ll; scan_go.go documents them.

func scan4(sums []int64, codes []byte, query []int16, stride int)
func scan8(sums []int64, codes []byte, query []int16, stride int)
func dots(out, rows, q []float32)
func distances(out, rows, q []float32)
func butterflies(a, b []float32)

// Freed hears of memory that nothing points to, for a heap without a collector.
var Freed func(from unsafe.Pointer, bytes uintptr)

// Release gives memory back that nothing points to.
func Release[T any](s []T) {
	if Freed != nil && cap(s) > 0 {
		Freed(unsafe.Pointer(unsafe.SliceData(s)), uintptr(cap(s))*unsafe.Sizeof(s[:1][0]))
	}
}
