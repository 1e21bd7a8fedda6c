//go:build js && wasm

package main

import (
	"fmt"
	"slices"

	"tensorsketch.example/sketch/subspace"
)

// components places rows in the plane of their two principal components, by their inner products.
func components(q *struct {
	Products span
	Rows     int
}) (any, error) {
	K := slices.Clone(numbersIn[float64](q.Products))
	if q.Rows < 0 || q.Rows > 1<<12 || q.Rows*q.Rows != len(K) {
		return nil, fmt.Errorf("products must be those of each of %d rows with each, got %d numbers", q.Rows, len(K))
	}
	for i, x := range K {
		if x-x != 0 {
			return nil, fmt.Errorf("products of row %d must be finite, got %v: remove it", i/q.Rows, x)
		}
	}
	xy, share := subspace.PlaceGram(K, q.Rows, 2)
	return map[string]any{"xy": xy, "share": share}, nil
}
