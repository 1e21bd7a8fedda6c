//go:build !tinycore

package solve

import "sync"

// passBlocks computes all blocks, each goroutine the next one that nobody has taken, and gives them
// to the solver in their order. It returns the error of the first bad block.
func passBlocks(s *Solver, r *Request, teams []*reader) error {
	if len(teams) == 1 {
		return passInOrder(s, r, teams[0])
	}
	var (
		mutex  sync.Mutex
		turned = sync.NewCond(&mutex)
		group  sync.WaitGroup
		next   int // the first block not taken
		turn   int // the first block not given
		bad    error
	)
	work := func(t *reader) {
		mutex.Lock()
		defer mutex.Unlock()
		for bad == nil && next < s.blocks {
			block := next
			next++
			mutex.Unlock()
			err := t.compute(r, block)
			mutex.Lock()
			for turn != block && bad == nil {
				turned.Wait()
			}
			if bad == nil {
				if err != nil {
					bad = err
				} else {
					s.Give(t.partial)
				}
				turn++
			}
			turned.Broadcast()
		}
	}
	for _, t := range teams[1:] {
		group.Go(func() { work(t) })
	}
	work(teams[0])
	group.Wait()
	return bad
}
