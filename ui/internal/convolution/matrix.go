package convolution

import "math"

// A matrix holds the products first[i]·second[j], of which cell (i, j) falls into
// bucket (firstBucket[i] + secondBucket[j]) mod D.
type matrix struct {
	size, buckets             int
	first, second             []float64
	firstBucket, secondBucket []int
	firstSet, secondSet       []bool // not exactly zero
}

func (m *matrix) value(i, j int) float64 { return m.first[i] * m.second[j] }
func (m *matrix) set(i, j int) bool      { return m.firstSet[i] && m.secondSet[j] }

func (m *matrix) bucket(i, j int) int {
	k := m.firstBucket[i] + m.secondBucket[j]
	if k >= m.buckets {
		k -= m.buckets
	}
	return k
}

// sums adds up the cells of every bucket, and counts them and those that are not
// zero: for two sketches the circular convolution Σ_m A[m]·B[(k−m) mod D].
func (m *matrix) sums() (sums []float64, cells, nonzero []int) {
	sums, cells, nonzero = make([]float64, m.buckets), make([]int, m.buckets), make([]int, m.buckets)
	for i := range m.size {
		for j := range m.size {
			k := m.bucket(i, j)
			cells[k]++
			if m.set(i, j) {
				nonzero[k]++
				sums[k] += float64(m.value(i, j)) // the conversion forbids fused multiply-add
			}
		}
	}
	return sums, cells, nonzero
}

// most is the largest magnitude of a cell.
func (m *matrix) most() float64 { return largest(m.first) * largest(m.second) }

func largest(x []float64) float64 {
	most := 0.0
	for _, value := range x {
		most = max(most, math.Abs(value))
	}
	return most
}

// silent is the part of the largest magnitude below which a number that went
// through FFTs of float32 is zero up to rounding.
const silent = 1e-6
