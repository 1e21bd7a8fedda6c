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
// A linear model on these features approximates a kernel machine on the rows, at the cost of D
// numbers per row. In Params, the zero value of every field except NFeatures stands for a default.
// StdError reports the error of the estimates, and ChooseComponents reports which D is enough.
// Errors about parameters and rows are of type *Error and say what would be right.
//
// The papers compare other random feature maps too. They have the same type, FeatureMap, and the
// same error bars. NewFeatureMap makes the map of any of Methods(), and Plan finds the best one for
// rows like yours. Package model writes maps into files. Package linear adds up their features
// exactly. Package privacy, beside this one, releases them with noise.
//
// # Speed
//
// Compiled by Go 1.27 with GOEXPERIMENT=simd, the package computes 4 or 8 rows side by side
// (WebAssembly, arm64, amd64 with AVX2). Otherwise it computes row by row in plain Go.
// SetGoroutines spreads a call over the cores.
//
// A map keeps scratch memory: give each goroutine a Clone.
//
// # What stays the same
//
// The same parameters and seed give the same bits on every platform, for any batch
// size. Input and features are float32; kernels and variances float64.
//
// Three things stay the same in every later release: what a seed draws, what a model file of
// version 1 means, and the bits of its features. A change of these is a new version of the format.
// New maps get the new version and old files keep the old one. CHANGELOG.md announces it first.
// Error bars, Cost and Plan may improve. docs/SPEC.md has the guarantee in full, and everything
// that another implementation needs.
//
// # Dependencies
//
// The package depends on the standard library only, and only on those parts of it that a small
// WebAssembly module can afford.
package sketch
