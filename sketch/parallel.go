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

// transformParallel is transformRows for all rows, by several goroutines.
func (t *TensorSketch) transformParallel(dst []float32, n int) error {
	work := []func(from, to int) error{func(from, to int) error { return t.transformRows(dst, from, to) }}
	for _, helper := range t.helpers {
		helper.work.sources = append(helper.work.sources[:0], t.work.sources...)
		work = append(work, func(from, to int) error { return helper.transformRows(dst, from, to) })
	}
	return shareRows(n, shareBlocks*t.plan.Lanes(), work)
}

// shareRows has each function of work compute shares of n rows in turn, the first
// in this goroutine and every other in one of its own. The error is that of the
// lowest bad row; shares before it are completed.
func shareRows(n, share int, work []func(from, to int) error) error {
	var (
		next   atomic.Int64 // the first row not taken
		end    atomic.Int64 // rows from here on are not wanted
		group  sync.WaitGroup
		mutex  sync.Mutex
		lowest *Error
	)
	end.Store(int64(n))
	take := func(compute func(from, to int) error) {
		for {
			from := int(next.Add(int64(share))) - share
			if from >= int(end.Load()) {
				return
			}
			if err := compute(from, min(from+share, n)); err != nil {
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
	for _, compute := range work[1:] {
		group.Go(func() { take(compute) })
	}
	take(work[0])
	group.Wait()
	if lowest != nil {
		return lowest
	}
	return nil
}
