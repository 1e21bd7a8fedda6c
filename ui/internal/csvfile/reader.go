package csvfile

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"
)

// listed is how many unusable rows are listed; all are counted.
const listed = 20

// longestRow bounds the bytes of a row, so that a quote that is never closed
// does not swallow the file.
const longestRow = 8 << 20

// Unused are the rows that cannot be used.
type Unused struct {
	Total int
	First []*Problem // the first 20
}

// A Row of the file, cut into roles. The slices are valid until the next call
// of Next.
type Row struct {
	Line     int // of the file, from 1; 0 where the rows are of none
	Features []float32
	Label    string
	Kept     []string
}

// A Reader streams the rows of a file.
type Reader struct {
	layout   *Layout
	input    *boundedReader
	csv      *csv.Reader
	features []int
	kept     []int
	label    int
	header   bool // the header is still to be read
	row      Row
	used     int
	unused   Unused
}

// NewReader returns a reader of the rows of r, laid out as l says.
func NewReader(r io.Reader, l *Layout) *Reader {
	input := &boundedReader{r: skipByteOrderMark(r)}
	reader := &Reader{layout: l, input: input, csv: l.csvReader(input), header: l.Header,
		features: l.Indexes(Feature), kept: l.Indexes(Keep), label: l.Label()}
	reader.csv.ReuseRecord = true
	reader.row.Features = make([]float32, len(reader.features))
	reader.row.Kept = make([]string, len(reader.kept))
	return reader
}

// Unused returns the rows passed over so far.
func (r *Reader) Unused() Unused { return r.unused }

// Next returns the next row that can be used. It returns io.EOF after the last
// one, a *Problem where the rest of the file cannot be read or no row could be
// used, and the errors of the underlying reader.
func (r *Reader) Next() (*Row, error) {
	for {
		cells, err := r.nextRecord()
		switch {
		case err == io.EOF && r.used == 0:
			return nil, r.nothingUsable()
		case err != nil:
			return nil, err
		case cells == nil:
		case r.header:
			r.header = false
		case r.fill(cells):
			r.used++
			return &r.row, nil
		}
	}
}

// nextRecord returns the cells of the next row, or nil for a row that is
// malformed and now listed.
func (r *Reader) nextRecord() ([]string, error) {
	r.input.rest = longestRow
	cells, err := r.csv.Read()
	var malformed *csv.ParseError
	isMalformed := errors.As(err, &malformed)
	switch {
	case r.input.cut:
		problem := &Problem{File: r.layout.Name, What: "the row runs on for more than 8 MB, as after a quote that is never closed", Remedy: "close the quote or write it twice"}
		if isMalformed {
			problem.Line = malformed.StartLine
		} else {
			problem.Line, _ = r.csv.FieldPos(0)
		}
		return nil, problem
	case isMalformed:
		return nil, r.malformed(malformed)
	}
	return cells, err
}

// malformed lists a row with a misplaced quote. Where the quote is never
// closed, nothing is left to read.
func (r *Reader) malformed(err *csv.ParseError) error {
	problem := &Problem{File: r.layout.Name, Line: err.Line, Place: "character " + strconv.Itoa(err.Column),
		What: "a quote stands inside a cell that does not begin with one", Remedy: "write it twice and put the cell in quotes"}
	if err.Err == csv.ErrQuote {
		if r.input.ended {
			return &Problem{File: r.layout.Name, Line: err.StartLine, What: "a quote opens in this row and is never closed", Remedy: "close it or write it twice"}
		}
		problem.What, problem.Remedy = "text follows a closing quote", "write quotes inside a cell twice"
	}
	r.list(problem)
	return nil
}

// fill cuts the cells into roles and tells whether the row can be used; if not,
// it is listed.
func (r *Reader) fill(cells []string) bool {
	if len(cells) != len(r.layout.Columns) {
		line, _ := r.csv.FieldPos(0)
		r.list(&Problem{File: r.layout.Name, Line: line, What: "the row has " + plural(len(cells), "cell") + " where the first has " + strconv.Itoa(len(r.layout.Columns)),
			Remedy: "add or remove delimiters so that all rows are equally long"})
		return false
	}
	for k, i := range r.features {
		cell := strings.TrimSpace(cells[i])
		value, reason := parseNumber(cell, r.layout.Decimal)
		if reason != "" {
			line, _ := r.csv.FieldPos(i)
			r.list(r.badCell(line, i, cell, reason))
			return false
		}
		r.row.Features[k] = value
	}
	r.row.Line, _ = r.csv.FieldPos(0)
	if r.label >= 0 {
		r.row.Label = cells[r.label]
	}
	for k, i := range r.kept {
		r.row.Kept[k] = cells[i]
	}
	return true
}

func (r *Reader) badCell(line, i int, cell, reason string) *Problem {
	problem := &Problem{File: r.layout.Name, Line: line, Place: r.layout.place(i),
		What: strconv.Quote(short(cell)) + " " + reason, Remedy: "correct the cell, or do not use the column as a feature"}
	if cell == "" {
		problem.What, problem.Remedy = "the cell is empty", "fill it, or do not use the column as a feature"
	}
	return problem
}

func (r *Reader) list(problem *Problem) {
	r.unused.Total++
	if len(r.unused.First) < listed {
		r.unused.First = append(r.unused.First, problem)
	}
}

// nothingUsable is the end of a file without a single good row.
func (r *Reader) nothingUsable() error {
	if r.unused.Total == 0 {
		return &Problem{File: r.layout.Name, What: "the file has no rows", Remedy: "choose one with at least one row of numbers"}
	}
	first := r.unused.First[0]
	return &Problem{File: r.layout.Name, Line: first.Line, Place: first.Place, Remedy: first.Remedy,
		What: "none of the " + plural(r.unused.Total, "row") + " can be used: " + first.What}
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// A boundedReader gives out at most rest bytes more, and ends the last line with
// a newline where the file does not: so the csv reader meets the end of the
// input only between rows or inside an open quote.
type boundedReader struct {
	r     io.Reader
	rest  int
	last  byte
	ended bool // the end of the input was met
	cut   bool // the end was feigned, as rest is used up
}

func (b *boundedReader) Read(p []byte) (int, error) {
	if b.rest <= 0 {
		b.cut = true
		return 0, io.EOF
	}
	n, err := b.r.Read(p[:min(len(p), b.rest)])
	b.rest -= n
	if n > 0 {
		b.last = p[n-1]
		return n, nil
	}
	if err == io.EOF && b.last != '\n' {
		p[0], b.last = '\n', '\n'
		return 1, nil
	}
	b.ended = b.ended || err == io.EOF
	return 0, err
}

func skipByteOrderMark(r io.Reader) io.Reader {
	buffered := bufio.NewReaderSize(r, 64<<10)
	if head, _ := buffered.Peek(len(byteOrderMark)); bytes.Equal(head, byteOrderMark) {
		buffered.Discard(len(byteOrderMark))
	}
	return buffered
}
