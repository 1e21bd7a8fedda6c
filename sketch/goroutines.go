//go:build !tinycore

package sketch

import (
	"sync"
	"sync/atomic"
)

// shareSources is transformRows by several goroutines. It is apart from transformSources because function literals
// have the variables of the function around them allocated.
func (m *FeatureMap) shareSources(dst []float32, rows int) error {
	work := []func(from, to int) error{func(from, to int) error { return m.transformRows(dst, from, to) }}
	for _, helper := range m.helpers {
		helper.work.sources = append(helper.work.sources[:0], m.work.sources...)
		work = append(work, func(from, to int) error { return helper.transformRows(dst, from, to) })
	}
	return shareRows(rows, shareBlocks*m.lanes, work)
}

// shareRows makes each function of work compute shares of n rows in turn, the first in this
// goroutine and each other one in its own. It returns the error of the lowest bad row; shares
// before that row are completed.
func shareRows(n, share int, work []func(from, to int) error) error {
	var (
		next   atomic.Int64 // the first row not taken
		end    atomic.Int64 // rows from here on need not be computed
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
