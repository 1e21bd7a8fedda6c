package solve

import (
	"math"
	"strconv"

	"tensorsketch.example/internal/engine/matrix"
	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
)

// MinTestRows is the minimum number of rows of each set of a TwoSample. The means of fewer rows are
// too far from normal.
const MinTestRows = 10

// A TwoSample tests whether two sets of independent rows come from the same distribution, given the
// moments of their features z under one map: n rows x and m rows y. It estimates the squared maximum
// mean discrepancy of the map's kernel,
//
//	MMD² = ‖E z(x) − E z(y)‖²,
//
// and how likely so large an estimate is where there is no difference (Gretton, Borgwardt, Rasch,
// Schölkopf & Smola, A kernel two-sample test, Journal of Machine Learning Research 13, 2012). With
// d = x̄ − ȳ, the difference of the mean features, and the covariances S with denominators n − 1 and
// m − 1, the estimate without bias is
//
//	MMD²_u = ‖d‖² − tr S_x/n − tr S_y/m.
//
// Its variance is, whatever the distributions are, with Σ for the true S and μ for the true d,
//
//	4·μᵀ(Σ_x/n + Σ_y/m)μ + 2·tr Σ_x²/(n(n−1)) + 2·tr Σ_y²/(m(m−1)) + 4·tr Σ_xΣ_y/(nm).
//
// The standard error has estimates of all of them. The first term alone is 0 where μ is.
//
// Under the hypothesis of one distribution both sets have one Σ, so that their pooled covariance
// S = ((n−1)·S_x + (m−1)·S_y)/ν, ν = n + m − 2, estimates it best, also if one set is small. By the
// central limit theorem
//
//	‖d‖² ~ Σ λ_i·χ²_i, λ the eigenvalues of S·(1/n + 1/m),
//
// each χ²_i of one degree of freedom (Gretton, Fukumizu, Harchaoui & Sriperumbudur, A fast, consistent
// kernel two-sample test, NIPS 2009). Three things keep the level where rows are few:
//
//   - S has more widely spread eigenvalues than Σ, with the right sum on average. They are drawn
//     to their mean so that their squares add up to the estimate of tr Σ² without bias (Bai &
//     Saranadasa, Effect of high dimension, Statistica Sinica 6, 1996; Ledoit & Wolf, Journal of
//     Multivariate Analysis 88, 2004).
//   - tr S is an estimate too, with about f = ν·(Σλ)²/Σλ² degrees of freedom: p is
//     P(Σ λ_i·χ²_i > ‖d‖²·χ²_f/f) (Brunner, Dette & Munk, Journal of the American Statistical
//     Association 92, 1997). With one feature that is the t test.
//   - There must be MinTestRows rows in each set.
//
// p comes from a contour integral (quadraticTail): relative error below 1e-6, however small it is.
//
// Sums with noise (System.Noise) give d noise of a known variance τ² in each entry, which is taken off
// the estimate and added to all λ and to the standard error. Noise in G spreads the eigenvalues of S.
// The sum of the largest k is a convex function of the matrix, so that on average noise makes it larger
// for every k. So the largest are kept, up to a sum of the estimate of tr S plus three standard
// deviations of its noise, and the rest are 0. On average this makes p and the standard error too
// large, not too small.
//
// The test sees what the map sees: for the kernel (γ⟨x,y⟩ + c)^p with c > 0, the moments of rows up to
// degree p, as far as D features tell them apart. Fit a map that learns from rows (Nyström, k-Space) to
// rows that are in neither set.
type TwoSample struct {
	x, y   *System
	eigen  *matrix.Eigen
	trace  float64 // of S
	limit  float64 // to the sum of its eigenvalues, with noise
	result *Comparison
}

// A Comparison is the result of a TwoSample. Discrepancies have the unit of the kernel.
type Comparison struct {
	MMD2     float64    // the estimate of the squared discrepancy; it may be negative
	StdError float64    // its standard error, > 0
	Biased   float64    // ‖d‖² ≥ 0, the statistic of the test
	PValue   float64    // from 0 to 1; a small one speaks against one distribution
	Rows     [2]float64 // of both sets
}

// NewTwoSample begins a test of two sets of rows from their sums. Only G, Z, Rows, Step and Noise of a
// System count, so classes and targets may differ. It keeps both, which must not change meanwhile.
// They must be of the same map and preprocessing, which a System does not know: see Learner.Compare.
// It takes 8·D² bytes, and about 4·D³/3 operations.
//
// The error is a *sketch.Error: with code ErrParam for another D or Step, more than MaxComponents
// features, or too few rows, or with ErrShape or ErrNonFinite for a System that is none.
func NewTwoSample(x, y *System) (*TwoSample, error) {
	if x.D > MaxComponents {
		return nil, sketch.ErrParam.New("nComponents", strconv.Itoa(x.D), "be at most "+strconv.Itoa(MaxComponents)+
			" for the eigenvalues: take a map of fewer features")
	}
	if x.D != y.D {
		return nil, sketch.ErrParam.New("nComponents", strconv.Itoa(y.D), "be "+strconv.Itoa(x.D)+
			", as in the other set: give both sets the same map")
	}
	if x.Step != y.Step {
		return nil, sketch.ErrParam.New("step", portable.FormatNumber(y.Step), "be "+
			portable.FormatNumber(x.Step)+", as in the other set: state the same radius for both")
	}
	for _, s := range []*System{x, y} {
		if err := s.Validate(); err != nil {
			return nil, err
		}
		if s.Rows < MinTestRows {
			return nil, sketch.ErrParam.New("rows", portable.FormatNumber(s.Rows), "be at least "+
				strconv.Itoa(MinTestRows)+" in each set: add more")
		}
	}
	return &TwoSample{x: x, y: y}, nil
}

// Step does some milliseconds of work. It returns about how much of all is done, from 0 to 1, and true
// after the last step. The error is a *sketch.Error with code ErrParam for rows that are all alike in
// each set, which no test can compare.
func (t *TwoSample) Step() (done float64, finished bool, err error) {
	switch {
	case t.result != nil:
		return 1, true, nil
	case t.eigen == nil:
		if err := t.begin(); err != nil {
			return 0, false, err
		}
		return 0, false, nil
	case !t.eigen.Step():
		return t.eigen.Done(), false, nil
	}
	t.finish()
	return 1, true, nil
}

// begin makes the pooled covariance.
func (t *TwoSample) begin() error {
	x, y, D := t.x, t.y, t.x.D
	pooled, other := make([]float64, D*D), make([]float64, D)
	noise := 0.0 // variance in the trace of the sums
	freedom := x.Rows + y.Rows - 2
	for i := range D {
		row := scatterRow(x, pooled[i*D:][:D], i)
		for j, v := range scatterRow(y, other, i) {
			row[j] = (row[j] + v) / freedom
		}
		t.trace += row[i]
	}
	for _, s := range []*System{x, y} {
		noise += traceNoise(s)
	}
	if !(t.trace > 0) && noise == 0 {
		return sketch.ErrParam.New("rows", "all alike", "differ within a set: without variance there is nothing to "+
			"compare a difference with")
	}
	t.limit = max(0, t.trace) + 3*math.Sqrt(noise)/freedom
	t.eigen = matrix.NewEigenvalues(pooled, D)
	return nil
}

// scatterRow writes row i of Σ (z − z̄)(z − z̄)ᵀ to dst and returns it. The noise of Z is taken off on average.
func scatterRow(s *System, dst []float64, i int) []float64 {
	n, z := s.Rows, s.Z[i]
	for j, g := range s.G[i*s.D:][:s.D] {
		dst[j] = (float64(n*g) - float64(z*s.Z[j])) / n
	}
	dst[i] += float64(s.Noise.Sum*s.Noise.Sum) / n
	return dst
}

// traceNoise returns the variance that noise adds to the trace of scatter.
func traceNoise(s *System) float64 {
	if s.Noise == (SumNoise{}) {
		return 0
	}
	sum := 2 * s.Noise.Sum / s.Rows
	return float64(float64(s.D)*s.Noise.Square*s.Noise.Square) + float64(sum*sum*matrix.Dot(s.Z, s.Z))
}

// noisy reports whether a set has noise.
func (t *TwoSample) noisy() bool {
	return t.x.Noise != (SumNoise{}) || t.y.Noise != (SumNoise{})
}

// finish makes the result of the eigenvalues.
func (t *TwoSample) finish() {
	x, y, D := t.x, t.y, t.x.D
	n, m := x.Rows, y.Rows
	d, tau := make([]float64, D), float64(x.Noise.Sum*x.Noise.Sum)/(n*n)+float64(y.Noise.Sum*y.Noise.Sum)/(m*m)
	for i := range d {
		d[i] = x.Z[i]/n - y.Z[i]/m
	}
	c := &Comparison{Biased: matrix.Dot(d, d), Rows: [2]float64{n, m}}
	bias, variance := t.spread(d, tau)
	c.MMD2, c.StdError = c.Biased-bias, math.Sqrt(variance)

	values, freedom := t.eigen.Values(), n+m-2
	if t.noisy() {
		upTo(values, t.limit)
	} else {
		shrink(values, freedom)
	}
	sum, squares, size := 0.0, 0.0, 1/n+1/m
	for i, v := range values {
		values[i] = float64(v*size) + tau
		sum += values[i]
		squares += float64(values[i] * values[i])
	}
	half := max(1, min(maxHalf, math.Floor(freedom*(sum*sum/squares)/2)))
	c.PValue = quadraticTail(values, c.Biased, half)
	t.result = c
}

// spread returns what is taken off ‖d‖², and the variance of the rest. tau is τ².
func (t *TwoSample) spread(d []float64, tau float64) (bias, variance float64) {
	x, y, D := t.x, t.y, t.x.D
	n, m := x.Rows, y.Rows
	a, b := make([]float64, D), make([]float64, D)
	var traceX, traceY, squareX, squareY, both, sum, along float64
	for i := range D {
		rowX, rowY, own := scatterRow(x, a, i), scatterRow(y, b, i), 0.0
		traceX += rowX[i]
		traceY += rowY[i]
		for j, u := range rowX {
			u, v := u/(n-1), rowY[j]/(m-1)
			squareX += float64(u * u)
			squareY += float64(v * v)
			both += float64(u * v)
			w := u/n + v/m // of Σ_x/n + Σ_y/m
			if i == j {
				w += tau
			}
			sum += float64(w * w)
			own += float64(w * d[j])
		}
		along += float64(own * d[i])
	}
	traceX, traceY = traceX/(n-1), traceY/(m-1)
	bias = traceX/n + traceY/m + float64(float64(D)*tau)
	if t.noisy() {
		rest := traceNoise(x)/((n-1)*(n-1)*n*n) + traceNoise(y)/((m-1)*(m-1)*m*m)
		return bias, float64(4*max(0, along)) + float64(2*sum) + rest
	}
	second := squareOf(squareX, traceX, n-1, D)/(n*(n-1)) + squareOf(squareY, traceY, m-1, D)/(m*(m-1)) +
		float64(2*max(0, both))/(n*m)
	// dᵀSd is on average tr Σ² too large, for the chance in d.
	return bias, float64(4*max(0, along-second)) + float64(2*second)
}

// squareOf returns the estimate of tr Σ² from tr S² and tr S without bias for normal features (Bai & Saranadasa),
// within its bounds (tr S)²/D and tr S².
func squareOf(square, trace, freedom float64, D int) float64 {
	least := float64(trace*trace) / float64(D)
	estimate := (square - float64(trace*trace)/freedom) * (freedom / (freedom - 1)) * (freedom / (freedom + 2))
	return min(max(square, least), max(estimate, least))
}

// shrink draws eigenvalues of S to their mean, so that their squares add up to the estimate of tr Σ².
func shrink(values []float64, freedom float64) {
	trace, square, D := 0.0, 0.0, float64(len(values))
	for i, v := range values {
		values[i] = max(0, v)
		trace += values[i]
		square += float64(values[i] * values[i])
	}
	least, factor := float64(trace*trace)/D, 1.0
	if square > least {
		factor = math.Sqrt((squareOf(square, trace, freedom, len(values)) - least) / (square - least))
	}
	for i, v := range values {
		values[i] = trace/D + float64((v-trace/D)*factor)
	}
}

// upTo keeps the largest of descending eigenvalues up to a sum. The rest become 0.
func upTo(values []float64, limit float64) {
	for i, v := range values {
		values[i] = max(0, min(v, limit))
		limit -= values[i]
	}
}

// Comparison returns the result after the last step, and nil before.
func (t *TwoSample) Comparison() *Comparison { return t.result }

// CompareSums does all steps of a TwoSample.
func CompareSums(x, y *System) (*Comparison, error) {
	t, err := NewTwoSample(x, y)
	for finished := false; err == nil && !finished; {
		_, finished, err = t.Step()
	}
	if err != nil {
		return nil, err
	}
	return t.result, nil
}
