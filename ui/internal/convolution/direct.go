package convolution

import "math"

// atOnce is the number of products that New takes at once, without calls of Work.
const atOnce = 20_000

// A direct sketch adds the products x_i·x_j·… to their buckets one by one,
//
//	f[(h₁(i) + h₂(j) + …) mod n] += s₁(i)s₂(j)… · x_i·x_j·…
//
// in float64, and compares them with the core's transform. Products with a
// coordinate that is zero add nothing and are left out.
type direct struct {
	x           []float32
	order       int
	bucket      [][]int        // by degree, of the nonzero coordinates
	value       [][]complex128 // s_k(i)·x_i of these coordinates
	at          []int          // the indices of the current products, except the last index
	products    int            // number of products
	taken       int
	sums        []complex128
	transformed []complex128
	difference  float64
}

func newDirect(x []float32, order int, t *tables, transformed []complex128) *direct {
	r := &direct{x: x, order: order, at: make([]int, order-1), products: 1, sums: make([]complex128, len(transformed)),
		transformed: transformed}
	for k := range order {
		var bucket []int
		var value []complex128
		for i := range x {
			if x[i] != 0 {
				bucket, value = append(bucket, t.bucket[k][i]), append(value, t.sign[k][i].of(float64(x[i])))
			}
		}
		r.bucket, r.value = append(r.bucket, bucket), append(r.value, value)
		r.products *= len(bucket)
	}
	if r.done() {
		r.compare()
	}
	return r
}

func (r *direct) done() bool { return r.taken == r.products }

// work takes products until the budget is used up. It takes all products that differ in the last index only, then
// advances the indices before it.
func (r *direct) work(budget int) {
	for ; budget > 0 && !r.done(); budget -= len(r.value[0]) {
		shift, factor := 0, complex128(1)
		for k, i := range r.at {
			shift += r.bucket[k][i]
			factor = multiply(factor, r.value[k][i])
		}
		shift %= len(r.sums)
		last := r.order - 1
		for i, value := range r.value[last] {
			k := shift + r.bucket[last][i]
			if k >= len(r.sums) {
				k -= len(r.sums)
			}
			r.sums[k] += multiply(factor, value)
		}
		r.taken += len(r.value[last])
		r.advance()
		if r.done() {
			r.compare()
		}
	}
}

// advance increments the indices like an odometer.
func (r *direct) advance() {
	for k := len(r.at) - 1; k >= 0; k-- {
		if r.at[k]++; r.at[k] < len(r.value[k]) {
			return
		}
		r.at[k] = 0
	}
}

// compare computes the largest difference from the transform in a real or imaginary part.
func (r *direct) compare() {
	r.difference = 0
	for k, sum := range r.sums {
		apart := sum - r.transformed[k]
		r.difference = max(r.difference, math.Abs(real(apart)), math.Abs(imag(apart)))
	}
}
