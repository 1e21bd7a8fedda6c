package solve

import (
	"tensorsketch.example/internal/engine/dispatch"
	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
)

// Want is what a Request asks for one vector of weights.
type Want uint8

// What a Request asks.
const (
	Nothing  Want = iota
	Gradient      // the sum of losses at V and their gradient
	Product       // their Hessian at At times V
)

// A Request is what a Solver needs from every block of rows next. Vectors have Problem.Stride
// numbers each.
type Request struct {
	Wants    []Want    // one for each vector
	V, At    []float64 // vectors one after another; At is the point of the last accepted gradient
	Diagonal bool      // with each gradient, the diagonal of the Hessian too
}

// chunkBytes is about how much memory the rows of a chunk of a block take: they are read once for
// each class, from the processor's cache.
const chunkBytes = 1 << 19

// A Worker computes what Requests ask of a block of rows. It keeps scratch memory, so each goroutine
// needs its own; results do not depend on which one computes them.
type Worker struct {
	problem         Problem
	vectors, stride int
	chunk           int // rows of a chunk

	features Features
	labels   RowLabels
	count    int // rows of the block
	memo     []float64
	spare    []float64 // in place of a memo

	rows    []int32 // the rows of the chunk that are read
	list    []int32 // some of them
	factors []float64
	scores  []float64 // vectors × chunk
	parts   []float64 // of dispatch.Dots
}

// chunkRows returns the number of rows of a chunk.
func chunkRows(stride int) int { return max(16, min(BlockRows, chunkBytes/4/stride)) }

// NewWorker returns a Worker of a valid problem.
func NewWorker(p Problem) *Worker {
	w := &Worker{problem: p, vectors: p.Vectors(), stride: p.Stride()}
	w.chunk = chunkRows(w.stride)
	w.rows, w.list = make([]int32, 0, w.chunk), make([]int32, 0, w.chunk)
	w.parts = make([]float64, dispatch.DotScratch)
	w.factors, w.scores = make([]float64, w.chunk), make([]float64, w.vectors*w.chunk)
	return w
}

// PartialLength returns how many numbers Block writes: the gradients or products of all vectors, one
// after another; their losses; and with diagonal the diagonals of their Hessians.
func (p *Problem) PartialLength(diagonal bool) int {
	n := p.Vectors() * (p.Stride() + 1)
	if diagonal {
		n += p.Vectors() * p.Stride()
	}
	return n
}

// MemoLength returns the length of the memo of a block of so many rows.
func (p *Problem) MemoLength(rows int) int { return rows * p.Vectors() }

// Block writes to dst what a request asks of a block of rows: PartialLength numbers, which are 0
// where nothing is wanted. The result depends on the arguments alone.
//
// The memo keeps what products need of the last gradient, MemoLength numbers that no one else
// writes. Without it, nil, a product computes this again from r.At: the same bits in twice the time.
//
//go:noinline
func (w *Worker) Block(dst, memo []float64, r *Request, X Features, l RowLabels) {
	p := &w.problem
	if len(dst) != p.PartialLength(r.Diagonal) {
		panic("learn: a partial result of a wrong length")
	}
	clear(dst)
	w.features, w.labels, w.count = X, l, len(X.Dense)/p.NComponents
	if X.Dense == nil {
		w.count = len(X.Sparse.Indptr) - 1
	}
	w.memo = memo
	if memo == nil {
		if len(w.spare) < p.MemoLength(w.count) {
			w.spare = make([]float64, p.MemoLength(w.count))
		}
		w.memo = w.spare
	}
	if len(w.memo) < p.MemoLength(w.count) {
		panic("learn: a memo of a wrong length")
	}
	for from := 0; from < w.count; from += w.chunk {
		to := min(from+w.chunk, w.count)
		if memo == nil {
			w.load(from, to, true)
			w.recall(r)
		}
		w.load(from, to, memo == nil || has(r.Wants, Gradient))
		if len(w.rows) == 0 {
			continue
		}
		if p.joint() {
			w.softmax(dst, r)
			continue
		}
		for v := range w.vectors {
			switch r.Wants[v] {
			case Gradient:
				w.gradient(dst, r, v)
			case Product:
				w.product(dst, r, v)
			}
		}
	}
	w.features, w.labels, w.memo = Features{}, RowLabels{}, nil
}

func has(wants []Want, want Want) bool {
	for _, w := range wants {
		if w == want {
			return true
		}
	}
	return false
}

// load lists the rows from … to−1 that have weight 1: all, or those with a memo other than 0.
func (w *Worker) load(from, to int, all bool) {
	w.rows = w.rows[:0]
	for row := from; row < to; row++ {
		if w.labels.Weights != nil && w.labels.Weights[row] == 0 {
			continue
		}
		needed := all
		for v := 0; v < w.vectors && !needed; v++ {
			needed = w.memo[v*w.count+row] != 0
		}
		if needed {
			w.rows = append(w.rows, int32(row))
		}
	}
}

// dots computes the scores of some rows.
func (w *Worker) dots(scores, v []float64, rows []int32) {
	d := w.problem.NComponents
	if w.features.Dense != nil {
		dispatch.Dots(scores, v[:d], w.features.Dense, rows, w.parts)
		for i := range rows {
			scores[i] += v[d]
		}
		return
	}
	for at, row := range rows {
		indices, data := sparseRow(&w.features.Sparse, row)
		sum := v[d]
		for j, column := range indices {
			sum += float64(v[column] * float64(data[j]))
		}
		scores[at] = sum
	}
}

// addRows adds factors times some rows to sum.
func (w *Worker) addRows(sum, factors []float64, rows []int32) {
	d := w.problem.NComponents
	if w.features.Dense != nil {
		dispatch.AddRows(sum[:d], w.features.Dense, rows, factors)
		for i := range rows {
			sum[d] += factors[i]
		}
		return
	}
	for at, row := range rows {
		indices, data := sparseRow(&w.features.Sparse, row)
		factor := factors[at]
		for j, column := range indices {
			sum[column] += float64(factor * float64(data[j]))
		}
		sum[d] += factor
	}
}

// addSquares is addRows for the squares of the rows' numbers.
func (w *Worker) addSquares(sum, factors []float64, rows []int32) {
	d := w.problem.NComponents
	for at, row := range rows {
		factor := factors[at]
		sum[d] += factor
		if w.features.Dense != nil {
			for j, v := range w.features.Dense[int(row)*d : int(row+1)*d] {
				z := float64(v)
				sum[j] += float64(factor * float64(z*z))
			}
			continue
		}
		indices, data := sparseRow(&w.features.Sparse, row)
		for j, column := range indices {
			z := float64(data[j])
			sum[column] += float64(factor * float64(z*z))
		}
	}
}

func sparseRow(X *sketch.CSR, row int32) ([]int32, []float32) {
	from, to := X.Indptr[row], X.Indptr[row+1]
	return X.Indices[from:to], X.Data[from:to]
}

// of returns the part of a partial result that belongs to vector v.
func (w *Worker) of(x []float64, v int) []float64 { return x[v*w.stride : (v+1)*w.stride] }

// diagonal returns the part of a partial result that holds the diagonal for vector v.
func (w *Worker) diagonal(dst []float64, v int) []float64 {
	return w.of(dst[w.vectors*(w.stride+1):], v)
}

// target returns the target of a row for vector v.
func (w *Worker) target(row int32, v int) float64 {
	if w.problem.Targets > 0 {
		return w.labels.Targets[int(row)*w.problem.Targets+v]
	}
	if class := int(w.labels.Classes[row]); class == v && !w.problem.binary() || class == 1 && w.problem.binary() {
		return 1
	}
	return -1
}

// gradient adds the losses of the chunk and their gradient for vector v.
func (w *Worker) gradient(dst []float64, r *Request, v int) {
	p := &w.problem
	memo, loss := w.memo[v*w.count:], 0.0
	w.dots(w.scores, w.of(r.V, v), w.rows)
	w.list = w.list[:0]
	for i, row := range w.rows {
		value, slope, curvature := p.pointLoss(w.scores[i], w.target(row, v))
		loss += value
		memo[row] = curvature
		if slope != 0 {
			w.factors[len(w.list)] = slope
			w.list = append(w.list, row)
		}
	}
	dst[w.vectors*w.stride+v] += loss
	w.addRows(w.of(dst, v), w.factors, w.list)
	if r.Diagonal {
		w.curved(memo)
		w.addSquares(w.diagonal(dst, v), w.factors, w.list)
	}
}

// curved lists the rows with curvature, with that as their factors.
func (w *Worker) curved(memo []float64) {
	w.list = w.list[:0]
	for _, row := range w.rows {
		if c := memo[row]; c != 0 {
			w.factors[len(w.list)] = c
			w.list = append(w.list, row)
		}
	}
}

// product adds the product of the chunk's Hessian with vector v.
func (w *Worker) product(dst []float64, r *Request, v int) {
	w.curved(w.memo[v*w.count:])
	w.dots(w.scores, w.of(r.V, v), w.list)
	for i := range w.list {
		w.factors[i] = float64(w.factors[i] * w.scores[i])
	}
	w.addRows(w.of(dst, v), w.factors, w.list)
}

// recall computes the memo of the chunk at r.At for the vectors whose products are wanted.
func (w *Worker) recall(r *Request) {
	for v := range w.vectors {
		if r.Wants[v] != Product {
			continue
		}
		w.dots(w.scores[v*w.chunk:], w.of(r.At, v), w.rows)
		if w.problem.joint() {
			continue
		}
		for i, row := range w.rows {
			_, _, w.memo[v*w.count+int(row)] = w.problem.pointLoss(w.scores[v*w.chunk+i], w.target(row, v))
		}
	}
	if w.problem.joint() && has(r.Wants, Product) {
		for i, row := range w.rows {
			w.probabilities(i, row)
		}
	}
}

// pointLoss returns the loss of a row with this score and target, its derivative and its second
// derivative by the score.
func (p *Problem) pointLoss(score, target float64) (value, slope, curvature float64) {
	switch p.Loss {
	case LossSquaredHinge:
		c, margin := p.Cost(), 1-float64(target*score)
		if margin <= 0 {
			return 0, 0, 0
		}
		return float64(c * float64(margin*margin)), float64(-2 * c * float64(target*margin)), 2 * c
	case LossLogistic:
		c, margin := p.Cost(), float64(target*score)
		e := portable.Exp(-max(margin, -margin))
		wrong, right := e/(1+e), 1/(1+e) // probabilities of the other class and of this one
		value = portable.Log(1 + e)
		if margin < 0 {
			wrong, right = right, wrong
			value -= margin
		}
		return float64(c * value), float64(-c * float64(target*wrong)), float64(c * float64(wrong*right))
	}
	rest := score - target
	return float64(rest*rest) / 2, rest, 1
}

// probabilities turns the scores of row i of the chunk into the memo, the probabilities of the
// classes, and returns the logarithm of the sum of exponentials.
func (w *Worker) probabilities(i int, row int32) float64 {
	largest, sum := w.scores[i], 0.0
	for v := range w.vectors {
		largest = max(largest, w.scores[v*w.chunk+i])
	}
	for v := range w.vectors {
		e := portable.Exp(w.scores[v*w.chunk+i] - largest)
		w.memo[v*w.count+int(row)] = e
		sum += e
	}
	for v := range w.vectors {
		w.memo[v*w.count+int(row)] /= sum
	}
	return largest + portable.Log(sum)
}

// softmax adds what is wanted of the multinomial loss of the chunk.
func (w *Worker) softmax(dst []float64, r *Request) {
	c := w.problem.Cost()
	for v := range w.vectors {
		w.dots(w.scores[v*w.chunk:], w.of(r.V, v), w.rows)
	}
	switch r.Wants[0] {
	case Gradient:
		loss := 0.0
		for i, row := range w.rows {
			own := w.scores[int(w.labels.Classes[row])*w.chunk+i]
			loss += w.probabilities(i, row) - own
		}
		dst[w.vectors*w.stride] += float64(c * loss)
		for v := range w.vectors {
			memo := w.memo[v*w.count:]
			for i, row := range w.rows {
				rest := memo[row]
				if int(w.labels.Classes[row]) == v {
					rest--
				}
				w.factors[i] = float64(c * rest)
			}
			w.addRows(w.of(dst, v), w.factors, w.rows)
			if r.Diagonal {
				for i, row := range w.rows {
					w.factors[i] = float64(c * float64(memo[row]*(1-memo[row])))
				}
				w.addSquares(w.diagonal(dst, v), w.factors, w.rows)
			}
		}
	case Product:
		// (diag(p) − p pᵀ) t for the probabilities p and scores t of a row
		for i, row := range w.rows {
			mean := 0.0
			for v := range w.vectors {
				mean += float64(w.memo[v*w.count+int(row)] * w.scores[v*w.chunk+i])
			}
			for v := range w.vectors {
				at := v*w.chunk + i
				w.scores[at] = float64(c * float64(w.memo[v*w.count+int(row)]*(w.scores[at]-mean)))
			}
		}
		for v := range w.vectors {
			w.addRows(w.of(dst, v), w.scores[v*w.chunk:], w.rows)
		}
	}
}
