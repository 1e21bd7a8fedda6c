package learn

import (
	"math"

	"tensorsketch.example/internal/engine/matrix"
	"tensorsketch.example/sketch"
)

// A heldFit is the path of λ of a candidate for the rows outside a fold.
type heldFit struct {
	fold  int
	D     int
	path  *path
	mean  []float64 // D: of the features of the training rows
	own   []float64 // K: of their targets
	trace float64   // of the centred sums of squares
	rows  []float32 // of the dual: features of the training rows, n × D; else nil

	m     *sketch.FeatureMap // that made the features; nil for a linear candidate
	scale []float64          // column weights of the rows
}

// fit returns the path for the rows outside fold f, by the sums of products of features, D × D, or where there are
// fewer rows than features by products of rows, n × n: with centred features Z and targets t,
//
//	w = (ZᵀZ + λI)⁻¹Zᵀt = Zᵀ(ZZᵀ + λI)⁻¹t.
func (s *searchSample) fit(Z []float32, D, f int, sums func(f int) (all, held *System)) *heldFit {
	h := &heldFit{fold: f, D: D}
	var problem *centred
	if s.n-s.held[f] < D {
		problem = s.dual(h, Z)
	} else {
		all, held := sums(f)
		training := without(all, held)
		problem = centre(training, true, nil)
		h.mean, h.own = make([]float64, D), make([]float64, s.K)
		for j, z := range training.Z {
			h.mean[j] = z / training.Rows
		}
		for k, t := range training.T {
			h.own[k] = t / training.Rows
		}
	}
	for i := range problem.D {
		h.trace += problem.a[i*problem.D+i]
	}
	h.path = newPath(problem)
	for !h.path.step() {
	}
	return h
}

// dual returns the problem of products of rows.
func (s *searchSample) dual(h *heldFit, Z []float32) *centred {
	D, K, n := h.D, s.K, s.n-s.held[h.fold]
	h.mean, h.own, h.rows = make([]float64, D), make([]float64, K), make([]float32, 0, n*D)
	b := make([]float64, 0, n*K)
	for i := range s.n {
		if int(s.fold[i]) == h.fold {
			continue
		}
		h.rows = append(h.rows, Z[i*D:][:D]...)
		for j, z := range Z[i*D:][:D] {
			h.mean[j] += float64(z)
		}
		for k, t := range s.codes[i*K:][:K] {
			b = append(b, t)
			h.own[k] += t
		}
	}
	for j := range h.mean {
		h.mean[j] /= float64(n)
	}
	for k := range h.own {
		h.own[k] /= float64(n)
	}
	for i := range b {
		b[i] -= h.own[i%K]
	}
	a := make([]float64, n*n)
	h.eachColumns(h.rows, func(_, width int, rows []float64) {
		matrix.AddProduct(a, rows, matrix.Transpose(rows, n, width), n, width, n, 1)
	})
	return &centred{n: float64(n), D: n, K: K, a: a, b: b}
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

// weights returns the weights of the targets for some λ, given by their indices: D × len(shares)·K. Those of a λ that
// is too small to be solved for are NaN.
func (h *heldFit) weights(shares []int) []float64 {
	p := h.path
	K, n := p.problem.K, len(p.d)
	count := len(shares) * K
	w := make([]float64, n*count)
	for i, share := range shares {
		if _, ok := p.factor(max(h.trace, 0x1p-900) * lambdaShare(share)); ok {
			p.weights(w, i*K, count)
		} else {
			w[i*K] = math.NaN()
		}
	}
	p.form.Apply(w, count)
	if h.rows == nil {
		return w
	}
	own := make([]float64, h.D*count)
	h.eachColumns(h.rows, func(from, width int, rows []float64) {
		matrix.AddTransposedProduct(own[from*count:][:width*count], rows, w, n, width, count, 1)
	})
	return own
}

// A trial is a candidate with its errors.
type trial struct {
	candidate
	losses []float64 // n × shareCount: squared errors of held-out rows
	right  []uint8   // n × shareCount: 1 where the row's class has the largest score
	done   [foldCount]bool
	fits   [foldCount]*heldFit // kept for column weights
	best   int                 // index of λ
	loss   []float64           // n: at λ, of the rows of the folds that are done
	mean   float64             // of them
	rows   int                 // of them
	seen   []int               // indices of λ that are tried
	gammas [foldCount + 1]float64
	scales [foldCount][]float64
	before *trial // the round of column weights before
}

// hold adds the errors of a fit on the rows of its fold.
func (s *searchSample) hold(t *trial, h *heldFit, Z []float32) {
	D, K, held := h.D, s.K, s.held[h.fold]
	rows, at := make([]float32, 0, held*D), make([]int, 0, held)
	for i := range s.n {
		if int(s.fold[i]) == h.fold {
			rows, at = append(rows, Z[i*D:][:D]...), append(at, i)
		}
	}
	step := max(1, 256/K)
	for from := 0; from < len(t.seen); from += step {
		shares := t.seen[from:min(from+step, len(t.seen))]
		count := len(shares) * K
		scores := make([]float64, held*count)
		w := h.weights(shares)
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

// loss returns the squared error of the scores of row i less own, and 1 if the largest is that of its class.
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

// behind returns by how much the error of t is above that of o on the rows of the folds that are done for both, and the
// standard error of that.
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
