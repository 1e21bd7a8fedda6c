package lanes

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func outerBlock(r *rand.Rand, rows, n, size int) (block []uint32, q [][]int32) {
	block = make([]uint32, OuterWords(n))
	for row := range rows {
		q = append(q, make([]int32, n))
		for j := range n {
			q[row][j] = int32(r.IntN(2*size+1) - size)
		}
		PutRow(block, q[row], row)
	}
	return block, q
}

func BenchmarkOuter(b *testing.B) {
	for _, D := range []int{128, 1024, 4096} {
		b.Run(fmt.Sprint(D), func(b *testing.B) {
			block, _ := outerBlock(rand.New(rand.NewPCG(1, 2)), OuterRows, D, 1000)
			sums := make([]int64, D*(D+1)/2)
			for b.Loop() {
				for panel := range D / OuterWidth {
					AddOuter(sums, block, OuterRows, D, panel)
				}
			}
			b.ReportMetric(float64(b.N)*float64(D*(D+1)/2)*OuterRows/float64(b.Elapsed().Nanoseconds()), "products/ns")
		})
	}
}
