// Package sketch turns vectors into random features whose inner products
// estimate the polynomial kernel κ(x, y) = (γ⟨x,y⟩ + c)^p: Tensor Sketch
// (Pham & Pagh, KDD 2013, and its journal version) with Count Sketch
// (Charikar, Chen & Farach-Colton 2002) as its case of degree 1, and the exact
// variance of the estimate.
//
//	m, err := sketch.New(sketch.Params{NFeatures: 64, NComponents: 1024, Coef0: 1})
//	z, err := m.TransformBatch(nil, rows) // rows: n × 64, row-major; z: n × 1024
//	k := sketch.Dot(z[:1024], z[1024:2048]) // estimates m.Kernel(row 0, row 1)
//
// The other random feature maps that the papers compare have the same contract,
// FeatureMap, and its error bars: NewFeatureMap makes the map of any of Methods().
//
// Compiled by Go 1.27 with GOEXPERIMENT=simd it computes 4 or 8 rows side by side
// (WebAssembly, arm64, amd64 with AVX2), otherwise row by row in plain Go.
// SetGoroutines spreads a call over the cores.
//
// The same parameters and seed give the same bits on every platform, for any
// batch size. Input and features are float32; kernels and variances float64.
//
// The package depends on the standard library only, and of that on no more than
// a small WebAssembly module can afford.
package sketch
