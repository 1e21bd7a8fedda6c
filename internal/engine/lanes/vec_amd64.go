//go:build goexperiment.simd && go1.27 && !tinygo

package lanes

import (
	"simd/archsimd"
	"unsafe"
)

const lanes = 8

// A vec holds one number of each of the lanes' rows. It needs AVX2.
type vec = archsimd.Float32x8

func splat(x float32) vec { return archsimd.BroadcastFloat32x8(x) }

// A word holds the bits of a vec, or other 32-bit words.
type word = archsimd.Uint32x8

func splatBits(x uint32) word { return archsimd.BroadcastUint32x8(x) }

// A doubles holds half as many numbers of twice the size.
type doubles = archsimd.Float64x4

func broadcast(x float64) doubles { return archsimd.BroadcastFloat64x4(x) }

// clearUppers comes between arithmetic with vecs and without. Where the upper halves of registers are in use, the
// latter takes up to 100 times as long on many Intel processors.
func clearUppers() { archsimd.ClearAVXUpperBits() }

// A block of integer rows holds two integers of 16 bits, of two rows, in 32 bits.
const rowsPerWord = 2

// An ints holds integers of 32 bits, and a packed holds what is in the block for each of them.
type (
	ints   = archsimd.Int32x8
	packed = archsimd.Int16x16
)

func splatInts(x int32) ints { return archsimd.BroadcastInt32x8(x) }

func splatPacked(x int32) packed {
	return archsimd.BroadcastInt32x8(x).ToBits().ReshapeToUint16s().BitsToInt16()
}

// products returns a·b for every place: the sum of two products.
func products(a, b packed) ints { return a.DotProductPairs(b) }

// carry adds integers to as many of 64 bits at p.
func carry(p unsafe.Pointer, offset uintptr, v ints) {
	low, high := (*archsimd.Int64x4)(unsafe.Add(p, offset)), (*archsimd.Int64x4)(unsafe.Add(p, offset+vecBytes))
	*low, *high = low.Add(v.GetLo().ExtendToInt64()), high.Add(v.GetHi().ExtendToInt64())
}

// getWide returns numbers of 32 bits in 64.
func getWide(z unsafe.Pointer, offset uintptr) doubles {
	return archsimd.LoadFloat32x4Array((*[4]float32)(unsafe.Add(z, offset))).ConvertToFloat64()
}
