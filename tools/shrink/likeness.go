//go:build !js

package main

import (
	"cmp"
	"slices"
)

// What two functions share is counted in pieces of pieceLength bytes. Values were tried on the core: with 4 or 6 bytes,
// with 2 neighbours, or with all pieces, a file has up to 600 bytes more after Brotli.
const (
	pieceLength = 5
	tooCommon   = 60 // a piece in so many functions says nothing
	neighbours  = 4  // a function is compared with so many before it
	shortest    = 50 // pieces, added to a function's own: a few shared ones are not a likeness
)

// orderOf returns an order of functions in which like ones are neighbours, by their numbers: the longest first, and
// then always the one that shares most, for its length, with those just before it. A piece counts the more the fewer
// functions have it. Brotli keeps statistics of what it has just read, so that code of one kind takes fewer bits.
func orderOf(bodies [][]byte) []int {
	pieces := make([][]string, len(bodies))
	having := map[string][]int{} // the functions that have a piece
	for i, body := range bodies {
		for at := 0; at+pieceLength <= len(body); at++ {
			pieces[i] = append(pieces[i], string(body[at:at+pieceLength]))
		}
		slices.Sort(pieces[i])
		pieces[i] = slices.Compact(pieces[i])
		for _, piece := range pieces[i] {
			having[piece] = append(having[piece], i)
		}
	}
	left := make([]int, len(bodies))
	for i := range left {
		left[i] = i
	}
	var order []int
	shared := make([]float64, len(bodies))
	likeness := func(i int) float64 { return shared[i] / float64(len(pieces[i])+shortest) }
	for len(left) > 0 {
		clear(shared)
		for distance := 1; distance <= min(neighbours, len(order)); distance++ {
			for _, piece := range pieces[order[len(order)-distance]] {
				if n := len(having[piece]); n < tooCommon {
					for _, i := range having[piece] {
						shared[i] += 1 / float64(n) / float64(distance)
					}
				}
			}
		}
		next := slices.MaxFunc(left, func(a, b int) int {
			if len(order) == 0 {
				return cmp.Compare(len(bodies[a]), len(bodies[b]))
			}
			return cmp.Compare(likeness(a), likeness(b))
		})
		order = append(order, next)
		at, _ := slices.BinarySearch(left, next)
		left = slices.Delete(left, at, at+1)
	}
	return order
}
