package embed

import (
	"math"
	"testing"
)

// TestPair: the pair has the norm that is typed, and half its square as inner product.
func TestPair(t *testing.T) {
	for _, d := range []int{1, 2, 3, 4, 5, 64, 65, 1000} {
		x, y := TradeoffPair(d, 2.5)
		var xx, yy, xy float64
		for i := range x {
			xx += float64(x[i]) * float64(x[i])
			yy += float64(y[i]) * float64(y[i])
			xy += float64(x[i]) * float64(y[i])
		}
		if len(x) != d || math.Abs(xx-6.25) > 1e-5 || math.Abs(yy-6.25) > 1e-5 {
			t.Errorf("d %d: squares %v and %v of %d coordinates", d, xx, yy, len(x))
		}
		if n := min(d, spread); math.Abs(xy-6.25*(1-2*float64(n/4)/float64(n))) > 1e-5 {
			t.Errorf("d %d: inner product %v", d, xy)
		}
	}
	if x, y := TradeoffPair(64, 1); x[0] != y[0] || x[63] != -y[63] {
		t.Error("the pair is not as said")
	}
}
