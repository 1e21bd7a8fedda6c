package dataset

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch"
)

// An Encoder writes rows of features. The cells of a row come before its features: its place in the file if RowNumbers
// is set, the label if there is one, and the kept columns. It appends to slices, so the caller decides where and when
// the bytes go. Call AppendHeader first, then AppendRow for each row of a block, AppendBlock after each block, and
// AppendFooter at the end. FinalHeader replaces the first header. After any block, the final header, the blocks so
// far and the footer are a valid file.
type Encoder struct {
	encoding
	columnar    Writer   // of Parquet and Arrow
	names       []string // of the cells
	keys        [][]byte // of JSON Lines, quoted, with colon
	nComponents int
	rowNumbers  bool
	numbers     int      // of the last cells before texts
	texts       int      // of the last cells
	numbered    [][]byte // the place of a row, then its cells
	rows        int64
}

// An encoding writes a format that has no Codec. It is empty for other formats.
type encoding struct {
	maxCells int
	tooMany  string                              // the error for more cells; empty if any number is allowed
	header   func(e *Encoder, dst []byte) []byte // appends the bytes before the first row; nil: none
	counted  func(e *Encoder, rows int64) []byte // a header of fixed length with the number of rows; nil: none
	row      func(e *Encoder, dst []byte, cells [][]byte, features []float32) ([]byte, error)
}

// EncoderOptions are the optional settings of an Encoder.
type EncoderOptions struct {
	// RowNumbers writes a column "row" before all others: the line or number, from 1, of the row in its file. Rows
	// are then added by AppendRowAt.
	RowNumbers bool
	// CellsAlone allows 0 components for CSV and JSONLines without row numbers, and for Parquet and Arrow, too.
	CellsAlone bool
	// Numbers is how many of the last cells are numbers, which JSON Lines have without quotation marks, and Parquet and
	// Arrow as float64, with NaN for an empty cell.
	Numbers int
	// Texts is how many texts follow those numbers.
	Texts int
	// State is the State of another Encoder with the same arguments. The new Encoder continues after that Encoder's
	// last block.
	State []byte
}

// rowColumn is the name of the column of places.
const rowColumn = "row"

// NewEncoder returns an Encoder of CSV, JSONLines, LIBSVM, NPY, Parquet or Arrow. names are the names of the cells
// before the features. LIBSVM takes only the label, and NPY takes no cells. An error says what to use instead.
func NewEncoder(format Format, names []string, nComponents int) (*Encoder, error) {
	return NewEncoderWith(format, names, nComponents, EncoderOptions{})
}

// NewEncoderWith is NewEncoder with options. With RowNumbers or CellsAlone, CSV and JSONLines allow 0 components: such
// a file has the cells that belong to a .npy.
func NewEncoderWith(format Format, names []string, nComponents int, o EncoderOptions) (*Encoder, error) {
	f := columns.FormatOf(format.String())
	if f == nil || !f.Written {
		return nil, errors.New("dataset: format must be one of " + strings.Join(columns.FormatNames(true), ", ") + ", got " +
			columns.Quoted(string(format)))
	}
	e := &Encoder{encoding: format.of().encoding, names: names, nComponents: nComponents, rowNumbers: o.RowNumbers,
		numbers: o.Numbers, texts: o.Texts}
	switch {
	case o.RowNumbers && !f.Cells:
		return nil, errors.New("dataset: " + format.String() + " has no place for the number of a row; " +
			"write them beside it, as CSV or JSON Lines with row numbers and nComponents 0")
	case e.tooMany != "" && len(names) > e.maxCells:
		return nil, errors.New(e.tooMany)
	case f.Lines && f.Cells && nComponents == 0 && (o.RowNumbers || o.CellsAlone):
	case f.Columnar && nComponents == 0 && o.CellsAlone && len(names) > 0:
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
		after := len(e.names) - o.Texts
		e.columnar, err = codec.NewWriter(e.uniqueNames(), [2]int{after - o.Numbers, after}, nComponents, o.State)
		return e, err
	}
	return e, nil
}

// uniqueNames returns the names of the cells, and of the features.
func (e *Encoder) uniqueNames() []string {
	if e.nComponents == 0 {
		return uniqueNames(slices.Clone(e.names))
	}
	return uniqueNames(append(slices.Clone(e.names), "features"))
}

// AppendHeader appends the bytes before the first row. The header of .npy says that there are no rows: the caller
// replaces it by FinalHeader after writing all rows.
func (e *Encoder) AppendHeader(dst []byte) []byte {
	switch {
	case e.columnar != nil:
		return e.columnar.AppendHeader(dst)
	case e.header != nil:
		return e.header(e, dst)
	}
	return append(dst, e.FinalHeader(0)...)
}

// FinalHeader returns the header of .npy for a number of rows. Its length is fixed. It is empty for the other formats.
func (e *Encoder) FinalHeader(rows int64) []byte {
	if e.counted == nil {
		return nil
	}
	return e.counted(e, rows)
}

// AppendBlock ends a block. Parquet and Arrow append the rows only now, as a row group or record batch. A block should
// have some megabytes.
func (e *Encoder) AppendBlock(dst []byte) []byte {
	if e.columnar != nil {
		return e.columnar.AppendBlock(dst)
	}
	return dst
}

// AppendFooter appends the bytes after the last block. Further blocks overwrite the footer.
func (e *Encoder) AppendFooter(dst []byte) []byte {
	if e.columnar != nil {
		return e.columnar.AppendFooter(dst)
	}
	return dst
}

// State returns the record of the blocks so far that a footer needs: a few bytes for each block. It is empty for
// formats without a footer.
func (e *Encoder) State() []byte {
	if e.columnar != nil {
		return e.columnar.State()
	}
	return nil
}

// AppendRow appends a row. Numbers have the fewest digits that read as the same float32; .npy stores their bits.
// Parquet and Arrow collect the row until AppendBlock. AppendRow panics if there are not as many cells as names, or not
// nComponents features. It returns an error for a label that LIBSVM cannot hold.
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

// AppendRowAt is AppendRow for an Encoder with RowNumbers. place is the row's entry in Batch.Places.
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
	numbers := map[string]int{} // the last number that was tried after a name: those up to it are taken
	for i, name := range names {
		for used[names[i]] {
			numbers[name]++
			if next := name + " (" + strconv.Itoa(numbers[name]+1) + ")"; !seen[next] {
				names[i] = next
			}
		}
		used[names[i]] = true
	}
	return names
}
