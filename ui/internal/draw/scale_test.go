package draw

import (
	"fmt"
	"math"
	"strconv"
	"testing"
)

// TestTicks: from low to high, about n of them; on a logarithmic axis where log is set.
func TestTicks(t *testing.T) {
	for _, test := range []struct {
		log       bool
		low, high float64
		n         int
		want      string
	}{
		{false, 0, 1, 5, "[0 0.2 0.4 0.6 0.8 1]"},
		{false, 0.9, 4.1, 6, "[1 1.5 2 2.5 3 3.5 4]"},
		{false, -1, 1, 4, "[-1 -0.5 0 0.5 1]"},
		{false, -3e8, 3e8, 3, "[-2e+08 0 2e+08]"},
		{false, 1.5, 9.7, 4, "[2 4 6 8]"},
		{false, 1, 1, 5, "[]"},
		{false, 0, math.Inf(1), 5, "[]"},
		{false, 0, math.NaN(), 5, "[]"},
		{true, 1, 10, 5, "[1 2 5 10]"},
		{true, .01, .3, 5, "[0.01 0.02 0.05 0.1 0.2]"},
		{true, .01, 1, 5, "[0.01 0.03 0.1 0.3 1]"},
		{true, 1e-6, 1, 3, "[1e-06 0.001 1]"},
		{true, 0, 1, 5, "[]"},
		{true, -1, 1, 5, "[]"},
		{true, 1, 1, 5, "[]"},
		{true, 1, math.Inf(1), 5, "[]"},
	} {
		ticks := Ticks(test.low, test.high, test.n)
		if test.log {
			ticks = LogTicks(test.low, test.high, test.n)
		}
		for i := range ticks {
			ticks[i], _ = strconv.ParseFloat(strconv.FormatFloat(ticks[i], 'g', 12, 64), 64)
		}
		if got := fmt.Sprint(ticks); got != test.want {
			t.Errorf("%+v: got %s", test, got)
		}
	}
}

// TestPadded: numbers that differ by rounding alone get a range whose ticks have labels of their own.
func TestPadded(t *testing.T) {
	for _, test := range [][4]float64{{0, 10, -.3, 10.3}, {2, 2, 1.5, 2.5}, {0, 0, -.5, .5}, {1 - 1e-7, 1 + 2e-7, .5, 1.5},
		{-300, -300 + 1e-5, -315, -285}} {
		low, high := Padded(test[0], test[1])
		if math.Abs(low-test[2]) > 1e-4 || math.Abs(high-test[3]) > 1e-4 {
			t.Errorf("%v to %v: got %v to %v, want %v to %v", test[0], test[1], low, high, test[2], test[3])
		}
	}
}

func TestScale(t *testing.T) {
	s := Scale{Low: -1, High: 1, From: 100, To: 20}
	for x, pixel := range map[float64]float64{-1: 100, 0: 60, .5: 40, 1: 20} {
		if got, back := s.At(x), s.Of(pixel); got != pixel || back != x {
			t.Errorf("%v is at %v, want %v; back %v", x, got, pixel, back)
		}
	}
}
