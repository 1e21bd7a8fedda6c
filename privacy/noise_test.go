package privacy

import (
	"crypto/rand"
	"testing"
)

func BenchmarkGaussian(b *testing.B) {
	noise := NewNoise(rand.Reader)
	for b.Loop() {
		noise.gaussian(32)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mvalues/s")
}
