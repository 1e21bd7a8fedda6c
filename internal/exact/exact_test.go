package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestWide: against math/big, at all sizes, in two orders.
func TestWide(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 50 {
		numbers := []float64{math.SmallestNonzeroFloat64, -math.MaxFloat64 / 1e10, 0, math.Copysign(0, -1),
			0x1p-1022, -0x1p31}
		for range 200 {
			numbers = append(numbers, math.Ldexp(random.NormFloat64(), random.IntN(1600)-800))
		}
		const precision = 5000
		sum, squares := new(big.Float).SetPrec(precision), new(big.Float).SetPrec(precision)
		var forward, backward, ofSquares Wide
		for i, x := range numbers {
			b := new(big.Float).SetPrec(precision).SetFloat64(x)
			sum.Add(sum, b)
			squares.Add(squares, b.Mul(b, b))
			forward.Add(x)
			backward.Add(numbers[len(numbers)-1-i])
			ofSquares.AddSquare(x)
		}
		for got, want := range map[*Wide]*big.Float{&forward: sum, &backward: sum, &ofSquares: squares} {
			units := new(big.Float).SetPrec(precision).SetInt(got.Int())
			if units.SetMantExp(units, Unit).Cmp(want) != 0 {
				t.Fatalf("got %v, want %v", units, want)
			}
		}
	}
}
