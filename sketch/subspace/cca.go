package subspace

import (
	"strconv"

	"tensorsketch.example/internal/engine/matrix"
	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// CCAOptions say how CCA computes. The zero value is the method of the paper.
type CCAOptions struct {
	// Alpha is added to the diagonal of both sums of squares. It keeps features of few rows from
	// being correlated by chance: with D ≥ n and 0, every correlation is 1.
	Alpha float64
	// Centre takes the means off all features first.
	Centre bool
}

// A Correlation holds canonical correlations and the functions that have them.
type Correlation struct {
	Values []float64 // the correlations from 1 to 0, descending; as many as the narrower side has features
	// Scores k of A and of B, of the features of their sides, have correlation Values[k] and Σ score² = 1
	// over the rows, if alpha is 0. Where the correlation is 0, the scores of the wider side are 0.
	A, B *learn.Linear
}

// CCA computes the canonical correlations of two feature maps of the same rows, given the sums of the
// features of both side by side: the first a of the D features are A's.
//
// With orthonormal bases V_A and V_B, which k-Space makes, they are the singular values of V_Aᵀ·V_B
// (Avron, Nguyen & Woodruff 2014, section 4; Björck & Golub, Mathematics of Computation 27, 1973). For
// other features, and for bases that are orthonormal up to the grid of moments only, the Cholesky
// factors of both sides make them so: the singular values of
//
//	(R_Aᵀ)⁻¹·G_AB·R_B⁻¹, with R_Aᵀ·R_A = G_AA + alpha·I and the same for R_B.
//
// It takes some 60·k³ operations for k features on each side, in one call.
//
// The error is a *sketch.Error: with code ErrParam for a or alpha out of range, or for an alpha that
// is too small for the features of a side, which it names.
func CCA(s *learn.System, a int, o CCAOptions) (*Correlation, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if a < 1 || a >= s.D {
		return nil, sketch.ErrParam.New("features of A", strconv.Itoa(a), "be from 1 to "+strconv.Itoa(s.D-1))
	}
	if !(o.Alpha >= 0 && o.Alpha < 0x1p1000) {
		return nil, sketch.ErrParam.New("alpha", portable.FormatNumber(o.Alpha), "be a number ≥ 0")
	}
	g, b := make([]float64, s.D*s.D), s.D-a
	s.CentredGram(g, o.Centre)
	left, err := side(s, "A", g, 0, a, o.Alpha)
	if err != nil {
		return nil, err
	}
	right, err := side(s, "B", g, a, b, o.Alpha)
	if err != nil {
		return nil, err
	}
	cross := make([]float64, a*b)
	for i := range a {
		copy(cross[i*b:][:b], g[i*s.D+a:])
	}
	left.SolveTransposed(cross, b)
	cross = matrix.Transpose(cross, a, b) // b × a
	right.SolveTransposed(cross, a)
	var c Correlation
	var onA, onB []float64
	k := min(a, b)
	if b <= a {
		c.Values, onB, onA = matrix.Singular(cross, b, a)
	} else {
		c.Values, onA, onB = matrix.Singular(matrix.Transpose(cross, b, a), a, b)
	}
	for i := range c.Values {
		c.Values[i] = min(1, c.Values[i])
	}
	c.A, c.B = scores(s, left, onA, 0, a, k, o.Centre), scores(s, right, onB, a, b, k, o.Centre)
	return &c, nil
}

// side returns the Cholesky factor of the sums of squares of count features, plus alpha.
func side(s *learn.System, name string, g []float64, from, count int, alpha float64) (*matrix.Cholesky, error) {
	own := make([]float64, count*count)
	for i := range count {
		copy(own[i*count:][:count], g[(from+i)*s.D+from:])
		own[i*count+i] += alpha
	}
	factor := matrix.NewCholesky(own, count)
	if at := factor.Finish(); at >= 0 {
		return nil, sketch.ErrParam.New("alpha", portable.FormatNumber(alpha), "be larger: feature "+strconv.Itoa(at)+
			" of "+name+" depends linearly on those before it at this λ")
	}
	return factor, nil
}

// scores returns the functions whose values on the rows are the vectors, k × count, in the orthonormal basis of a side.
func scores(s *learn.System, f *matrix.Cholesky, vectors []float64, from, count, k int, centre bool) *learn.Linear {
	w := matrix.Transpose(vectors[:k*count], k, count)
	f.SolveFactor(w, k)
	l := &learn.Linear{D: count, K: k, Weights: matrix.Transpose(w, count, k), Intercept: make([]float64, k)}
	if centre {
		for i := range k {
			l.Intercept[i] = -matrix.Dot(l.Weights[i*count:][:count], s.Z[from:from+count]) / s.Rows
		}
	}
	return l
}
