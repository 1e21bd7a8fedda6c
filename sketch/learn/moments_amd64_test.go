//go:build goexperiment.simd && go1.27 && !tinygo

package learn_test

import (
	"testing"

	"tensorsketch.example/internal/engine/dispatch"
)

// Without AVX2 moments have the same bits.
func TestMomentsScalarEngine(t *testing.T) {
	defer func(has bool) { dispatch.HasAVX2 = has }(dispatch.HasAVX2)
	dispatch.HasAVX2 = false
	t.Run("AgainstPlainLoops", TestMomentsAgainstPlainLoops)
	t.Run("OfLargestRows", TestMomentsOfLargestRows)
	t.Run("Rounding", TestMomentsRounding)
	t.Run("OrderAndGrouping", TestMomentsOrderAndGrouping)
	t.Run("Moments16", TestMoments16)
	t.Run("Digests", TestMomentsDigests)
}
