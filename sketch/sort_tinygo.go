//go:build tinygo

package sketch

import "cmp"

// Package slices has a sort of 3 KB for each type. Orders here are total but for
// entries that are equal in all they hold, so that any sort gives the same bits.

func sortNumbers(values []float64) { sortFunc(values, cmp.Compare[float64]) }

// sortFunc sorts by heap.
func sortFunc[T any](values []T, order func(a, b T) int) {
	heapSort(len(values), func(i, j int) bool { return order(values[i], values[j]) < 0 },
		func(i, j int) { values[i], values[j] = values[j], values[i] })
}

func heapSort(n int, less func(i, j int) bool, swap func(i, j int)) {
	for root := n/2 - 1; root >= 0; root-- {
		siftDown(root, n, less, swap)
	}
	for end := n - 1; end > 0; end-- {
		swap(0, end)
		siftDown(0, end, less, swap)
	}
}

func siftDown(root, end int, less func(i, j int) bool, swap func(i, j int)) {
	for child := 2*root + 1; child < end; child = 2*root + 1 {
		if child+1 < end && less(child, child+1) {
			child++
		}
		if !less(root, child) {
			return
		}
		swap(root, child)
		root = child
	}
}
