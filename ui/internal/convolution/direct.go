package convolution

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
	products    int            // number of products
	taken       int
	sums        []complex128
	transformed []complex128
}

func newDirect(x []float32, order int, t *tables, transformed []complex128) *direct {
	r := &direct{x: x, order: order, products: 1, sums: make([]complex128, len(transformed)), transformed: transformed}
	for k := range order {
		var bucket []int
		var value []complex128
		for i := range x {
			if x[i] != 0 {
				bucket, value = append(bucket, t.bucket[k][i]), append(value, t.sign[k][i].Of(float64(x[i])))
			}
		}
		r.bucket, r.value = append(r.bucket, bucket), append(r.value, value)
		r.products *= len(bucket)
	}
	return r
}

func (r *direct) done() bool { return r.taken == r.products }

// work takes products until the budget is used up. It takes all products that differ in the last index only at once.
// The indices before it are the digits of taken.
func (r *direct) work(budget int) {
	last := r.order - 1
	n := len(r.value[last])
	for ; budget > 0 && !r.done(); budget -= n {
		shift, factor, place := 0, complex128(1), r.products
		for k := range last {
			place /= n
			i := r.taken / place % n
			shift += r.bucket[k][i]
			factor = multiply(factor, r.value[k][i])
		}
		for i, value := range r.value[last] {
			r.sums[(shift+r.bucket[last][i])%len(r.sums)] += multiply(factor, value)
		}
		r.taken += n
	}
}

// difference returns the largest difference from the transform in a real or imaginary part, or 0 before all products
// are taken.
func (r *direct) difference() float64 {
	if !r.done() {
		return 0
	}
	apart := make([]complex128, len(r.sums))
	for k, sum := range r.sums {
		apart[k] = sum - r.transformed[k]
	}
	return largestPart(apart)
}
