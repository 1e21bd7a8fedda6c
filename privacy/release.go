package privacy

import (
	"math"
	"strconv"

	"tensorsketch.example/sketch"
)

// A Mechanism is the discrete Gaussian mechanism for feature vectors of norm at most C. On its grid
// σ is 2^m steps, for which noise is drawn fastest. The bound C is limit = ⌊2^m/(2·Sigma(ε, δ))⌋
// steps, and m ≤ 32 is the largest with limit ≤ 2^31. Rounding to the grid is below 2^-28 of the
// noise.
//
// It holds public numbers only and may be used concurrently.
type Mechanism struct {
	epsilon, delta, bound float64
	logSigma              uint    // m
	limit                 int64   // C in steps
	step                  float64 // of the grid, in units of the features
}

// NewMechanism returns a mechanism whose every release is (ε, δ)-private under the replacement of
// one row. Features longer than bound, the C of FeatureBound, are scaled down to it. None of the
// three arguments may depend on the data. The errors are epsilon outside [MinEpsilon, MaxEpsilon],
// delta outside [MinDelta, MaxDelta], and bound outside [1e-30, 1e30].
func NewMechanism(epsilon, delta, bound float64) (*Mechanism, error) {
	sigma, err := Sigma(epsilon, delta)
	if err != nil {
		return nil, err
	}
	if err := checkBound(bound); err != nil {
		return nil, err
	}
	logSigma := uint(32)
	limit := func() float64 { return math.Floor(math.Ldexp(0.5, int(logSigma)) / sigma * (1 - 1e-12)) }
	for limit() > 1<<31 {
		logSigma--
	}
	return &Mechanism{epsilon, delta, bound, logSigma, int64(limit()), bound / limit()}, nil
}

// Epsilon returns the ε of one release.
func (m *Mechanism) Epsilon() float64 { return m.epsilon }

// Delta returns the δ of one release.
func (m *Mechanism) Delta() float64 { return m.delta }

// Bound returns C, the norm to which features are clipped.
func (m *Mechanism) Bound() float64 { return m.bound }

// Step returns the distance between grid points, in units of the features. Numbers in a released
// row are multiples of it, rounded to float32. In a released mean of n rows they are multiples of
// Step()/n.
func (m *Mechanism) Step() float64 { return m.step }

// Sigma returns the standard deviation of the noise in each component of a released
// row, in units of the features. In a mean of n rows it is Sigma()/n.
func (m *Mechanism) Sigma() float64 { return math.Ldexp(m.step, int(m.logSigma)) }

// Rho returns the ρ of the zero-concentrated privacy of one release: Δ²/(2σ²) with
// Δ = 2·limit and σ = 2^m steps, in any dimension (Canonne, Kamath & Steinke 2020, on
// the multivariate discrete Gaussian).
func (m *Mechanism) Rho() float64 {
	ratio := math.Ldexp(float64(m.limit), 1-int(m.logSigma))
	return ratio * ratio / 2
}

// ReleaseRows writes into dst the rows of Z, n × nComponents and row-major, each with its own
// noise, and returns dst. A nil dst is allocated; it may be Z. Charge the ledger once for each
// release of the file: blocks with different rows are parts of one release.
//
// The grid points with their noise are integers. Multiplying by Step and rounding to float32
// happens after that and costs no privacy.
//
// The errors are a Z that is not whole rows or not finite, a dst of another length, and a failure
// of the source of randomness, after which dst must be discarded.
func (m *Mechanism) ReleaseRows(dst, Z []float32, nComponents int, noise *Noise) ([]float32, error) {
	if err := checkRows("Z", Z, nComponents); err != nil {
		return nil, err
	}
	dst, err := destination(dst, len(Z))
	if err != nil {
		return nil, err
	}
	v := make([]int64, min(nComponents, len(Z)))
	for at := 0; at < len(Z); at += nComponents {
		quantize(v, Z[at:at+nComponents], m.step, m.limit)
		if err := noise.add(v, m.logSigma); err != nil {
			return nil, err
		}
		toFloat32(dst[at:], v, m.step)
	}
	return dst, nil
}

// toFloat32 writes the grid points v times the unit.
func toFloat32(dst []float32, v []int64, unit float64) {
	for i, x := range v {
		dst[i] = float32(unit * float64(x))
	}
}

// A Mean sums feature vectors on the grid of a mechanism, for one release of their mean. The sums
// are integers, so order and grouping do not matter.
type Mean struct {
	mechanism *Mechanism
	sum, v    []int64
	rows      int // the public number of rows
	added     int
}

// NewMean returns a mean of rows feature vectors of nComponents numbers. The number
// of rows is public: it must be known or typed, not counted after dropping rows.
// The errors are an nComponents outside [1, sketch.MaxComponents] and rows outside
// [1, 2^31 − 1].
func NewMean(mechanism *Mechanism, nComponents, rows int) (*Mean, error) {
	if err := checkInteger("nComponents", nComponents, 1, sketch.MaxComponents); err != nil {
		return nil, err
	}
	return ResumeMean(mechanism, make([]int64, nComponents), rows, 0)
}

// ResumeMean returns a mean that continues from sums of added rows. It updates sum, which the
// caller keeps and must not change. The errors are the errors of NewMean, and added outside [0,
// rows].
func ResumeMean(mechanism *Mechanism, sum []int64, rows, added int) (*Mean, error) {
	if err := checkInteger("rows", rows, 1, math.MaxInt32); err != nil {
		return nil, err
	}
	if err := checkInteger("added", added, 0, rows); err != nil {
		return nil, err
	}
	return &Mean{mechanism, sum, make([]int64, len(sum)), rows, added}, nil
}

// Add clips the rows of Z, n × nComponents and row-major, to the grid and adds them. The errors are
// a Z that is not whole rows or not finite, and more rows than NewMean was told. After an error
// nothing of Z is added.
func (s *Mean) Add(Z []float32) error {
	width := len(s.sum)
	if err := checkRows("Z", Z, width); err != nil {
		return err
	}
	added := s.added + len(Z)/width
	if added > s.rows {
		return s.countError(added)
	}
	s.added = added
	for ; len(Z) > 0; Z = Z[width:] {
		quantize(s.v, Z[:width], s.mechanism.step, s.mechanism.limit)
		for i, x := range s.v {
			s.sum[i] += x
		}
	}
	return nil
}

// Sigma returns the standard deviation of the noise in each component of the mean.
func (s *Mean) Sigma() float64 { return s.mechanism.Sigma() / float64(s.rows) }

// Release writes the mean with noise into dst and returns it; a nil dst is allocated. Every call is
// a separate release: charge the ledger for it. The errors are a number of added rows that differs
// from the public one, a dst of another length, and a failure of the source of randomness.
func (s *Mean) Release(dst []float32, noise *Noise) ([]float32, error) {
	if s.added != s.rows {
		return nil, s.countError(s.added)
	}
	dst, err := destination(dst, len(s.sum))
	if err != nil {
		return nil, err
	}
	copy(s.v, s.sum)
	if err := noise.add(s.v, s.mechanism.logSigma); err != nil {
		return nil, err
	}
	toFloat32(dst, s.v, s.mechanism.step/float64(s.rows))
	return dst, nil
}

func (s *Mean) countError(added int) error {
	return sketch.ErrShape.New("rows", strconv.Itoa(added),
		"be "+strconv.Itoa(s.rows)+" in all, the public number; a row without features counts as zeros")
}
