// Package splitmix is the SplitMix64 generator of Steele, Lea and Flood (OOPSLA 2014). The page uses it for
// repeatable numbers, which are the same on every platform and in every version of Go.
package splitmix

// A Source is the state of a generator. Its initial value is the seed.
type Source uint64

// Uint64 returns the next 64 bits.
func (s *Source) Uint64() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Below returns an integer from 0 to n−1, with a bias of n/2^64.
func (s *Source) Below(n int) int { return int(s.Uint64() % uint64(n)) }

// Shuffle brings x into a random order.
func Shuffle[T any](s *Source, x []T) {
	for i := len(x) - 1; i > 0; i-- {
		j := s.Below(i + 1)
		x[i], x[j] = x[j], x[i]
	}
}

// Between returns a number from low to high.
func (s *Source) Between(low, high float64) float64 {
	return low + float64((high-low)*(float64(s.Uint64()>>11)/(1<<53)))
}
