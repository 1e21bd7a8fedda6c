package sketch

import (
	"math"
	"strconv"
)

// This file holds the dimensions at which a tensor sketch S preserves more than single inner
// products: matrix products, and whole subspaces of the tensor product space (Avron, Nguyen &
// Woodruff, Subspace embeddings for the polynomial kernel, 2014). Both follow from
// E⟨Su,Sv⟩² ≤ ⟨u,v⟩² + (2 + 3^q)/D·‖u‖²‖v‖² for any two tensors of degree q, powers of vectors or
// not. This file uses the theorem as cited, but 3^q − 1 suffices in place of 2 + 3^q, for every D ≥ 1:
//
// Each degree of ⟨Su,Sv⟩² is of the first, second or third kind (formulas.go). Of the 3^q patterns,
// the one of first kinds gives ⟨u,v⟩², and each other has probability at most 1/D. Let a, a' be the
// indices of the second kind, b, b' of the third and c, c' of the first. By Cauchy & Schwarz, over b
// and b' and then over the rest, a pattern weighs at most
//
//	Σ |u(a,b,c)| |v(a',b',c)| |u(a,b',c')| |v(a',b,c')| ≤ ‖u‖²‖v‖².

// SubspaceDimension returns the D of Theorem 1 of Avron, Nguyen & Woodruff, k²(2 + 3^q)/(ε²δ)
// rounded up. With probability 1 − delta over seeds, a tensor sketch of degree q = Degree with D components
// embeds a fixed subspace of dimension k of tensors: ‖Sv‖ lies within 1 ± ε of ‖v‖ for all its v,
// and the singular values of a sketched orthonormal basis lie within 1 ± ε.
//
// For k = 1 it is also the D of the theorem's first half. For fixed matrices A and B whose columns
// are tensors of degree q, ‖(SA)ᵀSB − AᵀB‖ ≤ ε‖A‖‖B‖ in the Frobenius norm with probability
// 1 − delta over seeds.
//
// It may exceed MaxComponents. The errors, *Error with code ErrParam, are k < 1, Degree outside 1 …
// MaxDegree, epsilon ≤ 0 and delta outside (0, 1).
func (p Params) SubspaceDimension(k int, epsilon, delta float64) (float64, error) {
	if k < 1 {
		return 0, paramError("k", strconv.Itoa(k), "be an integer ≥ 1")
	}
	if err := checkInt("degree", p.Degree, MaxDegree); err != nil {
		return 0, err
	}
	if err := checkQuestion(epsilon, delta); err != nil {
		return 0, err
	}
	return math.Ceil(float64(k) * float64(k) * (2 + power(3, p.Degree)) / (epsilon * epsilon * delta)), nil
}
