package privacy

import (
	"math"
	"strconv"

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
// features, which is the largest that (ε, δ) allows. docs/privacy.md has the proof.
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
	diagonal int64 // of a triangle
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
		if b.factor < 1 || b.triangle && b.diagonal < 1 {
			return nil, sketch.ErrParam.New("rows", strconv.FormatInt(rows, 10), "be fewer, or have fewer targets, "+
				"so that the sums with their noise fit 64 bits")
		}
	}
	return m, nil
}

// makeBlocks fills in the blocks for the factor f of squares of features, with square = B².
func (m *MomentsMechanism) makeBlocks(f, square float64) {
	down := func(x float64) int64 { return int64(math.Floor(x * (1 - 1e-12))) }
	triangle := func(n int, x float64, unit int64) block {
		diagonal := down(x)
		if x == f {
			diagonal = int64(f)
		}
		return block{true, n, down(math.Sqrt2 * x), diagonal, unit}
	}
	plain := func(n int, x float64, unit int64) block { return block{false, n, down(x), 0, unit} }
	D, K := m.shape.NComponents, m.shape.Classes+m.shape.Targets
	sums := plain(D, f*math.Sqrt(2*sumWeight*square), 1)
	m.blocks = []block{triangle(D, f, 1)}
	switch {
	case m.shape.Classes > 0:
		w := targetWeight * square // of a class
		m.blocks = append(m.blocks, plain(K, f*w, 1), plain(K*D, f*math.Sqrt(2*w), 1))
	case m.shape.Targets > 0:
		const unit, largest = learn.PrivateTarget, learn.MaxTarget / learn.PrivateTarget
		w := targetWeight * square / (float64(K) * largest * largest)
		m.blocks = append(m.blocks, sums, plain(K, f*math.Sqrt(2*sumWeight*square*w), unit),
			triangle(K, f*w, unit*unit), plain(K*D, f*math.Sqrt(2*w), unit))
	default:
		m.blocks = append(m.blocks, sums)
	}
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
	return m.inUnits(1<<m.logSigma, m.blocks[0].diagonal) * m.grid.Step * m.grid.Step
}

// Alpha returns the λ of ridge regression on released moments, 1.6·σ√D. It depends on public numbers
// alone.
func (m *MomentsMechanism) Alpha() float64 {
	return alphaFactor * m.Sigma() * math.Sqrt(float64(m.shape.NComponents))
}

// inUnits returns a released integer divided by its factor.
func (m *MomentsMechanism) inUnits(v, factor int64) float64 { return float64(v) / float64(factor) }

// ReleasedMoments are the sums of all rows with noise, and what is public about them. They hold
// nothing else of the rows, so everything that is made from them is as private as they are.
type ReleasedMoments struct {
	mechanism *MomentsMechanism
	words     []int64 // of the blocks, times their factors
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
	words := moments.Sums()[firstMoment:]
	at := words
	for _, b := range m.blocks {
		at = b.each(at, func(i, j int, v *int64, factor int64) { *v = *v / b.unit * factor })
	}
	if err := noise.add(words, m.logSigma); err != nil {
		return nil, err
	}
	return &ReleasedMoments{m, words}, nil
}

// each calls use for the numbers of a block at the beginning of words, with their row and column where
// they are a triangle, and returns the rest of the words.
func (b block) each(words []int64, use func(i, j int, v *int64, factor int64)) []int64 {
	at := 0
	for i := range b.size {
		if b.triangle {
			for j := range i {
				use(i, j, &words[at], b.factor)
				at++
			}
			use(i, i, &words[at], b.diagonal)
		} else {
			use(i, i, &words[at], b.factor)
		}
		at++
	}
	return words[at:]
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
	return &ReleasedMoments{m, words}, nil
}

// Words returns the released integers, not a copy: those of learn.Moments after rows and clipped
// features, each times its factor and with its noise. Resume takes them.
func (r *ReleasedMoments) Words() []int64 { return r.words }

// Mechanism returns the mechanism of the release.
func (r *ReleasedMoments) Mechanism() *MomentsMechanism { return r.mechanism }

// System returns the noisy sums for the solvers of package learn. Their matrix need not be positive
// semidefinite, and counts may be negative. Of classes, Z is the sum of the class sums.
func (r *ReleasedMoments) System() *learn.System {
	m := r.mechanism
	D, K, step, n := m.shape.NComponents, m.shape.Classes+m.shape.Targets, m.grid.Step, float64(m.rows)
	s := &learn.System{Rows: n, D: D, K: K, Step: step, G: make([]float64, D*D), Z: make([]float64, D),
		B: make([]float64, K*D), T: make([]float64, K), TT: make([]float64, K)}
	words, blocks := r.words, m.blocks
	// next gives use the numbers of the next block, in the given unit.
	next := func(unit float64, use func(i, j int, x float64)) {
		words = blocks[0].each(words, func(i, j int, v *int64, factor int64) { use(i, j, m.inUnits(*v, factor)*unit) })
		blocks = blocks[1:]
	}
	to := func(dst []float64) func(i, _ int, x float64) { return func(i, _ int, x float64) { dst[i] = x } }
	next(step*step, func(i, j int, x float64) { s.G[i*D+j], s.G[j*D+i] = x, x })
	if m.shape.Classes > 0 {
		s.Counts = make([]float64, K)
		next(1, to(s.Counts))
		next(step, to(s.B))
		for k := range K {
			s.T[k], s.TT[k] = 2*s.Counts[k]-n, n
			for j := range D {
				s.Z[j] += s.B[k*D+j]
			}
		}
		for i, b := range s.B {
			s.B[i] = 2*b - s.Z[i%D]
		}
		return s
	}
	next(step, to(s.Z))
	if K > 0 {
		s.Middle, s.TargetStep = m.grid.Middle(), m.grid.TargetStep()
		unit := learn.PrivateTarget * s.TargetStep
		next(unit, to(s.T))
		next(unit*unit, func(i, j int, x float64) {
			if i == j {
				s.TT[i] = x
			}
		})
		next(unit*step, to(s.B))
	}
	return s
}

// NewFit begins a ridge regression on the released moments, at Alpha of the mechanism. Where the noise
// makes the equations unsolvable at it, it is doubled until they are not. Nothing but the release and
// public numbers decides that.
func (r *ReleasedMoments) NewFit() (*learn.Ridge, error) {
	return learn.NewRidge(r.System(), learn.RidgeOptions{Alpha: r.mechanism.Alpha(), Noisy: true})
}

// Head returns the result of a fit that NewFit began, after its last step, for the Model of a
// learn.Spec. It has no probabilities, and its report says why. How many rows there are of each class,
// and how many features were cut, is not released, so the report does not have it.
func (m *MomentsMechanism) Head(fit *learn.Ridge) *learn.Head {
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
