//go:build goexperiment.simd && go1.27 && !tinygo

package lanes

import "simd/archsimd"

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
