package subspace

import (
	"math"

	"tensorsketch.example/internal/engine/matrix"
)

// Place returns the coordinates of n rows of features Z, n × D, by their first k principal components, n × k, and the
// part of the variance of these rows that each component has, from 0 to 1. They are those of a PCA of the rows,
// computed from the n × n matrix of centred inner products
//
//	K = (Z − z̄)(Z − z̄)ᵀ
//
// with unit eigenvectors u_c and eigenvalues λ_c: coordinate c of row i is √λ_c·u_c,i (Schölkopf, Smola & Müller,
// Nonlinear component analysis as a kernel eigenvalue problem, Neural Computation 10, 1998). It takes n²·D/2 + 4n³/3
// multiplications, which suits some hundred rows of many features. The coordinate of largest size in each component is
// positive. A component without variance, beyond rounding, has coordinates and a share of 0.
//
// It panics if D or k is below 1, or len(Z) is no multiple of D. Z must be finite.
func Place(Z []float32, D, k int) (coordinates, share []float64) {
	if D < 1 || k < 1 || len(Z)%D != 0 {
		panic("subspace: Place takes rows of D ≥ 1 features, and k ≥ 1")
	}
	return PlaceGram(products(Z, D), len(Z)/D, k)
}

// PlaceGram is Place from the n × n inner products of the rows, which it overwrites.
func PlaceGram(K []float64, n, k int) (coordinates, share []float64) {
	coordinates, share = make([]float64, n*k), make([]float64, k)
	if n < 2 {
		return coordinates, share
	}
	self := 0.0
	for i := range n {
		self += K[i*n+i]
	}
	all := centre(K, n)
	e := matrix.NewEigen(K, n, k).Finish()
	for c, value := range e.Values() {
		if value <= noise*self {
			break
		}
		share[c] = min(1, value/all)
		for i, u := range e.Vectors()[c*n:][:n] {
			coordinates[i*k+c] = math.Sqrt(value) * u
		}
	}
	return coordinates, share
}

// noise is the part of the squared lengths of features below which a variance is rounding.
const noise = 1e-12

// products returns the n × n inner products of rows.
func products(Z []float32, D int) []float64 {
	n := len(Z) / D
	K := make([]float64, n*n)
	for i := range n {
		a := Z[i*D:][:D]
		for j := range i + 1 {
			K[i*n+j] = dot(a, Z[j*D:][:D])
			K[j*n+i] = K[i*n+j]
		}
	}
	return K
}

// dot returns the inner product of a and b in four sums, each of every fourth product.
func dot(a, b []float32) float64 {
	var s, t, u, v float64
	for len(a) >= 4 && len(b) >= 4 {
		s += float64(float64(a[0]) * float64(b[0]))
		t += float64(float64(a[1]) * float64(b[1]))
		u += float64(float64(a[2]) * float64(b[2]))
		v += float64(float64(a[3]) * float64(b[3]))
		a, b = a[4:], b[4:]
	}
	for i, x := range a {
		s += float64(float64(x) * float64(b[i]))
	}
	return (s + t) + (u + v)
}

// centre makes the inner products of rows those of the rows less their mean, and returns their trace.
func centre(K []float64, n int) (trace float64) {
	means, mean := make([]float64, n), 0.0
	for i := range means {
		for _, x := range K[i*n:][:n] {
			means[i] += x
		}
		means[i] /= float64(n)
		mean += means[i]
	}
	mean /= float64(n)
	for i := range n {
		row := K[i*n:][:n]
		for j := range row {
			row[j] += mean - means[i] - means[j]
		}
		trace += row[i]
	}
	return trace
}
