package format

import (
	"math"
	"strings"
	"testing"
	"time"
)

func check(t *testing.T, got, want string) {
	t.Helper()
	if got = strings.ReplaceAll(got, space, " "); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0", 7: "7", 999: "999", 1000: "1,000", -1234567: "−1,234,567"} {
		check(t, Count(n), want)
	}
	check(t, Plural(1, "row"), "1 row")
	check(t, Plural(0, "row"), "0 rows")
	check(t, Plural(5620, "row"), "5,620 rows")
}

func TestNumber(t *testing.T) {
	for _, test := range []struct {
		x    float64
		want string
	}{
		{0, "0"}, {0.05124, "0.0512"}, {-0.05125, "−0.0512"}, {1, "1.00"}, {12.345, "12.3"}, {1459.6, "1,460"},
		{123456, "123,456"},
		{2.5e8, "2.50×10⁸"}, {-2.5e-7, "−2.50×10⁻⁷"}, {0.00012, "0.000120"}, {1e12, "1.00×10¹²"}, {math.NaN(), "–"},
		{math.Inf(1), "–"},
	} {
		check(t, Number(test.x, 3), test.want)
	}
}

func TestFixed(t *testing.T) {
	for x, want := range map[float64]string{0: "0.000", 0.0625: "0.062", -1.5: "−1.500", -0.0001: "0.000",
		-12345.678: "−12,345.678"} {
		check(t, Fixed(x, 3), want)
	}
}

func TestShort(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 0.5: "0.5", 2: "2", -1.25: "−1.25", 1500: "1,500", 3e8: "3×10⁸",
		-2.5e-7: "−2.5×10⁻⁷"} {
		check(t, Short(x), want)
	}
}

// TestAxis: the ticks of an axis have one notation.
func TestAxis(t *testing.T) {
	for _, test := range []struct {
		ticks []float64
		want  string
	}{
		{nil, ""},
		{[]float64{0, .5, 1500}, "0 0.5 1,500"},
		{[]float64{-2e6, 0, 2e6, 1e7, 1.2e7}, "−2×10⁶ 0 2×10⁶ 1×10⁷ 1.2×10⁷"},
	} {
		label, got := Axis(test.ticks), []string(nil)
		for _, tick := range test.ticks {
			got = append(got, label(tick))
		}
		check(t, strings.Join(got, " "), test.want)
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int]string{1: "1 byte", 999: "999 bytes", 1000: "1.0 kB", 4_096_000: "4.1 MB",
		12_300_000: "12 MB", 999_600: "1.0 MB", 5_000_000_000: "5.0 GB"} {
		check(t, Bytes(n), want)
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		1540 * time.Microsecond: "1.5 ms", 21400 * time.Microsecond: "21 ms", 1290 * time.Millisecond: "1.3 s",
		42 * time.Second: "42 s", 125 * time.Second: "2 min 5 s", 3*time.Hour + 10*time.Minute: "3 h 10 min",
	} {
		check(t, Duration(d), want)
	}
	check(t, Left(7200*time.Millisecond), "8 s")
}

func TestComplex(t *testing.T) {
	for z, want := range map[complex128]string{
		0: "0.00", 1.5: "1.50", -1i: "−1.00i", .5 - .25i: "0.50 − 0.25i", -.5 + .25i: "−0.50 + 0.25i",
		complex(.004, -.004): "0.00", complex(-.004, 3): "3.00i", 100: "100.00",
	} {
		if got := Complex(z, 2); got != want {
			t.Errorf("%v: got %s, want %s", z, got, want)
		}
	}
}

func TestSubscript(t *testing.T) {
	for n, want := range map[int]string{0: "₀", 7: "₇", 12: "₁₂", 3890: "₃₈₉₀"} {
		check(t, Subscript(n), want)
	}
}

func TestCut(t *testing.T) {
	longest := strings.Repeat("ä", 40)
	for text, want := range map[string]string{"": "", "a": "a", longest: longest, longest + "b": longest + "…"} {
		check(t, Cut(text), want)
	}
}

func TestExact(t *testing.T) {
	for x, want := range map[float64]string{0: "0", .1: "0.1", -2.5: "-2.5", 1e21: "1e+21", 1. / 3: "0.3333333333333333"} {
		check(t, Exact(x), want)
	}
}
