//go:build js && wasm

package main

import (
	"math"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/pairs"
)

// gram writes the inner products of m rows a with n rows b, all of d float32: m × n float64.
//
//go:wasmexport ts_gram
func gram(a, m, b, n, d, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	A, okA := matrix(a, m, int(d))
	B, okB := matrix(b, n, int(d))
	dst, ok := view[float64](out, uint64(m)*uint64(n))
	if d-1 >= sketch.MaxComponents || !okA || !okB || !ok {
		return failPointer("A, B or out")
	}
	return withWork(pairs.GramBytes(int(m), int(n)), "pass fewer rows at once, or dispose maps no longer needed",
		func() error {
			_, err := pairs.Gram(dst, A, B, int(d))
			return err
		})
}

// addToRanking offers n estimates of each of some queries, for rows from first on, to the k best of each: int32 rows
// and float64 values (pairs.Ranking). count rows were offered before.
//
//go:wasmexport ts_rank_add
func addToRanking(queries, k, count, rows, values, first, estimates, n uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	r, s := ranking(queries, k, count, rows, values)
	if s != statusOK {
		return s
	}
	found, ok := view[float64](estimates, uint64(queries)*uint64(n))
	if !ok || uint64(first)+uint64(n) > math.MaxInt32 || uint64(count)+uint64(n) > math.MaxInt32 {
		return failPointer("the estimates")
	}
	r.Add(int(first), found)
	return statusOK
}

// sortRanking puts the best rows of each query in order.
//
//go:wasmexport ts_rank_sort
func sortRanking(queries, k, count, rows, values uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	r, s := ranking(queries, k, count, rows, values)
	if s == statusOK {
		r.Sort()
	}
	return s
}

func ranking(queries, k, count, rows, values uint32) (pairs.Ranking, status) {
	kept := uint64(queries) * uint64(k)
	best, okRows := view[int32](rows, kept)
	estimates, okValues := view[float64](values, kept)
	if !okRows || !okValues || count > math.MaxInt32 {
		return pairs.Ranking{}, failPointer("the ranking")
	}
	return pairs.Ranking{K: int(k), Count: int(count), Rows: best, Estimates: estimates}, statusOK
}
