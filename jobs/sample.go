package jobs

import (
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// below32 returns a generator of integers from 0 to n − 1, n ≤ 2^32: splitmix32, which deals rows.
func below32(seed uint32) func(n int64) int64 {
	state := seed * 0x9e3779b9
	return func(n int64) int64 {
		state += 0x9e3779b9
		z := (state ^ state>>16) * 0x21f0aaad
		z = (z ^ z>>15) * 0x735a2d97
		return int64(uint64(z^z>>15) * uint64(n) >> 32)
	}
}

// heldOutOf is n where one row in n is held out of a curve.
const heldOutOf = 4

// A dealer holds rows out by their number among the labelled rows and a seed alone, never by their content: so it can
// also deal the rows of a private release.
type dealer func(n int64) int64

func newDealer(seed uint32) dealer { return below32(seed) }

// next reports whether the next row is held out.
func (d dealer) next() bool { return d(heldOutOf) == 0 }

// A kept row is one of a sample.
type keptRow struct {
	indices []int32 // of a sparse row
	values  []float32
	label   learn.Label
	target  float64
	place   int64
}

// A sample is an even sample of rows (Vitter's algorithm R).
type sample struct {
	rows  []keptRow
	seen  int64
	max   int
	draw  func(n int64) int64
	width int
}

// newSample returns a sample of at most so many rows, and fewer wide ones.
func newSample(rows, numbers, width int, draw func(n int64) int64) *sample {
	return &sample{max: max(1, min(rows, numbers/max(1, width))), draw: draw, width: width}
}

// place returns where the next row goes, or -1.
func (s *sample) place() int {
	at := s.seen
	if at >= int64(s.max) {
		at = s.draw(s.seen + 1)
	}
	s.seen++
	if at >= int64(s.max) {
		return -1
	}
	if at == int64(len(s.rows)) {
		s.rows = append(s.rows, keptRow{})
	}
	return int(at)
}

// add adds row i of X, and returns its place in the sample or -1.
func (s *sample) add(X sketch.Rows, i int, row keptRow) int {
	at := s.place()
	if at < 0 {
		return at
	}
	switch X := X.(type) {
	case sketch.Dense:
		row.values = append([]float32(nil), X[i*s.width:(i+1)*s.width]...)
	case sketch.CSR:
		from, to := X.Indptr[i], X.Indptr[i+1]
		row.indices = append([]int32{}, X.Indices[from:to]...)
		row.values = append([]float32(nil), X.Data[from:to]...)
	}
	s.rows[at] = row
	return at
}

// input returns rows of the sample for a map.
func (s *sample) input(from, to int) sketch.Rows {
	if len(s.rows) == 0 || s.rows[0].indices == nil {
		dense := make(sketch.Dense, 0, (to-from)*s.width)
		for i := range s.rows[from:to] {
			dense = append(dense, s.rows[from+i].values...)
		}
		return dense
	}
	sparse := sketch.CSR{Indptr: []int32{0}}
	for _, row := range s.rows[from:to] {
		sparse.Indices, sparse.Data = append(sparse.Indices, row.indices...), append(sparse.Data, row.values...)
		sparse.Indptr = append(sparse.Indptr, int32(len(sparse.Data)))
	}
	return sparse
}

// all returns all rows of the sample for a map.
func (s *sample) all() sketch.Rows { return s.input(0, len(s.rows)) }

// dense returns the numbers of rows of the sample.
func (s *sample) dense(from, to int) []float32 {
	numbers := make([]float32, (to-from)*s.width)
	for i, row := range s.rows[from:to] {
		own := numbers[i*s.width : (i+1)*s.width]
		if row.indices == nil {
			copy(own, row.values)
		}
		for k, index := range row.indices {
			own[index] = row.values[k]
		}
	}
	return numbers
}

// labels returns the labels of the sample, and their targets.
func (s *sample) labels() (labels []learn.Label, targets []float64) {
	for i := range s.rows {
		labels, targets = append(labels, s.rows[i].label), append(targets, s.rows[i].target)
	}
	return labels, targets
}
