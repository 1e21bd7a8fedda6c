//go:build tinycore

package sketch

import "slices"

// sortNumbers uses the same sort as the other builds. It treats −0 and 0 as equal, so another sort
// could give another median.
func sortNumbers(values []float64) { slices.Sort(values) }

// sortFunc is a heap sort: package slices would add 3 KB of code for each type. The orders here are
// total, so any sort gives the same bits.
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
