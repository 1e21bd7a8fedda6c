package pairs

import "tensorsketch.example/sketch"

// nearestRows is the number of rows whose estimates are computed at a time.
const nearestRows = 1024

// Nearest returns the k rows of Z with the largest inner products with each row of q, largest first, and these
// products; equal ones come in the order of rows. Rows of Z and q have D numbers each. For features the products are
// the estimates of the kernel, with the bits of sketch.Dot. Both results have k numbers for each row of q, or as many
// as Z has rows if there are fewer.
// Rows must be finite: an error names Z or q, the row and the column.
// It panics if the length of Z or q is not a multiple of D, or k < 1.
func Nearest(Z, q []float32, D, k int) (rows []int32, estimates []float64, err error) {
	if D < 1 || len(Z)%D != 0 || len(q)%D != 0 || k < 1 {
		panic("pairs: Nearest of slices that are not rows of D numbers, or of no row")
	}
	n, queries := len(Z)/D, len(q)/D
	best := NewRanking(queries, min(k, n))
	if err := finiteRows("q", q, D); err != nil {
		return nil, nil, err
	}
	found := make([]float64, queries*min(n, nearestRows))
	for from := 0; from < n; from += nearestRows {
		count := min(nearestRows, n-from)
		if _, err := Gram(found[:queries*count], q, Z[from*D:(from+count)*D], D); err != nil {
			e := err.(*sketch.Error)
			e.Argument, e.Row = "Z", e.Row+from
			return nil, nil, e
		}
		best.Add(from, found[:queries*count])
	}
	best.Sort()
	return best.Rows, best.Estimates, nil
}

// A Ranking keeps the rows with the K largest estimates for each of some queries. Of equal estimates the lower row is
// kept. Rows may come in any order. Until Sort each query has a heap, whose first entry is the last in rank.
type Ranking struct {
	K         int
	Count     int       // rows so far
	Rows      []int32   // K for each query; those from Count on mean nothing
	Estimates []float64 // of these rows
}

// NewRanking returns an empty ranking.
func NewRanking(queries, k int) *Ranking {
	return &Ranking{K: k, Rows: make([]int32, queries*k), Estimates: make([]float64, queries*k)}
}

// Add takes further rows, from row first on: the same number for each query, the estimates of one query after another.
// It panics if the estimates cannot be divided so.
func (r *Ranking) Add(first int, estimates []float64) {
	if len(r.Rows) == 0 {
		return
	}
	queries := len(r.Rows) / r.K
	n := len(estimates) / queries
	if n*queries != len(estimates) {
		panic("pairs: Ranking.Add of estimates that are not as many for each query")
	}
	for q := range queries {
		h := r.heap(q)
		for i, estimate := range estimates[q*n : (q+1)*n] {
			if at := r.Count + i; at < r.K {
				h.rise(at, int32(first+i), estimate)
			} else if h.isBefore(int32(first+i), estimate, 0) {
				h.sink(r.K, int32(first+i), estimate)
			}
		}
	}
	r.Count += n
}

// Sort puts the rows of each query in order. No rows can be added afterwards.
func (r *Ranking) Sort() {
	if len(r.Rows) == 0 {
		return
	}
	for q := range len(r.Rows) / r.K {
		h := r.heap(q)
		for end := min(r.K, r.Count) - 1; end > 0; end-- {
			row, estimate := h.rows[end], h.estimates[end]
			h.rows[end], h.estimates[end] = h.rows[0], h.estimates[0]
			h.sink(end, row, estimate)
		}
	}
}

func (r *Ranking) heap(query int) rankHeap {
	return rankHeap{r.Rows[query*r.K : (query+1)*r.K], r.Estimates[query*r.K : (query+1)*r.K]}
}

// A rankHeap is a binary heap of the rows of one query. No entry ranks before those below it.
type rankHeap struct {
	rows      []int32
	estimates []float64
}

// isBefore reports whether a row ranks before entry i.
func (h rankHeap) isBefore(row int32, estimate float64, i int) bool {
	return estimate > h.estimates[i] || estimate == h.estimates[i] && row < h.rows[i]
}

func (h rankHeap) put(i int, row int32, estimate float64) { h.rows[i], h.estimates[i] = row, estimate }

// rise puts a row at the end of a heap of n entries and moves it up to its place.
func (h rankHeap) rise(n int, row int32, estimate float64) {
	i := n
	for i > 0 {
		up := (i - 1) / 2
		if h.isBefore(row, estimate, up) {
			break
		}
		h.put(i, h.rows[up], h.estimates[up])
		i = up
	}
	h.put(i, row, estimate)
}

// sink puts a row in the place of the first of n entries and moves it down to its place.
func (h rankHeap) sink(n int, row int32, estimate float64) {
	i := 0
	for {
		down := 2*i + 1
		if down >= n {
			break
		}
		if down+1 < n && h.isBefore(h.rows[down], h.estimates[down], down+1) {
			down++
		}
		if !h.isBefore(row, estimate, down) {
			break
		}
		h.put(i, h.rows[down], h.estimates[down])
		i = down
	}
	h.put(i, row, estimate)
}
