package dataset

import (
	"bytes"
	"strconv"
	"strings"

	"tensorsketch.example/dataset/plan"
)

// sniffCSV guesses the delimiter, the quote, the number signs, the date order, the header, and the type and role of
// each column.
func (l *Layout) sniffCSV(head []byte, whole bool) error {
	if !l.typed() || l.Header {
		head = l.takePreamble(head)
	}
	if l.typed() {
		return l.nameColumns(head, whole)
	}
	if l.guesses("quote") {
		l.Quote = guessQuote(head)
	}
	if l.guesses("delimiter") && !l.preamble {
		l.Comma = guessComma(head, l.Quote)
	}
	rows, problem := l.firstRows(head, sniffRows)
	if problem != nil {
		return problem
	}
	if len(rows) < 2 && !whole {
		return ErrShortHead
	}
	if len(rows) == 0 {
		what := "the file has no rows"
		if len(bytes.TrimSpace(head)) == 0 && !l.preamble {
			what = "all lines of the file are blank"
		}
		return newProblem(l.Name, what, "choose a file with one row per line, cells separated by commas")
	}
	l.guessNumbers(rows)
	l.guessDates(rows, head)
	if l.guesses("header") {
		l.Header = l.guessHeader(rows)
	}
	return l.setColumns(rows)
}

// nameColumns names the columns by the header alone. Without one the file says nothing
// about its columns before its rows.
func (l *Layout) nameColumns(head []byte, whole bool) error {
	if l.unnamed = !l.Header; l.unnamed {
		return nil
	}
	rows, problem := l.firstRows(head, 1)
	switch {
	case problem != nil:
		return problem
	case len(rows) == 0 && !whole:
		return ErrShortHead
	case len(rows) == 0:
		return newProblem(l.Name, "the file has no header",
			"choose one whose first row names the columns, or read it with header false")
	}
	l.setNames(rows[0])
	return nil
}

// takePreamble removes the line "sep=;", in which Excel states the delimiter.
func (l *Layout) takePreamble(head []byte) []byte {
	line, rest, _ := bytes.Cut(head, []byte("\n"))
	line = bytes.Trim(bytes.TrimSuffix(line, []byte("\r")), `"`)
	if len(line) != len("sep=;") || !bytes.EqualFold(line[:4], []byte("sep=")) ||
		!bytes.Contains([]byte(",;\t| "), line[4:]) {
		return head
	}
	l.preamble = true
	if l.guesses("delimiter") {
		l.Comma = line[4]
	}
	return rest
}

// guessQuote returns an apostrophe if no double quote occurs and at least half of the first lines have a cell between
// apostrophes.
func guessQuote(head []byte) byte {
	if bytes.IndexByte(head, '"') >= 0 {
		return '"'
	}
	rows, quoted := 0, 0
	for line := range firstLines(head) {
		line = bytes.TrimSpace(line)
		opens, closes := false, false
		for i, b := range line {
			if b == '\'' {
				opens = opens || i == 0 || isDelimiter(line[i-1])
				closes = closes || i > 0 && (i == len(line)-1 || isDelimiter(line[i+1]))
			}
		}
		if opens && closes {
			quoted++
		}
		rows++
	}
	if quoted > 0 && 2*quoted >= rows {
		return '\''
	}
	return '"'
}

func isDelimiter(b byte) bool { return b == ',' || b == ';' || b == '\t' || b == '|' }

// guessComma returns the delimiter that occurs equally often in most of the first lines. Among several, it returns the
// most frequent. A comma between two digits counts only if no other delimiter is in as many lines. Spaces are the
// delimiter if there is no other.
func guessComma(head []byte, quote byte) byte {
	best, bestScore := byte(','), 0
	inDigits := 0 // the score of commas that are not between digits
	for _, comma := range []byte(",;\t|") {
		var counts, others []int
		for line := range firstLines(head) {
			n := countOutsideQuotes(line, comma, quote)
			counts = append(counts, n)
			if comma == ',' {
				others = append(others, n-countDecimalCommas(line))
			}
		}
		score := agreement(counts)
		if comma == ',' {
			inDigits = agreement(others)
		}
		if score > bestScore || best == ',' && inDigits == 0 && score > 0 && score>>20 >= bestScore>>20 {
			best, bestScore = comma, score
		}
	}
	if bestScore == 0 && isSpaced(head) {
		return ' '
	}
	return best
}

// countDecimalCommas counts the commas between two digits.
func countDecimalCommas(line []byte) int {
	n := 0
	for i := 1; i+1 < len(line); i++ {
		if line[i] == ',' && line[i-1]-'0' <= 9 && line[i+1]-'0' <= 9 {
			n++
		}
	}
	return n
}

// isSpaced reports whether the first lines have equally many words, at least two, and most words are numbers.
func isSpaced(head []byte) bool {
	width, numbers, words := 0, 0, 0
	rows := 0
	for line := range firstLines(head) {
		if line[len(line)-1] != '\n' && rows > 0 { // the last may be cut
			break
		}
		fields := 0
		for field := range bytes.FieldsSeq(line) {
			fields++
			if words++; kind(string(field), plainNumbers, "").IsNumeric() {
				numbers++
			}
		}
		if rows++; rows == 1 {
			width = fields
		}
		if fields != width {
			return false
		}
	}
	return width >= 2 && 2*numbers > words
}

// agreement returns a score that orders first by how often the most frequent positive count occurs, then by that count.
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

func countOutsideQuotes(line []byte, comma, quote byte) int {
	n, quoted := 0, false
	for _, b := range line {
		switch {
		case b == quote:
			quoted = !quoted
		case b == comma && !quoted:
			n++
		}
	}
	return n
}

// firstRows returns at most a number of the first rows, as far as they can be read. If the first row has more cells
// than a table may have columns, it returns the problem.
func (l *Layout) firstRows(head []byte, most int) (rows [][]string, tooMany error) {
	c := newCSVRows(bytes.NewReader(head), &Layout{Name: l.Name, Comma: l.Comma, Quote: l.Quote})
	for cells := 0; len(rows) < most && cells < sniffCells; {
		record, err := c.lines.next()
		if err != nil {
			break
		}
		line := c.content(record)
		if len(line) == 0 {
			continue
		}
		if problem, err := c.split(line); problem != nil || err != nil {
			if problem != nil && problem.What == tooManyCells && len(rows) == 0 {
				return nil, problem
			}
			if l.typed() {
				break // a header that cannot be read is not replaced by a row
			}
			continue
		}
		row := make([]string, len(c.ends))
		for i := range row {
			row[i] = string(c.cell(i))
		}
		rows = append(rows, row)
		cells += len(row)
	}
	return rows, nil
}

// guessHeader reports whether the first row is a header. It is one if most columns of numbers begin with a text there,
// if it counts (0, 1, 2, … as data frames number columns), or if no cell of it is a number and none occurs below in its
// column.
func (l *Layout) guessHeader(rows [][]string) bool {
	first, rest := rows[0], rows[1:]
	numbers, texts := 0, 0
	for i, cell := range first {
		isText := kind(cell, l.numbers(), l.Dates) == plan.Text
		if t := l.columnType(rest, i); len(rest) == 0 || t.IsNumeric() || t == plan.Date {
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

// isUnlike reports whether the other rows repeat each other's cells but contain no cell of the first row.
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

// counts reports whether the integers among the cells run n, n+1, n+2, …, with n 0 or 1 and at least three of them.
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

// setColumns names the columns and guesses their types and roles.
func (l *Layout) setColumns(rows [][]string) error {
	l.setNames(rows[0])
	body := rows
	if l.Header {
		body = rows[1:]
	}
	if len(body) == 0 {
		return &Problem{File: l.Name, Line: 1, What: "there is a header but no row below it",
			Remedy: "choose a file with at least one row"}
	}
	l.describe(body)
	l.noteNumbers(body)
	l.guessRoles(body)
	return nil
}

// setNames names the columns by the first row if it is a header. They are ignored until they get their roles.
func (l *Layout) setNames(first []string) {
	names := make([]string, len(first))
	for i := range names {
		names[i] = columnName(i)
		if name := strings.ToValidUTF8(strings.TrimSpace(first[i]), "\ufffd"); l.Header && name != "" {
			names[i] = name
		}
	}
	for _, name := range uniqueNames(names) {
		l.Columns = append(l.Columns, Column{Name: name, Role: plan.AsIgnored})
	}
}
