package onnx

import "tensorsketch.example/internal/portable"

// roots are the n roots of unity exp(−2πi·j/n), for discrete Fourier transforms in float64 with the same bits on
// every platform.
type roots struct{ re, im []float64 }

func newRoots(n int) *roots {
	r := &roots{make([]float64, n), make([]float64, n)}
	for j := range n {
		t := float64(j) / float64(n)
		r.re[j], r.im[j] = portable.CosTurns(t), -portable.SinTurns(t)
	}
	return r
}

// transform returns Σ_j x_j·exp(−2πi·jm/q), m = 0 … q − 1, for x_j every stride-th of the numbers and q = n/stride. It
// splits them by the smallest factor of q (Cooley & Tukey 1965), so a prime q takes q² products.
func (r *roots) transform(re, im []float64, stride int) (outRe, outIm []float64) {
	n := len(r.re)
	q := n / stride
	outRe, outIm = make([]float64, q), make([]float64, q)
	if q == 1 {
		outRe[0], outIm[0] = re[0], im[0]
		return outRe, outIm
	}
	p := smallestFactor(q)
	for part := range p {
		subRe, subIm := r.transform(re[part*stride:], im[part*stride:], stride*p)
		for m := range q {
			root := part * m % q * stride
			a, b := subRe[m%(q/p)], subIm[m%(q/p)]
			c, d := r.re[root], r.im[root]
			outRe[m] += float64(a*c) - float64(b*d)
			outIm[m] += float64(a*d) + float64(b*c)
		}
	}
	return outRe, outIm
}

func smallestFactor(q int) int {
	for p := 2; p*p <= q; p++ {
		if q%p == 0 {
			return p
		}
	}
	return q
}
