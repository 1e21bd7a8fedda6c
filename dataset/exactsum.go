package dataset

import (
	"math"
	"math/big"
	"math/bits"
)

// An exactSum adds float64 numbers, or their squares, without rounding: the bits of
// a mean do not depend on the order of the rows. It is one integer in units of
// 2^-2148, the square of half the smallest float64, in limbs of 32 bits that are
// carried late (Kulisch's long accumulator).
type exactSum struct {
	limbs [136]int64
	added int
}

const unitExponent = 2148

// add adds x.
func (s *exactSum) add(x float64) {
	mantissa, exponent, negative := split(x)
	s.addAt(0, mantissa, uint(exponent+unitExponent), negative)
}

// addSquare adds x².
func (s *exactSum) addSquare(x float64) {
	mantissa, exponent, _ := split(x)
	high, low := bits.Mul64(mantissa, mantissa)
	s.addAt(high, low, uint(2*exponent+unitExponent), false)
}

// split returns x as ±mantissa·2^exponent; x is finite.
func split(x float64) (mantissa uint64, exponent int, negative bool) {
	b := math.Float64bits(x)
	mantissa, exponent, negative = b&(1<<52-1), int(b>>52&0x7ff), b>>63 != 0
	if exponent == 0 {
		exponent = 1
	} else {
		mantissa |= 1 << 52
	}
	return mantissa, exponent - 1075, negative
}

// addAt adds (high·2^64 + low)·2^position units, high being below 2^42.
func (s *exactSum) addAt(high, low uint64, position uint, negative bool) {
	const low32 = 1<<32 - 1
	limb, shift := position/32, position%32
	top := high >> (64 - shift)
	high = high<<shift | low>>(64-shift)
	low <<= shift
	parts := [5]int64{int64(low & low32), int64(low >> 32), int64(high & low32), int64(high >> 32), int64(top)}
	at := s.limbs[limb : limb+5]
	for i, part := range parts {
		if negative {
			part = -part
		}
		at[i] += part
	}
	if s.added++; s.added == 1<<30 { // a limb holds 2^31 parts of 32 bits
		s.carry()
	}
}

// carry leaves 32 bits in each limb but the last.
func (s *exactSum) carry() {
	s.added = 0
	for i := range len(s.limbs) - 1 {
		s.limbs[i+1] += s.limbs[i] >> 32
		s.limbs[i] &= 1<<32 - 1
	}
}

// units returns the sum in units of 2^-2148.
func (s *exactSum) units() *big.Int {
	total := new(big.Int)
	for i := len(s.limbs) - 1; i >= 0; i-- {
		total.Lsh(total, 32).Add(total, big.NewInt(s.limbs[i]))
	}
	return total
}

// mean returns the sum over n, rounded once.
func mean(sum *exactSum, n int64) float64 {
	return quotient(sum.units(), new(big.Int).Lsh(big.NewInt(n), unitExponent))
}

// deviation returns the standard deviation of n numbers, √(n·Σx² − (Σx)²)/n, whose
// square is rounded once.
func deviation(sum, squares *exactSum, n int64) float64 {
	s, q, count := sum.units(), squares.units(), big.NewInt(n)
	q.Mul(q, count).Lsh(q, unitExponent)
	q.Sub(q, s.Mul(s, s))
	return math.Sqrt(quotient(q, new(big.Int).Lsh(count.Mul(count, count), 2*unitExponent)))
}

func quotient(a, b *big.Int) float64 {
	x, _ := new(big.Rat).SetFrac(a, b).Float64()
	return x
}
