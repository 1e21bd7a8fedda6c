//go:build !tinycore

package learn

import (
	"sync"
	"sync/atomic"
)

// share calls work with 0 … n−1, in this goroutine and up to goroutines − 1 others. Each number is
// given out once, in order.
func share(n, goroutines int, work func(i int)) {
	var (
		next  atomic.Int64
		group sync.WaitGroup
	)
	take := func() {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			work(i)
		}
	}
	for range min(goroutines, n) - 1 {
		group.Go(take)
	}
	take()
	group.Wait()
}
