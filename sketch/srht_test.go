package sketch

import (
	"math"
	"testing"
)

// Whole blocks of degree 1 are orthogonal transforms: they have no error, and the
// law says so.
func TestSRHTIsOrthogonal(t *testing.T) {
	x, y := statisticsRows(16)[:16], statisticsRows(16)[16:32]
	for _, p := range []Params{
		{Method: MethodTensorSRHT, NFeatures: 16, NComponents: 48, Degree: 1},
		{Method: MethodComplexTensorSRHT, NFeatures: 16, NComponents: 32, Degree: 1},
		{Method: MethodTensorSRHT, NFeatures: 15, NComponents: 16, Degree: 1, Coef0: 2},
		{Method: MethodTensorSRHT, NFeatures: 1, NComponents: 3, Degree: 5},
	} {
		m, x, y := mustMap(t, p), x[:p.NFeatures], y[:p.NFeatures]
		want := m.Kernel(toFloat64(x), toFloat64(y))
		if got := Dot(m.Transform(nil, x), m.Transform(nil, y)); math.Abs(got-want) > 1e-6 {
			t.Errorf("%+v: ⟨f(x), f(y)⟩ = %g, want %g", p, got, want)
		}
		if sigma, kind := m.StdError(toFloat64(x), toFloat64(y)); kind != Exact || sigma > 1e-7 {
			t.Errorf("%+v: σ = %g, %v, want 0", p, sigma, kind)
		}
	}
}

// Every feature is the product of Walsh functions of the signed row, by their
// definition; signs and entries are what their rule says.
func TestSRHTIdentity(t *testing.T) {
	for _, isComplex := range []bool{false, true} {
		p := Params{Method: MethodTensorSRHT, NFeatures: 11, NComponents: 20, Degree: 3, Seed: IntSeed(7)}.WithDefaults()
		if isComplex {
			p.Method, p.NComponents = MethodComplexTensorSRHT, 40
		}
		m := mustMap(t, p)
		c := m.cores[0].(*srhtCore)
		x := statisticsRows(11)[:11]
		got := m.Transform(nil, x)
		for j := range 20 {
			b, at, product := j/16, j%16, complex(1/math.Sqrt(20), 0)
			for k := range 3 {
				entry, sum := c.entriesOf(b, k)[at], complex128(0)
				for i, v := range x {
					walsh := 1 - 2*float64(oddBits(int(entry)&i))
					sign := complex(float64(c.signsOf(b, k)[i]), 0)
					if isComplex {
						sign += complex(0, float64(c.signsOf(b, k)[16+i]))
					}
					if square := real(sign)*real(sign) + imag(sign)*imag(sign); square != 1 {
						t.Fatalf("a sign is %v", sign)
					}
					sum += sign * complex(walsh*float64(v), 0)
				}
				product *= sum
			}
			if !isComplex {
				if math.Abs(float64(got[j])-real(product)) > 1e-5 {
					t.Errorf("feature %d is %g, want %g", j, got[j], real(product))
				}
			} else if math.Abs(float64(got[2*j])-real(product)) > 1e-5 || math.Abs(float64(got[2*j+1])-imag(product)) > 1e-5 {
				t.Errorf("complex feature %d is %g + %gi, want %v", j, got[2*j], got[2*j+1], product)
			}
		}
		for b := range 2 {
			for k := range 3 {
				seen := map[int32]bool{}
				for _, entry := range c.entriesOf(b, k) {
					if seen[entry] || entry < 0 || entry > 15 {
						t.Errorf("block %d, degree %d: entries %v", b, k, c.entriesOf(b, k))
						break
					}
					seen[entry] = true
				}
			}
		}
	}
}

func oddBits(n int) int {
	odd := 0
	for ; n > 0; n &= n - 1 {
		odd ^= 1
	}
	return odd
}

// The first draws of known parameters, which docs/SPEC.md shows.
func TestSRHTDraws(t *testing.T) {
	p := Params{Method: MethodTensorSRHT, NFeatures: 8, NComponents: 8, Seed: IntSeed(5)}.WithDefaults()
	for _, want := range []struct {
		method  string
		signs   []float32
		entries []int32
	}{
		{MethodTensorSRHT, []float32{1, -1, 1, 1, 1, -1, 1, 1}, []int32{1, 2, 7, 4, 0, 6, 3, 5}},
		{MethodComplexTensorSRHT, []float32{0, -1, 1, 0, -1, 1, -1, -1 /**/, 1, 0, 0, -1, 0, 0, 0, 0}, []int32{1, 2, 7, 4}},
	} {
		p.Method = want.method
		c := newTensorSRHTCore(&p, 8, p.Seed.randomness(0)).(*srhtCore)
		if signs, entries := c.signsOf(0, 1), c.entriesOf(0, 1); !sameBits(signs, want.signs) ||
			!sameEntries(entries, want.entries) {
			t.Errorf("%s: signs %v and entries %v of degree 1, want %v and %v", p.Method, signs, entries, want.signs,
				want.entries)
		}
	}
}

func sameEntries(a, b []int32) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
