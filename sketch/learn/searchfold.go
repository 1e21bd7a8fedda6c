package learn

import (
	"math"

	"tensorsketch.example/internal/engine/matrix"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
)

// A heldFit has the fits of a candidate to the rows outside a fold, for some λ.
type heldFit struct {
	fold    int
	D       int
	problem *solve.Centred
	path    *solve.Path // for many λ; nil if one is wanted
	mean    []float64   // D: of the features of the training rows
	own     []float64   // K: of their targets
	trace   float64     // of the centred sums of squares
	rows    []float32   // of the dual: features of the training rows, n × D; else nil
	kept    []float64   // D × K: the weights of the λ with index share, after the rest is gone
	share   int

	m     *sketch.FeatureMap // that made the features; nil for a linear candidate
	scale []float64          // column weights of the rows
}

// fit prepares the fits for the rows outside fold f, by the sums of products of features, D × D, or where there are
// fewer rows than features by products of rows, n × n: with centred features Z and targets t,
//
//	w = (ZᵀZ + λI)⁻¹Zᵀt = Zᵀ(ZZᵀ + λI)⁻¹t.
//
// For a single λ it takes a Cholesky factor, and else the tridiagonal form, which serves all. gram has the products of
// all rows, n × n, or is nil.
func (s *searchSample) fit(Z []float32, D, f, lambdas int, gram []float64, sums func() (*System, error)) (
	*heldFit, error) {
	h := &heldFit{fold: f, D: D}
	if s.n-s.held[f] < D {
		h.problem = s.dual(h, Z, gram)
	} else {
		training, err := sums()
		if err != nil {
			return nil, err
		}
		h.problem = solve.Centre(training, true, training.G)
		h.mean, h.own = training.Z, training.T
		for _, sums := range [][]float64{h.mean, h.own} {
			for j := range sums {
				sums[j] /= training.Rows
			}
		}
	}
	for i := range h.problem.D {
		h.trace += h.problem.A[i*h.problem.D+i]
	}
	if lambdas > 1 {
		h.path = solve.NewPath(h.problem)
		for !h.path.Step() {
		}
	}
	return h, nil
}

// dual returns the problem of products of rows.
func (s *searchSample) dual(h *heldFit, Z []float32, gram []float64) *solve.Centred {
	D, K, n := h.D, s.K, s.n-s.held[h.fold]
	h.mean, h.own, h.rows = make([]float64, D), make([]float64, K), make([]float32, 0, n*D)
	b, at := make([]float64, 0, n*K), make([]int, 0, n)
	for i := range s.n {
		if int(s.fold[i]) == h.fold {
			continue
		}
		at = append(at, i)
		h.rows = append(h.rows, Z[i*D:][:D]...)
		for j, z := range Z[i*D:][:D] {
			h.mean[j] += float64(z)
		}
		for k, t := range s.codes[i*K:][:K] {
			b = append(b, t)
			h.own[k] += t
		}
	}
	for _, sums := range [][]float64{h.mean, h.own} {
		for j := range sums {
			sums[j] /= float64(n)
		}
	}
	for i := range b {
		b[i] -= h.own[i%K]
	}
	a := make([]float64, n*n)
	if gram == nil {
		a = gramOf(h.rows, n, D)
	} else {
		for i, row := range at {
			for j, other := range at {
				a[i*n+j] = gram[row*s.n+other]
			}
		}
	}
	centreGram(a, n)
	return &solve.Centred{N: float64(n), D: n, K: K, A: a, B: b}
}

// gramOf returns the products of n rows of D features, n × n.
func gramOf(Z []float32, n, D int) []float64 {
	a := make([]float64, n*n)
	for from := 0; from < D; from += searchComponents {
		width := min(searchComponents, D-from)
		columns := make([]float64, n*width)
		for i := range n {
			for j, v := range Z[i*D+from:][:width] {
				columns[i*width+j] = float64(v)
			}
		}
		matrix.AddGram(a, columns, n, width)
	}
	for i := range n {
		for j := range i {
			a[i*n+j] = a[j*n+i]
		}
	}
	return a
}

// centreGram takes the mean off rows whose products are a, n × n.
func centreGram(a []float64, n int) {
	means, mean := make([]float64, n), 0.0
	for i := range n {
		for _, v := range a[i*n:][:n] {
			means[i] += v
		}
		means[i] /= float64(n)
		mean += means[i]
	}
	mean /= float64(n)
	for i := range n {
		for j := range n {
			a[i*n+j] += mean - means[i] - means[j]
		}
	}
}

// eachColumns calls use for some columns of features after others, with the rows less the mean, n × width.
func (h *heldFit) eachColumns(Z []float32, use func(from, width int, rows []float64)) {
	n := len(Z) / h.D
	for from := 0; from < h.D; from += searchComponents {
		width := min(searchComponents, h.D-from)
		rows := make([]float64, n*width)
		for i := range n {
			for j := range width {
				rows[i*width+j] = float64(Z[i*h.D+from+j]) - h.mean[from+j]
			}
		}
		use(from, width, rows)
	}
}

// weights returns the weights of the targets for some λ, given by their indices: D × len(shares)·K. Weights of a λ that
// is too small to be solved for are NaN. Without a path there is one.
func (h *heldFit) weights(shares []int) []float64 {
	if h.kept != nil && len(shares) == 1 && shares[0] == h.share {
		return h.kept
	}
	p := h.problem
	K, n := p.K, p.D
	count := len(shares) * K
	w := make([]float64, n*count)
	for i, share := range shares {
		lambda := max(h.trace, 0x1p-900) * lambdaShare(share)
		if h.path == nil {
			w = h.solve(lambda)
		} else if _, ok := h.path.Factor(lambda); ok {
			h.path.Weights(w, i*K, count)
		} else {
			w[i*K] = math.NaN()
		}
	}
	if h.path != nil {
		h.path.Form.Apply(w, count)
	}
	if h.rows == nil {
		return w
	}
	own := make([]float64, h.D*count)
	h.eachColumns(h.rows, func(from, width int, rows []float64) {
		matrix.AddTransposedProduct(own[from*count:][:width*count], rows, w, n, width, count, 1)
	})
	return own
}

// solve returns the weights of one λ by Cholesky's factor: n × K. It uses up the problem.
func (h *heldFit) solve(lambda float64) []float64 {
	p := h.problem
	for i := range p.D {
		p.A[i*p.D+i] += lambda
	}
	factor, w := matrix.NewCholesky(p.A, p.D), p.Columns(0, p.K)
	if factor.Finish() >= 0 {
		w[0] = math.NaN()
		return w
	}
	factor.Solve(w, p.K)
	return w
}

// keepOnly frees all but the weights of one λ.
func (h *heldFit) keepOnly(share int) {
	h.kept, h.share = h.weights([]int{share}), share
	h.problem, h.path, h.rows = nil, nil, nil
}

// A trial is a candidate with its errors.
type trial struct {
	candidate
	losses []float64 // n × shareCount: squared errors of held-out rows
	right  []uint8   // n × shareCount: 1 where the row's class has the largest score
	done   [solve.FoldCount]bool
	fits   [solve.FoldCount]*heldFit // kept for column weights
	best   int                       // index of λ
	loss   []float64                 // n: at λ, of the rows of the folds that are done
	mean   float64                   // of them
	rows   int                       // of them
	seen   []int                     // indices of λ that are tried on all folds
	gammas [solve.FoldCount + 1]float64
	scales [solve.FoldCount][]float64
	before *trial // the round of column weights before
}

// hold adds the errors of a fit on the rows of its fold, for some λ.
func (s *searchSample) hold(t *trial, h *heldFit, Z []float32, shares []int) {
	D, K, held := h.D, s.K, s.held[h.fold]
	rows, at := make([]float32, 0, held*D), make([]int, 0, held)
	for i := range s.n {
		if int(s.fold[i]) == h.fold {
			rows, at = append(rows, Z[i*D:][:D]...), append(at, i)
		}
	}
	step := max(1, 256/K)
	for from := 0; from < len(shares); from += step {
		shares := shares[from:min(from+step, len(shares))]
		count := len(shares) * K
		scores := make([]float64, held*count)
		w := h.weights(shares)
		if len(shares) == 1 {
			h.kept, h.share = w, shares[0]
		}
		h.eachColumns(rows, func(from, width int, rows []float64) {
			matrix.AddProduct(scores, rows, w[from*count:][:width*count], held, width, count, 1)
		})
		for r, i := range at {
			for j, share := range shares {
				t.losses[i*shareCount+share], t.right[i*shareCount+share] = s.loss(i, scores[r*count+j*K:][:K], h.own)
			}
		}
	}
}

// loss returns the squared error of the scores of row i less own, and 1 if its class has the largest score.
func (s *searchSample) loss(i int, scores, own []float64) (sum float64, right uint8) {
	largest, top := math.Inf(-1), int32(0)
	for k, score := range scores {
		score += own[k]
		d := s.codes[i*s.K+k] - score
		sum += float64(d * d)
		if score > largest {
			largest, top = score, int32(k)
		}
	}
	if sum != sum { // of a λ that is too small
		return math.Inf(1), 0
	}
	if s.K == 1 && largest < 0 {
		top = 1
	}
	if s.classes != nil && s.classes[i] == top {
		right = 1
	}
	return sum, right
}

// settle chooses λ by the folds that are done: the least error, of equals the largest λ.
func (s *searchSample) settle(t *trial) {
	t.mean, t.rows = math.Inf(1), 0
	for f, done := range t.done {
		if done {
			t.rows += s.held[f]
		}
	}
	for _, share := range t.seen {
		sum := 0.0
		for i := range s.n {
			if t.done[s.fold[i]] {
				sum += t.losses[i*shareCount+share]
			}
		}
		if sum /= float64(max(1, t.rows)); sum <= t.mean {
			t.mean, t.best = sum, share
		}
	}
	t.loss = make([]float64, s.n)
	for i := range s.n {
		t.loss[i] = t.losses[i*shareCount+t.best]
	}
}

// behind returns by how much the error of t exceeds the error of o on the rows of the folds that are done for both, and
// the standard error of that.
func (s *searchSample) behind(t, o *trial) (mean, se float64) {
	n, sum, square := 0.0, 0.0, 0.0
	for i := range s.n {
		if f := s.fold[i]; t.done[f] && o.done[f] {
			d := t.loss[i] - o.loss[i]
			n++
			sum += d
			square += float64(d * d)
		}
	}
	if n < 2 {
		return 0, math.Inf(1)
	}
	mean = sum / n
	return mean, math.Sqrt(max(0, square-float64(mean*sum)) / (float64(n * (n - 1))))
}
