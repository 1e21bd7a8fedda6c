package privacy

import (
	"math"
	"strconv"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// What the release of moments gives to targets and to plain sums, beside 1 for products of features:
// the squares of the weights w and v below. They are constants, chosen on data other than those that
// the documents report on (docs/privacy.md, "Private models").
const (
	targetWeight = 0.2  // w²
	sumWeight    = 0.05 // v²
)

// alphaFactor is c in the rule λ = c·σ√D. The noise in the matrix of products has eigenvalues of at
// most √2·σ√D as D grows, so that c above √2 keeps the equations of ridge regression positive
// definite.
const alphaFactor = 1.6

// maxLogSigma bounds the noise on the integers: σ = 2^m, m ≤ maxLogSigma.
const maxLogSigma = 48

// A MomentsMechanism is the discrete Gaussian mechanism for learn.Moments, all sums in one release.
//
// A row has the integers q of its features, ‖q‖ ≤ B = Grid.BallLimit, and one-hot classes or integer
// targets t, ‖t‖ ≤ T. With u = (q, vB, wB·t/T) and N the maximum of ‖u‖², two rows differ by
//
//	‖uuᵀ − u′u′ᵀ‖² = ‖u‖⁴ + ‖u′‖⁴ − 2⟨u,u′⟩² ≤ 2N²   in the Frobenius norm,
//
// and by that much where ⟨u,u′⟩ = 0: Δ = √2·N. The lower triangle of uuᵀ, with √2 off the diagonal,
// has the same norm, and all moments are among its entries, times known factors: of features (1),
// class sums or sums of products with targets (w), counts or sums of products of targets (w²), and
// sums of features and targets (v and vw). For classes v is 0, since Σz is the sum of the class sums.
//
// So each moment is multiplied by an integer, its factor rounded down, and all of them get noise of
// one σ = 2^m. The sensitivity of the integers is at most √2·N times the factor of the squares of
// features, which is the largest that (ε, δ) allows.
//
// It holds public numbers only and may be used concurrently.
type MomentsMechanism struct {
	epsilon, delta float64
	shape          learn.Shape
	grid           learn.Grid
	rows           int64
	logSigma       uint // m
	rho            float64
	blocks         []block // of the words after the first two
}

// A block is a part of the words of moments with one factor, or a lower triangle with two.
type block struct {
	triangle bool
	size     int   // numbers, or rows of the triangle
	factor   int64 // in a triangle, off the diagonal
	diagonal int64 // the factor of a triangle's diagonal
	unit     int64 // divides all sums
}

// firstMoment is the index of the first word after rows and clipped features.
const firstMoment = 2

// NewMomentsMechanism returns a mechanism for moments of this shape and grid, whose every release is
// (ε, δ)-private under the replacement of one row by another of any features, class and targets. The
// number of rows is public. None of the arguments may depend on the data otherwise.
//
// The errors are an epsilon or delta as for NewMechanism; a grid without Bound, which must be stated
// before the first row is added; and a number of rows outside [1, 2^31 − 1], or too large for so many
// targets.
func NewMomentsMechanism(epsilon, delta float64, shape learn.Shape, grid learn.Grid, rows int64) (*MomentsMechanism,
	error) {
	sigma, err := Sigma(epsilon, delta)
	if err != nil {
		return nil, err
	}
	if err := shape.Validate(); err != nil {
		return nil, err
	}
	limit := float64(grid.BallLimit())
	if !(limit >= 1) {
		return nil, sketch.ErrParam.New("bound", "0", "be stated before the first row is added, as private and radius "+
			"of a learner: rows that were not clipped to it cannot be released")
	}
	if rows < 1 || rows > math.MaxInt32 {
		return nil, sketch.ErrParam.New("rows", strconv.FormatInt(rows, 10), "be from 1 to 2147483647")
	}
	m := &MomentsMechanism{epsilon: epsilon, delta: delta, shape: shape, grid: grid, rows: rows}
	square, sums := limit*limit, sumWeight
	if shape.Classes > 0 {
		sums = 0
	}
	norm := square * (1 + sums) // N
	if shape.Classes+shape.Targets > 0 {
		norm += float64(square * targetWeight)
	}
	// The factor of squares of features, for the largest m that keeps all integers below 2^61.
	factor := func() float64 {
		return math.Floor(math.Ldexp(1, int(m.logSigma)) / (math.Sqrt2 * norm * sigma) * (1 - 1e-12))
	}
	for m.logSigma = maxLogSigma; factor()*norm*float64(rows) > 1<<61; m.logSigma-- {
	}
	f := factor()
	sensitivity := math.Ldexp(math.Sqrt2*norm*f, -int(m.logSigma))
	m.rho = sensitivity * sensitivity / 2
	m.makeBlocks(f, square)
	for _, b := range m.blocks {
		if min(b.factor, b.diagonal) < 1 {
			return nil, sketch.ErrParam.New("rows", strconv.FormatInt(rows, 10), "be fewer, or have fewer targets, "+
				"so that the sums with their noise fit 64 bits")
		}
	}
	return m, nil
}

// makeBlocks fills in the blocks for the factor f of squares of features, with square = B².
func (m *MomentsMechanism) makeBlocks(f, square float64) {
	D, K := m.shape.NComponents, m.shape.Classes+m.shape.Targets
	m.add(true, D, f, 1)
	m.blocks[0].diagonal = int64(f)
	w := targetWeight * square // of a class
	if m.shape.Classes > 0 {
		m.add(false, K, f*w, 1)
		m.add(false, K*D, f*math.Sqrt(2*w), 1)
		return
	}
	m.add(false, D, f*math.Sqrt(2*sumWeight*square), 1)
	if K > 0 {
		const unit, largest = solve.PrivateTarget, solve.MaxTarget / solve.PrivateTarget
		w /= float64(K) * largest * largest
		m.add(false, K, f*math.Sqrt(2*sumWeight*square*w), unit)
		m.add(true, K, f*w, unit*unit)
		m.add(false, K*D, f*math.Sqrt(2*w), unit)
	}
}

// add adds a block whose numbers have the factor x, and in a triangle √2·x off the diagonal. It is rounded down. The
// core is smaller without it inlined.
//
//go:noinline
func (m *MomentsMechanism) add(triangle bool, size int, x float64, unit int64) {
	b := block{triangle: triangle, size: size, diagonal: int64(math.Floor(x * (1 - 1e-12))), unit: unit}
	if triangle {
		x *= math.Sqrt2
	}
	b.factor = int64(math.Floor(x * (1 - 1e-12)))
	m.blocks = append(m.blocks, b)
}

// Epsilon returns the ε of one release.
func (m *MomentsMechanism) Epsilon() float64 { return m.epsilon }

// Delta returns the δ of one release.
func (m *MomentsMechanism) Delta() float64 { return m.delta }

// Rho returns the ρ of the zero-concentrated privacy of one release, Δ²/(2σ²).
func (m *MomentsMechanism) Rho() float64 { return m.rho }

// Rows returns the public number of rows.
func (m *MomentsMechanism) Rows() int64 { return m.rows }

// Sigma returns σ, the standard deviation of the noise in each sum of squares of a feature, in units
// of the features squared. Products of two features have noise of σ/√2.
func (m *MomentsMechanism) Sigma() float64 {
	return math.Ldexp(1/float64(m.blocks[0].diagonal), int(m.logSigma)) * m.grid.Step * m.grid.Step
}

// Alpha returns the λ of ridge regression on released moments, 1.6·σ√D. It depends on public numbers
// alone.
func (m *MomentsMechanism) Alpha() float64 {
	return alphaFactor * m.Sigma() * math.Sqrt(float64(m.shape.NComponents))
}

// ReleasedMoments are the sums of all rows with noise, and what is public about them. They hold
// nothing else of the rows, so everything that is made from them is as private as they are.
type ReleasedMoments struct {
	mechanism *MomentsMechanism
	words     []int64 // of a part of moments; in blocks times their factors
}

// Release returns the sums of all parts of moments, with noise. Nothing is held out: what is fitted to
// them is fitted to all rows. Every call is a separate release: charge the ledger for it before.
//
// In JavaScript, learner.release({ epsilon, delta, ledger }) calls this, charges the ledger, and
// returns an object whose fit() gives a model. It takes shape, grid and number of rows from the
// learner.
//
// The errors are moments of another shape, grid or number of rows, and a failure of the source of
// randomness.
func (m *MomentsMechanism) Release(moments *learn.Moments, noise *Noise) (*ReleasedMoments, error) {
	if moments.Shape() != m.shape || moments.Grid() != m.grid {
		return nil, sketch.ErrParam.New("moments", "", "have the shape and the grid of the mechanism")
	}
	if n := moments.Rows(); n != m.rows {
		return nil, sketch.ErrShape.New("moments", strconv.FormatInt(n, 10)+" rows", "bring the public number of rows, "+
			strconv.FormatInt(m.rows, 10)+"; a row without features counts as zeros")
	}
	words := moments.Sums()
	m.scale(words[firstMoment:])
	if err := noise.add(words[firstMoment:], m.logSigma); err != nil {
		return nil, err
	}
	return m.withHead(words), nil
}

// scale multiplies the words of all blocks by their factors.
func (m *MomentsMechanism) scale(words []int64) {
	for _, b := range m.blocks {
		for i := range b.size {
			if b.triangle {
				for j := range i {
					words[j] = words[j] / b.unit * b.factor
				}
				words[i] = words[i] / b.unit * b.diagonal
				words = words[i+1:]
			} else {
				words[0] = words[0] / b.unit * b.factor
				words = words[1:]
			}
		}
	}
}

// withHead returns released moments whose first two words may be anything: no word of the rows is left there.
func (m *MomentsMechanism) withHead(words []int64) *ReleasedMoments {
	words[0], words[1] = m.rows, 0
	return &ReleasedMoments{m, words}
}

// Resume returns the release that has these Words.
func (m *MomentsMechanism) Resume(words []int64) (*ReleasedMoments, error) {
	count := 0
	for _, b := range m.blocks {
		if b.triangle {
			count += b.size * (b.size - 1) / 2
		}
		count += b.size
	}
	if len(words) != count {
		return nil, sketch.ErrShape.New("words", strconv.Itoa(len(words)), "hold "+strconv.Itoa(count)+" numbers")
	}
	return m.withHead(append(make([]int64, firstMoment), words...)), nil
}

// Words returns the released integers, not a copy: the words of learn.Moments after rows and clipped
// features, each times its factor and with its noise. Resume takes them.
func (r *ReleasedMoments) Words() []int64 { return r.words[firstMoment:] }

// Mechanism returns the mechanism of the release.
func (r *ReleasedMoments) Mechanism() *MomentsMechanism { return r.mechanism }

// System returns the noisy sums for the solvers of package learn. Their matrix need not be positive
// semidefinite, and counts may be negative. Of classes, Z is the sum of the class sums.
func (r *ReleasedMoments) System() *learn.System {
	m := r.mechanism
	s, D, n := solve.SystemOf(m.shape, m.grid, r.words), m.shape.NComponents, float64(m.rows)
	first, blocks := m.blocks[0], m.blocks[1:]
	s.Noise = m.noise()
	for i := range s.G {
		factor := first.factor
		if i%(D+1) == 0 {
			factor = first.diagonal
		}
		s.G[i] /= float64(factor)
	}
	if m.shape.Classes > 0 {
		divide(s.Counts, blocks[0], blocks[0].factor)
		divide(s.Z, blocks[1], blocks[1].factor)
		divide(s.B, blocks[1], blocks[1].factor)
		for k, count := range s.Counts {
			s.T[k], s.TT[k] = 2*count-n, n
		}
		return s
	}
	divide(s.Z, blocks[0], blocks[0].factor)
	if m.shape.Targets > 0 {
		divide(s.T, blocks[1], blocks[1].factor)
		divide(s.TT, blocks[2], blocks[2].diagonal)
		divide(s.B, blocks[3], blocks[3].factor)
	}
	return s
}

// noise returns the standard deviations of the noise in the System of a release. Of classes, each entry of Z is a
// sum of one number for each class, and so is its noise.
func (m *MomentsMechanism) noise() solve.SumNoise {
	sums, terms, step := m.blocks[1], 1.0, m.grid.Step
	if m.shape.Classes > 0 {
		sums, terms = m.blocks[2], float64(m.shape.Classes)
	}
	of := func(factor int64) float64 { return math.Ldexp(1/float64(factor), int(m.logSigma)) * step }
	return solve.SumNoise{Square: of(m.blocks[0].diagonal) * step, Product: of(m.blocks[0].factor) * step,
		Sum: of(sums.factor) * math.Sqrt(terms)}
}

// divide takes the factor of a block off its numbers.
//
//go:noinline
func divide(list []float64, b block, factor int64) {
	for i := range list {
		list[i] = float64(list[i]*float64(b.unit)) / float64(factor)
	}
}

// NewFit begins a ridge regression on the released moments, at Alpha of the mechanism. Where the noise
// makes the equations unsolvable at it, it is doubled until they are not. Nothing but the release and
// public numbers decides that.
func (r *ReleasedMoments) NewFit() (*solve.Ridge, error) {
	return solve.NewRidge(r.System(), learn.RidgeOptions{Alpha: r.mechanism.Alpha(), Noisy: true})
}

// Head returns the result of a fit that NewFit began, after its last step, for the Model of a
// learn.Spec. It has no probabilities, and its report says why. How many rows there are of each class,
// and how many features were cut, is not released, so the report does not have it.
func (m *MomentsMechanism) Head(fit *solve.Ridge) *learn.Head {
	report := fit.Report()
	return &learn.Head{Linear: fit.Linear(), Alpha: report.Alpha, Report: learn.Report{Rows: m.rows, Rule: report.Rule,
		DF: report.DF, Private: &learn.PrivateReport{Epsilon: m.epsilon, Delta: m.delta},
		Warnings: []string{"fitted to private moments of all rows: none were held out, so there are no probabilities " +
			"and no error held out"}}}
}

// Fit does all steps of a fit.
func (r *ReleasedMoments) Fit() (*learn.Head, error) {
	fit, err := r.NewFit()
	for finished := false; err == nil && !finished; {
		_, finished, err = fit.Step()
	}
	if err != nil {
		return nil, err
	}
	return r.mechanism.Head(fit), nil
}
