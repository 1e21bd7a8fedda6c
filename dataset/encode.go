package dataset

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/dataset/plan"
	"tensorsketch.example/sketch"
)

// An Encoder writes rows of features, each behind its cells: its place in its file if RowNumbers asks for it, the
// label if there is one, and the kept columns. It appends to slices, so the caller decides where the bytes go and
// when. Call AppendHeader first, then AppendRow for each row of a block, AppendBlock after each block, and
// AppendFooter at the end. FinalHeader replaces the first header. After any block, the final header, the blocks so
// far and the footer are a valid file.
type Encoder struct {
	encoding
	columnar    Writer   // of Parquet and Arrow
	names       []string // of the cells
	keys        [][]byte // of JSON Lines, quoted, with colon
	nComponents int
	rowNumbers  bool
	numbered    [][]byte // the cells of a row behind its place
	rows        int64
}

// An encoding is how a format is written that has no Codec. It is empty for the others.
type encoding struct {
	maxCells int
	tooMany  string                              // the error of more cells; empty where any number will do
	header   func(e *Encoder, dst []byte) []byte // appends what comes before the first row; nil: nothing
	counted  func(e *Encoder, rows int64) []byte // a header, always as long, that says how many rows there are; nil: none
	row      func(e *Encoder, dst []byte, cells [][]byte, features []float32) ([]byte, error)
}

// EncoderOptions are what an Encoder need not have.
type EncoderOptions struct {
	// RowNumbers writes a column "row" before all others: the line or number, from 1, that
	// a row has in the file it is from. Rows are then added by AppendRowAt.
	RowNumbers bool
	// State of another Encoder with the same arguments: this one goes on behind the block
	// where that one was.
	State []byte
}

// rowColumn is the name of the column of places.
const rowColumn = "row"

// NewEncoder returns an Encoder of CSV, JSONLines, LIBSVM, NPY, Parquet or Arrow. The
// names are those of the cells before the features. LIBSVM takes the label alone, and
// NPY no cells; an error says what else would do.
func NewEncoder(format Format, names []string, nComponents int) (*Encoder, error) {
	return NewEncoderWith(format, names, nComponents, EncoderOptions{})
}

// NewEncoderWith is NewEncoder with options. With RowNumbers, CSV and JSONLines take 0
// components: such a file has the cells that go with a .npy.
func NewEncoderWith(format Format, names []string, nComponents int, o EncoderOptions) (*Encoder, error) {
	f := plan.FormatOf(format.String())
	if f == nil || !f.Written {
		return nil, errors.New("dataset: format must be one of " + strings.Join(plan.FormatNames(true), ", ") + ", got " +
			format.String())
	}
	e := &Encoder{encoding: format.of().encoding, names: names, nComponents: nComponents, rowNumbers: o.RowNumbers}
	switch {
	case o.RowNumbers && !f.Cells:
		return nil, errors.New("dataset: " + format.String() + " has no place for the number of a row; " +
			"write them beside it, as CSV or JSON Lines with row numbers and nComponents 0")
	case e.tooMany != "" && len(names) > e.maxCells:
		return nil, errors.New(e.tooMany)
	case f.Lines && nComponents == 0 && o.RowNumbers: // cells alone
	case nComponents < 1 || nComponents > sketch.MaxComponents: // a header names each
		return nil, errors.New("dataset: nComponents must be from 1 to " + strconv.Itoa(sketch.MaxComponents) +
			", got " + strconv.Itoa(nComponents))
	}
	if o.RowNumbers {
		e.names = uniqueNames(append([]string{rowColumn}, names...))
	}
	if f.Columnar {
		codec, err := codecOf(format)
		if err != nil {
			return nil, err
		}
		e.columnar, err = codec.NewWriter(e.uniqueNames(), nComponents, o.State)
		return e, err
	}
	return e, nil
}

// uniqueNames returns the names of the cells, and of the features.
func (e *Encoder) uniqueNames() []string {
	return uniqueNames(append(slices.Clone(e.names), "features"))
}

// AppendHeader appends what comes before the first row. That of .npy says that there
// are no rows: the caller replaces it by FinalHeader when all are written.
func (e *Encoder) AppendHeader(dst []byte) []byte {
	switch {
	case e.columnar != nil:
		return e.columnar.AppendHeader(dst)
	case e.header != nil:
		return e.header(e, dst)
	}
	return append(dst, e.FinalHeader(0)...)
}

// FinalHeader returns the header of .npy for a number of rows, always as long; it is
// empty for the other formats.
func (e *Encoder) FinalHeader(rows int64) []byte {
	if e.counted == nil {
		return nil
	}
	return e.counted(e, rows)
}

// AppendBlock ends a block. Parquet and Arrow have the rows only now, as a row group or
// record batch; a block should have some megabytes.
func (e *Encoder) AppendBlock(dst []byte) []byte {
	if e.columnar != nil {
		return e.columnar.AppendBlock(dst)
	}
	return dst
}

// AppendFooter appends what comes after the last block. Further blocks go in its place.
func (e *Encoder) AppendFooter(dst []byte) []byte {
	if e.columnar != nil {
		return e.columnar.AppendFooter(dst)
	}
	return dst
}

// State is what the blocks so far have to be remembered by, a few bytes for each: a
// footer lists them. It is empty for formats without one.
func (e *Encoder) State() []byte {
	if e.columnar != nil {
		return e.columnar.State()
	}
	return nil
}

// AppendRow appends a row: numbers in the fewest digits that read as the same
// float32, in .npy as they are; Parquet and Arrow collect it. It panics if there are not as many cells as names, or
// not nComponents features. The error is a label that LIBSVM cannot hold.
func (e *Encoder) AppendRow(dst []byte, cells [][]byte, features []float32) ([]byte, error) {
	if len(cells) != len(e.names) || len(features) != e.nComponents {
		panic("dataset: a row of " + strconv.Itoa(len(cells)) + " cells and " + strconv.Itoa(len(features)) +
			" features does not fit the Encoder")
	}
	e.rows++
	if e.columnar != nil {
		e.columnar.AddRow(cells, features)
		return dst, nil
	}
	return e.row(e, dst, cells, features)
}

// AppendRowAt is AppendRow for an Encoder with RowNumbers: place is what Batch.Places says
// of the row.
func (e *Encoder) AppendRowAt(dst []byte, place int64, cells [][]byte, features []float32) ([]byte, error) {
	if !e.rowNumbers {
		panic("dataset: the Encoder writes no row numbers; make it with EncoderOptions.RowNumbers")
	}
	if e.numbered == nil {
		e.numbered = make([][]byte, 1)
	}
	e.numbered[0] = strconv.AppendInt(e.numbered[0][:0], place, 10)
	e.numbered = append(e.numbered[:1], cells...)
	return e.AppendRow(dst, e.numbered, features)
}

func appendFloat32(dst []byte, x float32) []byte {
	return strconv.AppendFloat(dst, float64(x), 'g', -1, 32)
}

// uniqueNames appends " (2)" and so on to names that occurred before.
func uniqueNames(names []string) []string {
	seen := map[string]bool{}
	for _, name := range names {
		seen[name] = true
	}
	used := map[string]bool{}
	for i, name := range names {
		for n := 2; used[names[i]]; n++ {
			if next := name + " (" + strconv.Itoa(n) + ")"; !seen[next] {
				names[i] = next
			}
		}
		used[names[i]] = true
	}
	return names
}
