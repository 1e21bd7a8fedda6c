// Package exact adds floating-point numbers without rounding, so that no order or
// grouping of additions changes a bit of the sum: each sum is one integer, wide
// enough for every number that can occur (Kulisch, Computer Arithmetic and
// Validity, 2nd edition 2013).
package exact

import (
	"math"
	"math/bits"
)

// A sum is an integer of Words words in two's complement, the least significant word first, in
// units of 2^Unit. The product of the two smallest float32 is one unit. The product of the two
// largest is below 2^(256 − Unit), which leaves room for 2^85 such products.
const (
	Words = 10
	Unit  = -298
)

// AddFloat adds x to a sum. x must be 0, or a multiple of the unit below 2^264.
func AddFloat(sum []uint64, x float64) {
	if x == 0 {
		return
	}
	mantissa, shift, mask := split(x, Unit)
	if shift < 0 { // the bits shifted out are 0
		mantissa >>= -shift
		shift = 0
	}
	add(sum[:Words], mantissa, shift, mask)
}

// split returns x as ±mantissa·2^shift in units of 2^unit. The mask is all ones if x is negative,
// else 0.
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

// A Wide is a sum of any finite float64, or of their squares: an integer in two's complement, in
// units of 2^WideUnit. The square of the smallest float64 is one unit. The square of the largest is
// below 2^(2048 − WideUnit), which leaves room for 2^91 such squares.
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

// Merge adds the sums in others to sums, or subtracts them.
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
