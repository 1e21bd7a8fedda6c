package dataset

import (
	"math"
	"math/big"

	"tensorsketch.example/internal/exact"
	"tensorsketch.example/internal/exact/integer"
)

// mean returns the sum over n, rounded once.
func mean(sum *exact.Wide, n int64) float64 {
	return integer.Quotient(integer.Of(sum[:]), new(big.Int).Lsh(big.NewInt(n), -exact.WideUnit))
}

// deviation returns the standard deviation of n numbers, √(n·Σx² − (Σx)²)/n, whose
// square is rounded once.
func deviation(sum, squares *exact.Wide, n int64) float64 {
	s, q, count := integer.Of(sum[:]), integer.Of(squares[:]), big.NewInt(n)
	q.Mul(q, count).Lsh(q, -exact.WideUnit)
	q.Sub(q, s.Mul(s, s))
	return math.Sqrt(integer.Quotient(q, new(big.Int).Lsh(count.Mul(count, count), -2*exact.WideUnit)))
}
