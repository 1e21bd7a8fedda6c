package csvfile

import (
	"errors"
	"strconv"
	"strings"
)

// kind returns the type of a cell.
func kind(cell string, decimal byte) Type {
	cell = strings.TrimSpace(cell)
	if cell == "" {
		return Empty
	}
	if _, reason := parseNumber(cell, decimal); reason == notANumber {
		return Text
	}
	for i := range len(cell) {
		if b := cell[i]; (b < '0' || b > '9') && !(i == 0 && (b == '-' || b == '+')) {
			return Number
		}
	}
	return Integer
}

// The reasons for which a cell is no coordinate.
const (
	notANumber = "is not a number"
	tooLarge   = "is too large for a 32-bit float"
)

// parseNumber rounds a decimal number to the nearest float32. It takes no NaN,
// infinity, hexadecimal digits or underscores, which strconv would.
func parseNumber(cell string, decimal byte) (value float32, reason string) {
	if n, ok := smallInteger(cell); ok {
		return n, ""
	}
	for i := range len(cell) {
		switch b := cell[i]; {
		case b >= '0' && b <= '9', b == '+', b == '-', b == 'e', b == 'E', b == decimal:
		default:
			return 0, notANumber
		}
	}
	if decimal == ',' {
		cell = strings.Replace(cell, ",", ".", 1)
	}
	x, err := strconv.ParseFloat(cell, 32)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, tooLarge
	case err != nil:
		return 0, notANumber
	}
	return float32(x), ""
}

// smallInteger is the fast path for one to seven digits, which float32 holds
// exactly.
func smallInteger(cell string) (float32, bool) {
	if len(cell) == 0 || len(cell) > 7 {
		return 0, false
	}
	n := int32(0)
	for i := range len(cell) {
		digit := cell[i] - '0'
		if digit > 9 {
			return 0, false
		}
		n = 10*n + int32(digit)
	}
	return float32(n), true
}
