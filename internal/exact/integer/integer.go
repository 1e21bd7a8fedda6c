// Package integer converts the sums of package exact to math/big integers. It is separate because
// package exact belongs to the core, which does not use math/big.
package integer

import (
	"math/big"
	"slices"
)

// Of returns a sum as an integer, in units of the sum.
func Of(sum []uint64) *big.Int {
	n := new(big.Int)
	for _, word := range slices.Backward(sum) {
		n.Or(n.Lsh(n, 64), new(big.Int).SetUint64(word))
	}
	if sum[len(sum)-1]>>63 != 0 {
		n.Sub(n, overflow(sum))
	}
	return n
}

// Put is the inverse of Of, for an integer that fits the sum.
func Put(sum []uint64, n *big.Int) {
	rest := new(big.Int).Set(n)
	if n.Sign() < 0 {
		rest.Add(rest, overflow(sum))
	}
	low := new(big.Int).SetUint64(1<<64 - 1)
	for i := range sum {
		sum[i] = new(big.Int).And(rest, low).Uint64()
		rest.Rsh(rest, 64)
	}
}

// Quotient returns the float64 nearest to a/b, ties to even; b must not be 0.
func Quotient(a, b *big.Int) float64 {
	x, _ := new(big.Rat).SetFrac(a, b).Float64()
	return x
}

func overflow(sum []uint64) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(64*len(sum))) }
