//go:build goexperiment.simd && go1.27 && !tinygo

package exact

import "testing"

// The tests hold without AVX2 as well.
func TestWithoutAVX2(t *testing.T) {
	defer func(has bool) { hasAVX2 = has }(hasAVX2)
	hasAVX2 = false
	t.Run("AddIsExact", TestAddIsExact)
	t.Run("Spread", TestSpread)
}
