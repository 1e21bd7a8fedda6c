package learn

import (
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
)

// A Novelty says how unlike a row is to the rows of a learner. Where it has kept at least 200 of them, that is
//
//	‖z − z₂‖²,
//
// the squared distance of the features to the features of the second nearest kept row (Ramaswamy, Rastogi & Shim,
// SIGMOD 2000). Else, as from sums with noise, it comes from the moments G = Σ z zᵀ of n rows:
//
//	zᵀ(G/n + λI)⁻¹z,
//
// which is large where z points away from what they have in common (the leverage of ridge regression). Both merge and
// unlearn as the learner does. A Gaussian with γ = 1/mean ‖x − y‖² on columns of like size does well
// (TestNoveltyOfClasses), and the moments want one four times as narrow.
type Novelty struct {
	model *Model // makes the features
	known *solve.Novelty
}

// Novelty returns what tells how unlike other rows are to the rows of the learner. It takes 8·D² bytes, or 8·D for each
// kept row.
//
// The error is a *sketch.Error with code ErrParam: there are no rows, or float64 cannot solve the equations.
func (l *Learner) Novelty() (*Novelty, error) {
	known, err := solve.NewNovelty(l.moments)
	return &Novelty{l.model(l.spec.Map.Clone(), l.spec.Preparation, &Head{}), known}, err
}

// Of returns the novelty of the rows of X, and which share of the rows that the learner kept is less novel: 0.992 says
// that a row is unlike 99.2 % of what was seen. The shares are nil where no rows are kept. The errors are the errors of
// Predict.
func (v *Novelty) Of(X sketch.Rows) (novelty, share []float64, err error) {
	err = v.model.eachBlock(X, func(_ int, Z []float32) error {
		novelty = append(novelty, v.known.Of(Z, solve.Neighbour)...)
		return nil
	})
	for _, h := range novelty {
		if s := v.known.Share(h); s == s {
			share = append(share, s)
		}
	}
	return novelty, share, err
}
