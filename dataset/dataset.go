// Package dataset reads tables from files and turns their rows into the vectors
// that a feature map takes.
//
// It has three parts. Sniff looks at the head of a file and returns its Layout:
// format, compression, columns, and what to use each for. Layout.Open streams the
// rows as a Source, block by block. A Preprocessing says how each column becomes
// coordinates; Fit learns what it has to from a first pass, its JSON goes into a
// model file, and a Reader applies it to the rows of any Source.
//
//	layout, err := dataset.Sniff("iris.csv", head, whole, dataset.Reading{})
//	p := dataset.NewPreprocessing(layout)
//	p.SetScaling(dataset.Standard)
//	source, err := layout.Open(file)
//	counts, err := p.Fit(source)          // the first pass
//	source, err = layout.Open(fileAgain)
//	rows, err := dataset.NewReader(source, p)
//	for err == nil { err = rows.Next(&batch) }
//
// The same rows give the same bits whatever the format, the order and the blocks
// they come in, and on every platform. docs/formats.md describes the formats.
//
// Memory is bounded whatever the size of a file: a Source holds a read buffer of
// 256 KB, or of twice the longest row of text if that is more (8 MB is the longest);
// a Block and a Batch hold about 1 MB each, or one row if that is larger; zstd adds
// its window, 32 MB at most.
package dataset

import (
	"io"
	"math"
	"slices"
)

// Kind is what the cells of a field are.
type Kind uint8

// The kinds of field.
const (
	Numeric Kind = iota // a float64; NaN where the cell is missing
	Time                // seconds since 1970-01-01T00:00:00Z as a float64; NaN where missing
	Textual             // UTF-8; empty where missing
)

// A Field is one column of the rows that a Source hands out.
type Field struct {
	Name string
	Kind Kind
}

// A Schema says what each row of a Source holds: a cell for each field and, if
// Sparse, any number of entries (index, value) besides.
type Schema struct {
	Fields []Field
	Sparse bool
	File   string // named in problems
	Lines  bool   // rows are counted by the lines of a text file, else by themselves
	Dates  string // what the texts of dates begin with, a value of Reading.Dates; ISO 8601 where empty
}

// Count returns how many fields are textual and how many are not.
func (s *Schema) Count() (numbers, texts int) {
	for i := range s.Fields {
		if s.Fields[i].Kind == Textual {
			texts++
		}
	}
	return len(s.Fields) - texts, texts
}

// A Source is rows from anywhere. The formats of this package are Sources; so may
// be readers of others, as of Parquet, which fill blocks with Block's methods.
type Source interface {
	// Schema describes the rows; it does not change.
	Schema() *Schema
	// Next replaces the rows of b by the next ones, one at least. It returns
	// io.EOF after the last, and a *Problem where the rest cannot be read or no
	// row could be used.
	Next(b *Block) error
	// Unused lists the rows passed over so far. Whoever passes over a row for
	// another reason adds it there.
	Unused() *Unused
}

// blockRows and blockBytes bound a block: it is full when either is reached.
const (
	blockRows  = 4096
	blockBytes = 1 << 20
)

// A Block is a number of consecutive rows. The zero value is ready for use.
type Block struct {
	Places  []int64   // of each row: its line or, where a file has none, its number, from 1
	Numbers []float64 // the cells of fields that are not textual, row after row

	texts []byte // the cells of textual fields, row after row
	ends  []int  // where each ends

	ptr     []int // the entries of row i are indices[ptr[i]:ptr[i+1]], and so values
	indices []int32
	values  []float64

	numbersPerRow, textsPerRow int
}

// Reset empties the block for rows of a schema.
func (b *Block) Reset(s *Schema) {
	b.numbersPerRow, b.textsPerRow = s.Count()
	b.Places, b.Numbers = b.Places[:0], b.Numbers[:0]
	b.texts, b.ends = b.texts[:0], b.ends[:0]
	b.ptr, b.indices, b.values = append(b.ptr[:0], 0), b.indices[:0], b.values[:0]
}

// AddNumber adds the next cell of a field that is not textual to the current row.
func (b *Block) AddNumber(x float64) { b.Numbers = append(b.Numbers, x) }

// AddText adds the next cell of a textual field to the current row.
func (b *Block) AddText(cell []byte) {
	b.texts = append(b.texts, cell...)
	b.ends = append(b.ends, len(b.texts))
}

// AddEntry adds a sparse entry to the current row. EndRow wants indices to increase.
func (b *Block) AddEntry(index int32, value float64) {
	b.indices = append(b.indices, index)
	b.values = append(b.values, value)
}

// EndRow ends a row that stands at a place. It panics if cells are missing.
func (b *Block) EndRow(place int64) {
	b.Places = append(b.Places, place)
	b.ptr = append(b.ptr, len(b.indices))
	if n := len(b.Places); len(b.Numbers) != n*b.numbersPerRow || len(b.ends) != n*b.textsPerRow {
		panic("dataset: a row has another number of cells than the schema")
	}
}

// DropRow takes back what was added since the last EndRow.
func (b *Block) DropRow() {
	n := len(b.Places)
	b.Numbers, b.ends = b.Numbers[:n*b.numbersPerRow], b.ends[:n*b.textsPerRow]
	b.texts = b.texts[:b.textStart(len(b.ends))]
	b.indices, b.values = b.indices[:b.ptr[n]], b.values[:b.ptr[n]]
}

// unusable is the place of a row that cannot be used, see Unused.Keep.
const unusable = 0

// AddUnusable adds a row that cannot be used, where Unused.Keep wants that.
func (b *Block) AddUnusable() {
	row := b.numberRow()
	for i := range row {
		row[i] = missing
	}
	for range b.textsPerRow {
		b.AddText(nil)
	}
	b.EndRow(unusable)
}

// Rows returns the number of rows.
func (b *Block) Rows() int { return len(b.Places) }

// Full tells whether the block is large enough to be handed on.
func (b *Block) Full() bool {
	return len(b.Places) >= blockRows || 8*len(b.Numbers)+len(b.texts)+8*len(b.ends)+12*len(b.indices) >= blockBytes
}

// Text returns cell k of the textual fields of a row, valid until the next Reset.
func (b *Block) Text(row, k int) []byte {
	i := row*b.textsPerRow + k
	return b.texts[b.textStart(i):b.ends[i]]
}

// Entries returns the sparse entries of a row.
func (b *Block) Entries(row int) (indices []int32, values []float64) {
	from, to := b.ptr[row], b.ptr[row+1]
	return b.indices[from:to], b.values[from:to]
}

func (b *Block) textStart(i int) int {
	if i == 0 {
		return 0
	}
	return b.ends[i-1]
}

// numberRow adds a row of numbers to be filled, NaN where it is not.
func (b *Block) numberRow() []float64 {
	n := len(b.Numbers)
	b.Numbers = slices.Grow(b.Numbers, b.numbersPerRow)[:n+b.numbersPerRow]
	return b.Numbers[n:]
}

// rowReader is what a format has to know: how to add its next row to a block. It
// may add none and list a problem instead. Its error ends the reading.
type rowReader interface {
	row(b *Block, unused *Unused) error
}

// stream makes a Source of a rowReader.
type stream struct {
	schema Schema
	rows   rowReader
	unused Unused
	used   bool

	rowsBefore int64 // handed on
	err        error // that ends the stream
}

func (s *stream) Schema() *Schema { return &s.schema }
func (s *stream) Unused() *Unused { return &s.unused }

func (s *stream) Next(b *Block) error {
	b.Reset(&s.schema)
	for s.err == nil && !b.Full() {
		unused := s.unused.Total
		s.err = s.rows.row(b, &s.unused)
		if s.err == io.EOF && s.schema.Lines && s.unused.Keep && s.rowsBefore+int64(b.Rows()) == s.unused.Rows-1 {
			s.unused.Add(newProblem(s.schema.File, "the last line holds no row", "write one"))
		}
		if s.unused.Keep && s.unused.Total > unused {
			b.AddUnusable()
		}
	}
	s.rowsBefore += int64(b.Rows())
	if b.Rows() > 0 {
		s.used = true
		return nil
	}
	if s.err == io.EOF && !s.used {
		s.err = s.unused.all(s.schema.File)
	}
	return s.err
}

// FirstRows returns the first rows of a source: its blocks until they hold n rows or more.
func FirstRows(s Source, n int64) Source { return &firstRows{s, n} }

type firstRows struct {
	Source
	left int64
}

func (h *firstRows) Next(b *Block) error {
	if h.left <= 0 {
		return io.EOF
	}
	err := h.Source.Next(b)
	if err == nil {
		h.left -= int64(b.Rows())
	}
	return err
}

func isFinite(x float64) bool { return x-x == 0 }

var missing = math.NaN()
