package sketch

import (
	"math/cmplx"
	"testing"
)

// The complex tensor sketch of x equals the explicit complex count sketch of
// x⊗…⊗x under H = Σh mod D/2 and the product of the signs; its spectrum is the
// Fourier transform over √(D/2).
func TestComplexSketchIdentity(t *testing.T) {
	const d = 5
	x := statisticsRows(d)[:d]
	turns := map[complex128]bool{}
	for _, degree := range []int{1, 2, 3} {
		for _, n := range []int{1, 2, 5, 8, 11, 15} {
			params := Params{Method: MethodComplexTensorSketch, NFeatures: d, NComponents: 2 * n, Degree: degree, Seed: IntSeed(uint64(n))}
			m := mustMap(t, familyCase{params: params})
			tables := m.(*Map).cores[0].(*tensorCore).t.hash
			want := make([]complex128, n)
			var add func(k, bucket int, value complex128)
			add = func(k, bucket int, value complex128) {
				if k == degree {
					want[bucket%n] += value
					return
				}
				for i, v := range x {
					e := tables.at(k, i)
					sign := complex(float64(e.Sign()), 0)
					if e.Bucket()%2 == 1 {
						sign *= 1i
					}
					turns[sign] = true
					add(k+1, bucket+e.Bucket()/2, value*sign*complex(float64(v), 0))
				}
			}
			add(0, 0, 1)
			if e := relativeError(m.Transform(nil, x), parts(want)); e > 1e-6 {
				t.Errorf("degree %d, D %d: relative error %g against the explicit sketch", degree, 2*n, e)
			}

			params.Output = OutputSpectrum
			spectrum := make([]complex128, n)
			for k := range spectrum {
				for j, v := range want {
					spectrum[k] += v * cmplx.Rect(1, -2*cmplx.Phase(-1)*float64(j*k)/float64(n))
				}
				spectrum[k] /= cmplx.Sqrt(complex(float64(n), 0))
			}
			if e := relativeError(mustMap(t, familyCase{params: params}).Transform(nil, x), parts(spectrum)); e > 1e-6 {
				t.Errorf("degree %d, D %d: relative error %g of the spectrum", degree, 2*n, e)
			}
		}
	}
	if len(turns) != 4 {
		t.Errorf("the signs are %v, want all of 1, i, −1, −i", turns)
	}
}

// parts returns real and imaginary parts in turn.
func parts(z []complex128) []float64 {
	var all []float64
	for _, v := range z {
		all = append(all, real(v), imag(v))
	}
	return all
}
