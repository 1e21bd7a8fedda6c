package subspace

import (
	"strconv"

	"tensorsketch.example/internal/engine/matrix"
	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// A PCA computes the first k principal components of features: the eigenvectors of the centred
//
//	A = Σ (z − z̄)(z − z̄)ᵀ = G − n·z̄·z̄ᵀ
//
// with the largest eigenvalues. On sketched features it approximates kernel PCA (Schölkopf, Smola &
// Müller, Nonlinear component analysis as a kernel eigenvalue problem, Neural Computation 10, 1998).
type PCA struct {
	system *learn.System
	k      int
	trace  float64
	eigen  *matrix.Eigen
	result *Components
}

// Components are what PCA found.
type Components struct {
	// Linear gives the coordinates of a row of features: number k is v_k·(z − z̄). Its Weights are the
	// components, of length 1, with the largest entry of each positive.
	learn.Linear
	Variance []float64 // of each coordinate over the rows, with n − 1 in the denominator; descending
	Share    []float64 // its part of the variance of all features; 0 if that is 0
}

// NewPCA begins to compute k components from G, Z and Rows of a System. It keeps s, which must not
// change meanwhile.
//
// The error is a *sketch.Error: with code ErrParam for components out of range or fewer than two rows,
// or with ErrShape or ErrNonFinite for a System that is none.
func NewPCA(s *learn.System, k int) (*PCA, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if s.Rows < 2 {
		return nil, sketch.ErrParam.New("rows", portable.FormatNumber(s.Rows), "be at least 2: one row has no variance")
	}
	if k < 1 || k > s.D {
		return nil, sketch.ErrParam.New("components", strconv.Itoa(k), "be from 1 to nComponents = "+strconv.Itoa(s.D))
	}
	return &PCA{system: s, k: k}, nil
}

// Step does some milliseconds of work. It returns about how much of all is done, from 0 to 1, and
// true after the last step. The error is nil.
func (p *PCA) Step() (done float64, finished bool, err error) {
	s := p.system
	if p.eigen == nil {
		a := make([]float64, s.D*s.D)
		s.CentredGram(a, true)
		for i := range s.D {
			p.trace += a[i*s.D+i]
		}
		p.eigen = matrix.NewEigen(a, s.D, p.k)
	}
	if p.result != nil {
		return 1, true, nil
	}
	if !p.eigen.Step() {
		return p.eigen.Done(), false, nil
	}
	vectors := p.eigen.Vectors()
	p.result = &Components{Linear: learn.Linear{D: s.D, K: p.k, Weights: vectors, Intercept: make([]float64, p.k)},
		Variance: make([]float64, p.k), Share: make([]float64, p.k)}
	for i, value := range p.eigen.Values() {
		value = max(0, value)
		p.result.Intercept[i] = -matrix.Dot(vectors[i*s.D:][:s.D], s.Z) / s.Rows
		p.result.Variance[i] = value / (s.Rows - 1)
		if p.trace > 0 {
			p.result.Share[i] = min(1, value/p.trace)
		}
	}
	p.eigen = nil
	return 1, true, nil
}

// Components returns the result after the last step, and nil before.
func (p *PCA) Components() *Components { return p.result }

// FitPCA does all steps of a PCA.
func FitPCA(s *learn.System, k int) (*Components, error) {
	p, err := NewPCA(s, k)
	if err != nil {
		return nil, err
	}
	for p.result == nil {
		p.Step()
	}
	return p.result, nil
}

// PCR is approximate principal component regression with an orthonormal basis V of k features,
// Σ v·vᵀ = I, such as k-Space makes (Theorem 9 of Avron, Nguyen & Woodruff, Subspace embeddings for
// the polynomial kernel, NIPS 2014). The weights of a target are
//
//	x = Vᵀy = Σ y·v,
//
// one pass over the rows, or x/(1 + alpha) with ridge. There is no intercept. It is the regression on
// these features as far as they are orthonormal; for others fit a ridge regression.
//
// The error is a *sketch.Error with code ErrParam for alpha, or about a System that is none.
func PCR(s *learn.System, alpha float64) (*learn.Linear, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if !(alpha >= 0 && alpha < 0x1p1000) {
		return nil, sketch.ErrParam.New("alpha", portable.FormatNumber(alpha), "be a number ≥ 0")
	}
	l := &learn.Linear{D: s.D, K: s.K, Weights: make([]float64, s.K*s.D), Intercept: make([]float64, s.K)}
	for i, b := range s.B { // of y less Middle
		if s.Middle != 0 {
			b += float64(s.Middle * s.Z[i%s.D])
		}
		l.Weights[i] = b / (1 + alpha)
	}
	return l, nil
}
