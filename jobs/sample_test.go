package jobs

import (
	"slices"
	"testing"
)

// The page has always drawn these numbers: curves of the same rows look the same.
func TestDraws(t *testing.T) {
	draw := func(next func(n int64) int64, n int64) (drawn []int64) {
		for range 6 {
			drawn = append(drawn, next(n))
		}
		return drawn
	}
	if got := draw(below32(1), 1000); !slices.Equal(got, []int64{850, 684, 498, 767, 944, 525}) {
		t.Errorf("below32(1) draws %v", got)
	}
	if got := draw(below32(11), 4); !slices.Equal(got, []int64{1, 2, 2, 2, 3, 2}) {
		t.Errorf("below32(11) draws %v", got)
	}
}

// The sample of rows is even, and depends on their number alone.
func TestSampleIsEven(t *testing.T) {
	const n = 10_000
	s := newSample(400, 1<<20, 1, below32(1))
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
