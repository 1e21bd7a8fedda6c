package lanes

import (
	"math"
	"math/rand"
	"testing"
)

// rest is what dispatch.Rest does: without it the DFT takes 20 times as long.
var rest = func() {}

// The transform equals the naive DFT in float64 and comes back, for every length
// from 1 to 200, some large primes and some large smooth numbers.
func TestFFT(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	lengths := []int{211, 243, 250, 256, 509, 625, 720, 1009, 1024, 2003}
	for n := 1; n <= 200; n++ {
		lengths = append(lengths, n)
	}
	for _, n := range lengths {
		f := newFFT(n)
		z, scratch := make([]vec, 2*n), make([]vec, scratchOf(n))
		flat := floats(z)
		for i := range flat {
			flat[i] = 2*rng.Float32() - 1
		}
		input := append([]float32(nil), flat...)
		f.forward(z, scratch)
		rest()
		for lane, e := range dftErrors(input, flat, f.positions(), n) {
			if e > 1e-6 {
				t.Errorf("length %d, lane %d: relative error %g against the DFT", n, lane, e)
			}
		}
		f.backward(z, scratch)
		want := make([]float64, len(input))
		for i, v := range input {
			want[i] = float64(v) * float64(n)
		}
		if e := relativeError(flat, want); e > 1e-6 {
			t.Errorf("length %d: relative error %g after forward and backward", n, e)
		}
	}
}

// dftErrors returns the relative error of each lane's spectrum.
func dftErrors(input, spectrum []float32, positions []int32, n int) (errors [lanes]float64) {
	cos, sin := make([]float64, n), make([]float64, n)
	for j := range n {
		cos[j], sin[j] = math.Cos(2*math.Pi*float64(j)/float64(n)), math.Sin(2*math.Pi*float64(j)/float64(n))
	}
	want := make([]float64, 2*n*lanes)
	for k := range n {
		re, im := want[2*k*lanes:][:lanes], want[(2*k+1)*lanes:][:lanes]
		turn := 0 // j·k mod n
		for j := range n {
			c, s := cos[turn], sin[turn]
			x, y := input[2*j*lanes:][:lanes], input[(2*j+1)*lanes:][:lanes]
			for lane := range lanes {
				re[lane] += float64(x[lane])*c + float64(y[lane])*s
				im[lane] += float64(y[lane])*c - float64(x[lane])*s
			}
			if turn += k; turn >= n {
				turn -= n
			}
		}
	}
	for lane := range lanes {
		one, of := make([]float32, 2*n), make([]float64, 2*n)
		for k := range 2 * n {
			one[k], of[k] = spectrum[(2*int(positions[k/2])+k%2)*lanes+lane], want[k*lanes+lane]
		}
		errors[lane] = relativeError(one, of)
	}
	return errors
}

func TestCosSinTurn(t *testing.T) {
	for n := 1; n <= 300; n++ {
		for k := range n {
			cos, sin := cosSinTurn(k, n)
			angle := 2 * math.Pi * float64(k) / float64(n)
			// math's own argument is rounded: allow for an ulp of 2π.
			if math.Abs(cos-math.Cos(angle)) > 2e-15 || math.Abs(sin-math.Sin(angle)) > 2e-15 {
				t.Fatalf("cosSinTurn(%d, %d) = %g, %g, want %g, %g", k, n, cos, sin, math.Cos(angle), math.Sin(angle))
			}
			if norm := cos*cos + sin*sin; math.Abs(norm-1) > 4e-16 {
				t.Fatalf("cosSinTurn(%d, %d) has norm² 1%+g", k, n, norm-1)
			}
		}
	}
}

// relativeError returns ‖got − want‖/‖want‖.
func relativeError(got []float32, want []float64) float64 {
	difference, norm := 0.0, 0.0
	for i, v := range want {
		difference += (float64(got[i]) - v) * (float64(got[i]) - v)
		norm += v * v
	}
	return math.Sqrt(difference / norm)
}
