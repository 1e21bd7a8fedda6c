package solve

import (
	"math"
	"strconv"

	"tensorsketch.example/internal/engine/matrix"
	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
)

// SolverOptions say how a Solver works. The zero value of a field stands for its default.
type SolverOptions struct {
	// Tolerance is how small the norm of the gradient must be, as a part of its norm at zero
	// weights. Default 1e-5, which left objectives within 0.002 % of the least on real data.
	Tolerance float64
	// MaxPasses is the maximum number of passes over the rows. Default 1,000.
	MaxPasses int
	// Start is where to begin, if it is better than zero weights: for instance a ridge solution.
	Start *Linear
	// Diagonal makes conjugate gradients use the diagonal of the Hessian: for columns of very unlike
	// sizes. Features of a map are alike, and for word counts scaled to rows of length 1 it took 92
	// passes in place of 61.
	Diagonal bool
	// Precondition are the sums of the same rows, or of others like them. Conjugate gradients then
	// solve with λI + share·Σ z zᵀ, factored once, in place of Diagonal: 93 passes in place of 154 for
	// the SVM of 60,000 images at D 1,024. It takes 8·D² bytes, and 2·D² products for each class and pass: it
	// pays from about 20·D rows on, or where each pass computes the features anew.
	Precondition *System
}

// Convergence reports how far a problem was solved: one for each class or target, or a single one
// for multinomial LossLogistic.
type Convergence struct {
	Iterations int     // Newton steps
	Products   int     // passes with a product of the Hessian
	Objective  float64 // what was minimised
	Gradient   float64 // norm of the gradient
	Start      float64 // norm of the gradient at zero weights
	Converged  bool    // Gradient is at most Tolerance times Start
}

// A Solver minimises a Problem by Newton's method. Each step is solved by conjugate gradients, to a
// precision that grows as the method converges, and is shortened where the objective would not fall
// (R. S. Dembo, T. Steihaug, Truncated-Newton algorithms, 1983). Classes that are problems of their
// own go side by side: one pass over the rows gives each what it needs.
//
// A Solver does not read rows. It says what it needs of every block of rows, and is given the
// results one block after another:
//
//	for r := s.Next(); r != nil; r = s.Next() {
//		for b := range Blocks(rows) {
//			worker.Block(partial, memos[b], r, …)
//			s.Give(partial)
//		}
//	}
//
// Blocks may be computed anywhere and in any order, but must be given in their order. So the bits do
// not depend on who computes them. To stop, do not continue.
type Solver struct {
	problem         Problem
	options         SolverOptions
	vectors, stride int
	blocks, given   int
	passes          int
	machines        []machine
	request         Request
	factor          *matrix.Cholesky // of Precondition, or nil
	total           []float64
	memo            []float64 // of Run
}

// A machine solves one problem of a Solver.
type machine struct {
	first, vectors int // its vectors among all
	stage          stage
	wants          Want

	w, v       []float64 // the point; and where something is wanted: a trial point, or p
	g, d, r, z []float64 // gradient, step, and of conjugate gradients the residual and its preconditioned form
	curvatures []float64 // the diagonal of the Hessian
	p          []float64

	slope, step, rz  float64
	tries, inner     int
	target, residual float64 // of conjugate gradients: the norm of the residual to reach, and now
	stalled          bool
	report           Convergence
}

type stage int

const (
	atZero   stage = iota // the gradient at zero weights
	atStart               // at the given start
	backZero              // at zero again, since that is better
	onLine                // at a trial point
	inside                // a product for conjugate gradients
	finished
)

// NewSolver returns a Solver for so many rows. The error is a *sketch.Error with code ErrParam.
func NewSolver(p Problem, rows int, o SolverOptions) (*Solver, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if rows < 1 {
		return nil, sketch.ErrParam.New("rows", strconv.Itoa(rows), "be at least 1")
	}
	if o.Tolerance == 0 {
		o.Tolerance = 1e-5
	}
	if !(o.Tolerance > 0 && o.Tolerance < 1) {
		return nil, sketch.ErrParam.New("tolerance", portable.FormatNumber(o.Tolerance), "be a number between 0 and 1")
	}
	if o.MaxPasses == 0 {
		o.MaxPasses = 1000
	}
	if o.MaxPasses < 1 {
		return nil, sketch.ErrParam.New("maxPasses", strconv.Itoa(o.MaxPasses), "be at least 1")
	}
	s := &Solver{problem: p, options: o, vectors: p.Vectors(), stride: p.Stride(), blocks: Blocks(rows)}
	if l := o.Start; l != nil && (l.D != p.NComponents || l.K != p.outputs()) {
		return nil, sketch.ErrParam.New("start", strconv.Itoa(l.K)+" × "+strconv.Itoa(l.D),
			"have the classes and features of the problem, "+strconv.Itoa(p.outputs())+" × "+strconv.Itoa(p.NComponents))
	}
	if y := o.Precondition; y != nil {
		if y.D != p.NComponents || len(y.G) != y.D*y.D {
			return nil, sketch.ErrParam.New("precondition", strconv.Itoa(y.D),
				"have the features of the problem, "+strconv.Itoa(p.NComponents))
		}
		s.options.Diagonal, o.Diagonal = false, false
		s.factor = matrix.NewCholesky(p.nearHessian(y), y.D+1)
	}
	each := 1
	if p.joint() {
		each = s.vectors
	}
	all := s.vectors * s.stride
	s.request = Request{Wants: make([]Want, s.vectors), V: make([]float64, all), At: make([]float64, all),
		Diagonal: o.Diagonal}
	s.total = make([]float64, p.PartialLength(o.Diagonal))
	memory := make([]float64, 5*all)
	take := func(n int) []float64 {
		part := memory[:n:n]
		memory = memory[n:]
		return part
	}
	for first := 0; first < s.vectors; first += each {
		n := each * s.stride
		m := machine{first: first, vectors: each, wants: Gradient}
		m.w, m.v = s.request.At[first*s.stride:][:n], s.request.V[first*s.stride:][:n]
		m.g, m.d, m.r, m.p = take(n), take(n), take(n), take(n)
		m.z = take(n)
		if o.Diagonal {
			m.curvatures = make([]float64, n)
		}
		s.machines = append(s.machines, m)
	}
	return s, nil
}

// Blocks returns the number of blocks of each pass.
func (s *Solver) Blocks() int { return s.blocks }

// Passes returns the number of passes begun.
func (s *Solver) Passes() int { return s.passes }

// nearHessian returns λI + share·Σ u uᵀ, u = (z, 1), of the sums of rows. With K classes about a
// Kth of the rows are near the border of a class, half of them on its wrong side.
func (p *Problem) nearHessian(s *System) []float64 {
	n, share := s.D+1, 1.0
	switch p.Loss {
	case LossSquaredHinge:
		share = p.Cost() / float64(p.Classes)
	case LossLogistic:
		share = p.Cost() / float64(4*p.Classes)
	}
	a := make([]float64, n*n)
	for i := range s.D {
		for j, g := range s.G[i*s.D : (i+1)*s.D] {
			a[i*n+j] = float64(share * g)
		}
		a[i*n+i] += p.penalty()
		a[i*n+s.D] = float64(share * s.Z[i])
		a[s.D*n+i] = a[i*n+s.D]
	}
	a[n*n-1] = float64(share * s.Rows)
	if p.Loss == LossSquaredHinge {
		a[n*n-1] += p.penalty()
	}
	return a
}

// Prepare does some milliseconds of the work before the first pass, which Precondition needs. It
// returns how much is done, from 0 to 1, and whether that is all. Next does what is left of it.
func (s *Solver) Prepare() (done float64, finished bool) {
	if s.factor == nil || s.factor.Step() {
		if s.factor != nil && s.factor.Failed() >= 0 {
			s.factor = nil // conjugate gradients do without
		}
		return 1, true
	}
	return s.factor.Done(), false
}

// Next returns what is needed of every block next, or nil when the solver has finished. The request
// is valid until the call after the last block was given. Next panics in the middle of a pass.
func (s *Solver) Next() *Request {
	if s.given != 0 {
		panic("learn: Next in the middle of a pass")
	}
	if s.passes >= s.options.MaxPasses {
		return nil
	}
	for s.passes == 0 {
		if _, finished := s.Prepare(); finished {
			break
		}
	}
	wanted := false
	for i := range s.machines {
		m := &s.machines[i]
		for v := range m.vectors {
			s.request.Wants[m.first+v] = m.wants
		}
		wanted = wanted || m.wants != Nothing
	}
	if !wanted {
		return nil
	}
	clear(s.total)
	s.passes++
	return &s.request
}

// Give takes the partial result of the next block. It panics if that has a wrong length.
func (s *Solver) Give(partial []float64) {
	if len(partial) != len(s.total) {
		panic("learn: a partial result of a wrong length")
	}
	for i, v := range partial {
		s.total[i] += v
	}
	if s.given++; s.given == s.blocks {
		s.given = 0
		for i := range s.machines {
			s.advance(&s.machines[i])
		}
	}
}

// Done returns about how much of the work is done, from 0 to 1: how far the largest gradient has
// come on its way, in orders of magnitude.
func (s *Solver) Done() float64 {
	done := 1.0
	for i := range s.machines {
		m := &s.machines[i]
		part := 0.0
		switch {
		case m.wants == Nothing:
			part = 1
		case m.report.Gradient > 0 && m.report.Start > 0:
			part = portable.Log(m.report.Start/m.report.Gradient) / -portable.Log(s.options.Tolerance)
		}
		done = min(done, max(0, part))
	}
	return done
}

// Report returns how far each problem has been solved.
func (s *Solver) Report() []Convergence {
	reports := make([]Convergence, len(s.machines))
	for i := range s.machines {
		reports[i] = s.machines[i].report
	}
	return reports
}

// Converged reports whether all problems have converged.
func (s *Solver) Converged() bool {
	for i := range s.machines {
		if !s.machines[i].report.Converged {
			return false
		}
	}
	return true
}

// Linear returns the model that the solver has reached. With two classes the scores of LossSquaredHinge
// are −s and s, and with LossLogistic −s/2 and s/2, so that their softmax is the probability.
func (s *Solver) Linear() *Linear {
	D, K := s.problem.NComponents, s.problem.outputs()
	l := &Linear{D: D, K: K, Weights: make([]float64, K*D), Intercept: make([]float64, K)}
	for k := range K {
		v, sign := k, 1.0
		if s.problem.binary() {
			v, sign = 0, float64(2*k-1)
			if s.problem.Loss == LossLogistic {
				sign /= 2
			}
		}
		w := s.request.At[v*s.stride:]
		for j := range D {
			l.Weights[k*D+j] = sign * w[j]
		}
		l.Intercept[k] = sign * w[D]
	}
	return l
}

// start writes the weights of a model to the trial point of a machine.
func (s *Solver) start(m *machine, l *Linear) {
	D := s.problem.NComponents
	for i := range m.vectors {
		k := m.first + i
		factor := 1.0
		if s.problem.binary() {
			k = 1
			if s.problem.Loss == LossLogistic {
				factor = 2
			}
		}
		v := m.v[i*s.stride:]
		for j := range D {
			v[j] = factor * l.Weights[k*D+j]
		}
		v[D] = factor * l.Intercept[k]
	}
}

// advance takes the sums of a pass to a machine's next request.
func (s *Solver) advance(m *machine) {
	from := m.first * s.stride
	sums := s.total[from : from+len(m.w)]
	switch m.stage {
	case finished:
		return
	case inside:
		m.report.Products++
		s.multiplied(m, sums)
		return
	}
	value := 0.0
	for v := range m.vectors {
		value += s.total[s.vectors*s.stride+m.first+v]
	}
	value += s.penalise(m, sums, m.v)
	if m.stage != onLine || s.accepts(m, value, sums) {
		copy(m.w, m.v)
		copy(m.g, sums)
		if m.curvatures != nil {
			copy(m.curvatures, s.total[s.vectors*(s.stride+1)+from:])
		}
		s.arrived(m, value)
	}
}

// penalise adds the gradient of ½λ‖v‖² to g and returns its value.
func (s *Solver) penalise(m *machine, g, v []float64) float64 {
	lambda, value := s.problem.penalty(), 0.0
	for i := range m.vectors {
		from := i * s.stride
		n := s.penalised()
		for j, x := range v[from : from+n] {
			g[from+j] += float64(lambda * x)
			value += float64(x * x)
		}
	}
	return lambda * value / 2
}

// penalised returns how many numbers of a vector have a penalty.
func (s *Solver) penalised() int {
	if s.problem.Loss == LossSquaredHinge {
		return s.problem.NComponents + 1
	}
	return s.problem.NComponents
}

// arrived is called with a new point, its gradient and its value.
func (s *Solver) arrived(m *machine, value float64) {
	r := &m.report
	norm := math.Sqrt(Dot(m.g, m.g))
	switch m.stage {
	case atZero:
		r.Start = norm
		if s.options.Start != nil {
			r.Objective, r.Gradient = value, norm
			s.start(m, s.options.Start)
			m.stage = atStart
			return
		}
	case atStart:
		if !(value <= r.Objective) {
			clear(m.v)
			m.stage = backZero
			return
		}
	case onLine:
		r.Iterations++
	}
	r.Objective, r.Gradient = value, norm
	r.Converged = norm <= s.options.Tolerance*r.Start
	if r.Converged || m.stalled || norm-norm != 0 {
		s.finish(m)
		return
	}
	s.begin(m)
}

func (s *Solver) finish(m *machine) {
	m.stage, m.wants = finished, Nothing
	clear(m.v)
}

// Conjugate gradients stop when the residual is at most this part of the gradient: a tenth, and the
// root of the gradient against its start as the method converges.
const (
	forcing   = 0.1
	maxInner  = 500
	maxTries  = 30
	decrease  = 1e-4  // of the objective, against its slope, for a step to be accepted
	roundings = 1e-13 // of an objective
)

// begin begins conjugate gradients for H·d = −g at a new point.
func (s *Solver) begin(m *machine) {
	goal := s.options.Tolerance * m.report.Start / 2
	m.target = max(goal, forcing*m.report.Gradient)
	if s.problem.Loss == LossSquared {
		m.target = goal
	}
	clear(m.d)
	for i, g := range m.g {
		m.r[i] = -g
	}
	s.precondition(m)
	copy(m.p, m.z)
	m.rz, m.inner = Dot(m.r, m.z), 0
	s.multiply(m)
}

// multiply asks for the product of the Hessian with p.
func (s *Solver) multiply(m *machine) {
	copy(m.v, m.p)
	m.stage, m.wants = inside, Product
}

// multiplied goes on with conjugate gradients, given the product of the losses' Hessian with p.
func (s *Solver) multiplied(m *machine, sums []float64) {
	s.penalise(m, sums, m.p)
	curvature := Dot(m.p, sums)
	if !(curvature > 0) {
		if m.inner == 0 {
			m.stalled = true
			s.finish(m)
			return
		}
		s.search(m)
		return
	}
	step := m.rz / curvature
	Axpy(m.d, step, m.p)
	Axpy(m.r, -step, sums)
	m.inner++
	m.residual = math.Sqrt(Dot(m.r, m.r))
	if m.residual <= m.target || m.inner >= maxInner {
		s.search(m)
		return
	}
	s.precondition(m)
	rz := Dot(m.r, m.z)
	factor := rz / m.rz
	m.rz = rz
	for i, z := range m.z {
		m.p[i] = z + float64(factor*m.p[i])
	}
	s.multiply(m)
}

// precondition sets z to the solution of M·z = r for a matrix M near the Hessian.
func (s *Solver) precondition(m *machine) {
	switch {
	case m.curvatures != nil:
		lambda, n := s.problem.penalty(), s.penalised()
		for i, r := range m.r {
			c := m.curvatures[i]
			if i%s.stride < n {
				c += lambda
			}
			if c > 0 {
				r /= c
			}
			m.z[i] = r
		}
	case s.factor != nil:
		copy(m.z, m.r)
		for v := range m.vectors {
			s.factor.Solve(m.z[v*s.stride:][:s.problem.NComponents+1], 1)
		}
	default:
		copy(m.z, m.r)
	}
}

// search begins the line search along d.
func (s *Solver) search(m *machine) {
	m.slope = Dot(m.g, m.d)
	if !(m.slope < 0) {
		m.stalled = true
		s.finish(m)
		return
	}
	m.step, m.tries = 1, 0
	s.try(m)
}

func (s *Solver) try(m *machine) {
	for i, w := range m.w {
		m.v[i] = w + float64(m.step*m.d[i])
	}
	m.stage, m.wants = onLine, Gradient
}

// accepts reports whether a trial point is good enough, and else asks for a nearer one. That is
// where the derivative along the line would be 0 if it were linear.
func (s *Solver) accepts(m *machine, value float64, gradient []float64) bool {
	slope, before := Dot(gradient, m.d), m.report.Objective
	if value <= before+decrease*m.step*m.slope {
		return true
	}
	if value <= before+roundings*math.Abs(before) && math.Abs(slope) <= 0.9*math.Abs(m.slope) {
		return true
	}
	if m.tries++; m.tries > maxTries {
		m.stalled = true
		s.finish(m)
		return false
	}
	shorter := m.slope / (m.slope - slope)
	if !(shorter >= 0.1) {
		shorter = 0.1
	}
	m.step *= min(shorter, 0.5)
	s.try(m)
	return false
}
