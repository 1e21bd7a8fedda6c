//go:build !(goexperiment.simd && go1.27 && !tinygo && (wasm || arm64 || amd64))

package lanes

const lanes = 4

// A vec holds one number of each of the lanes' rows. This is the scalar twin of
// the SIMD type: a struct, since the compiler keeps its fields in registers as it
// does no array.
type vec struct{ a, b, c, d float32 }

func splat(x float32) vec { return vec{x, x, x, x} }

func (v vec) Add(w vec) vec { return vec{v.a + w.a, v.b + w.b, v.c + w.c, v.d + w.d} }
func (v vec) Sub(w vec) vec { return vec{v.a - w.a, v.b - w.b, v.c - w.c, v.d - w.d} }

// Mul rounds each product by itself, so that no platform fuses it with a sum.
func (v vec) Mul(w vec) vec {
	return vec{float32(v.a * w.a), float32(v.b * w.b), float32(v.c * w.c), float32(v.d * w.d)}
}
