package jobs

import (
	"slices"
	"testing"
)

// The page has always drawn these numbers: previews and curves of the same rows look the same.
func TestDraws(t *testing.T) {
	draw := func(next func(n int64) int64, n int64) (drawn []int64) {
		for range 6 {
			drawn = append(drawn, next(n))
		}
		return drawn
	}
	if got := draw(below(1), 1000); !slices.Equal(got, []int64{465, 519, 590, 235, 761, 48}) {
		t.Errorf("below(1) draws %v", got)
	}
	if got := draw(below32(1), 1000); !slices.Equal(got, []int64{850, 684, 498, 767, 944, 525}) {
		t.Errorf("below32(1) draws %v", got)
	}
	if got := draw(below32(11), 4); !slices.Equal(got, []int64{1, 2, 2, 2, 3, 2}) {
		t.Errorf("below32(11) draws %v", got)
	}
}
