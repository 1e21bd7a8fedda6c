package dataset

import (
	"math"
	"slices"
)

// Names finds the names of classes and categories in the cells of tables.
//
// A cell is the name that it spells. If no name is spelled so, it is the name of the same number: 1, 1.0 and +1 are one
// name, since programs write whole numbers as 1.0 where a cell of the column is missing. So are true, True and TRUE. If
// no name is true or false, true is the name 1 and false is 0, and the other way round, as formats without booleans
// have them. Codes such as 007, numbers with leading zeros, have one spelling; so have all names beside a code.
type Names struct {
	spelled map[string]int32
	numbers map[string]int32 // by the fewest decimals; nil beside a code
}

// NewNames returns the names with their indices.
func NewNames(names []string) *Names {
	n := &Names{spelled: make(map[string]int32, len(names)), numbers: map[string]int32{}}
	for i, name := range names {
		n.spelled[name] = int32(i)
	}
	if slices.ContainsFunc(names, func(name string) bool { return IsCode([]byte(name), '.') }) {
		n.numbers = nil
		return n
	}
	for i, name := range names {
		number, ok := appendSame(nil, []byte(name), '.')
		if _, taken := n.numbers[string(number)]; ok && (!taken || string(number) == name) {
			n.numbers[string(number)] = int32(i)
		}
	}
	return n
}

// Find returns the index of the name that a cell is. decimal is the decimal sign of its file, a point if it is 0.
func (n *Names) Find(cell []byte, decimal byte) (index int32, ok bool) {
	if index, ok = n.spelled[string(cell)]; ok || n.numbers == nil {
		return index, ok
	}
	var digits [32]byte
	number, isNumber := appendSame(digits[:0], cell, decimal)
	if !isNumber {
		return 0, false
	}
	if index, ok = n.numbers[string(number)]; !ok {
		index, ok = n.numbers[otherBoolean(string(number))]
	}
	return index, ok
}

// otherBoolean returns 1 and 0 for true and false, and the other way round.
func otherBoolean(name string) string {
	switch name {
	case "true":
		return "1"
	case "false":
		return "0"
	case "1":
		return "true"
	case "0":
		return "false"
	}
	return name
}

// FoldNames returns different names, sorted by their bytes. Several spellings of one number become its fewest decimals,
// unless a name is a code.
func FoldNames(names []string, decimal byte) []string {
	spellings := map[string]int{} // of each number
	for _, name := range names {
		if IsCode([]byte(name), decimal) {
			return slices.Sorted(slices.Values(names))
		}
		if number, ok := appendSame(nil, []byte(name), decimal); ok {
			spellings[string(number)]++
		}
	}
	folded := make([]string, len(names))
	for i, name := range names {
		folded[i] = name
		if number, ok := appendSame(nil, []byte(name), decimal); ok && spellings[string(number)] > 1 {
			folded[i] = string(number)
		}
	}
	slices.Sort(folded)
	return slices.Compact(folded)
}

// IsCode reports whether a cell is a number that has leading zeros, such as 007.
func IsCode(cell []byte, decimal byte) bool {
	digits := cell
	if len(digits) > 0 && (digits[0] == '-' || digits[0] == '+') {
		digits = digits[1:]
	}
	if len(digits) < 2 || digits[0] != '0' || digits[1]-'0' > 9 {
		return false
	}
	_, reason := parseNumber(cell, decimalSign(decimal))
	return reason == ""
}

// appendSame appends the fewest decimals of the number in a cell, which all spellings of the number share, or true or
// false in lower case. It is false for other cells, for codes, and for whole numbers too long for a float64,
// which would lose digits.
func appendSame(dst, cell []byte, decimal byte) (number []byte, ok bool) {
	if on, isBoolean := Boolean(cell); isBoolean {
		return AppendBoolean(dst, on), true
	}
	x, reason := parseNumber(cell, decimalSign(decimal))
	if reason != "" || math.Abs(x) >= 1<<53 || IsCode(cell, decimal) {
		return dst, false
	}
	return AppendNumber(dst, x), true
}

func decimalSign(decimal byte) byte {
	if decimal == 0 {
		return '.'
	}
	return decimal
}
