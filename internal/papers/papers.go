// Package papers has the bounds that the papers state, to be compared with the exact
// variance of package sketch. They hold for tensor sketches without kernel
// normalisation. Their arguments are the kernels κ(x,y), κ(x,x) and κ(y,y), which is
// to say inner products after scaling and with the constant coordinate, to the power
// of p.
package papers

// Theorem9Variance returns the bound on the variance of the journal version's
// Theorem 9, (3^p − 1)/D · ‖x‖^2p ‖y‖^2p.
func Theorem9Variance(xx, yy float64, degree, nComponents int) float64 {
	power := 1.0
	for range degree {
		power *= 3
	}
	return (power - 1) / float64(nComponents) * xx * yy
}

// Lemma6Variance returns the bound on the variance that Lemma 6 of the conference
// version (KDD 2013) claims, (T^p + N^p)/D = (⟨x,y⟩^2p + ‖x‖^2p ‖y‖^2p)/D. It fails for
// p > 1 where many coordinates have a part in vectors that are not nearly orthogonal,
// and is far above the variance where one coordinate dominates.
func Lemma6Variance(xy, xx, yy float64, nComponents int) float64 {
	return (float64(xy*xy) + float64(xx*yy)) / float64(nComponents)
}
