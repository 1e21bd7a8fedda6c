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
// A linear model on the features is then about a kernel machine on the rows, at the
// cost of D numbers per row. The zero value of every field of Params but NFeatures
// stands for a default. StdError and ChooseComponents say how far estimates are off
// and which D is enough; errors of parameters and rows are *Error, and say what would
// be right.
//
// The other random feature maps that the papers compare have the same contract,
// FeatureMap, and its error bars: NewFeatureMap makes the map of any of Methods(), and
// Plan says which is best for rows like yours. Package model writes maps into files,
// package linear adds their features up exactly, and package privacy, beside this one,
// releases them with noise.
//
// # Speed
//
// Compiled by Go 1.27 with GOEXPERIMENT=simd it computes 4 or 8 rows side by side
// (WebAssembly, arm64, amd64 with AVX2), otherwise row by row in plain Go.
// SetGoroutines spreads a call over the cores.
//
// A map keeps scratch memory: give each goroutine a Clone.
//
// # What stays the same
//
// The same parameters and seed give the same bits on every platform, for any batch
// size. Input and features are float32; kernels and variances float64.
//
// What a seed draws, what a model file of version 1 means, and the bits of its
// features stay the same in every later release: a change of these is a new version
// of the format, which new maps are given and old files are not, and CHANGELOG.md says
// it first. Error bars, Cost and Plan may become better. docs/SPEC.md has the promise
// in full, and all that another implementation needs.
//
// # Dependencies
//
// The package depends on the standard library only, and of that on no more than
// a small WebAssembly module can afford.
package sketch
