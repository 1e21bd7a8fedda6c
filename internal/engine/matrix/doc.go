// Package matrix is dense linear algebra in float64: Cholesky factors, tridiagonal form, eigenvalues and singular
// values. Matrices are slices, row by row.
//
// Results have the same bits on every platform: no product is fused with a sum, every number of a matrix is updated in
// a stated order, and a sum over a row has four partial sums whatever the width of a vector. What takes some n³
// operations works in steps: Step does some milliseconds of work.
package matrix

// epsilon is the distance from 1 to the next float64.
const epsilon = 0x1p-52

// stepWork is the number of elements that one Step updates, about.
const stepWork = 1 << 21
