//go:build tinycore

package solve

// Share calls work with 0 … n−1. TinyGo's one target has no goroutines.
func Share(n, _ int, work func(i int)) {
	for i := range n {
		work(i)
	}
}
