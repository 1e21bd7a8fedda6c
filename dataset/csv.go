package dataset

import (
	"bytes"
	"io"
	"strconv"
	"unicode/utf8"

	"tensorsketch.example/dataset/columns"
)

// csvRows reads comma-separated values as encoding/csv does, but without allocating. It skips malformed rows.
type csvRows struct {
	layout *Layout
	lines  *lines
	unused *Unused // of the call of Row
	quote  int     // the byte, or −1 for none
	escape int     // the byte before a quote inside a cell if quotes are not doubled, or −1
	skip   int     // lines that are still to be passed over
	header bool    // the header is still to be read

	oneLine bool // each line is a row, also where a quote is open at its end

	reads []columns.Role // of each column: AsNumber, AsIgnored, or any other for a text
	slots []int          // of each column: its index among the numbers

	measured []bool // of each column: numbers without its unit are counted

	// The cells of a record with quotes, one after another.
	cells []byte
	ends  []int   // where each ends
	where []int64 // the line on which it begins
}

func openCSV(r io.Reader, l *Layout) RowReader { return newCSVRows(r, l) }

func newCSVRows(r io.Reader, l *Layout) *csvRows {
	c := &csvRows{layout: l, lines: newLines(r), quote: int(l.Quote), escape: -1, skip: l.Skip,
		header: l.Header, reads: make([]columns.Role, len(l.Columns)), slots: make([]int, len(l.Columns)),
		measured: make([]bool, len(l.Columns))}
	switch l.Quote {
	case 0:
		c.quote = -1
	case '\\':
		c.quote, c.escape = '"', '\\'
	}
	if l.preamble {
		c.skip++
	}
	numbers := 0
	for i := range l.Columns {
		c.measured[i] = l.Columns[i].Measure != ""
		if c.slots[i], c.reads[i] = numbers, l.Columns[i].Role; c.reads[i] == columns.AsNumber {
			numbers++
		}
	}
	return c
}

func (c *csvRows) Row(b *Block, unused *Unused) error {
	c.oneLine, c.unused = unused.Keep, unused
	if err := c.pass(); err != nil {
		return err
	}
	record, err := c.lines.next()
	if c.header && unused.Keep && (err == nil && !c.isComment(record) || err == errLongRow) {
		c.header = false
		if err == errLongRow {
			return c.lines.skip()
		}
		return nil
	}
	if err != nil {
		return c.tooLong(err, unused)
	}
	line := c.content(record)
	if len(line) == 0 || c.isComment(line) {
		c.lines.blank(unused, c.layout.Name)
		return nil
	}
	isPlain := c.quote < 0 || bytes.IndexByte(line, byte(c.quote)) < 0
	var problem *Problem
	if !isPlain {
		if problem, err = c.split(line); err != nil {
			return c.tooLong(err, unused)
		}
	}
	switch {
	case c.header:
		c.header = false
		return nil
	case isPlain:
		problem = c.plainRow(b, line)
	case problem == nil:
		problem = c.quotedRow(b)
	}
	if problem != nil {
		b.DropRow()
		unused.Add(problem)
		return nil
	}
	b.EndRow(c.lines.line)
	return nil
}

// pass passes over the lines before the header or the first row.
func (c *csvRows) pass() error {
	for ; c.skip > 0; c.skip-- {
		if err := c.lines.pass(); err != nil {
			return err
		}
	}
	return nil
}

func (c *csvRows) isComment(line []byte) bool { return isComment(line, c.layout.Comment) }

// content returns a record without its line end. If spaces are the delimiter, it also reduces each run of spaces
// outside quotes to one, and removes the spaces at both ends.
func (c *csvRows) content(record []byte) []byte {
	line := withoutEnd(record)
	if c.layout.Comma != ' ' {
		return line
	}
	n, inQuotes := 0, false
	for _, b := range line {
		if isSpace := b == ' ' || b == '\t'; isSpace && !inQuotes {
			if n == 0 || line[n-1] == ' ' {
				continue
			}
			b = ' '
		}
		inQuotes = inQuotes != (int(b) == c.quote)
		line[n] = b
		n++
	}
	return bytes.TrimSuffix(line[:n], []byte(" "))
}

// plainRow reads a line without quotes.
func (c *csvRows) plainRow(b *Block, line []byte) *Problem {
	numbers := b.numberRow()
	comma, decimal := c.layout.Comma, c.layout.Decimal
	if decimal == comma {
		decimal = '\n' // which no line has: only a cell in quotes can have a decimal sign
	}
	rest := line
	for i, reads := range c.reads {
		if i > 0 {
			if len(rest) == 0 {
				return c.wrongCount(c.countCells(line))
			}
			rest = rest[1:] // the comma
		}
		if reads == columns.AsNumber && !c.measured[i] {
			if x, n := scanNumber(rest, decimal); n > 0 && (n == len(rest) || rest[n] == comma) {
				numbers[c.slots[i]] = x
				rest = rest[n:]
				continue
			}
		}
		cell := rest
		if end := bytes.IndexByte(rest, comma); end >= 0 {
			cell = rest[:end]
		}
		if problem := c.take(b, numbers, i, cell, c.lines.line); problem != nil {
			if n := c.countCells(line); n != len(c.reads) && !(c.layout.unnamed && n > len(c.reads)) {
				return c.wrongCount(n)
			}
			return problem
		}
		rest = rest[len(cell):]
	}
	if len(rest) > 0 && !c.layout.unnamed {
		return c.wrongCount(c.countCells(line))
	}
	return nil
}

func (c *csvRows) countCells(line []byte) int { return 1 + bytes.Count(line, []byte{c.layout.Comma}) }

// quotedRow reads the cells that split has found.
func (c *csvRows) quotedRow(b *Block) *Problem {
	if len(c.ends) < len(c.reads) || len(c.ends) > len(c.reads) && !c.layout.unnamed {
		return c.wrongCount(len(c.ends))
	}
	numbers := b.numberRow()
	for i := range c.reads {
		if problem := c.take(b, numbers, i, c.cell(i), c.where[i]); problem != nil {
			return problem
		}
	}
	return nil
}

// take reads cell i of a row into its column.
func (c *csvRows) take(b *Block, numbers []float64, i int, cell []byte, line int64) (problem *Problem) {
	switch c.reads[i] {
	case columns.AsIgnored:
	case columns.AsNumber:
		numbers[c.slots[i]], problem = c.number(i, cell, line)
	default:
		problem = c.text(b, i, cell, line)
	}
	return problem
}

func (c *csvRows) number(i int, cell []byte, line int64) (float64, *Problem) {
	x, what := c.layout.NumberOf(i, trimCell(cell), c.unused)
	if what == "" {
		return x, nil
	}
	return 0, &Problem{File: c.layout.Name, Line: line, Place: c.layout.Place(i), What: what,
		Remedy: "correct the cell, or " + c.layout.otherWay(i, trimCell(cell))}
}

// otherWay says how a file can be read in which a cell of column i is no number: with the other sign between thousands
// or as the decimal one, if the cell is a number so, and the signs are not guessed by the file.
func (l *Layout) otherWay(i int, cell []byte) string {
	style := l.styleIn(i)
	other := byte('.' + ',' - style.decimal)
	quote := strconv.Quote(string(rune(other)))
	way := ""
	style.thousands = other
	if _, reason := style.parse(cell); reason == "" {
		way = " or {thousands} " + quote
	}
	style.decimal, style.thousands = other, style.decimal
	if _, reason := style.parse(cell); reason == "" {
		way += " or {decimal} " + quote
		if bytes.IndexByte(cell, style.thousands) >= 0 {
			way += " and {thousands} " + strconv.Quote(string(rune(style.thousands)))
		}
	}
	if way == "" || l.guesses("decimal") {
		return "use the column for something else than a number"
	}
	return "read the file with " + way[len(" or "):]
}

func (c *csvRows) text(b *Block, i int, cell []byte, line int64) *Problem {
	if !utf8.Valid(cell) {
		return &Problem{File: c.layout.Name, Line: line, Place: c.layout.Place(i), What: notUTF8Text, Remedy: utf8Remedy}
	}
	b.AddText(trimMarks(cell))
	return nil
}

func (c *csvRows) wrongCount(cells int) *Problem {
	p := &Problem{File: c.layout.Name, Line: c.lines.line,
		What:   "the row has " + plural(int64(cells), "cell") + " where the first has " + strconv.Itoa(len(c.reads)),
		Remedy: "add or remove delimiters so that all rows are equally long"}
	for _, sign := range []string{"#", "%"} {
		if isComment(c.lines.buf[c.lines.begin:c.lines.scan], sign) && cells < len(c.reads) {
			p.Remedy = "set {comment} to \"" + sign + "\" if it is none"
		}
	}
	return p
}

func (c *csvRows) tooLong(err error, unused *Unused) error {
	return c.lines.tooLong(err, unused, c.longRow())
}

const (
	tooLongRow    = "the row runs on for more than 8 MB, as after a quote that is never closed"
	tooLongRemedy = "close the quote or write it twice"
)

// longRow is the problem of a row that is too long.
func (c *csvRows) longRow() *Problem {
	return &Problem{File: c.layout.Name, Line: c.lines.line, What: tooLongRow, Remedy: tooLongRemedy}
}

// split cuts a line with quotes into cells. It reads further lines while a quote is open. A Problem concerns only this
// record; an error ends the reading.
func (c *csvRows) split(line []byte) (problem *Problem, err error) {
	c.cells, c.ends, c.where = c.cells[:0], c.ends[:0], c.where[:0]
	for at := 0; ; at++ {
		c.where = append(c.where, c.lines.last)
		if quote := c.opening(line[at:]); quote >= 0 {
			line, at, problem, err = c.quotedCell(line, at+quote+1)
		} else {
			at, problem = c.bareCell(line, at)
		}
		if problem != nil || err != nil {
			return problem, err
		}
		if len(c.ends) == maxColumns {
			return &Problem{File: c.layout.Name, Line: c.lines.line, What: tooManyCells, Remedy: useSparse}, nil
		}
		c.ends = append(c.ends, len(c.cells))
		if at == len(line) {
			return nil, nil
		}
	}
}

// opening returns the index of the quote that opens the cell at the beginning of a text, or −1. Spaces may stand before
// it, and Excel writes ="007" for a cell whose zeros count.
func (c *csvRows) opening(text []byte) int {
	i := len(text) - len(bytes.TrimLeft(text, " "))
	if i < len(text) && text[i] == '=' && c.quote == '"' {
		i++
	}
	if i < len(text) && int(text[i]) == c.quote {
		return i
	}
	return -1
}

// bareCell adds the cell that begins at an index of the line, and returns its end.
func (c *csvRows) bareCell(line []byte, at int) (int, *Problem) {
	cell := line[at:]
	if end := bytes.IndexByte(cell, c.layout.Comma); end >= 0 {
		cell = cell[:end]
	}
	if i := c.indexQuote(cell); i >= 0 {
		return 0, c.misquoted(at+i+1, "a quote stands inside a cell that does not begin with one",
			"write it twice and put the cell in quotes, or read the file with {quote} \"\" for none")
	}
	c.cells = append(c.cells, cell...)
	return at + len(cell), nil
}

// quotedCell adds the cell whose opening quote is before an index of the line, and
// returns the line on which it ends, and where.
func (c *csvRows) quotedCell(line []byte, at int) ([]byte, int, *Problem, error) {
	for {
		i := c.indexQuote(line[at:])
		if i > 0 && c.escapes(line[at:at+i]) {
			c.cells = append(append(c.cells, line[at:at+i-1]...), byte(c.quote))
			at += i + 1
			continue
		}
		if i < 0 {
			c.cells = append(append(c.cells, line[at:]...), '\n')
			unclosed := &Problem{File: c.layout.Name, Line: c.lines.line,
				What: "a quote opens in this row and is never closed", Remedy: "close it or write it twice"}
			if c.oneLine {
				return line, 0, unclosed, nil
			}
			before := c.lines.scan - c.lines.begin
			record, err := c.lines.extend()
			if err == io.EOF {
				err = unclosed
			}
			if err != nil {
				return nil, 0, nil, err
			}
			line, at = withoutEnd(record[before:]), 0
			continue
		}
		c.cells = append(c.cells, line[at:at+i]...)
		at += i + 1
		end := at + len(line[at:]) - len(bytes.TrimLeft(line[at:], " "))
		switch {
		case at == len(line) || line[at] == c.layout.Comma:
			return line, at, nil, nil
		case c.layout.Comma != ' ' && (end == len(line) || line[end] == c.layout.Comma):
			return line, end, nil, nil
		case int(line[at]) != c.quote:
			return line, at, c.misquoted(at, "text follows a closing quote", "write quotes inside a cell twice, "+
				"or read the file with {quote} \"\" for none"), nil
		}
		c.cells = append(c.cells, byte(c.quote))
		at++
	}
}

// escapes reports whether a text ends with a backslash that belongs to the quote after it.
func (c *csvRows) escapes(text []byte) bool {
	if c.escape < 0 {
		return false
	}
	return (len(text)-len(bytes.TrimRight(text, string(rune(c.escape)))))%2 == 1
}

func (c *csvRows) indexQuote(text []byte) int {
	if c.quote < 0 {
		return -1
	}
	return bytes.IndexByte(text, byte(c.quote))
}

func (c *csvRows) misquoted(character int, what, remedy string) *Problem {
	return &Problem{File: c.layout.Name, Line: c.lines.last, Place: "character " + strconv.Itoa(character),
		What: what, Remedy: remedy}
}

// cell returns a cell that split has found.
func (c *csvRows) cell(i int) []byte {
	from := 0
	if i > 0 {
		from = c.ends[i-1]
	}
	return c.cells[from:c.ends[i]]
}
