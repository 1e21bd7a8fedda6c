//go:build tinycore

package sketch

// shareSources is transformRows.
func (m *FeatureMap) shareSources(dst []float32, rows int) error {
	return m.transformRows(dst, 0, rows)
}

// shareRows computes n rows with the first function of work only. TinyGo's one target, WebAssembly
// without a scheduler, has no goroutines.
func shareRows(n, _ int, work []func(from, to int) error) error {
	return work[0](0, n)
}
