package jobs

import (
	"errors"
	"iter"

	"tensorsketch.example/sketch"
)

// An AheadMap is a Map that makes the features of several blocks of rows at a time, elsewhere: in workers of a browser.
type AheadMap interface {
	Map
	// Ahead returns how many blocks may have been begun before the first is waited for.
	Ahead() int
	// Begin begins the features of rows, which may change after it has returned. wait is called once, in the order of
	// Begin. The features are valid until the next wait.
	Begin(c *Control, X sketch.Rows) (wait func() ([]float32, error))
}

// ahead returns how many blocks a map takes before the first comes back.
func ahead(m Map) int {
	if a, ok := m.(AheadMap); ok {
		return a.Ahead()
	}
	return 0
}

// begin begins the features of rows.
func begin(c *Control, m Map, X sketch.Rows) (wait func() ([]float32, error)) {
	if a, ok := m.(AheadMap); ok {
		return a.Begin(c, X)
	}
	return func() ([]float32, error) { return m.Features(c, X) }
}

// through passes blocks through a map, and yields them in order with their features Z. An error about a row names its
// place in the file. The rows before an error still come, but not after a stop.
func through(c *Control, m Map, blocks iter.Seq2[*block, error]) iter.Seq2[*block, error] {
	return func(yield func(*block, error) bool) {
		type begun struct {
			*block
			wait func() ([]float32, error)
		}
		var queue []begun
		first := func() bool {
			b, err := queue[0].block, error(nil)
			b.Z, err = queue[0].wait()
			queue = queue[1:]
			return yield(b, b.rowError(err)) && err == nil
		}
		for b, err := range blocks {
			if err != nil {
				for len(queue) > 0 && !errors.Is(err, ErrStopped) {
					if !first() {
						return
					}
				}
				yield(nil, err)
				return
			}
			queue = append(queue, begun{b, begin(c, m, b.rows(m.NFeatures()))})
			if len(queue) > ahead(m) && !first() {
				return
			}
		}
		for len(queue) > 0 && first() {
		}
	}
}
