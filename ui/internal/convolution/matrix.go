package convolution

import (
	"math"
)

// A matrix holds the products first[i]·second[j]. Cell (i, j) falls into bucket (firstBucket[i] + secondBucket[j])
// mod buckets.
type matrix struct {
	size, buckets             int
	first, second             []complex128
	firstBucket, secondBucket []int
	firstSet, secondSet       []bool // whether each factor is not exactly zero
}

func (m *matrix) value(i, j int) complex128 { return multiply(m.first[i], m.second[j]) }
func (m *matrix) set(i, j int) bool         { return m.firstSet[i] && m.secondSet[j] }

func (m *matrix) bucket(i, j int) int {
	k := m.firstBucket[i] + m.secondBucket[j]
	if k >= m.buckets {
		k -= m.buckets
	}
	return k
}

// multiply returns a·b with the same rounding on every platform. The conversions prevent fused multiply-add.
func multiply(a, b complex128) complex128 {
	return complex(float64(real(a)*real(b))-float64(imag(a)*imag(b)), float64(real(a)*imag(b))+float64(imag(a)*real(b)))
}

// sums adds up the cells of each bucket, and counts all of them and those that are not zero. For two sketches the
// sums are the circular convolution Σ_m A[m]·B[(k−m) mod n].
func (m *matrix) sums() (sums []complex128, cells, nonzero []int) {
	sums, cells, nonzero = make([]complex128, m.buckets), make([]int, m.buckets), make([]int, m.buckets)
	for i := range m.size {
		for j := range m.size {
			k := m.bucket(i, j)
			cells[k]++
			if m.set(i, j) {
				nonzero[k]++
				sums[k] += m.value(i, j)
			}
		}
	}
	return sums, cells, nonzero
}

// largestPart returns the largest absolute value of a real or imaginary part.
func largestPart(x []complex128) float64 {
	most := 0.0
	for _, value := range x {
		most = max(most, math.Abs(real(value)), math.Abs(imag(value)))
	}
	return most
}

// silent is a fraction of the largest magnitude. A smaller number that went through FFTs of float32 is zero up to
// rounding.
const silent = 1e-6
