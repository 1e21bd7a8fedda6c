package dataset

import (
	"math"
	"math/big"

	"tensorsketch.example/internal/exact"
)

// mean returns the sum over n, rounded once.
func mean(sum *exact.Wide, n int64) float64 {
	return exact.Quotient(sum.Int(), new(big.Int).Lsh(big.NewInt(n), -exact.Unit))
}

// deviation returns the standard deviation of n numbers, √(n·Σx² − (Σx)²)/n, whose
// square is rounded once.
func deviation(sum, squares *exact.Wide, n int64) float64 {
	s, q, count := sum.Int(), squares.Int(), big.NewInt(n)
	q.Mul(q, count).Lsh(q, -exact.Unit)
	q.Sub(q, s.Mul(s, s))
	return math.Sqrt(exact.Quotient(q, new(big.Int).Lsh(count.Mul(count, count), -2*exact.Unit)))
}
