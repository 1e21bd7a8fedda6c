// Package lanes is the engine: count sketches, mixed-radix transforms and products
// of spectra for one row per SIMD lane. It is written once against the type vec,
// an alias of a type of simd/archsimd where the compiler has one for the
// architecture, else a struct with the same methods and the same bits. Package
// scalar is generated from it, for amd64 without AVX2.
package lanes

//go:generate go run ../../../tools/twin . ../scalar

// Lanes is the number of rows computed side by side.
const Lanes = lanes
