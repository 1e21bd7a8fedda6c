package dataset

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The reasons why a cell is not a number.
const (
	notANumber = "is not a number"
	tooLarge   = "is too large for a 64-bit float"
)

// missingWords are the cells, in lower case, that stand for a missing number or date, besides the empty cell.
var missingWords = wordSet("na n/a n.a. #n/a #na nan -nan null <null> (null) nil none <na> nat \\n ? - -- – — . .. " +
	"-1.#ind 1.#ind -1.#qnan 1.#qnan #null! #div/0! #value! #ref! #name? #num! #n/a_n/a " + spelledOut)

// spelledOut are the missing words that are labels, where a label may be a text.
const spelledOut = "unknown missing not_available no_data"

// longestMissing is enough for every missing word.
const longestMissing = 16

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[strings.ReplaceAll(word, "_", " ")] = true
	}
	return set
}

// isMissing reports whether a cell without white space around it stands for a missing number or date.
func isMissing(cell []byte) bool {
	if len(cell) > longestMissing || len(cell) > 0 && cell[0]-'0' <= 9 && !bytes.HasPrefix(cell, []byte("1.#")) {
		return false
	}
	var lower [longestMissing]byte
	for i, b := range cell {
		if b-'A' <= 'Z'-'A' {
			b += 'a' - 'A'
		}
		lower[i] = b
	}
	return len(cell) == 0 || missingWords[string(lower[:len(cell)])]
}

// Boolean returns the value of a cell that is true or false, in any case.
func Boolean(cell []byte) (on, ok bool) {
	on = bytes.EqualFold(cell, []byte("true"))
	return on, on || bytes.EqualFold(cell, []byte("false"))
}

// AppendBoolean appends true or false as the text of a cell, which is the same for every format.
func AppendBoolean(dst []byte, on bool) []byte { return strconv.AppendBool(dst, on) }

// powersOfTen are the powers of ten that a float64 holds exactly.
var powersOfTen = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// scanNumber reads the decimal number at the beginning of s if one rounding suffices: a mantissa below 2^53 multiplied
// or divided by a power of ten up to 10^22 is rounded once (Clinger 1990). n is the length of the number, or 0 if
// parseNumber has to read it.
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

// scanExponent reads a sign and one to four digits. n is 0 if there are no digits or more.
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

// A numberStyle is how the cells of a file write numbers.
type numberStyle struct {
	decimal   byte
	thousands byte   // 0: none
	signs     bool   // of cells that are texts: a currency sign or a percent sign may stand beside a number
	measure   string // of a column: the unit or sign that may stand beside a number; "" for none
}

// plainNumbers is the style of formats that have only one way to write a number.
var plainNumbers = numberStyle{decimal: '.'}

// longestNumber bounds the bytes of a number with signs or thousands.
const longestNumber = 64

// number is parse for a cell that may stand for a missing number, which is NaN, or be true or false, which are 1 and 0.
func (s numberStyle) number(cell []byte) (value float64, reason string) {
	value, reason, _ = s.numberBeside(cell)
	return value, reason
}

// numberBeside is number, with what stands beside the number as parseBeside says it.
func (s numberStyle) numberBeside(cell []byte) (value float64, reason string, beside rune) {
	if isMissing(cell) {
		return missing, "", 0
	}
	if on, ok := Boolean(cell); ok {
		return oneIf(on), "", 0
	}
	return s.parseBeside(cell)
}

func oneIf(on bool) float64 {
	if on {
		return 1
	}
	return 0
}

// bare is what stands beside a number without a unit, where its column has one.
const bare = '_'

// parse returns the float64 nearest to the number of a cell.
func (s numberStyle) parse(cell []byte) (value float64, reason string) {
	value, reason, _ = s.parseBeside(cell)
	return value, reason
}

// parseBeside is parse. beside is 0 if the unit of the column stands beside the number, or neither has one; else bare,
// or the sign that stands there.
func (s numberStyle) parseBeside(cell []byte) (value float64, reason string, beside rune) {
	if s.measure == ClockUnit {
		if hours, ok := parseClock(cell); ok {
			return hours, "", 0
		}
	}
	if s.measure != "" {
		beside = bare
	}
	value, reason = parseNumber(cell, s.decimal)
	if reason != notANumber || !s.signs || len(cell) > longestNumber {
		return value, reason, beside
	}
	var buffer [longestNumber + 8]byte
	without, isMeasured := s.withoutUnit(cell)
	plain, sign, ok := s.plain(buffer[:0], without)
	isMeasured = isMeasured || sign != 0 && s.measure == string(sign)
	switch {
	case !ok || s.measure != "" && sign != 0 && !isMeasured: // 5 % is none of kg
		return 0, notANumber, 0
	case isMeasured:
		beside = 0
	case s.measure == "":
		beside = sign
	}
	value, reason = parseNumber(plain, '.')
	return value, reason, beside
}

// withoutUnit returns a cell without the unit of its column, and whether it has that.
func (s numberStyle) withoutUnit(cell []byte) (number []byte, isMeasured bool) {
	cell = trimSpaces(cell)
	unit := []byte(s.measure)
	if len(unit) == 0 || isSign(s.measure) { // plain takes a sign off
		return cell, false
	}
	if number, isMeasured = bytes.CutSuffix(cell, unit); !isMeasured {
		number, isMeasured = bytes.CutPrefix(cell, unit)
	}
	return number, isMeasured
}

// plain appends the number of a cell as digits with a decimal point, without its currency sign and the signs between
// thousands. A number in parentheses, as bookkeepers write it, is negative. A percent sign becomes the exponent −2. The
// currency or percent sign is returned.
func (s numberStyle) plain(dst, cell []byte) (number []byte, sign rune, ok bool) {
	cell = trimSpaces(cell)
	take := func(isWanted func(rune) bool) rune {
		if r, size := utf8.DecodeRune(cell); isWanted(r) {
			cell = trimSpaces(cell[size:])
			return r
		}
		return 0
	}
	minus := take(isMinusOrPlus)
	sign = take(isCurrency)
	if minus == 0 {
		minus = take(isMinusOrPlus)
	}
	if minus == 0 && len(cell) > 2 && cell[0] == '(' && cell[len(cell)-1] == ')' {
		minus = '-'
		if cell = trimSpaces(cell[1 : len(cell)-1]); sign == 0 {
			sign = take(isCurrency)
		}
	}
	if r, size := utf8.DecodeLastRune(cell); sign == 0 && (r == '%' || isCurrency(r)) {
		sign = r
		cell = trimSpaces(cell[:len(cell)-size])
	}
	if minus == '-' || minus == '\u2212' {
		dst = append(dst, '-')
	}
	dst, cell, ok = s.appendWhole(dst, cell)
	if !ok {
		return dst, sign, false
	}
	hasExponent := false
	for _, b := range cell {
		switch {
		case b == s.decimal:
			b = '.'
		case b|0x20 == 'e':
			hasExponent = true
		case b-'0' > 9 && !(hasExponent && (b == '-' || b == '+')):
			return dst, sign, false
		}
		dst = append(dst, b)
	}
	if sign == '%' {
		if hasExponent {
			return dst, sign, false
		}
		dst = append(dst, "e-2"...)
	}
	return dst, sign, true
}

// appendWhole appends the digits before the decimal sign. If signs stand between thousands, the first group has one to
// three digits, the first of them not 0, and every other group has three; with commas, as in India, groups of two
// digits may stand before the last: 12,34,567.
func (s numberStyle) appendWhole(dst, cell []byte) (number, rest []byte, ok bool) {
	first, inner := 0, 0 // digits of the first group, and of those between it and the last
	for groups := 0; ; groups++ {
		n := 0
		for n < len(cell) && cell[n]-'0' <= 9 {
			n++
		}
		size := s.separator(cell[n:])
		switch {
		case groups == 0:
			if first = n; size > 0 && (n == 0 || n > 3 || cell[0] == '0') {
				return dst, cell, false
			}
		case size == 0 && n != 3, size > 0 && inner > 0 && n != inner:
			return dst, cell, false
		case size > 0:
			isIndian := n == 2 && first <= 2 && s.thousands == ','
			if inner = n; n != 3 && !isIndian {
				return dst, cell, false
			}
		}
		dst = append(dst, cell[:n]...)
		cell = cell[n:]
		if size == 0 {
			return dst, cell, len(cell) > 0 || n > 0
		}
		cell = cell[size:]
	}
}

// separator returns the length of the sign between thousands at the beginning of a text.
func (s numberStyle) separator(text []byte) int {
	if s.thousands == 0 || len(text) == 0 {
		return 0
	}
	if text[0] == s.thousands {
		return 1
	}
	switch r, size := utf8.DecodeRune(text); {
	case s.thousands == ' ' && isNumberSpace(r), s.thousands == '\'' && r == '\u2019':
		return size
	}
	return 0
}

// isNumberSpace reports whether a character is a space used in numbers: a no-break space, wide or narrow, or a thin
// space.
func isNumberSpace(r rune) bool { return r == '\u00a0' || r == '\u202f' || r == '\u2009' }

func isMinusOrPlus(r rune) bool { return r == '-' || r == '+' || r == '\u2212' }

func isCurrency(r rune) bool { return unicode.Is(unicode.Sc, r) }

func trimSpaces(cell []byte) []byte {
	return bytes.TrimFunc(cell, func(r rune) bool { return r == ' ' || isNumberSpace(r) })
}

// ParseNumber returns the float64 nearest to the decimal number of a cell. It returns NaN if the cell stands for
// a missing number.
func ParseNumber(cell []byte) (x float64, ok bool) {
	x, reason := plainNumbers.number(trimCell(cell))
	return x, reason == ""
}

// parseNumber returns the float64 nearest to a decimal number. Unlike strconv, it does not accept NaN, infinity,
// hexadecimal digits or underscores.
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

// AppendNumber appends a number as the text of a cell: the fewest digits that read as the same float64, or nothing for
// NaN.
func AppendNumber(dst []byte, x float64) []byte {
	if math.IsNaN(x) {
		return dst
	}
	if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
		return strconv.AppendInt(dst, int64(x), 10)
	}
	return strconv.AppendFloat(dst, x, 'g', -1, 64)
}
