package lanes

import (
	"math"
	"math/rand"
	"testing"

	"tensorsketch.example/internal/engine/block"
)

// The steps of projections give the bits of plain loops.
func TestProject(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	const width = 70
	y, matrix, signs := make([]float32, block.Tile), make([]float32, width*block.Tile), make([]uint32, 3*block.Tile)
	for i := range matrix {
		matrix[i] = rng.Float32() - 0.5
	}
	for i := range signs {
		signs[i] = rng.Uint32()
	}
	for n := range width + 1 {
		for r := range y {
			y[r] = rng.Float32()
		}
		var indices []int32
		var values []float32
		for i := range width {
			if rng.Intn(width) < n {
				indices, values = append(indices, int32(i)), append(values, rng.Float32()-0.5)
			}
		}
		want, wantSigns := append([]float32(nil), y...), append([]float32(nil), y...)
		for r := range y {
			for at, i := range indices {
				v := values[at]
				want[r] += float32(matrix[int(i)*block.Tile+r] * v)
				if signs[int(i)/32*block.Tile+r]<<(i%32)>>31 == 1 {
					v = -v
				}
				wantSigns[r] += v
			}
		}
		got := append([]float32(nil), y...)
		if AddTile(got, matrix, indices, values); !equal(got, want) {
			t.Errorf("AddTile of coordinates %v: %v, want %v", indices, got, want)
		}
		copy(got, y)
		if AddSigns(got, signs, indices, values); !equal(got, wantSigns) {
			t.Errorf("AddSigns of coordinates %v: %v, want %v", indices, got, wantSigns)
		}
	}
	for n := range 40 {
		y, w := make([]float32, n), make([]float32, n)
		for i := range y {
			y[i], w[i] = rng.Float32(), rng.Float32()-0.5
		}
		want := append([]float32(nil), y...)
		for i, v := range w {
			want[i] *= v
		}
		if MultiplyBy(y, w); !equal(y, want) {
			t.Errorf("MultiplyBy of %d numbers: %v, want %v", n, y, want)
		}
		for i, v := range y {
			want[i] = v * 0.7
		}
		if Scale(y, y, 0.7); !equal(y, want) {
			t.Errorf("Scale of %d numbers: %v, want %v", n, y, want)
		}
		if !Finite(y) {
			t.Errorf("%v are not finite", y)
		}
		for i, v := range y {
			for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
				if y[i] = float32(bad); Finite(y) {
					t.Errorf("%v are finite", y)
				}
			}
			y[i] = v
		}
	}
}

// Whole turns are taken away without an error, and what is left is from −½ to ½.
func TestWind(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	phases, sums := make([]float32, block.Tile), make([]float32, block.Tile)
	for _, scale := range []float32{0, 0.1, 1, 100, 1e6, 1e30} {
		for i := range sums {
			phases[i], sums[i] = rng.Float32()-0.5, scale*(rng.Float32()-0.5)
		}
		phases[0], sums[0] = 0.5, 2
		got := append([]float32(nil), phases...)
		Wind(got, sums)
		for i, v := range got {
			sum := float64(phases[i] + sums[i])
			if want := sum - math.RoundToEven(sum); float64(v) != want {
				t.Errorf("%v turns leave %v, want %v", sum, v, want)
			}
		}
		again := append([]float32(nil), got...)
		if Wind(again, make([]float32, block.Tile)); !equal(again, got) {
			t.Errorf("%v change to %v without a sum", got, again)
		}
	}
}

func TestCosinesAndSines(t *testing.T) {
	phases, cos, sin := make([]float32, block.Tile), make([]float32, block.Tile), make([]float32, block.Tile)
	const n = 1 << 12
	worst := 0.0
	for from := -n; from < n; from += block.Tile {
		for i := range phases {
			phases[i] = float32(from+i) / (2 * n)
		}
		phases[0] = -phases[0] // ½ as well
		Cosines(cos, phases, 1)
		Sines(sin, phases, 1)
		for i, phase := range phases {
			wantSin, wantCos := math.Sincos(2 * math.Pi * float64(phase))
			worst = max(worst, math.Abs(float64(cos[i])-wantCos), math.Abs(float64(sin[i])-wantSin))
		}
	}
	if worst > 2e-7 {
		t.Errorf("a cosine or sine is off by %g", worst)
	}
}

func TestSubtractProducts(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	const n = 9
	z, matrix := make([]float64, n*block.Rows), make([]float64, n*block.Sums)
	for i := range z {
		z[i] = rng.NormFloat64()
	}
	for i := range matrix {
		matrix[i] = rng.NormFloat64()
	}
	for count := 1; count <= block.Rows; count++ {
		for _, indices := range [][]int32{nil, {4}, {0, 1, 2, 3, 4, 5, 6, 7, 8}, {1, 7}} {
			sums := make([]float64, block.Sums*block.Rows)
			for i := range sums {
				sums[i] = rng.NormFloat64()
			}
			want := append([]float64(nil), sums...)
			for at := range want {
				for _, i := range indices {
					want[at] -= float64(matrix[int(i)*block.Sums+at/block.Rows] * z[int(i)*block.Rows+at%block.Rows])
				}
			}
			SubtractProducts(sums, z, matrix, indices, count)
			for at, v := range want {
				if at%block.Rows < count && sums[at] != v {
					t.Errorf("%d rows, products %v: sum %d is %v, want %v", count, indices, at, sums[at], v)
				}
			}
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
