package learn

import (
	"slices"

	"tensorsketch.example/internal/engine/matrix"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
)

const (
	noveltyRidge = 0.01 // λ of a Novelty over the mean eigenvalue of G/n
	leastNear    = 200  // kept rows that tell what is near
	neighbour    = 2    // so that one odd row that is kept makes none like it ordinary
	mostKnown    = 1000 // kept rows whose own novelty is known
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
	model  *Model // makes the features
	near   *nearRows
	factor *matrix.Cholesky // where near is nil
	known  []float64        // of kept rows, each without itself, ascending
}

// nearRows are the features of kept rows.
type nearRows struct {
	n, D    int
	Z       []float64 // D × n
	squares []float64 // n: ‖z‖²
}

// Novelty returns what tells how unlike other rows are to the rows of the learner. It takes 8·D² bytes, or 8·D for each
// kept row.
//
// The error is a *sketch.Error with code ErrParam: there are no rows, or float64 cannot solve the equations.
func (l *Learner) Novelty() (*Novelty, error) {
	v := &Novelty{model: l.model(l.spec.Map.Clone(), l.spec.Preparation, &Head{})}
	D, Z := l.spec.Map.NComponents(), []float32(nil)
	for p := range l.moments.Parts() {
		kept, _, _, _ := l.moments.KeptOf(p)
		Z = append(Z, kept...)
	}
	if len(Z) < leastNear*D {
		return v, v.takeSums(l.moments.System(), Z)
	}
	v.near = newNearRows(Z, D)
	some := make([]float32, 0, mostKnown*D)
	for i := range min(v.near.n, mostKnown) {
		at := i * v.near.n / min(v.near.n, mostKnown) * D
		some = append(some, Z[at:at+D]...)
	}
	v.known = v.near.of(some, neighbour+1)
	slices.Sort(v.known)
	return v, nil
}

// takeSums factors moments, for which kept rows are too few.
func (v *Novelty) takeSums(s *System, kept []float32) error {
	if s.Rows < 1 {
		return sketch.ErrParam.New("rows", "0", "be at least 1: add rows before asking what is new")
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
	if v.factor = matrix.NewCholesky(s.G, D); v.factor.Finish() >= 0 {
		return sketch.ErrParam.New("rows", "", "have features that float64 can tell apart from 0")
	}
	for _, h := range v.ofFeatures(kept) {
		v.known = append(v.known, h/max(1-h/s.Rows, 1e-3)) // without the row itself (Sherman and Morrison)
	}
	slices.Sort(v.known)
	return nil
}

// newNearRows takes the features of rows, n × D.
func newNearRows(Z []float32, D int) *nearRows {
	r := &nearRows{n: len(Z) / D, D: D, Z: make([]float64, len(Z)), squares: make([]float64, len(Z)/D)}
	for i := range r.n {
		for j, z := range Z[i*D : (i+1)*D] {
			r.Z[j*r.n+i] = float64(z)
			r.squares[i] += float64(float64(z) * float64(z))
		}
	}
	return r
}

// of returns the squared distance of each row of features to the rank-th nearest row.
func (r *nearRows) of(Z []float32, rank int) (all []float64) {
	const together = 32
	for from := 0; from < len(Z); from += together * r.D {
		rows := Z[from:min(from+together*r.D, len(Z))]
		count, x := len(rows)/r.D, make([]float64, len(rows))
		for i, z := range rows {
			x[i] = float64(z)
		}
		far := make([]float64, count*r.n)
		matrix.AddProduct(far, x, r.Z, count, r.D, r.n, -2)
		for i := range count {
			row := far[i*r.n : (i+1)*r.n]
			for k := range row {
				row[k] += r.squares[k]
			}
			z := x[i*r.D : (i+1)*r.D]
			all = append(all, max(0, smallest(row, rank)+solve.Dot(z, z)))
		}
	}
	return all
}

// smallest returns the rank-th smallest of numbers, which are at least rank. It overwrites the first of them.
func smallest(all []float64, rank int) float64 {
	least := all[:rank]
	slices.Sort(least)
	for _, v := range all[rank:] {
		if v >= least[rank-1] {
			continue
		}
		at := rank - 1
		for ; at > 0 && least[at-1] > v; at-- {
			least[at] = least[at-1]
		}
		least[at] = v
	}
	return least[rank-1]
}

// ofFeatures returns the novelty of rows of features.
func (v *Novelty) ofFeatures(Z []float32) []float64 {
	const together = 32
	if v.near != nil {
		return v.near.of(Z, neighbour)
	}
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
