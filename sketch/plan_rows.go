package sketch

import (
	"cmp"
	"math"
	"strconv"

	"tensorsketch.example/internal/portable"
)

// load reads the sample. Without a sample it makes a pair of rows in its place.
func (pl *planner) load() error {
	if pl.Sample == nil {
		pl.NNZPerRow = cmp.Or(pl.NNZPerRow, pl.NFeatures)
		return pl.makePair()
	}
	n, err := pl.Sample.count(pl.NFeatures)
	if err == nil && n < 2 {
		err = shapeError("X", strconv.Itoa(n)+" rows", "hold at least 2 rows")
	}
	if err == nil {
		var s source
		pl.Sample.fill(&s)
		err = pl.read(&s, n)
	}
	if err != nil {
		e := *err.(*Error)
		e.Argument, e.RowsDone = "sample"+e.Argument[1:], -1 // X, X.indptr …
		return &e
	}
	width := 1
	for _, row := range pl.rows {
		width = max(width, len(row.indices))
	}
	for _, pair := range pairsOf(len(pl.rows), min(planPairs, max(planLeast, planNumbers/width))) {
		x, y := union(pl.rows[pair[0]], pl.rows[pair[1]])
		pl.pairs = append(pl.pairs, [2][]float64{x, y})
	}
	return nil
}

// read checks the n rows of the sample and keeps some of them, in an order that is independent of
// theirs.
func (pl *planner) read(s *source, n int) error {
	d := pl.NFeatures
	var sorter sorter
	for r := range n {
		if err := s.load(r, 0, d, &sorter); err != nil {
			return err
		}
	}
	for _, r := range sample(IntSeed(0).randomness(0).stream(domainPlan, 0), n, min(n, planRows)) {
		if err := s.load(r, 0, d, &sorter); err != nil {
			return err
		}
		pl.rows = append(pl.rows, s.copyRow(r, d))
	}
	if pl.NNZPerRow == 0 {
		if pl.NNZPerRow = d; s.sparse {
			pl.NNZPerRow = (len(s.csr.Data) + n - 1) / n
		}
	}
	return nil
}

// copyRow returns the nonzero numbers of row r; a sparse row must be loaded.
func (s *source) copyRow(r, d int) (row sparseRow) {
	if s.sparse {
		return sparseRow{append(row.indices, s.block[0].indices...), append(row.data, s.block[0].data...)}
	}
	for i, v := range s.dense[r*d : (r+1)*d] {
		if v != 0 {
			row.indices, row.data = append(row.indices, int32(i)), append(row.data, v)
		}
	}
	return row
}

// pairsOf returns pairs of n rows: all pairs, or at most that many, evenly spread.
func pairsOf(n, most int) [][2]int {
	total := n * (n - 1) / 2
	pairs := make([][2]int, min(total, most))
	for k := range pairs {
		i, at := 0, k*total/len(pairs)
		for ; at >= n-1-i; i++ {
			at -= n - 1 - i
		}
		pairs[k] = [2]int{i, i + 1 + at}
	}
	return pairs
}

// union returns two rows without the columns that are 0 in both.
func union(a, b sparseRow) (x, y []float64) {
	most := len(a.indices) + len(b.indices)
	x, y = make([]float64, 0, most), make([]float64, 0, most)
	for len(a.indices)+len(b.indices) > 0 {
		inA := len(b.indices) == 0 || len(a.indices) > 0 && a.indices[0] <= b.indices[0]
		inB := len(a.indices) == 0 || len(b.indices) > 0 && b.indices[0] <= a.indices[0]
		var v, w float64
		if inA {
			v, a = float64(a.data[0]), sparseRow{a.indices[1:], a.data[1:]}
		}
		if inB {
			w, b = float64(b.data[0]), sparseRow{b.indices[1:], b.data[1:]}
		}
		x, y = append(x, v), append(y, w)
	}
	return x, y
}

// makePair makes unit rows x and y = cos·x + sin·z of m coordinates. Within x and within z all
// coordinates have one size, so that Σ x_i²·y_i² = 1/m. For m = 1, z has its own coordinate.
func (pl *planner) makePair() error {
	m, sine := min(pl.NNZPerRow, planWidth), math.Sqrt(1-float64(pl.Cosine*pl.Cosine))
	if m == 1 {
		if pl.NFeatures == 1 && sine != 0 {
			return paramError("cosine", portable.FormatNumber(pl.Cosine), "be 1 or -1 for rows of one number")
		}
		pl.pairs = [][2][]float64{{{1, 0}, {pl.Cosine, sine}}}
		return nil
	}
	x, y := make([]float64, m), make([]float64, m)
	for i := range x {
		x[i] = 1 / math.Sqrt(float64(m))
		y[i] = float64(pl.Cosine * x[i])
		if other := sine / math.Sqrt(float64(m&^1)); i < m&^1 {
			y[i] += float64(other * float64(1-2*(i&1)))
		}
	}
	pl.pairs = [][2][]float64{{x, y}}
	return nil
}
