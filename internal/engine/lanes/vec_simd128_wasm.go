//go:build goexperiment.simd && go1.27 && !tinygo

package lanes

import "simd/archsimd"

func extendHigh(v archsimd.Int32x4) archsimd.Int64x2 { return v.ExtendHi2ToInt64() }
