package lanes

import (
	"math"
	"math/rand"
	"testing"

	"tensorsketch.example/internal/engine/block"
)

// A row alone has the bits that it has in a block of several rows: for every length with a first stage of radix 4,
// every degree, dense and sparse rows, zeros of both signs, numbers that are tiny, huge and not finite.
func TestSingle(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for D := 2; D <= 4096; D *= 2 {
		for degree := 2; degree <= 5; degree++ {
			const d = 37
			p := NewPlan(block.Config{NComponents: D, Degree: degree, Gamma: 0.7, Coef0: 0.3, Input: d})
			if alone := p.single != nil; alone != (lanes == 4 && D >= 32) {
				t.Fatalf("D = %d: a row alone is computed by itself: %v", D, alone)
			}
			for range 20 {
				x, entries := make([]float32, d), make([][]block.Entry, degree)
				scale := math.Exp(20 * rng.NormFloat64())
				for i := range x {
					if x[i] = float32(scale * rng.NormFloat64()); rng.Intn(3) == 0 {
						x[i] = float32(math.Copysign(0, float64(x[i])))
					}
				}
				if rng.Intn(9) == 0 {
					clear(x)
				}
				for k := range entries {
					for range d + 1 {
						entries[k] = append(entries[k], block.Entry(rng.Intn(D))|block.Entry(rng.Intn(2))<<31)
					}
				}
				sparse := rng.Intn(2) == 0
				compute := func(count int) ([]float32, bool, uint32) {
					b := p.NewBlock()
					b.Begin(count)
					for k := range degree {
						b.Clear()
						if sparse {
							b.AddSparse(k, 0, entries[k][:d], x)
						} else {
							b.Load(append(x, make([]float32, (count-1)*d)...), d, d, count, true)
							b.AddLoaded(k, entries[k][:d])
						}
						b.AddConstant(k, entries[k][d])
						b.Multiply(k)
					}
					out := make([]float32, count*D)
					notFinite := b.NotFinite()
					b.Finish()
					bad := b.Store(out, count)
					return out[:D], notFinite, bad & 1
				}
				got, notFinite, bad := compute(1)
				want, wantNotFinite, wantBad := compute(2)
				if notFinite != wantNotFinite || bad != wantBad {
					t.Fatalf("D = %d, degree %d: not finite %v, %v; want %v, %v", D, degree, notFinite, bad, wantNotFinite, wantBad)
				}
				for i := range want {
					same := math.Float32bits(got[i]) == math.Float32bits(want[i])
					if bothNaN := got[i] != got[i] && want[i] != want[i]; !same && !bothNaN {
						t.Fatalf("D = %d, degree %d, sparse %v: feature %d is %g (%08x), want %g (%08x)", D, degree, sparse, i,
							got[i], math.Float32bits(got[i]), want[i], math.Float32bits(want[i]))
					}
				}
			}
		}
	}
}
