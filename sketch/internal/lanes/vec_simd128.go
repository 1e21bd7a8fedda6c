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

// A word of a block of rows holds one integer. Without an instruction for pairs this takes fewer than two of 16 bits.
const rowsPerWord = 1

// addPairs returns sum + a·b.
func addPairs(sum, a, b word) word { return sum.Add(a.Mul(b)) }

// carry adds the 32-bit integers of w to as many of 64 bits at p.
func carry(p unsafe.Pointer, offset uintptr, w word) {
	low, high := (*archsimd.Int64x2)(unsafe.Add(p, offset)), (*archsimd.Int64x2)(unsafe.Add(p, offset+vecBytes))
	v := w.BitsToInt32()
	*low, *high = low.Add(v.ExtendLo2ToInt64()), high.Add(extendHigh(v))
}

// getWide returns numbers of 32 bits in 64.
func getWide(z unsafe.Pointer, offset uintptr) doubles {
	x := (*[2]float32)(unsafe.Add(z, offset))
	return broadcast(float64(x[0])).SetElem(1, float64(x[1]))
}
