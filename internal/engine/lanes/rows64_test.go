package lanes

import (
	"math"
	"math/rand"
	"testing"
)

// TestDotsAndAddRows compares with plain loops, bit by bit, for every remainder of lengths and lists.
func TestDotsAndAddRows(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	scratch := make([]float64, DotScratch)
	for n := range 40 {
		const rows = 23
		matrix, v := make([]float32, n*rows), make([]float64, n)
		for i := range matrix {
			matrix[i] = float32(r.NormFloat64())
		}
		for j := range v {
			v[j] = r.NormFloat64()
		}
		for count := range rows {
			list, factors, sums := make([]int32, count), make([]float64, count), make([]float64, count)
			for i := range list {
				list[i], factors[i], sums[i] = int32(r.Intn(rows)), r.NormFloat64(), math.NaN()
			}
			Dots(sums, v, matrix, list, scratch)
			sum, want := make([]float64, n), make([]float64, n)
			for j := range sum {
				sum[j] = v[j]
				want[j] = v[j]
			}
			AddRows(sum, matrix, list, factors)
			for i, row := range list {
				var p [4]float64
				for j, x := range matrix[int(row)*n : int(row+1)*n] {
					p[j%4] += float64(v[j] * float64(x))
					want[j] += float64(factors[i] * float64(x))
				}
				if dot := (p[0] + p[1]) + (p[2] + p[3]); sums[i] != dot {
					t.Fatalf("%d numbers, %d rows: product %d is %v, want %v", n, count, i, sums[i], dot)
				}
			}
			for j, w := range want {
				if sum[j] != w {
					t.Fatalf("%d numbers, %d rows: sum %d is %v, want %v", n, count, j, sum[j], w)
				}
			}
		}
	}
}
