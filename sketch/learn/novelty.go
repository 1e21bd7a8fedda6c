package learn

import (
	"slices"

	"tensorsketch.example/internal/engine/matrix"
	"tensorsketch.example/sketch"
)

// noveltyRidge is λ of a Novelty over the mean eigenvalue of G/n.
const noveltyRidge = 0.01

// A Novelty says how unlike a row is to the rows of moments G = Σ z zᵀ of n rows:
//
//	zᵀ(G/n + λI)⁻¹z,
//
// which is large where z points away from what they have in common (the leverage of ridge regression). It needs the
// sums alone, so it merges and unlearns as they do. A map without column weights does best: a Gaussian with
// γ = 4/mean ‖x − y‖² on columns of like size. A wider one does not see a row between two clusters, and pixels that are
// divided by their own deviation are as large at the border of an image as in its middle (TestNoveltyOfClasses).
type Novelty struct {
	model  *Model // makes the features
	factor *matrix.Cholesky
	known  []float64 // of kept rows, each without itself, ascending
}

// Novelty returns what tells how unlike other rows are to the rows of the learner. It takes 8·D² bytes.
//
// The error is a *sketch.Error with code ErrParam: there are no rows, or float64 cannot solve the equations.
func (l *Learner) Novelty() (*Novelty, error) {
	s := l.moments.System()
	if s.Rows < 1 {
		return nil, sketch.ErrParam.New("rows", "0", "be at least 1: add rows before asking what is new")
	}
	D, trace := s.D, 0.0
	for i := range D {
		trace += s.G[i*D+i] / s.Rows
	}
	for i := range s.G {
		s.G[i] /= s.Rows
	}
	for i := range D {
		s.G[i*D+i] += noveltyRidge * trace / float64(D)
	}
	v := &Novelty{model: l.model(l.spec.Map.Clone(), l.spec.Preparation, &Head{}), factor: matrix.NewCholesky(s.G, D)}
	if v.factor.Finish() >= 0 {
		return nil, sketch.ErrParam.New("rows", "", "have features that float64 can tell apart from 0")
	}
	for p := range l.moments.Parts() {
		Z, _, _, _ := l.moments.KeptOf(p)
		for _, h := range v.ofFeatures(Z) {
			v.known = append(v.known, h/max(1-h/s.Rows, 1e-3)) // without the row itself (Sherman and Morrison)
		}
	}
	slices.Sort(v.known)
	return v, nil
}

// ofFeatures returns the novelty of rows of features.
func (v *Novelty) ofFeatures(Z []float32) []float64 {
	const together = 32
	D := v.model.Map.NComponents()
	n := len(Z) / D
	all := make([]float64, 0, n)
	for from := 0; from < n; from += together {
		count := min(together, n-from)
		x := make([]float64, D*count)
		for i := range count {
			for j, z := range Z[(from+i)*D : (from+i+1)*D] {
				x[j*count+i] = float64(z)
			}
		}
		v.factor.SolveTransposed(x, count)
		squares := make([]float64, count)
		for j := range D {
			for i, u := range x[j*count : (j+1)*count] {
				squares[i] += float64(u * u)
			}
		}
		all = append(all, squares...)
	}
	return all
}

// Of returns the novelty of the rows of X, and which share of the rows that the learner kept is less novel: 0.992 says
// that a row is unlike 99.2 % of what was seen. The shares are nil where no rows are kept. The errors are the errors of
// Predict.
func (v *Novelty) Of(X sketch.Rows) (novelty, share []float64, err error) {
	err = v.model.eachBlock(X, func(_ int, Z []float32) error {
		novelty = append(novelty, v.ofFeatures(Z)...)
		return nil
	})
	for _, h := range novelty {
		if len(v.known) > 0 {
			below, _ := slices.BinarySearch(v.known, h)
			share = append(share, float64(below)/float64(len(v.known)))
		}
	}
	return novelty, share, err
}
