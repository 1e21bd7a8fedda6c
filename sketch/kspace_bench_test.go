package sketch

import (
	"math/rand"
	"testing"
)

func BenchmarkKSpaceMultiply(b *testing.B) {
	p := (Params{Method: MethodKSpace, NFeatures: 64, NComponents: 200, Degree: 3, Coef0: 1}).WithDefaults()
	m := mustMap(b, p)
	f, _ := m.NewFitter(1)
	s := f.repeats[0]
	rng := rand.New(rand.NewSource(1))
	for i := range s.left {
		s.left[i] = float64(rng.Intn(1000))
	}
	for i := range s.right {
		s.right[i] = float64(rng.Intn(1000))
	}
	for b.Loop() {
		s.multiply(64)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/64/float64(kspaceTiles(s.m, s.r)*64), "ns/product")
}
