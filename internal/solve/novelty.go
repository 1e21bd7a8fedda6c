package solve

import (
	"math"

	"tensorsketch.example/internal/engine/matrix"
	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
)

const (
	noveltyRidge = 0.01 // λ of a Novelty over the mean eigenvalue of G/n
	leastNear    = 200  // kept rows that tell what is near
	mostKnown    = 1000 // kept rows whose own novelty is known
	together     = 32   // rows that are looked at together
)

// Neighbour is the rank of the neighbour whose distance counts: one odd row that is kept makes none like it ordinary.
const Neighbour = 2

// A Novelty says how unlike the features of a row are to the rows of Moments. Where these have kept at least 200 rows,
// that is
//
//	‖z − z₂‖²,
//
// the squared distance to the features of the second nearest kept row (Ramaswamy, Rastogi & Shim, SIGMOD 2000). Else it
// comes from the moments G = Σ z zᵀ of n rows:
//
//	zᵀ(G/n + λI)⁻¹z = n‖(Rᵀ)⁻¹z‖², RᵀR = G + nλI,
//
// which is large where z points away from what they have in common (the leverage of ridge regression).
type Novelty struct {
	D      int
	rows   float64          // n
	factor *matrix.Cholesky // R, or nil
	near   []float64        // where factor is nil: the kept rows, so many × D
	square []float64        // of their lengths
	known  []float64        // novelty of kept rows, each without itself
}

// NewNovelty returns the Novelty of Moments, which it no longer needs. It takes 8·D² bytes, or 8·D for each kept row.
//
// The error is a *sketch.Error with code ErrParam: there are no rows, or none has features.
func NewNovelty(m *Moments) (*Novelty, error) {
	v := &Novelty{D: m.shape.NComponents}
	Z := []float32(nil)
	for p := range m.Parts() {
		kept, _, _, _ := m.KeptOf(p)
		Z = append(Z, kept...)
	}
	some := Z[:min(len(Z), mostKnown*v.D)] // hashes order them
	if len(Z) < leastNear*v.D {
		s := m.System()
		v.rows = s.Rows
		trace := 0.0
		for at := 0; at < len(s.G); at += v.D + 1 {
			trace += s.G[at]
		}
		for at := 0; at < len(s.G); at += v.D + 1 {
			s.G[at] += noveltyRidge * trace / float64(v.D)
		}
		if v.factor = matrix.NewCholesky(s.G, v.D); v.factor.Finish() >= 0 {
			return nil, sketch.ErrParam.New("rows", portable.FormatNumber(s.Rows),
				"be at least 1, with features other than 0: add rows before asking what is new")
		}
		v.known = v.Of(some, Neighbour)
		for i, h := range v.known {
			v.known[i] = h / max(1-h/v.rows, 1e-3) // without the row itself (Sherman and Morrison)
		}
		return v, nil
	}
	for at := 0; at < len(Z); at += v.D {
		for _, z := range Z[at:][:v.D] {
			v.near = append(v.near, float64(z))
		}
		v.square = append(v.square, Dot(v.near[at:], v.near[at:]))
	}
	v.known = v.Of(some, Neighbour+1)
	return v, nil
}

// Of returns the novelty of rows of features, n × D. The rank is Neighbour, or Neighbour+1 of kept rows.
func (v *Novelty) Of(Z []float32, rank int) (all []float64) {
	for len(Z) > 0 {
		count := min(together, len(Z)/v.D)
		x := make([]float64, v.D*count) // D × count
		for i := range x {
			x[i] = float64(Z[i%count*v.D+i/count])
		}
		Z = Z[count*v.D:]
		far := make([]float64, len(v.square)*count)
		if v.factor != nil {
			v.factor.SolveTransposed(x, count)
		} else {
			matrix.AddProduct(far, v.near, x, len(v.square), v.D, count, -2)
		}
		for i := range count {
			least := [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}
			for k, square := range v.square {
				d := square + far[k*count+i]
				for r, other := range least { // in order
					if d < other {
						least[r], d = d, other
					}
				}
			}
			sum := 0.0
			for j := i; j < len(x); j += count {
				sum += float64(x[j] * x[j])
			}
			if v.factor != nil {
				sum *= v.rows
			} else {
				sum = max(0, sum+least[rank-1])
			}
			all = append(all, sum)
		}
	}
	return all
}

// Share returns which share of the kept rows, without themselves, is less novel than h; NaN where none are kept.
func (v *Novelty) Share(h float64) float64 {
	below := 0.0
	for _, k := range v.known {
		if k < h {
			below++
		}
	}
	return below / float64(len(v.known))
}
