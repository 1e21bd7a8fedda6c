package format

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestFormat(t *testing.T) {
	number := func(x float64) string { return Number(x, 3) }
	fixed := func(x float64) string { return Fixed(x, 3) }
	of := func(z complex128) string { return Complex(z, 2) }
	ticks := func(ticks ...float64) string {
		label, got := Axis(ticks), []string(nil)
		for _, tick := range ticks {
			got = append(got, label(tick))
		}
		return strings.Join(got, "; ")
	}
	longest := strings.Repeat("ä", 40)
	for _, test := range [][2]string{
		{Count(0), "0"}, {Count(7), "7"}, {Count(999), "999"}, {Count(1000), "1,000"}, {Count(-1234567), "−1,234,567"},
		{Plural(1, "row"), "1 row"}, {Plural(0, "row"), "0 rows"}, {Plural(5620, "row"), "5,620 rows"},

		{number(0), "0"}, {number(.05124), "0.0512"}, {number(-.05125), "−0.0512"}, {number(1), "1.00"},
		{number(12.345), "12.3"}, {number(1459.6), "1,460"}, {number(123456), "123,456"}, {number(2.5e8), "2.50×10⁸"},
		{number(-2.5e-7), "−2.50×10⁻⁷"}, {number(.00012), "0.000120"}, {number(1e12), "1.00×10¹²"},
		{number(math.NaN()), "–"}, {number(math.Inf(1)), "–"},

		{fixed(0), "0.000"}, {fixed(.0625), "0.062"}, {fixed(-1.5), "−1.500"}, {fixed(-.0001), "0.000"},
		{fixed(-12345.678), "−12,345.678"},

		{Short(0), "0"}, {Short(.5), "0.5"}, {Short(2), "2"}, {Short(-1.25), "−1.25"}, {Short(1500), "1,500"},
		{Short(3e8), "3×10⁸"}, {Short(-2.5e-7), "−2.5×10⁻⁷"},

		// The ticks of an axis have one notation.
		{ticks(), ""}, {ticks(0, .5, 1500), "0; 0.5; 1,500"},
		{ticks(-2e6, 0, 2e6, 1e7, 1.2e7), "−2×10⁶; 0; 2×10⁶; 1×10⁷; 1.2×10⁷"},

		{Bytes(1), "1 byte"}, {Bytes(999), "999 bytes"}, {Bytes(1000), "1.0 kB"}, {Bytes(4_096_000), "4.1 MB"},
		{Bytes(12_300_000), "12 MB"}, {Bytes(999_600), "1.0 MB"}, {Bytes(5_000_000_000), "5.0 GB"},

		{Duration(1540 * time.Microsecond), "1.5 ms"}, {Duration(21400 * time.Microsecond), "21 ms"},
		{Duration(1290 * time.Millisecond), "1.3 s"}, {Duration(42 * time.Second), "42 s"},
		{Duration(125 * time.Second), "2 min 5 s"}, {Duration(3*time.Hour + 10*time.Minute), "3 h 10 min"},
		{Left(7200 * time.Millisecond), "8 s"},

		{of(0), "0.00"}, {of(1.5), "1.50"}, {of(-1i), "−1.00i"}, {of(.5 - .25i), "0.50 − 0.25i"},
		{of(-.5 + .25i), "−0.50 + 0.25i"}, {of(complex(.004, -.004)), "0.00"}, {of(complex(-.004, 3)), "3.00i"},
		{of(100), "100.00"},

		{Subscript(0), "₀"}, {Subscript(7), "₇"}, {Subscript(12), "₁₂"}, {Subscript(3890), "₃₈₉₀"},

		{Cut(""), ""}, {Cut("a"), "a"}, {Cut(longest), longest},
		{Cut(longest + "b"), longest[:44] + "…" + longest[46:] + "b"},

		{Exact(0), "0"}, {Exact(.1), "0.1"}, {Exact(-2.5), "-2.5"}, {Exact(1e21), "1e+21"},
		{Exact(1. / 3), "0.3333333333333333"},
	} {
		if got := strings.ReplaceAll(test[0], space, " "); got != test[1] {
			t.Errorf("got %q, want %q", got, test[1])
		}
	}
}
