package lanes

import (
	"math"
	"math/rand"
	"strconv"
	"testing"
	"unsafe"

	"tensorsketch.example/internal/engine/block"
)

// walsh is the transform by its definition, stage by stage, in float32.
func walsh(z []float32) {
	for h := len(z) / 2; h > 0; h /= 2 {
		for i := range z {
			if i&h == 0 {
				z[i], z[i+h] = z[i]+z[i+h], z[i]-z[i+h]
			}
		}
	}
}

// Every length gives the bits of the plain stages, in every lane, and entry l is
// Σ_i (−1)^|l & i| x_i.
func TestHadamard(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for n := 1; n <= 1<<14; n *= 2 {
		z := make([]vec, n)
		flat := floats(z)
		for i := range flat {
			flat[i] = 2*rng.Float32() - 1
		}
		want := make([][]float32, lanes)
		for lane := range want {
			want[lane] = make([]float32, n)
			for i := range want[lane] {
				want[lane][i] = flat[i*lanes+lane]
			}
			if n == 64 {
				l, sum := 37, 0.0
				for i, v := range want[lane] {
					sign := 1.0
					for bits := l & i; bits != 0; bits &= bits - 1 {
						sign = -sign
					}
					sum += sign * float64(v)
				}
				walsh(want[lane])
				if got := float64(want[lane][l]); math.Abs(got-sum) > 1e-5 {
					t.Errorf("entry %d is %g, want %g", l, got, sum)
				}
				continue
			}
			walsh(want[lane])
		}
		hadamard(unsafe.Pointer(&z[0]), uintptr(n), uintptr(n))
		for lane := range want {
			for i, v := range want[lane] {
				if got := flat[i*lanes+lane]; got != v {
					t.Fatalf("n %d, lane %d: entry %d is %g, want %g", n, lane, i, got, v)
				}
			}
		}
	}
}

// The steps together give the product of entries, for any count of rows.
func TestHadamardProducts(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	const width, n, features = 11, 16, 5
	for _, isComplex := range []bool{false, true} {
		parts := 1
		if isComplex {
			parts = 2
		}
		h := NewHadamard(block.HadamardConfig{Width: width, Length: n, Features: features, Complex: isComplex})
		for count := 1; count <= lanes; count++ {
			X := make([]float32, count*width)
			for i := range X {
				X[i] = float32(rng.Intn(5) - 2)
			}
			h.Load(X, count)
			product := make([][]complex64, count)
			for row := range product {
				product[row] = []complex64{1, 1, 1, 1, 1}
			}
			var transforms [2][][]float32
			for k := range 3 {
				entries := make([]int32, features)
				for j, at := range rng.Perm(n)[:features] {
					entries[j] = int32(at)
				}
				before, again := transforms[0], k == 2 // the last one is of the transform before
				transforms = [2][][]float32{}
				for part := range parts {
					signs := make([]float32, n)
					for i := range signs {
						if i < width || again {
							signs[i] = float32(rng.Intn(3) - 1)
						}
					}
					h.Transform(part, signs, again && part == 0)
					for row := range count {
						z := make([]float32, n)
						for i := range z {
							if again && part == 0 {
								z[i] = before[row][i] * signs[i]
							} else if i < width {
								z[i] = X[row*width+i] * signs[i]
							}
						}
						walsh(z)
						transforms[part] = append(transforms[part], z)
					}
				}
				h.Multiply(entries, k == 0)
				for row := range count {
					for j, at := range entries {
						factor := complex(transforms[0][row][at], 0)
						if isComplex {
							factor = complex(transforms[0][row][at], transforms[1][row][at])
						}
						product[row][j] *= factor
					}
				}
			}
			const stride, at = 3 + 2*features, 2
			out := make([]float32, count*stride)
			h.Store(out, stride, at, features, count, 0.5)
			for row := range count {
				for j, want := range product[row] {
					got := complex(out[row*stride+at+parts*j], 0)
					if isComplex {
						got = complex(out[row*stride+at+2*j], out[row*stride+at+2*j+1])
					}
					if got != want/2 { // small integers: exact
						t.Errorf("complex %v, row %d of %d, feature %d: %v, want %v", isComplex, row, count, j, got, want/2)
					}
				}
				if out[row*stride] != 0 || out[row*stride+stride-1] != 0 {
					t.Errorf("complex %v: numbers beside the features are written", isComplex)
				}
			}
		}
	}
}

func BenchmarkHadamard(b *testing.B) {
	for _, n := range []int{128, 1024, 4096, 16384} {
		z := make([]vec, n)
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			b.SetBytes(int64(n) * int64(vecBytes))
			for range b.N {
				hadamard(unsafe.Pointer(&z[0]), uintptr(n), uintptr(n))
			}
		})
	}
}

// The steps of one block of 1,024 features of 780 numbers.
func BenchmarkHadamardSteps(b *testing.B) {
	rng := rand.New(rand.NewSource(3))
	for _, isComplex := range []bool{false, true} {
		name := map[bool]string{false: "real", true: "complex"}[isComplex]
		h := NewHadamard(block.HadamardConfig{Width: 780, Length: 1024, Features: 1024, Complex: isComplex})
		X, signs, entries, out := make([]float32, 780*lanes), make([]float32, 1024), make([]int32, 1024),
			make([]float32, 2048*lanes)
		for j, entry := range rng.Perm(1024) {
			entries[j] = int32(entry)
		}
		for step, run := range map[string]func(){
			"load":      func() { h.Load(X, lanes) },
			"transform": func() { h.Transform(0, signs, false) },
			"multiply":  func() { h.Multiply(entries, false) },
			"store":     func() { h.Store(out, 2048, 0, 1024, lanes, 1) },
		} {
			b.Run(name+" "+step, func(b *testing.B) {
				for range b.N {
					run()
				}
			})
		}
	}
}
