package sketch

// SetGoroutines lets TransformBatch, TransformCSR, TransformRows and
// TransformProduct spread their rows over n goroutines; n below 2, as at first,
// means the caller's alone. Each takes the memory of a Clone, once. The bits, and
// the row an error names, do not depend on n. runtime.GOMAXPROCS(0) is a good n
// on a server; WebAssembly has one thread.
func (t *TensorSketch) SetGoroutines(n int) {
	zeroRows := t.ZeroRows()
	t.helpers = nil
	for range n - 1 {
		t.helpers = append(t.helpers, t.Clone())
	}
	t.zeroRows = zeroRows
}

// shareBlocks is how many blocks a goroutine takes at a time.
const shareBlocks = 8

// transformParallel is transformRows for all rows, by several goroutines.
func (t *TensorSketch) transformParallel(dst []float32, n int) error {
	work := []func(from, to int) error{func(from, to int) error { return t.transformRows(dst, from, to) }}
	for _, helper := range t.helpers {
		helper.work.sources = append(helper.work.sources[:0], t.work.sources...)
		work = append(work, func(from, to int) error { return helper.transformRows(dst, from, to) })
	}
	return shareRows(n, shareBlocks*t.plan.Lanes(), work)
}
