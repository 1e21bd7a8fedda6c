//go:build goexperiment.simd && go1.27 && !tinygo && (wasm || arm64)

package lanes

import "simd/archsimd"

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
