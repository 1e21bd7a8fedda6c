//go:build !tinycore && !(goexperiment.simd && go1.27 && !tinygo && (wasm || arm64 || amd64))

package lanes

import (
	"math"
	"unsafe"
)

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

// Round returns the nearest integers, of halves the even one.
func (v vec) Round() vec { return vec{round(v.a), round(v.b), round(v.c), round(v.d)} }

func round(x float32) float32 { return float32(math.RoundToEven(float64(x))) }

// A word holds the bits of a vec, or other 32-bit words.
type word struct{ a, b, c, d uint32 }

func splatBits(x uint32) word { return word{x, x, x, x} }

func (w word) And(x word) word { return word{w.a & x.a, w.b & x.b, w.c & x.c, w.d & x.d} }
func (w word) Mul(x word) word { return word{w.a * x.a, w.b * x.b, w.c * x.c, w.d * x.d} }
func (w word) Xor(x word) word { return word{w.a ^ x.a, w.b ^ x.b, w.c ^ x.c, w.d ^ x.d} }

func (w word) BitsToFloat32() vec {
	return vec{math.Float32frombits(w.a), math.Float32frombits(w.b), math.Float32frombits(w.c), math.Float32frombits(w.d)}
}

func (w word) Add(x word) word { return word{w.a + x.a, w.b + x.b, w.c + x.c, w.d + x.d} }

func (w word) Max(x word) word {
	return word{max(w.a, x.a), max(w.b, x.b), max(w.c, x.c), max(w.d, x.d)}
}

func (v vec) ToBits() word {
	return word{math.Float32bits(v.a), math.Float32bits(v.b), math.Float32bits(v.c), math.Float32bits(v.d)}
}

// A block of integer rows holds one integer in 32 bits.
const rowsPerWord = 1

// An ints holds integers of 32 bits, and a packed holds what is in the block for each of them.
type (
	ints   = word
	packed = word
)

func splatInts(x int32) ints { return splatBits(uint32(x)) }

func splatPacked(x int32) packed { return splatBits(uint32(x)) }

// products returns a·b for every place.
func products(a, b packed) ints { return a.Mul(b) }

// carry adds integers to as many of 64 bits at p.
func carry(p unsafe.Pointer, offset uintptr, v ints) {
	sums := (*[lanes]int64)(unsafe.Add(p, offset))
	sums[0] += int64(int32(v.a))
	sums[1] += int64(int32(v.b))
	sums[2] += int64(int32(v.c))
	sums[3] += int64(int32(v.d))
}

// A doubles holds half as many numbers of twice the size.
type doubles struct{ a, b float64 }

func broadcast(x float64) doubles { return doubles{x, x} }

// clearUppers comes between arithmetic with vecs and without.
func clearUppers() {}

func (v doubles) Add(w doubles) doubles { return doubles{v.a + w.a, v.b + w.b} }

func (v doubles) Sub(w doubles) doubles { return doubles{v.a - w.a, v.b - w.b} }

func (v doubles) Mul(w doubles) doubles { return doubles{float64(v.a * w.a), float64(v.b * w.b)} }

// getWide returns numbers of 32 bits in 64.
func getWide(z unsafe.Pointer, offset uintptr) doubles {
	x := (*[2]float32)(unsafe.Add(z, offset))
	return doubles{float64(x[0]), float64(x[1])}
}
