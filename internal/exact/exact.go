// Package exact adds floating-point numbers without rounding, so that no order or
// grouping of additions changes a bit of the sum: each sum is one integer, wide
// enough for every number that can occur (Kulisch, Computer Arithmetic and
// Validity, 2nd edition 2013).
package exact

import (
	"math"
	"math/bits"
)

// A sum is an integer of Words words in two's complement, the least significant
// first, in units of 2^Unit. The product of the two smallest float32 is one unit;
// that of the two largest is below 2^(256 − Unit), which leaves room for 2^85 of them.
const (
	Words = 10
	Unit  = -298
)

// AddFloat adds x to a sum: 0, or a multiple of the unit below 2^264.
func AddFloat(sum []uint64, x float64) {
	if x == 0 {
		return
	}
	mantissa, shift, mask := split(x, Unit)
	if shift < 0 { // the bits that go are 0
		mantissa >>= -shift
		shift = 0
	}
	add(sum[:Words], mantissa, shift, mask)
}

// split returns x as ±mantissa·2^shift in units of 2^unit. The mask is all ones where x is negative, else 0.
func split(x float64, unit int) (mantissa uint64, shift int, mask uint64) {
	pattern := math.Float64bits(x)
	mantissa, exponent := pattern&(1<<52-1), int(pattern>>52&(1<<11-1))
	if exponent == 0 {
		exponent = 1
	} else {
		mantissa |= 1 << 52
	}
	return mantissa, exponent - 1023 - 52 - unit, uint64(int64(pattern) >> 63)
}

// add adds a mantissa times 2^shift to a sum of any length.
func add(sum []uint64, mantissa uint64, shift int, mask uint64) {
	// −x is the complement of x plus 1: the mask is all ones, and carried into it is 1.
	sum = sum[shift/64:]
	var carry uint64
	sum[0], carry = bits.Add64(sum[0], mantissa<<(shift%64)^mask, mask&1)
	sum[1], carry = bits.Add64(sum[1], mantissa>>(64-shift%64)^mask, carry)
	for i := 2; carry != mask&1 && i < len(sum); i++ {
		sum[i], carry = bits.Add64(sum[i], mask, carry)
	}
}

// A Wide is a sum of any finite float64, or of their squares: an integer in two's complement, in units of 2^WideUnit.
// The square of the smallest is one unit; that of the largest is below 2^(2048 − WideUnit), which leaves room for 2^91
// of them.
type Wide [67]uint64

// WideUnit is the exponent of the unit of a Wide.
const WideUnit = -2148

// Add adds x.
func (s *Wide) Add(x float64) {
	mantissa, shift, mask := split(x, WideUnit)
	add(s[:], mantissa, shift, mask)
}

// AddSquare adds x².
func (s *Wide) AddSquare(x float64) {
	mantissa, shift, _ := split(x, 0)
	high, low := bits.Mul64(mantissa, mantissa)
	add(s[:], low, 2*shift-WideUnit, 0)
	add(s[:], high, 2*shift-WideUnit+64, 0)
}

// Merge adds the sums of one slice to those of another, or takes them away.
func Merge(sums, others []uint64, takeAway bool) {
	for ; len(sums) > 0; sums, others = sums[Words:], others[Words:] {
		var carry uint64
		for i := range Words {
			if takeAway {
				sums[i], carry = bits.Sub64(sums[i], others[i], carry)
			} else {
				sums[i], carry = bits.Add64(sums[i], others[i], carry)
			}
		}
	}
}

// Round returns the float64 nearest to a sum, of two the even one.
func Round(sum []uint64) float64 {
	n, negative := magnitude(sum)
	length := bitLength(&n)
	if length == 0 {
		return 0
	}
	justify(&n, length)
	return withSign(nearest(n[Words-1], anyBit(n[:Words-1]), length-64+Unit), negative)
}

// Ratio returns the float64 nearest to a/b, of two the even one; b must not be 0.
func Ratio(a, b []uint64) float64 {
	n, negative := magnitude(a)
	m, flipped := magnitude(b)
	lengthN, lengthM := bitLength(&n), bitLength(&m)
	if lengthN == 0 {
		return 0
	}
	justify(&n, lengthN)
	justify(&m, lengthM)
	from := 0 // the words below are 0 in both
	for n[from]|m[from] == 0 {
		from++
	}
	// Long division, bit by bit, until the quotient has 64 of them.
	var quotient, carry uint64
	exponent := lengthN - lengthM + 1
	for ; quotient>>63 == 0; exponent-- {
		quotient <<= 1
		if carry != 0 || !less(n[from:], m[from:]) {
			take(n[from:], m[from:])
			quotient |= 1
		}
		carry = n[Words-1] >> 63
		shiftOne(n[from:])
	}
	return withSign(nearest(quotient, carry != 0 || anyBit(n[from:]), exponent), negative != flipped)
}

// magnitude returns the absolute value of a sum and whether the sum is negative.
func magnitude(sum []uint64) (n [Words]uint64, negative bool) {
	copy(n[:], sum)
	if negative = n[Words-1]>>63 != 0; negative {
		var zero [Words]uint64
		Merge(zero[:], n[:], true)
		n = zero
	}
	return n, negative
}

func bitLength(n *[Words]uint64) int {
	for i := Words - 1; i >= 0; i-- {
		if n[i] != 0 {
			return 64*i + bits.Len64(n[i])
		}
	}
	return 0
}

// justify shifts a number of so many bits up until the topmost bit is set.
func justify(n *[Words]uint64, length int) {
	by := 64*Words - length
	for i := Words - 1; i >= 0; i-- {
		var word uint64
		if from := i - by/64; from >= 0 {
			word = n[from] << (by % 64)
			if from > 0 {
				word |= n[from-1] >> (64 - by%64)
			}
		}
		n[i] = word
	}
}

func less(a, b []uint64) bool {
	for i := len(a) - 1; i >= 0; i-- {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

// take takes b from a, both of any length.
func take(a, b []uint64) {
	var borrow uint64
	for i := range a {
		a[i], borrow = bits.Sub64(a[i], b[i], borrow)
	}
}

func shiftOne(n []uint64) {
	for i := len(n) - 1; i > 0; i-- {
		n[i] = n[i]<<1 | n[i-1]>>63
	}
	n[0] <<= 1
}

func anyBit(n []uint64) bool {
	for _, word := range n {
		if word != 0 {
			return true
		}
	}
	return false
}

// nearest rounds (n + f)·2^exponent to float64, where the top bit of n is set and f
// is 0, or with `more` between 0 and 1. The result is far from the ends of float64.
func nearest(n uint64, more bool, exponent int) float64 {
	const half = 1 << 10
	rest := n & (2*half - 1)
	n >>= 11
	if rest > half || rest == half && (more || n&1 == 1) {
		n++
	}
	return float64(n) * powerOf2(exponent+11)
}

func withSign(x float64, negative bool) float64 {
	if negative {
		return -x
	}
	return x
}
