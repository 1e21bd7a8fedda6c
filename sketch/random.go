package sketch

import "math/bits"

// ForBootstrap returns a function for resampling rows: ForBootstrap()(n) is uniform among 0 … n − 1. It gives the same
// numbers on every platform.
func (s Seed) ForBootstrap() func(n int) int {
	next := s.words(domainBootstrap)
	return func(n int) int {
		high, _ := bits.Mul64(next(), uint64(n)) // ⌊w·n/2^64⌋
		return int(high)
	}
}

// ForRows returns a function for choosing rows at random: each call is uniform among the multiples of 2^-53 in [0, 1).
// It gives the same numbers on every platform.
func (s Seed) ForRows() func() float64 {
	next := s.words(domainRows)
	return func() float64 { return float64(next()>>11) * 0x1p-53 }
}

// words returns the words of the stream for a use beside the maps.
func (s Seed) words(domain uint32) func() uint64 {
	words := new(stream)
	words.start(s.randomness(0), domain, 0)
	return words.uint64
}
