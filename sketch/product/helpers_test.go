package product

import (
	"math"
	"math/rand"

	"tensorsketch.example/sketch"
)

// randomRows returns n·d numbers from −1 to 1, about a third of them 0.
func randomRows(rng *rand.Rand, n, d int) []float32 {
	X := make([]float32, n*d)
	for i := range X {
		if rng.Intn(3) > 0 {
			X[i] = 2*rng.Float32() - 1
		}
	}
	return X
}

// sparseRows returns the CSR form of dense rows, the columns of each in random order and with some explicit zeros.
func sparseRows(rng *rand.Rand, X []float32, d int) sketch.CSR {
	csr := sketch.CSR{Indptr: []int32{0}}
	for ; len(X) > 0; X = X[d:] {
		for _, i := range rng.Perm(d) {
			if X[i] != 0 || rng.Intn(4) == 0 {
				csr.Indices, csr.Data = append(csr.Indices, int32(i)), append(csr.Data, X[i])
			}
		}
		csr.Indptr = append(csr.Indptr, int32(len(csr.Indices)))
	}
	return csr
}

// digestInput is n numbers from a linear congruential generator, exact in float32.
func digestInput(n int) []float32 {
	x, state := make([]float32, n), uint32(12345)
	for i := range x {
		state = state*1664525 + 1013904223
		x[i] = float32(int32(state)>>8) / (1 << 23)
	}
	return x
}

// Seeds are drawn in batches until the tolerance of the variance, |ratio − 1| ≤ 4·√((kurtosis − 1)/n), is at most 5 %.
const (
	tolerance = 0.05
	batch     = 2000
)

// moments sums powers of what is drawn.
type moments struct{ n, sum, sum2, sum4 float64 }

func (m *moments) add(v float64) {
	m.n++
	m.sum += v
	m.sum2 += v * v
	m.sum4 += v * v * v * v
}

func (m *moments) variance() float64 { return m.sum2 / m.n }

// spread returns the tolerance of the variance, relative.
func (m *moments) spread() float64 {
	kurtosis := m.sum4 * m.n / (m.sum2 * m.sum2)
	return 4 * math.Sqrt((kurtosis-1)/m.n)
}
