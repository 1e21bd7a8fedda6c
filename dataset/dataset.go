// Package dataset reads tables from files and turns their rows into the vectors
// that a feature map takes.
//
// It has three parts. Sniff looks at the head of a file and returns its Layout: format, compression, columns, and the
// role of each column. Layout.Open streams the rows as a Source, block by block. A Preprocessing says how each column
// becomes coordinates. Its method Fit learns settings such as means from a first pass. Its JSON goes into a model file,
// and a Reader applies it to the rows of any Source.
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
// The same rows give the same bits on every platform, in any format, order and division into blocks. docs/formats.md
// describes the formats.
//
// Memory is bounded for files of any size. A Source holds a read buffer of 256 KB, or of twice the longest row of text
// if that is more (a row may have 8 MB). A Block and a Batch hold about 1 MB each, or one row if that is larger. zstd
// adds its window of at most 32 MB.
package dataset

import (
	"io"
	"math"
	"slices"
)

// Kind is the kind of value in the cells of a field.
type Kind uint8

// The kinds of field.
const (
	Numeric Kind = iota // a float64; NaN if the cell is missing
	Time                // seconds since 1970-01-01T00:00:00Z as a float64; NaN if missing
	Textual             // UTF-8; empty if missing
)

// A Field is one column of the rows that a Source returns.
type Field struct {
	Name string
	Kind Kind
}

// A Schema describes the rows of a Source. Each row has a cell for each field and, if Sparse, any number of entries
// (index, value) as well.
type Schema struct {
	Fields []Field
	Sparse bool
	File   string // named in problems
	Lines  bool   // the place of a row is its line in a text file; otherwise it is the row's number
	Dates  string // the order of day, month and year in dates, a value of Reading.Dates; ISO 8601 if empty

	decimal      byte // the decimal sign of numbers in texts; a point if it is 0
	datesInDoubt bool // Dates was guessed without a day above 12, so that a date of the other order ends the reading
}

// Count returns the number of fields that are not textual and the number that are.
func (s *Schema) Count() (numbers, texts int) {
	for i := range s.Fields {
		if s.Fields[i].Kind == Textual {
			texts++
		}
	}
	return len(s.Fields) - texts, texts
}

// A Source supplies rows. Every format of this package is a Source. A reader of another format, such as Parquet, can
// be one too: it fills blocks with Block's methods.
type Source interface {
	// Schema describes the rows; it does not change.
	Schema() *Schema
	// Next replaces the rows of b by the next ones, at least one. It returns io.EOF after the last row. It returns
	// a *Problem if the rest cannot be read or no row could be used.
	Next(b *Block) error
	// Unused lists the rows passed over so far. A caller that passes over a row for another reason adds it there.
	Unused() *Unused
}

// blockRows and blockBytes bound a block, which is full when it reaches either.
const (
	blockRows  = 4096
	blockBytes = 1 << 20
)

// A Block is a number of consecutive rows. The zero value is ready for use.
type Block struct {
	Places  []int64   // of each row, from 1: its line or, in a file without lines, its number
	Numbers []float64 // the cells of fields that are not textual, row after row

	texts []byte // the cells of textual fields, row after row
	ends  []int  // end of each cell in texts

	ptr     []int // the entries of row i are indices[ptr[i]:ptr[i+1]], and so values
	indices []int32
	values  []float64

	numbersPerRow, textsPerRow int

	problems map[int]*Problem // of rows that only hold their places
}

// Reset empties the block for rows of a schema.
func (b *Block) Reset(s *Schema) {
	b.numbersPerRow, b.textsPerRow = s.Count()
	b.Places, b.Numbers = b.Places[:0], b.Numbers[:0]
	b.texts, b.ends = b.texts[:0], b.ends[:0]
	b.ptr, b.indices, b.values = append(b.ptr[:0], 0), b.indices[:0], b.values[:0]
	clear(b.problems)
}

// AddNumber adds the next cell of a field that is not textual to the current row.
func (b *Block) AddNumber(x float64) { b.Numbers = append(b.Numbers, x) }

// AddText adds the next cell of a textual field to the current row.
func (b *Block) AddText(cell []byte) {
	b.texts = append(b.texts, cell...)
	b.ends = append(b.ends, len(b.texts))
}

// AddEntry adds a sparse entry to the current row. The indices of a row must increase.
func (b *Block) AddEntry(index int32, value float64) {
	b.indices = append(b.indices, index)
	b.values = append(b.values, value)
}

// EndRow ends the current row, which is at the given place of the file. It panics if cells are missing.
func (b *Block) EndRow(place int64) {
	b.Places = append(b.Places, place)
	b.ptr = append(b.ptr, len(b.indices))
	if n := len(b.Places); len(b.Numbers) != n*b.numbersPerRow || len(b.ends) != n*b.textsPerRow {
		panic("dataset: a row has another number of cells than the schema")
	}
}

// DropRow removes everything that was added since the last EndRow.
func (b *Block) DropRow() {
	n := len(b.Places)
	b.Numbers, b.ends = b.Numbers[:n*b.numbersPerRow], b.ends[:n*b.textsPerRow]
	b.texts = b.texts[:b.textStart(len(b.ends))]
	b.indices, b.values = b.indices[:b.ptr[n]], b.values[:b.ptr[n]]
}

// unusable is the place of a row that cannot be used; see Unused.Keep.
const unusable = 0

// AddUnusable adds a row that cannot be used. Unused.Keep asks for such rows.
func (b *Block) AddUnusable() { b.addUnusable(unusable) }

func (b *Block) addUnusable(place int64) {
	row := b.numberRow()
	for i := range row {
		row[i] = missing
	}
	for range b.textsPerRow {
		b.AddText(nil)
	}
	b.EndRow(place)
}

// holdPlace adds a row that only holds the place of one that cannot be used.
func (b *Block) holdPlace(p *Problem) {
	b.setProblem(b.Rows(), p)
	b.addUnusable(p.Line + p.Row)
}

func (b *Block) setProblem(row int, p *Problem) {
	if b.problems == nil {
		b.problems = map[int]*Problem{}
	}
	b.problems[row] = p
}

// Rows returns the number of rows.
func (b *Block) Rows() int { return len(b.Places) }

// Full reports whether the block is large enough to be returned.
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

// numberRow adds a row of numbers and returns it. The caller must set all of them, missing ones to NaN.
func (b *Block) numberRow() []float64 {
	n := len(b.Numbers)
	b.Numbers = slices.Grow(b.Numbers, b.numbersPerRow)[:n+b.numbersPerRow]
	return b.Numbers[n:]
}

// A RowReader adds the next row to a block. It may list a problem instead of adding a row. An error ends the reading.
type RowReader interface {
	Row(b *Block, unused *Unused) error
}

// NewSource makes a Source of a RowReader. A file without a usable row ends like any other, with io.EOF.
func NewSource(s Schema, rows RowReader) Source { return &stream{schema: s, rows: rows, used: true} }

// stream makes a Source of a RowReader.
type stream struct {
	schema Schema
	rows   RowReader
	unused Unused
	used   bool

	rowsBefore int64 // rows returned in earlier blocks
	err        error // ends the stream
}

func (s *stream) Schema() *Schema { return &s.schema }
func (s *stream) Unused() *Unused { return &s.unused }

func (s *stream) Next(b *Block) error {
	b.Reset(&s.schema)
	for s.err == nil && !b.Full() {
		unused := s.unused.Total
		s.err = s.rows.Row(b, &s.unused)
		if s.err == io.EOF && s.schema.Lines && s.unused.Keep && s.rowsBefore+int64(b.Rows()) == s.unused.Rows-1 {
			s.unused.Add(newProblem(s.schema.File, "the last line holds no row", "write one"))
		}
		switch {
		case s.unused.Total == unused:
		case s.unused.Keep:
			b.AddUnusable()
		case s.unused.HoldPlaces:
			b.holdPlace(s.unused.last)
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

// FirstRows returns the first rows of a source: its first blocks that together hold at least n rows.
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
