//go:build js && wasm

package main

import (
	"tensorsketch.example/internal/exact"
	"tensorsketch.example/internal/sums"
)

// addSums adds rows of n features to n exact sums of exact.Words words each. Each row is multiplied
// by its weight unless the weights address is 0. After an error the sums are unchanged.
//
//go:wasmexport ts_sums_add
func addSums(words, n, z, rows, weights uint32) (s status) {
	defer recovered(&s)
	exactSums, okSums := view[uint64](words, uint64(n)*exact.Words)
	Z, okZ := matrix(z, rows, int(n))
	w, okWeights := []float32(nil), true
	if weights != 0 {
		w, okWeights = matrix(weights, rows, 1)
	}
	if n == 0 || !okSums || !okZ || !okWeights {
		return failPointer("sums, z or weights")
	}
	return withWork(24*int64(n), lowerComponents, func() error { return sums.Add(exactSums, Z, w) })
}
