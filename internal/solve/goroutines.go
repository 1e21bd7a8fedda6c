//go:build !tinycore

package solve

import (
	"sync"
	"sync/atomic"
)

// Share calls work with 0 … n−1, in this goroutine and up to goroutines − 1 others. Each number is
// given out once, in order.
func Share(n, goroutines int, work func(i int)) {
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
