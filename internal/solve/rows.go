package solve

import (
	"strconv"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
)

// BlockRows is the number of rows of each block of a Source, except the last one. It is the same on
// every machine, since sums are rounded block by block.
const BlockRows = 512

// Blocks returns the number of blocks of so many rows.
func Blocks(rows int) int { return (rows + BlockRows - 1) / BlockRows }

// A Source gives the rows that a Solver passes over, any number of times. A row is a row of
// features, or an input row for a linear model without a map.
type Source interface {
	// Rows returns the number of rows.
	Rows() int
	// NComponents returns the length of a row.
	NComponents() int
	// Read returns the rows from … to−1. They are valid until the next Read.
	Read(from, to int) (Features, error)
	// Clone returns a Source of the same rows for another goroutine.
	Clone() Source
}

// Features are some rows. They are dense and row-major, or sparse if Dense is nil.
type Features struct {
	Dense  []float32
	Sparse sketch.CSR
}

// FeatureSource returns the Source of features that are in memory, row-major and nComponents to a
// row. The error is a *sketch.Error with code ErrShape for a wrong length, or ErrNonFinite, which
// names the row.
func FeatureSource(Z []float32, nComponents int) (Source, error) {
	if nComponents < 1 || len(Z)%nComponents != 0 {
		return nil, sketch.ErrShape.New("Z", strconv.Itoa(len(Z)),
			"hold a multiple of nComponents = "+strconv.Itoa(nComponents)+" values")
	}
	for i, v := range Z {
		if v-v != 0 {
			return nil, NotFinite("Z", i/nComponents, i%nComponents, float64(v))
		}
	}
	return &denseSource{Z, nComponents}, nil
}

type denseSource struct {
	Z     []float32
	width int
}

func (s *denseSource) Rows() int        { return len(s.Z) / s.width }
func (s *denseSource) NComponents() int { return s.width }
func (s *denseSource) Clone() Source    { return s }

func (s *denseSource) Read(from, to int) (Features, error) {
	return Features{Dense: s.Z[from*s.width : to*s.width]}, nil
}

// SparseSource returns the Source of sparse rows of d columns, for a linear model of them. The error
// is a *sketch.Error with code ErrShape for malformed rows, or ErrNonFinite. Both name the row.
func SparseSource(X sketch.CSR, d int) (Source, error) {
	if err := CheckSparse(X, d); err != nil {
		return nil, err
	}
	return &sparseSource{X, d}, nil
}

type sparseSource struct {
	X sketch.CSR
	d int
}

func (s *sparseSource) Rows() int        { return len(s.X.Indptr) - 1 }
func (s *sparseSource) NComponents() int { return s.d }
func (s *sparseSource) Clone() Source    { return s }

func (s *sparseSource) Read(from, to int) (Features, error) {
	return Features{Sparse: s.X.Slice(from, to)}, nil
}

// CheckSparse returns the error of sparse rows.
func CheckSparse(X sketch.CSR, d int) error {
	n := len(X.Indptr) - 1
	if n < 0 || X.Indptr[0] != 0 || len(X.Indices) != len(X.Data) || int(X.Indptr[n]) != len(X.Data) {
		return sketch.ErrShape.New("X.indptr", "",
			"begin with 0, hold one entry more than there are rows, and end with the number of stored values")
	}
	for row := range n {
		if X.Indptr[row+1] < X.Indptr[row] || int(X.Indptr[row+1]) > len(X.Data) {
			return RowError(sketch.ErrShape, "X.indptr", row, -1, "", "not decrease")
		}
	}
	last := make([]int32, d) // the row after the last one with each column
	for row := range n {
		for at := X.Indptr[row]; at < X.Indptr[row+1]; at++ {
			column, v := X.Indices[at], X.Data[at]
			if column < 0 || int(column) >= d {
				return RowError(sketch.ErrShape, "X", row, -1, strconv.Itoa(int(column)),
					"have columns from 0 to "+strconv.Itoa(d-1))
			}
			if last[column] == int32(row)+1 {
				return RowError(sketch.ErrShape, "X", row, int(column), "", "be stored once")
			}
			last[column] = int32(row) + 1
			if v-v != 0 {
				return NotFinite("X", row, int(column), float64(v))
			}
		}
	}
	return nil
}

// MapSource returns the Source of the features of rows, which it computes anew in every pass. It
// needs the memory of one block of features, where FeatureSource needs all. The map must not be
// used otherwise meanwhile. Rows are checked when they are read.
func MapSource(m *sketch.FeatureMap, X sketch.Rows) (Source, error) {
	s := &mapSource{m: m, d: m.NFeatures()}
	switch X := X.(type) {
	case sketch.Dense:
		if len(X)%s.d != 0 {
			return nil, sketch.ErrShape.New("X", strconv.Itoa(len(X)),
				"hold a multiple of nFeatures = "+strconv.Itoa(s.d)+" values")
		}
		s.dense, s.rows = X, len(X)/s.d
	case sketch.CSR:
		if err := CheckSparse(X, s.d); err != nil {
			return nil, err
		}
		s.sparse, s.rows = X, len(X.Indptr)-1
	}
	return s, nil
}

type mapSource struct {
	m        *sketch.FeatureMap
	d, rows  int
	dense    sketch.Dense
	sparse   sketch.CSR
	features []float32
}

func (s *mapSource) Rows() int        { return s.rows }
func (s *mapSource) NComponents() int { return s.m.NComponents() }

func (s *mapSource) Clone() Source {
	clone := *s
	clone.m, clone.features = s.m.Clone(), nil
	return &clone
}

func (s *mapSource) Read(from, to int) (Features, error) {
	n := (to - from) * s.m.NComponents()
	if len(s.features) < n {
		s.features = make([]float32, n)
	}
	var X sketch.Rows
	if s.dense != nil {
		X = s.dense[from*s.d : to*s.d]
	} else {
		X = s.sparse.Slice(from, to)
	}
	Z, err := s.m.TransformRows(s.features[:n], X)
	if e, ok := err.(*sketch.Error); ok && e.Row >= 0 {
		e.Row, e.RowsDone = e.Row+from, -1
	}
	return Features{Dense: Z}, err
}

// NotFiniteRow is the error of a row of X, of d columns, that is not finite.
func NotFiniteRow(X sketch.Rows, row, d int) error {
	switch X := X.(type) {
	case sketch.Dense:
		for j, v := range X[row*d : (row+1)*d] {
			if v-v != 0 {
				return NotFinite("X", row, j, float64(v))
			}
		}
	case sketch.CSR:
		for i := X.Indptr[row]; i < X.Indptr[row+1]; i++ {
			if v := X.Data[i]; v-v != 0 {
				return NotFinite("X", row, int(X.Indices[i]), float64(v))
			}
		}
	}
	return RowError(sketch.ErrNonFinite, "X", row, -1, "", "be finite when it is prepared: scale it down")
}

// NotFinite is the error of a number that is NaN or infinite.
func NotFinite(argument string, row, column int, value float64) error {
	return RowError(sketch.ErrNonFinite, argument, row, column, portable.FormatNumber(value),
		"be finite: remove or replace NaN and infinite values")
}
