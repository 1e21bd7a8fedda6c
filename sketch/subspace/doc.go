// Package subspace finds subspaces of features: principal components, canonical correlations, regression on an
// orthonormal basis, and low rank approximations by a few rows. On features of a kernel they are approximate kernel
// PCA, kernel CCA and kernel principal component regression (Avron, Nguyen & Woodruff, Subspace embeddings for the
// polynomial kernel, NIPS 2014). The orthonormal bases that some of them want are what a fitted map of the method
// k-Space makes.
//
// All but LowRank take sums over rows alone, a System of learn.Moments, so that rows can be added in parts, in any
// order and on any number of machines. The same sums give the same bits everywhere.
package subspace
