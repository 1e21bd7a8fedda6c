package csvfile

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"
)

// Header tells Sniff whether the first row names the columns.
type Header uint8

// The answers to "is the first row a header?".
const (
	GuessHeader Header = iota
	HasHeader
	NoHeader
)

// ErrShortHead says that the head given to Sniff ends before its second row.
var ErrShortHead = errors.New("csvfile: the head ends before the second row")

// sniffRows and sniffCells bound what Sniff looks at.
const (
	sniffRows  = 500
	sniffCells = 200_000
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// Sniff guesses the layout of the file from its first bytes; whole says that
// they are all of it. The error is ErrShortHead or a *Problem.
func Sniff(name string, head []byte, whole bool, header Header) (*Layout, error) {
	if problem := notText(name, head); problem != nil {
		return nil, problem
	}
	head = bytes.TrimPrefix(head, byteOrderMark)
	if !whole {
		head = head[:bytes.LastIndexByte(head, '\n')+1]
	}
	l := &Layout{Name: name, Comma: guessComma(head), Decimal: '.', BytesPerRow: bytesPerRow(head)}
	rows := l.firstRows(head)
	if len(rows) < 2 && !whole {
		return nil, ErrShortHead
	}
	if len(rows) == 0 {
		return nil, &Problem{File: name, What: "the file has no rows", Remedy: "choose a file with one row per line, cells separated by commas"}
	}
	l.Decimal = guessDecimal(l.Comma, rows)
	l.Header = header == HasHeader || header == GuessHeader && l.guessHeader(rows)
	if err := l.setColumns(rows); err != nil {
		return nil, err
	}
	return l, nil
}

// notText recognises what is not a text file in a single-byte or UTF-8 encoding.
func notText(name string, head []byte) error {
	problem := func(what, remedy string) error { return &Problem{File: name, What: what, Remedy: remedy} }
	switch {
	case len(head) == 0:
		return problem("the file is empty", "choose one with at least one row of numbers")
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")), looksUTF16(head):
		return problem("the text is UTF-16", "save it as CSV in UTF-8")
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return problem("the file is compressed with gzip", "unpack it first")
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return problem("the file is a workbook or a ZIP archive", "unpack it, or save the sheet as CSV")
	}
	for i, b := range head {
		if b < ' ' && b != '\t' && b != '\n' && b != '\r' && b != '\f' {
			line := 1 + bytes.Count(head[:i], []byte("\n"))
			return &Problem{File: name, Line: line, Place: "character " + strconv.Itoa(i-bytes.LastIndexByte(head[:i], '\n')),
				What: "the byte 0x" + hexByte(b) + " does not occur in text, so this is not a CSV file", Remedy: "choose a text file, or export the table as CSV"}
		}
	}
	if bytes.IndexByte(head, '\r') >= 0 && bytes.IndexByte(head, '\n') < 0 {
		return problem("the lines end in a bare carriage return", "save it with Unix or Windows line ends")
	}
	return nil
}

// looksUTF16 tells whether every second byte of the first characters is zero.
func looksUTF16(head []byte) bool {
	if len(head) < 4 {
		return false
	}
	n := min(len(head)&^1, 64)
	even, odd := 0, 0
	for i := 0; i < n; i += 2 {
		if head[i] == 0 {
			even++
		}
		if head[i+1] == 0 {
			odd++
		}
	}
	return even == n/2 && odd == 0 || odd == n/2 && even == 0
}

func hexByte(b byte) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[b>>4], digits[b&15]})
}

// guessComma returns the delimiter that occurs in the first lines, and equally
// often in most of them; among several, the most frequent.
func guessComma(head []byte) byte {
	best, bestScore := byte(','), 0
	for _, comma := range []byte(",;\t") {
		var counts []int
		for line := range bytes.Lines(head) {
			if len(bytes.TrimSpace(line)) > 0 {
				counts = append(counts, countOutsideQuotes(line, comma))
			}
			if len(counts) == 20 {
				break
			}
		}
		if score := agreement(counts); score > bestScore {
			best, bestScore = comma, score
		}
	}
	return best
}

// agreement returns how often the most frequent count above zero occurs, first,
// and that count, second, as one number.
func agreement(counts []int) int {
	times := map[int]int{}
	best := 0
	for _, n := range counts {
		if n > 0 {
			times[n]++
			best = max(best, times[n]<<20+min(n, 1<<20-1))
		}
	}
	return best
}

func countOutsideQuotes(line []byte, comma byte) int {
	n, quoted := 0, false
	for _, b := range line {
		switch {
		case b == '"':
			quoted = !quoted
		case b == comma && !quoted:
			n++
		}
	}
	return n
}

// guessDecimal finds decimal commas: cells like "0,5" and none like "0.5".
func guessDecimal(comma byte, rows [][]string) byte {
	if comma == ',' {
		return '.'
	}
	commas := 0
	for _, row := range rows {
		for _, cell := range row {
			if kind(cell, '.') == Number {
				return '.'
			}
			if kind(cell, ',') == Number {
				commas++
			}
		}
	}
	if commas > 0 {
		return ','
	}
	return '.'
}

// firstRows reads what can be read of the first rows.
func (l *Layout) firstRows(head []byte) [][]string {
	reader := l.csvReader(bytes.NewReader(head))
	var rows [][]string
	for cells := 0; len(rows) < sniffRows && cells < sniffCells; {
		row, err := reader.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			continue
		}
		rows = append(rows, row)
		cells += len(row)
	}
	return rows
}

func (l *Layout) csvReader(r io.Reader) *csv.Reader {
	reader := csv.NewReader(r)
	reader.Comma = rune(l.Comma)
	reader.FieldsPerRecord = -1
	return reader
}

// guessHeader takes the first row as a header if most columns of numbers begin
// with a text there, or if it counts: 0, 1, 2, … as data frames number columns.
func (l *Layout) guessHeader(rows [][]string) bool {
	first, rest := rows[0], rows[1:]
	numbers, texts := 0, 0
	for i, cell := range first {
		isText := kind(cell, l.Decimal) == Text
		if len(rest) == 0 || l.columnType(rest, i).isNumeric() {
			numbers++
			if isText {
				texts++
			}
		}
	}
	if numbers > 0 && 2*texts >= numbers {
		return true
	}
	return len(rest) > 0 && counts(first) && !counts(rest[0])
}

// counts tells whether the integers among the cells run n, n+1, n+2, …, with n
// either 0 or 1 and at least three of them.
func counts(cells []string) bool {
	n, next := 0, 0
	for _, cell := range cells {
		value, err := strconv.Atoi(strings.TrimSpace(cell))
		if err != nil {
			continue
		}
		if n == 0 && (value == 0 || value == 1) {
			next = value
		}
		if value != next {
			return false
		}
		n, next = n+1, next+1
	}
	return n >= 3
}

// setColumns names the columns, and guesses type and role of each.
func (l *Layout) setColumns(rows [][]string) error {
	l.Columns = make([]Column, len(rows[0]))
	body := rows
	if l.Header {
		body = rows[1:]
	}
	for i := range l.Columns {
		c := &l.Columns[i]
		c.Name = "column " + strconv.Itoa(i+1)
		if name := strings.TrimSpace(rows[0][i]); l.Header && name != "" {
			c.Name = name
		}
		c.Type = l.columnType(body, i)
		c.Example, c.Odd = l.describe(body, i)
	}
	l.Rows = len(body)
	if l.Rows == 0 {
		return &Problem{File: l.Name, Line: 1, What: "there is a header but no row below it", Remedy: "choose a file with at least one row of numbers"}
	}
	l.guessRoles(body)
	if len(l.Indexes(Feature)) == 0 {
		return &Problem{File: l.Name, What: "no column holds numbers", Remedy: "choose a file with at least one column of numbers"}
	}
	return nil
}

func (t Type) isNumeric() bool { return t == Integer || t == Number }

// columnType is what most cells of column i that are not empty hold.
func (l *Layout) columnType(rows [][]string, i int) Type {
	var n [4]int
	for _, row := range rows {
		if i < len(row) {
			n[kind(row[i], l.Decimal)]++
		}
	}
	switch numbers := n[Integer] + n[Number]; {
	case numbers+n[Text] == 0:
		return Empty
	case numbers < n[Text]:
		return Text
	case n[Number] > 0:
		return Number
	}
	return Integer
}

// describe returns the first cell of column i that is not empty, and how many
// cells are not of the column's type.
func (l *Layout) describe(rows [][]string, i int) (example string, odd int) {
	numeric := l.Columns[i].Type.isNumeric()
	for _, row := range rows {
		cell := ""
		if i < len(row) {
			cell = strings.TrimSpace(row[i])
		}
		if example == "" {
			example = cell
		}
		if cell == "" || numeric && kind(cell, l.Decimal) == Text {
			odd++
		}
	}
	return example, odd
}
