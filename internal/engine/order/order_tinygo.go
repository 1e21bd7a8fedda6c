//go:build tinycore

package order

// Func sorts values. It is a heap sort: package slices would add 3 KB of code for each type. The orders are
// total, so any sort gives the same bits.
func Func[T any](values []T, order func(a, b T) int) {
	for root := len(values)/2 - 1; root >= 0; root-- {
		siftDown(values, root, order)
	}
	for end := len(values) - 1; end > 0; end-- {
		values[0], values[end] = values[end], values[0]
		siftDown(values[:end], 0, order)
	}
}

func siftDown[T any](values []T, root int, order func(a, b T) int) {
	for child := 2*root + 1; child < len(values); child = 2*root + 1 {
		if child+1 < len(values) && order(values[child], values[child+1]) < 0 {
			child++
		}
		if order(values[root], values[child]) >= 0 {
			return
		}
		values[root], values[child] = values[child], values[root]
		root = child
	}
}
