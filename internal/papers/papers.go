// Package papers has the variance bounds of the papers, for comparison with the exact variance of
// package sketch. They hold for tensor sketches without kernel normalisation. Their arguments are
// the kernels κ(x,y), κ(x,x) and κ(y,y): inner products after scaling and with the constant
// coordinate, raised to the power p.
package papers

// Theorem9Variance returns the variance bound of Theorem 9 of the journal version,
// (3^p − 1)/D · ‖x‖^2p ‖y‖^2p.
func Theorem9Variance(xx, yy float64, degree, nComponents int) float64 {
	power := 1.0
	for range degree {
		power *= 3
	}
	return (power - 1) / float64(nComponents) * xx * yy
}

// Lemma6Variance returns the variance bound that Lemma 6 of the conference version (KDD 2013)
// claims, (T^p + N^p)/D = (⟨x,y⟩^2p + ‖x‖^2p ‖y‖^2p)/D. The claim fails for p > 1 if many
// coordinates contribute and the vectors are not nearly orthogonal. It is far above the variance if
// one coordinate dominates.
func Lemma6Variance(xy, xx, yy float64, nComponents int) float64 {
	return (float64(xy*xy) + float64(xx*yy)) / float64(nComponents)
}
