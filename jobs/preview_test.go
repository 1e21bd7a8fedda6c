package jobs

import "testing"

// All pairs of a few rows are compared, of many 2,000, all different.
func TestSomePairs(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 0, 2: 1, 63: 1953, 64: 2000, 400: 2000} {
		pairs, seen := somePairs(n, mostPairs), map[[2]int32]bool{}
		for _, pair := range pairs {
			if seen[pair] || pair[0] < 0 || pair[0] >= pair[1] || int(pair[1]) >= n {
				t.Errorf("of %d rows: %v", n, pair)
			}
			seen[pair] = true
		}
		if len(pairs) != want {
			t.Errorf("of %d rows: %d pairs, want %d", n, len(pairs), want)
		}
	}
}

// below is SplitMix64: the first values that its authors' C code gives for the seed 1234567, modulo 2^53.
func TestBelow(t *testing.T) {
	draw := below(1234567)
	for _, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431} {
		if got := draw(1 << 53); uint64(got) != want%(1<<53) {
			t.Errorf("%d, want %d", got, want%(1<<53))
		}
	}
}

// The sample of rows is even, and depends on their number alone.
func TestSampleIsEven(t *testing.T) {
	const n = 10_000
	s := newSample(sampledRows, sampledBytes, 1, below(1))
	for range n {
		if at := s.place(); at >= 0 {
			s.rows[at].place = s.seen - 1
		}
	}
	var tenths [10]int
	for _, row := range s.rows {
		tenths[10*row.place/n]++
	}
	for k, count := range tenths {
		if count < 20 || count > 60 {
			t.Errorf("%d of %d rows are of tenth %d", count, len(s.rows), k)
		}
	}
}
