package sketch

import (
	"sync"
	"sync/atomic"
)

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

// transformParallel is transformRows for all rows, by several goroutines that take
// shares of the rows in turn. Shares before the first bad row are completed.
func (t *TensorSketch) transformParallel(dst []float32, n int) error {
	var (
		next   atomic.Int64 // the first row not taken
		end    atomic.Int64 // rows from here on are not wanted
		group  sync.WaitGroup
		mutex  sync.Mutex
		lowest *Error
	)
	share := shareBlocks * t.plan.Lanes()
	end.Store(int64(n))
	work := func(m *TensorSketch) {
		for {
			from := int(next.Add(int64(share))) - share
			if from >= int(end.Load()) {
				return
			}
			if err := m.transformRows(dst, from, min(from+share, n)); err != nil {
				mutex.Lock()
				if e := err.(*Error); lowest == nil || e.Row < lowest.Row {
					lowest = e
					end.Store(int64(e.Row))
				}
				mutex.Unlock()
				return
			}
		}
	}
	for _, helper := range t.helpers {
		helper.work.sources = append(helper.work.sources[:0], t.work.sources...)
		group.Go(func() { work(helper) })
	}
	work(t)
	group.Wait()
	if lowest != nil {
		return lowest
	}
	return nil
}
