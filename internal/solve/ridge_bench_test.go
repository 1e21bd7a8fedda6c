package solve

import (
	"fmt"
	"math/rand"
	"testing"
)

// benchmarkSystem has sums like the sums of D features of ten classes, of rows of length about 1.
func benchmarkSystem(b *testing.B, D int) *System {
	m, err := NewMoments(Shape{NComponents: D, Classes: 10}, Grid{Step: 0x1p-12}, 0)
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewSource(1))
	const n = 500
	Z, classes := make([]float32, n*D), make([]int32, n)
	for i := range Z {
		Z[i] = float32(rng.NormFloat64()) / 32
	}
	for i := range classes {
		classes[i] = int32(rng.Intn(10))
		for j := int(classes[i]); j < D; j += 10 {
			Z[i*D+j] += 0.01
		}
	}
	for range 4 {
		if err := m.AddFeatures(Z, classes, nil, nil); err != nil {
			b.Fatal(err)
		}
		for i := range Z {
			Z[i] += float32(rng.NormFloat64()) / 64
		}
	}
	return m.System()
}

// The fit of ten classes, with the λ path and without.
func BenchmarkRidge(b *testing.B) {
	for _, D := range []int{256, 1024} {
		s := benchmarkSystem(b, D)
		for name, alpha := range map[string]float64{"path": 0, "alpha given": 1} {
			b.Run(fmt.Sprintf("D=%d/%s", D, name), func(b *testing.B) {
				for b.Loop() {
					if _, _, err := FitRidge(s, RidgeOptions{Alpha: alpha}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
