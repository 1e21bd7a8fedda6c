package columnar

import (
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"time"

	"tensorsketch.example/dataset"
)

// A meaning says what the values of a column are, and in which part of a vector.
type meaning uint8

const (
	signed    meaning = iota // ints
	unsigned                 // ints, bit for bit
	decimal                  // ints, in units of 10^−scale
	instant                  // ints, in units of a second, since 1970-01-01T00:00:00Z
	clock                    // ints, in units of a second: a time of day, or how long
	float                    // floats
	text                     // texts
	bigEndian                // texts: two's complement, in units of 10^−scale
	uuid                     // texts: 16 bytes
	boolean                  // ints: 1 and 0
)

var missing = math.NaN()

// numbers appends the numbers of all cells, NaN if missing; of texts, as column i of a layout has them. It also appends
// which cells are not numbers, or nothing if all are.
func (c *column) numbers(dst []float64, isBad []bool, v *vector, l *dataset.Layout, i int) ([]float64, []bool) {
	if c.meaning == float && len(v.floats) == len(v.valid) {
		return append(dst, v.floats...), isBad
	}
	k := 0
	for _, valid := range v.valid {
		x, ok := missing, true
		if valid {
			switch {
			case c.meaning == text:
				var what string
				x, what = l.NumberIn(i, v.at(k))
				ok = what == ""
			case c.meaning == clock && l.Columns[i].Measure == dataset.ClockUnit: // of a model of texts
				x = c.seconds(v.ints[k]) / 3600
			default:
				x, ok = c.number(v, k)
			}
			k++
		}
		if !ok && len(isBad) == 0 {
			isBad = append(isBad, make([]bool, len(v.valid))...)
		}
		if !ok {
			isBad[len(dst)] = true
		}
		dst = append(dst, x)
	}
	return dst, isBad
}

// number returns value k as a number: the nearest float64.
func (c *column) number(v *vector, k int) (x float64, ok bool) {
	switch c.meaning {
	case signed, boolean:
		return float64(v.ints[k]), true
	case unsigned:
		return float64(uint64(v.ints[k])), true
	case float:
		return v.floats[k], true
	case clock:
		return float64(v.ints[k]) / float64(c.unit), true
	case instant:
		return c.seconds(v.ints[k]), true
	}
	var digits [128]byte
	return dataset.ParseNumber(c.appendText(digits[:0], v, k))
}

// split returns the whole seconds and microseconds of an instant. Smaller fractions are dropped.
func (c *column) split(n int64) (seconds, micro int64) {
	seconds, rest := n/c.unit, n%c.unit
	if rest < 0 {
		seconds, rest = seconds-1, rest+c.unit
	}
	if c.unit > 1_000_000 {
		return seconds, rest / (c.unit / 1_000_000)
	}
	return seconds, rest * (1_000_000 / c.unit)
}

// seconds returns the same float64 that package dataset makes of the date as text.
func (c *column) seconds(n int64) float64 {
	seconds, micro := c.split(n)
	return float64(seconds) + float64(micro)/1e6
}

// appendText appends value k as a text.
func (c *column) appendText(dst []byte, v *vector, k int) []byte {
	switch c.meaning {
	case signed:
		return strconv.AppendInt(dst, v.ints[k], 10)
	case unsigned:
		return strconv.AppendUint(dst, uint64(v.ints[k]), 10)
	case boolean:
		return dataset.AppendBoolean(dst, v.ints[k] != 0)
	case decimal:
		n := v.ints[k]
		magnitude := uint64(n)
		if n < 0 {
			magnitude = -magnitude
		}
		return appendDecimal(dst, n < 0, strconv.AppendUint(nil, magnitude, 10), c.scale)
	case bigEndian:
		negative, digits := integerText(v.at(k))
		return appendDecimal(dst, negative, digits, c.scale)
	case text:
		return append(dst, v.at(k)...)
	case uuid:
		return appendUUID(dst, v.at(k))
	case instant:
		return c.appendInstant(dst, v.ints[k])
	}
	x, _ := c.number(v, k)
	return dataset.AppendNumber(dst, x)
}

// appendUUID writes 16 bytes as 8-4-4-4-12 hexadecimal digits (RFC 9562).
func appendUUID(dst, b []byte) []byte {
	check(len(b) == 16, "a UUID has not 16 bytes")
	for i, part := range [][]byte{b[:4], b[4:6], b[6:8], b[8:10], b[10:]} {
		if i > 0 {
			dst = append(dst, '-')
		}
		dst = hex.AppendEncode(dst, part)
	}
	return dst
}

// appendInstant writes a date, with its time of day if the column has any.
func (c *column) appendInstant(dst []byte, n int64) []byte {
	seconds, micro := c.split(n)
	t := time.Unix(seconds, micro*1000).UTC()
	if year := t.Year(); year < 1 || year > 9999 {
		return dataset.AppendNumber(dst, c.seconds(n))
	}
	if c.scale == dateOnly {
		return t.AppendFormat(dst, "2006-01-02")
	}
	return t.AppendFormat(dst, "2006-01-02T15:04:05.999999")
}

// dateOnly is the scale of an instant that is a day.
const dateOnly = 1

// integerText returns the digits of a big-endian integer in two's complement. To have math/big do it makes the
// module 1 % larger.
func integerText(b []byte) (negative bool, digits []byte) {
	check(len(b) <= mostDecimal, "a decimal has more than "+strconv.Itoa(mostDecimal)+" bytes")
	magnitude := append([]byte(nil), b...)
	negative = len(b) > 0 && b[0] >= 0x80
	if negative {
		carry := byte(1)
		for i := len(magnitude) - 1; i >= 0; i-- {
			magnitude[i] = ^magnitude[i] + carry
			if magnitude[i] != 0 {
				carry = 0
			}
		}
	}
	for isZero := false; !isZero; {
		isZero = true
		rest := 0
		for i := range magnitude {
			n := rest<<8 | int(magnitude[i])
			magnitude[i], rest = byte(n/10), n%10
			isZero = isZero && magnitude[i] == 0
		}
		digits = append(digits, byte('0'+rest))
	}
	slices.Reverse(digits)
	return negative, digits
}

// appendDecimal writes digits with a point, −scale digits from the right.
func appendDecimal(dst []byte, negative bool, digits []byte, scale int) []byte {
	if negative {
		dst = append(dst, '-')
	}
	if string(digits) == "0" {
		scale = max(scale, 0) // no zeros behind it
	}
	for ; scale < 0; scale++ {
		digits = append(digits, '0')
	}
	whole := len(digits) - scale
	if whole <= 0 {
		dst = append(dst, '0')
	} else {
		dst = append(dst, digits[:whole]...)
		digits = digits[whole:]
		whole = 0
	}
	if scale == 0 {
		return dst
	}
	dst = append(dst, '.')
	for ; whole < 0; whole++ {
		dst = append(dst, '0')
	}
	return append(dst, digits...)
}
