// Package exact adds float64 numbers and their squares without rounding, so that no order or
// grouping of additions changes a bit of the sum: each sum is one integer, wide enough for every
// number that can occur (Kulisch, Computer Arithmetic and Validity, 2nd edition 2013).
package exact

import (
	"math"
	"math/big"
	"math/bits"
	"slices"
)

// A Wide is a sum of any finite float64, or of their squares: an integer in two's complement, the
// least significant word first, in units of 2^Unit. The square of the smallest float64 is one unit.
// The square of the largest is below 2^(2048 − Unit), which leaves room for 2^91 such squares.
type Wide [67]uint64

// Unit is the exponent of the unit of a Wide.
const Unit = -2148

// Add adds x.
func (s *Wide) Add(x float64) {
	mantissa, shift, mask := split(x, Unit)
	s.add(mantissa, shift, mask)
}

// AddSquare adds x².
func (s *Wide) AddSquare(x float64) {
	mantissa, shift, _ := split(x, 0)
	high, low := bits.Mul64(mantissa, mantissa)
	s.add(low, 2*shift-Unit, 0)
	s.add(high, 2*shift-Unit+64, 0)
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

// add adds a mantissa times 2^shift.
func (s *Wide) add(mantissa uint64, shift int, mask uint64) {
	// −x is the complement of x plus 1: the mask is all ones, and carried into it is 1.
	sum := s[shift/64:]
	var carry uint64
	sum[0], carry = bits.Add64(sum[0], mantissa<<(shift%64)^mask, mask&1)
	sum[1], carry = bits.Add64(sum[1], mantissa>>(64-shift%64)^mask, carry)
	for i := 2; carry != mask&1 && i < len(sum); i++ {
		sum[i], carry = bits.Add64(sum[i], mask, carry)
	}
}

// Int returns the sum as an integer, in units of 2^Unit.
func (s *Wide) Int() *big.Int {
	n := new(big.Int)
	for _, word := range slices.Backward(s[:]) {
		n.Or(n.Lsh(n, 64), new(big.Int).SetUint64(word))
	}
	if s[len(s)-1]>>63 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(64*len(s))))
	}
	return n
}

// Quotient returns the float64 nearest to a/b, ties to even; b must not be 0.
func Quotient(a, b *big.Int) float64 {
	x, _ := new(big.Rat).SetFrac(a, b).Float64()
	return x
}
