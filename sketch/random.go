package sketch

import "math/bits"

// Random is a stream of random numbers of a seed for uses beside the maps, such as resampling. It
// gives the same numbers on every platform.
type Random struct{ words stream }

// The uses of a Random. Each has its own stream.
const (
	UseBootstrap = domainBootstrap // resampling of test rows for an interval
	UseRows      = domainRows      // choice of rows for a low-rank approximation
)

// Random returns the stream of the seed for one of the uses.
func (s Seed) Random(use uint32) *Random {
	r := new(Random)
	r.words.start(s.randomness(0), use, 0)
	return r
}

// Uint64 returns the next word of the stream.
func (r *Random) Uint64() uint64 { return r.words.uint64() }

// Below returns a uniform number from 0 to n − 1: ⌊w·n/2^64⌋ for the next word w.
func (r *Random) Below(n int) int {
	high, _ := bits.Mul64(r.words.uint64(), uint64(n))
	return int(high)
}
