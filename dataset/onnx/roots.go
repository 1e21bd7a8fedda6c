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

// largestFactor is the largest factor by which transform splits.
const largestFactor = 64

// transform returns Σ_j x_j·exp(−2πi·jm/q), m = 0 … q − 1, for x_j every stride-th of the numbers and q = n/stride. It
// splits them by the smallest factor of q (Cooley & Tukey 1965), and makes a convolution if that is large.
func (r *roots) transform(re, im []float64, stride int) (outRe, outIm []float64) {
	q := len(r.re) / stride
	outRe, outIm = make([]float64, q), make([]float64, q)
	if q == 1 {
		outRe[0], outIm[0] = re[0], im[0]
		return outRe, outIm
	}
	p := smallestFactor(q)
	if p > largestFactor {
		for j := range q {
			outRe[j], outIm[j] = re[j*stride], im[j*stride]
		}
		return chirp(outRe, outIm)
	}
	for part := range p {
		subRe, subIm := r.transform(re[part*stride:], im[part*stride:], stride*p)
		for m := range q {
			root := part * m % q * stride
			c, d := product(subRe[m%(q/p)], subIm[m%(q/p)], r.re[root], r.im[root])
			outRe[m] += c
			outIm[m] += d
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

// product returns (a + ib)(c + id).
func product(a, b, c, d float64) (re, im float64) {
	return float64(a*c) - float64(b*d), float64(a*d) + float64(b*c)
}

// chirp returns the transform of any length as a convolution (Bluestein 1970): as jm = (j² + m² − (m − j)²)/2,
//
//	X_m = w_m · Σ_j (x_j·w_j)·w̄_{m−j},   w_j = exp(−πi·j²/q)
func chirp(re, im []float64) (outRe, outIm []float64) {
	q, n := len(re), 1
	for n < 2*q {
		n *= 2
	}
	wave := newRoots(2 * q)
	root := func(j int) (re, im float64) { at := j * j % (2 * q); return wave.re[at], wave.im[at] }
	aRe, aIm := make([]float64, n), make([]float64, n)
	bRe, bIm := make([]float64, n), make([]float64, n)
	for j := range q {
		c, s := root(j)
		aRe[j], aIm[j] = product(re[j], im[j], c, s)
		bRe[j], bIm[j] = c, -s
		bRe[(n-j)%n], bIm[(n-j)%n] = c, -s
	}
	r := newRoots(n)
	aRe, aIm = r.transform(aRe, aIm, 1)
	bRe, bIm = r.transform(bRe, bIm, 1)
	for k := range n {
		aRe[k], aIm[k] = product(aRe[k], aIm[k], bRe[k], bIm[k])
		aIm[k] = -aIm[k] // the transform of the conjugates is the inverse
	}
	aRe, aIm = r.transform(aRe, aIm, 1)
	outRe, outIm = make([]float64, q), make([]float64, q)
	for m := range q {
		c, s := root(m)
		outRe[m], outIm[m] = product(aRe[m]/float64(n), -aIm[m]/float64(n), c, s)
	}
	return outRe, outIm
}
