package lanes

import (
	"math"
	"math/rand"
	"testing"
)

// The steps of projections give the bits of plain loops, for every length.
func TestProject(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for n := lanes; n <= 15*lanes; n += lanes {
		for _, count := range []int{1, 2, 7, 31, 32} {
			first := rng.Intn(33 - count)
			y, w, signs, x := make([]float32, n), make([]float32, n), make([]uint32, n), make([]float32, count)
			for i := range y {
				y[i], w[i], signs[i] = rng.Float32(), rng.Float32()-0.5, rng.Uint32()
			}
			for i := range x {
				x[i] = rng.Float32() - 0.5
			}
			want := append([]float32(nil), y...)
			for r := range want {
				for i, v := range x {
					if signs[r]<<(first+i)>>31 == 1 {
						v = -v
					}
					want[r] += v
				}
			}
			if AddSigns(y, signs, first, x); !equal(y, want) {
				t.Errorf("AddSigns of %d coordinates from %d to %d numbers: %v, want %v", count, first, n, y, want)
			}
		}
	}
	for n := range 40 {
		y, w := make([]float32, n), make([]float32, n)
		for i := range y {
			y[i], w[i] = rng.Float32(), rng.Float32()-0.5
		}
		want := append([]float32(nil), y...)
		for i, v := range w {
			want[i] += float32(v * 0.7)
		}
		if AddScaled(y, w, 0.7); !equal(y, want) {
			t.Errorf("AddScaled of %d numbers: %v, want %v", n, y, want)
		}
		for i, v := range w {
			want[i] *= v
		}
		if MultiplyBy(y, w); !equal(y, want) {
			t.Errorf("MultiplyBy of %d numbers: %v, want %v", n, y, want)
		}
	}
}

func equal(a, b []float32) bool {
	for i := range a {
		if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
			return false
		}
	}
	return len(a) == len(b)
}
