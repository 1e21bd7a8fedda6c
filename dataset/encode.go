package dataset

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tensorsketch.example/dataset/plan"
	"tensorsketch.example/sketch"
)

// An Encoder writes rows of features, each behind its cells: its place in its file if RowNumbers asks for it, the
// label if there is one, and the kept columns. It appends to slices, so the caller decides where the bytes go and
// when. Call AppendHeader first, then AppendRow for each row of a block, AppendBlock after each block, and
// AppendFooter at the end. FinalHeader replaces the first header. After any block, the final header, the blocks so
// far and the footer are a valid file.
type Encoder struct {
	format      Format
	columnar    Writer   // of Parquet and Arrow
	names       []string // of the cells
	keys        [][]byte // of JSON Lines, quoted, with colon
	nComponents int
	rowNumbers  bool
	numbered    [][]byte // the cells of a row behind its place
	rows        int64
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

// npyHeaderSize leaves room for any number of rows and columns.
const npyHeaderSize = 128

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
	isText := format == CSV || format == JSONLines
	switch {
	case f == nil || !f.Written:
		return nil, errors.New("dataset: format must be one of " + strings.Join(plan.FormatNames(true), ", ") + ", got " +
			format.String())
	case o.RowNumbers && !f.Cells:
		return nil, errors.New("dataset: " + format.String() + " has no place for the number of a row; " +
			"write them beside it, as CSV or JSON Lines with row numbers and nComponents 0")
	case format == NPY && len(names) > 0:
		return nil, errors.New("dataset: .npy holds numbers alone; write labels and kept columns beside it, " +
			"as CSV or JSON Lines with row numbers and nComponents 0")
	case format == LIBSVM && len(names) > 1:
		return nil, errors.New("dataset: LIBSVM holds one label and no kept columns; save these as CSV or JSON Lines")
	case isText && nComponents == 0 && o.RowNumbers: // cells alone
	case nComponents < 1 || nComponents > sketch.MaxComponents: // a header names each
		return nil, errors.New("dataset: nComponents must be from 1 to " + strconv.Itoa(sketch.MaxComponents) +
			", got " + strconv.Itoa(nComponents))
	}
	if o.RowNumbers {
		names = uniqueNames(append([]string{rowColumn}, names...))
	}
	state := o.State
	e := &Encoder{format: format, names: names, nComponents: nComponents, rowNumbers: o.RowNumbers}
	if format.isColumnar() {
		codec, err := codecOf(format)
		if err != nil {
			return nil, err
		}
		unique := uniqueNames(append(slices.Clone(names), "features"))
		e.columnar, err = codec.NewWriter(unique, nComponents, state)
		return e, err
	}
	if format == JSONLines {
		for _, name := range uniqueNames(append(slices.Clone(names), "features")) {
			e.keys = append(e.keys, append(appendQuoted(nil, []byte(name)), ':'))
		}
	}
	return e, nil
}

// AppendHeader appends what comes before the first row. That of .npy says that there
// are no rows: the caller replaces it by FinalHeader when all are written.
func (e *Encoder) AppendHeader(dst []byte) []byte {
	if e.columnar != nil {
		return e.columnar.AppendHeader(dst)
	}
	switch e.format {
	case NPY:
		return append(dst, e.FinalHeader(0)...)
	case CSV:
		for _, name := range e.names {
			dst = append(appendCell(dst, []byte(name)), ',')
		}
		for i := range e.nComponents {
			dst = append(strconv.AppendInt(append(dst, 'f'), int64(i), 10), ',')
		}
		dst[len(dst)-1] = '\n'
	}
	return dst
}

// FinalHeader returns the header of .npy for a number of rows, always as long; it is
// empty for the other formats.
func (e *Encoder) FinalHeader(rows int64) []byte {
	if e.format != NPY {
		return nil
	}
	shape := "(" + strconv.FormatInt(rows, 10) + ", " + strconv.Itoa(e.nComponents) + ")"
	header := npyMagic + "\x01\x00" + string([]byte{npyHeaderSize - 10, 0}) +
		"{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }"
	return []byte(header + strings.Repeat(" ", npyHeaderSize-1-len(header)) + "\n")
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
	switch e.format {
	case NPY:
		for _, x := range features {
			dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(x))
		}
		return dst, nil
	case JSONLines:
		return e.appendJSON(dst, cells, features), nil
	case LIBSVM:
		return e.appendLIBSVM(dst, cells, features)
	}
	for _, cell := range cells {
		dst = append(appendCell(dst, cell), ',')
	}
	for _, x := range features {
		dst = append(appendFloat32(dst, x), ',')
	}
	dst[len(dst)-1] = '\n'
	return dst, nil
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

func (e *Encoder) appendJSON(dst []byte, cells [][]byte, features []float32) []byte {
	dst = append(dst, '{')
	for i, cell := range cells {
		dst = append(dst, e.keys[i]...)
		if i == 0 && e.rowNumbers {
			dst = append(append(dst, cell...), ',')
		} else {
			dst = append(appendQuoted(dst, cell), ',')
		}
	}
	if e.nComponents == 0 {
		dst[len(dst)-1] = '}'
		return append(dst, '\n')
	}
	dst = append(append(dst, e.keys[len(cells)]...), '[')
	for _, x := range features {
		dst = append(appendFloat32(dst, x), ',')
	}
	dst[len(dst)-1] = ']'
	return append(dst, '}', '\n')
}

// appendLIBSVM counts from 1 and leaves zeros out.
func (e *Encoder) appendLIBSVM(dst []byte, cells [][]byte, features []float32) ([]byte, error) {
	label := []byte("0")
	if len(cells) > 0 {
		label = cells[0]
	}
	if _, reason := parseNumber(label, '.'); reason != "" {
		return dst, errors.New("dataset: row " + strconv.FormatInt(e.rows, 10) + ": the label " + quoted(label) +
			" is not a number, as LIBSVM needs; save as CSV or JSON Lines, or without the label")
	}
	dst = append(dst, label...)
	for i, x := range features {
		if x != 0 {
			dst = append(strconv.AppendInt(append(dst, ' '), int64(i)+1, 10), ':')
			dst = appendFloat32(dst, x)
		}
	}
	return append(dst, '\n'), nil
}

func appendFloat32(dst []byte, x float32) []byte {
	return strconv.AppendFloat(dst, float64(x), 'g', -1, 32)
}

// appendCell appends a cell of CSV, in quotes where it needs them.
func appendCell(dst, cell []byte) []byte {
	plain := len(cell) == 0 || cell[0] != ' ' && cell[len(cell)-1] != ' '
	for _, b := range cell {
		plain = plain && b != ',' && b != '"' && b != '\r' && b != '\n' && b != '\t'
	}
	if plain {
		return append(dst, cell...)
	}
	dst = append(dst, '"')
	for _, b := range cell {
		if b == '"' {
			dst = append(dst, '"')
		}
		dst = append(dst, b)
	}
	return append(dst, '"')
}

// appendQuoted appends a string of JSON.
func appendQuoted(dst, text []byte) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, '\\', 'n')
		case r < ' ':
			dst = append(dst, '\\', 'u', '0', '0', digits[r>>4], digits[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
		text = text[size:]
	}
	return append(dst, '"')
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
