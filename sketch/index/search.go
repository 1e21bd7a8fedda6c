package index

import (
	"math"
	"strconv"

	"tensorsketch.example/sketch"
)

// DefaultRerank is how many of the best rows are ranked again by their floats, where they are kept.
const DefaultRerank = 40

// A Hit is a row that Search found.
type Hit struct {
	ID    uint32
	row   int32
	Score float64 // as its Metric says
}

// Search appends the k rows nearest to each query to hits, best first. There are Len() of them if that is less.
// Queries are rows of NFeatures numbers, one after another. Equal scores come in the order of ids.
//
// Scores are estimates where rows are rounded. Where floats are kept, the best max(k, rerank) rows by these estimates
// are ranked again, and their scores are exact up to the rounding of float64; 0 means DefaultRerank.
func (x *Index) Search(hits []Hit, queries []float32, k, rerank int) ([]Hit, error) {
	n := x.options.NFeatures
	if len(queries)%n != 0 {
		return hits, sketch.ErrShape.New("q", strconv.Itoa(len(queries))+" numbers", "have rows of nFeatures = "+
			strconv.Itoa(n)+" numbers")
	}
	if k < 1 {
		return hits, sketch.ErrParam.New("k", strconv.Itoa(k), "be a number of rows, an integer ≥ 1")
	}
	if rerank == 0 {
		rerank = DefaultRerank
	}
	for row := 0; row < len(queries)/n; row++ {
		q := queries[row*n : (row+1)*n]
		scale, err := x.scaleOf(q, "q")
		if err != nil {
			err.Row = row
			return hits, err
		}
		hits = append(hits, x.nearest(q, scale, k, rerank)...)
	}
	return hits, nil
}

// nearest returns the best rows of one query.
func (x *Index) nearest(q []float32, scale float32, k, rerank int) []Hit {
	k = min(k, x.count)
	most := k
	if x.hasFloats() {
		most = min(max(k, rerank), x.count)
	}
	if cap(x.best) < most {
		Release(x.best)
		x.best = make([]Hit, 0, most)
	}
	x.best = x.best[:0]
	for j, v := range q {
		x.row[j] = v * scale
	}
	if x.isRounded() {
		x.scanCodes(most)
	} else {
		x.scanFloats(most)
	}
	if x.hasFloats() {
		for j, v := range q {
			x.row[j] = v * scale
		}
		for i := range x.best {
			x.best[i].Score = x.exact(int(x.best[i].row))
		}
		heapify(x.best)
	}
	sortHeap(x.best)
	x.best = x.best[:k]
	x.finish()
	return x.best
}

// finish makes distances of scores, which are larger for better rows.
func (x *Index) finish() {
	if x.options.Metric != Euclidean {
		return
	}
	for i, hit := range x.best {
		x.best[i].Score = math.Sqrt(max(0, -hit.Score))
	}
}

// scanFloats offers all rows, by products or squared distances in float32. For distances the score is −‖q − x‖².
func (x *Index) scanFloats(most int) {
	q := x.row[:x.options.NFeatures]
	scan, sign := dots, 1.0
	if x.options.Metric == Euclidean {
		scan, sign = distances, -1
	}
	for start := 0; start < x.count; start += x.chunkRows() {
		c, _ := x.at(start)
		rows := min(x.chunkRows(), x.count-start)
		scan(x.floats[:rows], c.rows, q)
		for i, value := range x.floats[:rows] {
			x.offer(Hit{c.ids[i], int32(start + i), sign * float64(value)}, most)
		}
	}
}

// scanCodes offers all rows, by their codes. With the centre c, ⟨q, x⟩ is ⟨q, c⟩ + ⟨c, x − c⟩ + ⟨q − c, x − c⟩: the
// last alone is estimated, and its error grows with ‖q − c‖. A row's term is the second, and ‖x − c‖² for distances.
func (x *Index) scanCodes(most int) {
	base, sign := x.alongCentre(x.row), 1.0
	x.subtractCentre(x.row)
	if x.options.Metric == Euclidean {
		base, sign = -squares(x.row[:len(x.centre)]), -1
	}
	x.rotate(x.row)
	step, sum := x.roundQuery()
	shift := int64(0)
	if x.options.Bits == 4 {
		shift, step = 15*128*sum, step/256 // middle4·2⁸
	}
	if x.options.Metric == Euclidean {
		step *= 2
	}
	for start := 0; start < x.count; start += x.chunkRows() {
		c, _ := x.at(start)
		rows := min(x.chunkRows(), x.count-start)
		x.multiply(c, rows)
		for i, product := range x.sums[:rows] {
			score := base + float64(float64(float64(product-shift)*step)*float64(c.factors[i]))
			score += float64(sign * float64(c.terms[i]))
			x.offer(Hit{c.ids[i], int32(start + i), score}, most)
		}
	}
}

// sumsAtOnce is how many coordinates the sums of 32 bits have room for.
const sumsAtOnce = 1 << 14

// multiply sets x.sums to the products of the query with the codes of the rows of a chunk.
func (x *Index) multiply(c *chunk, rows int) {
	rows = (rows + rowStep - 1) / rowStep * rowStep
	sums := x.sums[:rows]
	clear(sums)
	for from := 0; from < x.width; from += sumsAtOnce {
		n := min(sumsAtOnce, x.width-from)
		if x.options.Bits == 4 {
			scan4(sums, c.codes[from/2:], x.query[from:from+n], x.codeBytes())
		} else {
			scan8(sums, c.codes[from:], x.query[from:from+n], x.codeBytes())
		}
	}
}

// exact returns the score of the query in x.row with a row whose floats are held.
func (x *Index) exact(row int) float64 {
	c, i := x.at(row)
	sum := 0.0
	for j, v := range x.floatsOf(c, i) {
		if x.options.Metric == Euclidean {
			d := float64(v) - float64(x.row[j])
			sum -= float64(d * d)
		} else {
			sum += float64(float64(v) * float64(x.row[j]))
		}
	}
	return sum
}

// isWorse orders hits: by score, and equal ones by id.
func isWorse(a, b Hit) bool { return a.Score < b.Score || a.Score == b.Score && a.ID > b.ID }

// offer puts a hit among the best so far, which are a heap with the worst on top.
func (x *Index) offer(hit Hit, most int) {
	switch {
	case len(x.best) < most:
		x.best = append(x.best, hit)
		if len(x.best) == most {
			heapify(x.best)
		}
	case most > 0 && isWorse(x.best[0], hit):
		x.best[0] = hit
		sink(x.best, 0)
	}
}

func heapify(heap []Hit) {
	for i := len(heap)/2 - 1; i >= 0; i-- {
		sink(heap, i)
	}
}

// sink moves a hit down to its place.
func sink(heap []Hit, i int) {
	for child := 2*i + 1; child < len(heap); child = 2*i + 1 {
		if child+1 < len(heap) && isWorse(heap[child+1], heap[child]) {
			child++
		}
		if !isWorse(heap[child], heap[i]) {
			return
		}
		heap[i], heap[child] = heap[child], heap[i]
		i = child
	}
}

// sortHeap sorts a heap, best first.
func sortHeap(heap []Hit) {
	for n := len(heap) - 1; n > 0; n-- {
		heap[0], heap[n] = heap[n], heap[0]
		sink(heap[:n], 0)
	}
}
