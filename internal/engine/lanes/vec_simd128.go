//go:build goexperiment.simd && go1.27 && !tinygo && (wasm || arm64)

package lanes

import (
	"simd/archsimd"
	"unsafe"
)

const lanes = 4

// A vec holds one number of each of the lanes' rows.
type vec = archsimd.Float32x4

func splat(x float32) vec { return archsimd.BroadcastFloat32x4(x) }

// A word holds the bits of a vec, or other 32-bit words.
type word = archsimd.Uint32x4

func splatBits(x uint32) word { return archsimd.BroadcastUint32x4(x) }

// A doubles holds half as many numbers of twice the size.
type doubles = archsimd.Float64x2

func broadcast(x float64) doubles { return archsimd.BroadcastFloat64x2(x) }

// clearUppers comes between arithmetic with vecs and without.
func clearUppers() {}

// A block of integer rows holds one integer in 32 bits: without an instruction for pairs this is faster than two of 16.
const rowsPerWord = 1

// An ints holds integers of 32 bits, and a packed holds what is in the block for each of them.
type (
	ints   = archsimd.Int32x4
	packed = archsimd.Int32x4
)

func splatInts(x int32) ints { return archsimd.BroadcastInt32x4(x) }

func splatPacked(x int32) packed { return archsimd.BroadcastInt32x4(x) }

// products returns a·b for every place.
func products(a, b packed) ints { return a.Mul(b) }

// carry adds integers to as many of 64 bits at p.
func carry(p unsafe.Pointer, offset uintptr, v ints) {
	low, high := (*archsimd.Int64x2)(unsafe.Add(p, offset)), (*archsimd.Int64x2)(unsafe.Add(p, offset+vecBytes))
	*low, *high = low.Add(v.ExtendLo2ToInt64()), high.Add(extendHigh(v))
}

// getWide returns numbers of 32 bits in 64.
func getWide(z unsafe.Pointer, offset uintptr) doubles {
	x := (*[2]float32)(unsafe.Add(z, offset))
	return broadcast(float64(x[0])).SetElem(1, float64(x[1]))
}
