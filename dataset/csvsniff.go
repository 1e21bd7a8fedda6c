package dataset

import (
	"bytes"
	"strconv"
	"strings"
)

// sniffCSV guesses delimiter, decimal sign, header, and type and role of the columns.
func (l *Layout) sniffCSV(head []byte, whole bool, header Header) error {
	l.Comma = guessComma(head)
	rows := l.firstRows(head)
	if len(rows) < 2 && !whole {
		return ErrShortHead
	}
	if len(rows) == 0 {
		return &Problem{File: l.Name, What: "the file has no rows", Remedy: "choose a file with one row per line, cells separated by commas"}
	}
	l.Decimal = guessDecimal(l.Comma, rows)
	l.Header = header == HasHeader || header == GuessHeader && l.guessHeader(rows)
	return l.setColumns(rows)
}

// guessComma returns the delimiter that occurs in the first lines, and equally
// often in most of them; among several, the most frequent. Spaces are one where there
// is no other.
func guessComma(head []byte) byte {
	best, bestScore := byte(','), 0
	for _, comma := range []byte(",;\t|") {
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
	if bestScore == 0 && isSpaced(head) {
		return ' '
	}
	return best
}

// isSpaced tells whether the first lines have equally many words, two at least, and
// most of them are numbers.
func isSpaced(head []byte) bool {
	width, numbers, words := 0, 0, 0
	rows := 0
	for line := range bytes.Lines(head) {
		fields := bytes.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if rows == 20 || line[len(line)-1] != '\n' && rows > 0 { // the last may be cut
			break
		}
		if rows++; rows == 1 {
			width = len(fields)
		}
		if len(fields) != width {
			return false
		}
		for _, field := range fields {
			if words++; kind(string(field), '.').IsNumeric() {
				numbers++
			}
		}
	}
	return width >= 2 && 2*numbers > words
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
			if strings.IndexByte(cell, '.') >= 0 && kind(cell, '.') == Number {
				return '.'
			}
			if strings.IndexByte(cell, ',') >= 0 && kind(cell, ',') == Number {
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
	c := newCSVRows(bytes.NewReader(head), &Layout{Name: l.Name, Comma: l.Comma})
	var rows [][]string
	for cells := 0; len(rows) < sniffRows && cells < sniffCells; {
		record, err := c.lines.next()
		if err != nil {
			break
		}
		line := c.content(record)
		if len(line) == 0 {
			continue
		}
		if problem, err := c.split(line); problem != nil || err != nil {
			continue
		}
		row := make([]string, len(c.ends))
		for i := range row {
			row[i] = string(c.cell(i))
		}
		rows = append(rows, row)
		cells += len(row)
	}
	return rows
}

// guessHeader takes the first row as a header if most columns of numbers begin
// with a text there, if it counts (0, 1, 2, … as data frames number columns), or
// if no cell of it is a number and none occurs below in its column.
func (l *Layout) guessHeader(rows [][]string) bool {
	first, rest := rows[0], rows[1:]
	numbers, texts := 0, 0
	for i, cell := range first {
		isText := kind(cell, l.Decimal) == Text
		if t := l.columnType(rest, i); len(rest) == 0 || t.IsNumeric() || t == Date {
			numbers++
			if isText {
				texts++
			}
		}
	}
	if numbers > 0 {
		return 2*texts >= numbers || len(rest) > 0 && counts(first) && !counts(rest[0])
	}
	return isUnlike(first, rest)
}

// isUnlike tells whether there are rows and no cell of the first occurs in them,
// while the rows repeat each other.
func isUnlike(first []string, rest [][]string) bool {
	repeats := false
	for i, cell := range first {
		seen := map[string]bool{}
		for _, row := range rest {
			if i < len(row) {
				if row[i] == cell {
					return false
				}
				repeats = repeats || seen[row[i]]
				seen[row[i]] = true
			}
		}
	}
	return repeats
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
	names := make([]string, len(l.Columns))
	for i := range names {
		names[i] = columnName(i)
		if name := strings.ToValidUTF8(strings.TrimSpace(rows[0][i]), "\ufffd"); l.Header && name != "" {
			names[i] = name
		}
	}
	for i, name := range uniqueNames(names) {
		l.Columns[i].Name = name
	}
	if len(body) == 0 {
		return &Problem{File: l.Name, Line: 1, What: "there is a header but no row below it", Remedy: "choose a file with at least one row"}
	}
	l.describe(body)
	l.guessRoles(body)
	return nil
}
