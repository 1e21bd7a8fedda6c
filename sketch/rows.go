package sketch

import (
	"slices"
	"strconv"

	"tensorsketch.example/internal/engine/order"
	"tensorsketch.example/internal/portable"
)

// Rows are n rows of d float32 numbers: Dense or CSR.
type Rows interface {
	// count returns the number of rows after checking the shape for d columns.
	count(d int) (int, error)
	// fill makes s the source of these rows.
	fill(s *source)
}

// Dense is n rows of d numbers, row-major.
type Dense []float32

// CSR is n sparse rows. The columns of row r are Indices[Indptr[r]:Indptr[r+1]], each at most once
// and in any order, and Data holds their values. Absent columns are 0; explicit zeros change
// nothing.
type CSR struct {
	Indptr, Indices []int32
	Data            []float32
}

// Slice returns the rows from … to−1; X must be valid.
func (X CSR) Slice(from, to int) CSR {
	begin, end := X.Indptr[from], X.Indptr[to]
	indptr := slices.Clone(X.Indptr[from : to+1])
	for r := range indptr {
		indptr[r] -= begin
	}
	return CSR{Indptr: indptr, Indices: X.Indices[begin:end], Data: X.Data[begin:end]}
}

func (X Dense) count(d int) (int, error) {
	if len(X)%d != 0 {
		return 0, shapeError("X", strconv.Itoa(len(X)), "hold a multiple of nFeatures = "+strconv.Itoa(d)+" values")
	}
	return len(X) / d, nil
}

func (X Dense) fill(s *source) { s.dense, s.csr, s.sparse = X, CSR{}, false }

// count checks Indptr and the lengths. The range, order and duplicates of columns are checked when
// a row is read.
func (X CSR) count(d int) (int, error) {
	if len(X.Indptr) == 0 || X.Indptr[0] != 0 {
		return 0, shapeError("X.indptr", "", "begin with 0 and hold one entry more than there are rows")
	}
	if len(X.Indices) != len(X.Data) {
		return 0, shapeError("X.indices", strconv.Itoa(len(X.Indices)), "be as long as X.data, "+strconv.Itoa(len(X.Data)))
	}
	n := len(X.Indptr) - 1
	for r := range n {
		if X.Indptr[r+1] < X.Indptr[r] {
			e := ErrShape.New("X.indptr", "", "not decrease")
			e.Row, e.RowsDone = r, 0
			return 0, e
		}
	}
	if int(X.Indptr[n]) != len(X.Indices) {
		return 0, shapeError("X.indptr", strconv.Itoa(int(X.Indptr[n])),
			"end with the number of stored values, "+strconv.Itoa(len(X.Indices)))
	}
	return n, nil
}

func (X CSR) fill(s *source) { s.dense, s.csr, s.sparse = nil, X, true }

// maxLanes is the maximum number of rows that an engine computes side by side.
const maxLanes = 16

// A source is the Rows of one degree without the interface, for the hot loops.
type source struct {
	dense  []float32
	csr    CSR
	sparse bool
	// The sparse rows of the current block, sorted by column.
	block [maxLanes]sparseRow
}

type sparseRow struct {
	indices []int32
	data    []float32
}

// load checks row r of d columns. If it is sparse, load puts it sorted into a lane; the sorter must
// not be nil then.
func (s *source) load(r, lane, d int, sorter *sorter) error {
	if !s.sparse {
		if column, value := firstNonFinite(s.dense[r*d : (r+1)*d]); column >= 0 {
			return nonFiniteError(r, column, value)
		}
		return nil
	}
	if err := s.loadSparseRow(r, lane, d, sorter); err != nil {
		return err
	}
	sorted := s.block[lane]
	if i, value := firstNonFinite(sorted.data); i >= 0 {
		return nonFiniteError(r, int(sorted.indices[i]), value)
	}
	return nil
}

//go:noinline
func nonFiniteError(row, column int, value float32) *Error {
	return rowError(ErrNonFinite, row, column, portable.FormatNumber(float64(value)),
		"be finite: remove or replace NaN and infinite values")
}

// firstNonFinite returns the index and value of the first NaN or infinity, or −1.
func firstNonFinite(values []float32) (column int, value float32) {
	if finiteRow(values) {
		return -1, 0
	}
	for i, v := range values {
		if v-v != 0 {
			return i, v
		}
	}
	return -1, 0
}

func (s *source) loadSparseRow(r, lane, d int, sorter *sorter) error {
	from, to := s.csr.Indptr[r], s.csr.Indptr[r+1]
	indices, data := s.csr.Indices[from:to], s.csr.Data[from:to]
	if !ascending(indices, d) {
		indices, data = sorter.sort(indices, data)
		if err := checkColumns(indices, r, d); err != nil {
			return err
		}
	}
	s.block[lane] = sparseRow{indices, data}
	return nil
}

// ascending reports whether the columns of a row are sorted, distinct and below d.
func ascending(indices []int32, d int) bool {
	last := int32(-1)
	for _, column := range indices {
		if column <= last {
			return false
		}
		last = column
	}
	return int(last) < d
}

// checkColumns returns an error if the sorted columns of row r are out of range or repeat.
func checkColumns(indices []int32, r, d int) error {
	for i, column := range indices {
		if column < 0 || int(column) >= d {
			value := ""
			if column < 0 {
				value, column = strconv.Itoa(int(column)), -1 // a negative column cannot be reported as a column
			}
			return rowError(ErrShape, r, int(column), value, "have columns from 0 to nFeatures − 1 = "+strconv.Itoa(d-1))
		}
		if i > 0 && column == indices[i-1] {
			return rowError(ErrShape, r, int(column), "two values", "hold each column once: add the values up")
		}
	}
	return nil
}

// A sorter sorts a row by column, so that its sums run in the order of the dense row. Its memory is
// reused from row to row.
type sorter struct {
	order, indices []int32
	data           []float32
}

func (s *sorter) sort(indices []int32, data []float32) ([]int32, []float32) {
	s.order, s.indices, s.data = s.order[:0], s.indices[:0], s.data[:0]
	for i := range indices {
		s.order = append(s.order, int32(i))
	}
	order.Func(s.order, func(a, b int32) int { return int(indices[a]) - int(indices[b]) })
	for _, from := range s.order {
		s.indices, s.data = append(s.indices, indices[from]), append(s.data, data[from])
	}
	return s.indices, s.data
}

// squaredNorm returns ‖x‖² of a row; a sparse row must be loaded in that lane.
func (s *source) squaredNorm(row, lane, d int) float64 {
	if s.sparse {
		return squaredNorm(s.block[lane].data)
	}
	return squaredNorm(s.dense[row*d : (row+1)*d])
}

func squaredNorm(values []float32) float64 {
	var sum float64
	for _, v := range values {
		sum += float64(float64(v) * float64(v))
	}
	return sum
}
