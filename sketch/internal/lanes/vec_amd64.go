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

// A word of a block of rows holds two integers of 16 bits: those of two rows.
const rowsPerWord = 2

// addPairs returns sum + a·b, of every two integers.
func addPairs(sum, a, b word) word {
	return sum.Add(a.AsInt16x16().DotProductPairs(b.AsInt16x16()).ToBits())
}

// carry adds the 32-bit integers of w to as many of 64 bits at p.
func carry(p unsafe.Pointer, offset uintptr, w word) {
	low, high := (*archsimd.Int64x4)(unsafe.Add(p, offset)), (*archsimd.Int64x4)(unsafe.Add(p, offset+vecBytes))
	v := w.BitsToInt32()
	*low, *high = low.Add(v.GetLo().ExtendToInt64()), high.Add(v.GetHi().ExtendToInt64())
}

// getWide returns numbers of 32 bits in 64.
func getWide(z unsafe.Pointer, offset uintptr) doubles {
	return archsimd.LoadFloat32x4Array((*[4]float32)(unsafe.Add(z, offset))).ConvertToFloat64()
}
