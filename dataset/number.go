package dataset

import (
	"bytes"
	"errors"
	"math"
	"strconv"
)

// The reasons for which a cell is no number.
const (
	notANumber = "is not a number"
	tooLarge   = "is too large for a 64-bit float"
)

// missingWords are the cells, in lower case, that stand for a missing number.
var missingWords = [][]byte{[]byte(""), []byte("na"), []byte("n/a"), []byte("nan"), []byte("null"), []byte("none"), []byte("?")}

func isMissing(cell []byte) bool {
	if len(cell) > 4 {
		return false
	}
	for _, word := range missingWords {
		if bytes.EqualFold(cell, word) {
			return true
		}
	}
	return false
}

// powersOfTen are those that a float64 holds exactly.
var powersOfTen = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// scanNumber reads the decimal number that s begins with, if it can be had in one
// exact step: a mantissa below 2^53, times or by a power of ten up to 10^22, is
// rounded once (Clinger 1990). n is its length, or 0 where parseNumber has to look.
func scanNumber(s []byte, decimal byte) (x float64, n int) {
	i := 0
	negative := len(s) > 0 && s[0] == '-'
	if negative || len(s) > 0 && s[0] == '+' {
		i = 1
	}
	first := i
	mantissa, exponent := uint64(0), 0
	for i < len(s) && s[i]-'0' <= 9 {
		mantissa = 10*mantissa + uint64(s[i]-'0')
		i++
	}
	digits := i - first
	if digits > 0 && digits <= 15 && (i == len(s) || s[i] != decimal && s[i]|0x20 != 'e') { // most cells are integers
		x = float64(mantissa)
		if negative {
			x = -x
		}
		return x, i
	}
	if i < len(s) && s[i] == decimal {
		i++
		for point := i; ; i++ {
			if i >= len(s) || s[i]-'0' > 9 {
				exponent = point - i
				break
			}
			mantissa = 10*mantissa + uint64(s[i]-'0')
		}
		digits -= exponent
	}
	if digits == 0 || digits > 19 || mantissa >= 1<<53 {
		return 0, 0
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		e, length := scanExponent(s[i+1:])
		if length == 0 {
			return 0, 0
		}
		exponent += e
		i += 1 + length
	}
	x = float64(mantissa)
	switch {
	case exponent == 0 || mantissa == 0:
	case exponent > 0 && exponent <= 22:
		x *= powersOfTen[exponent]
	case exponent < 0 && exponent >= -22:
		x /= powersOfTen[-exponent]
	default:
		return 0, 0
	}
	if negative {
		x = -x
	}
	return x, i
}

// scanExponent reads a sign and up to four digits; n is 0 where there are none or more.
func scanExponent(s []byte) (e, n int) {
	i := 0
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		i = 1
	}
	first := i
	for i < len(s) && s[i]-'0' <= 9 {
		if i-first == 4 {
			return 0, 0
		}
		e = 10*e + int(s[i]-'0')
		i++
	}
	if i == first {
		return 0, 0
	}
	if s[0] == '-' {
		e = -e
	}
	return e, i
}

// parseNumber returns the float64 nearest to a decimal number. It takes no NaN,
// infinity, hexadecimal digits or underscores, which strconv would.
func parseNumber(cell []byte, decimal byte) (value float64, reason string) {
	if x, n := scanNumber(cell, decimal); n == len(cell) && n > 0 {
		return x, ""
	}
	for _, b := range cell {
		switch {
		case b >= '0' && b <= '9', b == '+', b == '-', b == 'e', b == 'E', b == decimal:
		default:
			return 0, notANumber
		}
	}
	if decimal != '.' {
		cell = bytes.Replace(cell, []byte{decimal}, []byte{'.'}, 1)
	}
	x, err := strconv.ParseFloat(string(cell), 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, tooLarge
	case err != nil:
		return 0, notANumber
	}
	return x, ""
}

// appendNumber appends the fewest digits that read as the same float64, and
// nothing for a missing number.
func appendNumber(dst []byte, x float64) []byte {
	if math.IsNaN(x) {
		return dst
	}
	if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
		return strconv.AppendInt(dst, int64(x), 10)
	}
	return strconv.AppendFloat(dst, x, 'g', -1, 64)
}
