//go:build tinycore

package learn

// share calls work with 0 … n−1. TinyGo's one target has no goroutines.
func share(n, _ int, work func(i int)) {
	for i := range n {
		work(i)
	}
}
