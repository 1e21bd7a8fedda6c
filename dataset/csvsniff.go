package dataset

import (
	"bytes"
	"cmp"
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"tensorsketch.example/dataset/columns"
)

// sniffCSV guesses what stands around the table, the delimiter, the quote, the number signs, the date order, the
// header, and the type and role of each column.
func (l *Layout) sniffCSV(head []byte, whole bool) error {
	if !l.typed() || l.Header {
		head = l.takePreamble(head)
	}
	if l.typed() {
		return l.nameColumns(head, whole)
	}
	above := l.guessComment(head)
	table := l.withoutComments(head)
	if l.guesses("quote") {
		l.Quote = guessQuote(table)
	}
	if l.guesses("delimiter") && !l.preamble {
		l.Comma = guessComma(table, l.Quote)
	}
	top := l.firstRows(head, sniffRows)
	if l.guesses("quote") && l.Quote == '"' && top.problem != nil {
		top = l.mendQuote(top, head)
	}
	top = l.takeBadFirst(top)
	switch {
	case len(top.rows) == 0 && top.tooMany():
		return top.end
	case len(top.rows) < 2 && !whole:
		return ErrShortHead
	case len(top.rows) == 0:
		return l.withoutRows(head, top)
	}
	l.guessNumbers(top.rows)
	if problem := l.sentences(table, top); problem != nil {
		return problem
	}
	top = l.takeTop(top, above, head)
	l.guessDates(top.rows, head)
	if l.guesses("header") && !l.Header {
		l.Header = l.noteHeader(top.rows)
	}
	return l.setColumns(top.rows, cmp.Or(top.problem, top.end))
}

// withoutRows says why no row was read.
func (l *Layout) withoutRows(head []byte, top *topRows) error {
	switch {
	case top.problem != nil || top.end != nil:
		return cmp.Or(top.problem, top.end)
	case len(bytes.TrimSpace(head)) == 0 && !l.preamble:
		return newProblem(l.Name, "all lines of the file are blank",
			"choose a file with one row per line, cells separated by commas")
	}
	remedy := "choose a file with one row per line, cells separated by commas"
	if l.Skip > 0 || l.Comment != "" {
		remedy = "skip fewer lines, or set {comment} to \"\""
	}
	return newProblem(l.Name, "the file has no rows", remedy)
}

// nameColumns names the columns by the header alone. Without one the file says nothing
// about its columns before its rows.
func (l *Layout) nameColumns(head []byte, whole bool) error {
	if l.unnamed = !l.Header; l.unnamed {
		return nil
	}
	top := l.firstRows(head, 1)
	switch {
	case len(top.rows) == 0 && top.tooMany():
		return top.end
	case len(top.rows) == 0 && !whole:
		return ErrShortHead
	case len(top.rows) == 0:
		return newProblem(l.Name, "the file has no header",
			"choose one whose first row names the columns, or read it with header false")
	}
	if l.RowNames {
		top.rows[0] = append([]string{""}, top.rows[0]...)
	}
	l.setNames(top.rows[0])
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
// delimiter if there is no other than such commas, and than those inside of words.
func guessComma(head []byte, quote byte) byte {
	best, bestScore := byte(','), 0
	inDigits := 0 // the score of commas that are not between digits
	for _, comma := range []byte(",;\t|") {
		var counts, others []int
		for line := range firstRecords(head, quote) {
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
	switch {
	case bestScore == 0 && isSpaced(head, quote, plainNumbers), bestScore > 0 && isInNames(head, best, quote):
		return ' '
	case best == ',' && bestScore > 0 && inDigits == 0 && isSpaced(head, quote, numberStyle{decimal: ','}):
		return ' '
	case best == ',' && inDigits == 0 && isOneColumn(head):
		return ';' // which does not occur
	}
	return best
}

// isOneColumn reports whether a text without a comma stands above numbers with one comma, which is a decimal sign then.
func isOneColumn(head []byte) bool {
	n := 0
	for line := range firstLines(head) {
		commas, isNumber := bytes.Count(line, []byte(",")), numberStyle{decimal: ','}.isNumber(line)
		if n == 0 && (commas > 0 || isNumber) || n > 0 && (commas > 1 || !isNumber) {
			return false
		}
		n++
	}
	return n > 1
}

// isNumber reports whether a cell is a number.
func (s numberStyle) isNumber(cell []byte) bool { return kind(string(cell), s, "").IsNumeric() }

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

// A spacing is what the first lines are between spaces.
type spacing struct {
	first, width   int  // words of the first line, which may be a header, and of all others
	words, numbers int  // in the others, or in the first if it is alone
	hasNumbers     bool // there are several others, and one of their columns has only numbers and missing cells
}

// spacingOf looks at the first lines. It returns nil if they differ in their numbers of words. The first line may
// differ if there are two others at least.
func spacingOf(head []byte, quote byte, style numberStyle) *spacing {
	s, rows := &spacing{}, 0
	var types []columns.Type // of the columns of the others: Empty, Number or Text
	for line := range firstLines(head) {
		if line[len(line)-1] != '\n' && rows > 0 { // the last may be cut
			break
		}
		if rows == 1 {
			s.words, s.numbers = 0, 0
		}
		fields := 0
		for field := range spacedFields(line, quote) {
			k := kind(string(bytes.Trim(field, `"'`)), style, "")
			if s.words++; k.IsNumeric() {
				s.numbers++
			}
			if rows == 1 {
				types = append(types, columns.Empty)
			}
			switch {
			case rows == 0 || fields >= len(types) || k == columns.Empty:
			case !k.IsNumeric():
				types[fields] = columns.Text
			case types[fields] == columns.Empty:
				types[fields] = columns.Number
			}
			fields++
		}
		switch rows++; {
		case rows == 1:
			s.first, s.width = fields, fields
		case rows == 2:
			s.width = fields
		case fields != s.width:
			return nil
		}
	}
	if rows == 2 && !s.isEven() {
		return nil
	}
	s.hasNumbers = rows > 3 && slices.Contains(types, columns.Number)
	return s
}

// isEven reports whether the first line has as many words as the others, or one less, as R writes it.
func (s *spacing) isEven() bool { return s.first == s.width || s.first+1 == s.width }

// isSpaced reports whether the first lines have equally many words, at least two, and most words are numbers, or one
// column has nothing else and the first line has a name for each or for all but the first.
func isSpaced(head []byte, quote byte, style numberStyle) bool {
	s := spacingOf(head, quote, style)
	return s != nil && s.width >= 2 && (2*s.numbers > s.words || s.hasNumbers && s.isEven())
}

// isInNames reports whether a delimiter only occurs inside of words: not in the header, and the lines are even and most
// words numbers between spaces.
func isInNames(head []byte, comma, quote byte) bool {
	if comma == '\t' || bytes.IndexByte(firstLine(head), comma) >= 0 {
		return false
	}
	s := spacingOf(head, quote, plainNumbers)
	return s != nil && s.width >= 2 && 2*s.numbers > s.words && s.isEven()
}

// spacedFields returns the words of a line. Spaces in quotes belong to a word.
func spacedFields(line []byte, quote byte) iter.Seq[[]byte] {
	inQuotes := false
	return bytes.FieldsFuncSeq(line, func(r rune) bool {
		inQuotes = inQuotes != (quote != 0 && r == rune(quote))
		return !inQuotes && unicode.IsSpace(r)
	})
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

// firstRecords returns the first 20 lines of a text that are not blank. A line on which a cell in quotes begins and
// does not end has the lines up to the one on which it ends, if there is one.
func firstRecords(text []byte, quote byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for n := 0; n < 20 && len(text) > 0; {
			end := recordEnd(text, quote)
			record := text[:end]
			text = text[end:]
			if len(bytes.TrimSpace(record)) == 0 {
				continue
			}
			if n++; !yield(record) {
				return
			}
		}
	}
}

// recordEnd returns where the first record of a text ends, with its line end.
func recordEnd(text []byte, quote byte) int {
	first, quotes, begins := 0, 0, false
	for i, b := range text {
		switch {
		case b == quote && first == 0:
			quotes++
			begins = begins || i == 0 || isDelimiter(text[i-1])
		case b == quote:
			quotes++
		case b == '\n' && quotes%2 == 0:
			return i + 1
		case b == '\n' && first == 0:
			if first = i + 1; !begins {
				return first
			}
		}
	}
	return cmp.Or(first, len(text))
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

// topRows are the first rows of a head, as far as they can be read.
type topRows struct {
	rows    [][]string
	lines   []int64  // on which each begins
	problem *Problem // of the first row that cannot be read, if any
	bad     int      // rows that cannot be read
	cut     bool     // that is the first of rows, cut at each delimiter
	end     *Problem // why no further row was read, if the head does not end there
}

// firstRows returns at most a number of the first rows. A first row with a misplaced quote is cut at each delimiter:
// it may be the header.
func (l *Layout) firstRows(head []byte, most int) *topRows {
	c := newCSVRows(bytes.NewReader(head), &Layout{Name: l.Name, Comma: l.Comma, Quote: l.Quote, Skip: l.Skip,
		Comment: l.Comment})
	top := &topRows{}
	if c.pass() != nil {
		return top
	}
	for cells := 0; len(top.rows) < most && cells < sniffCells; {
		record, err := c.lines.next()
		if err != nil {
			top.end = c.endOf(err)
			break
		}
		line := c.content(record)
		if len(line) == 0 || c.isComment(line) {
			continue
		}
		problem, err := c.split(line)
		if err != nil {
			top.end = c.endOf(err)
			break
		}
		if problem != nil {
			isFirst := top.problem == nil && len(top.rows) == 0
			top.bad++
			if top.problem = cmp.Or(top.problem, problem); !isFirst {
				continue
			}
			top.cut = true
			c.cut(withoutEnd(c.lines.buf[c.lines.begin:c.lines.scan]))
			if problem.What == tooManyCells || len(c.ends) > maxColumns {
				top.end = &Problem{File: l.Name, Line: c.lines.line, What: tooManyCells, Remedy: useSparse}
				break
			}
		}
		row := make([]string, len(c.ends))
		for i := range row {
			row[i] = string(c.cell(i))
		}
		if sign := row[0]; len(top.rows) == 0 && l.Comma == ' ' && len(row) > 1 && (sign == "#" || sign == "%") {
			row = row[1:] // of a comment that names the columns
		}
		top.rows, top.lines = append(top.rows, row), append(top.lines, c.lines.line)
		cells += len(row)
	}
	return top
}

// tooMany reports whether the reading ended at a row with more cells than a table may have columns.
func (top *topRows) tooMany() bool { return top.end != nil && top.end.What == tooManyCells }

// from returns the rows from row k on.
func (top *topRows) from(k int) *topRows {
	return &topRows{rows: top.rows[k:], lines: top.lines[k:], problem: top.problem, end: top.end}
}

// endOf returns the problem behind an error that ends the reading, or nil if the text is at its end.
func (c *csvRows) endOf(err error) *Problem {
	var problem *Problem
	if err == errLongRow {
		err = c.longRow()
	}
	errors.As(err, &problem)
	return problem
}

// cut makes cells of a line at each delimiter. Quotes around a cell do not count.
func (c *csvRows) cut(line []byte) {
	c.cells, c.ends = c.cells[:0], c.ends[:0]
	for cell := range bytes.SplitSeq(line, []byte{c.layout.Comma}) {
		if len(c.ends) > maxColumns {
			return
		}
		cell = bytes.TrimSpace(cell)
		if n := len(cell); n > 1 && int(cell[0]) == c.quote && cell[n-1] == cell[0] {
			cell = cell[1 : n-1]
		}
		c.cells = append(c.cells, cell...)
		c.ends = append(c.ends, len(c.cells))
	}
}

// mendQuote looks for another rule for quotes, with which all of the first rows can be read: a backslash before each
// quote inside a cell, or none. It returns the rows read by it, or top. One row alone whose quotes are misplaced is no
// reason for none, unless it is the first.
func (l *Layout) mendQuote(top *topRows, head []byte) *topRows {
	for _, quote := range []byte{'\\', 0} {
		l.Quote = quote
		next := l.firstRows(head, sniffRows)
		isNoReason := quote == 0 && (next.hasQuoted() || top.bad < 2 && !top.cut)
		if next.problem == nil && next.end == nil && next.isEven() && !isNoReason {
			return next
		}
	}
	l.Quote = '"'
	return top
}

// isEven reports whether nine of ten rows below the first are equally long, and the first as long, or one cell shorter:
// as a header that does not name the first column.
func (top *topRows) isEven() bool {
	if len(top.rows) < 2 {
		return len(top.rows) == 1
	}
	first, below := len(top.rows[0]), top.rows[1:]
	n := 0
	for _, row := range below {
		if len(row) == len(below[0]) {
			n++
		}
	}
	return 10*n >= 9*len(below) && (first == len(below[0]) || first+1 == len(below[0]))
}

// hasQuoted reports whether any cell begins with a double quote.
func (top *topRows) hasQuoted() bool {
	return slices.ContainsFunc(top.rows, func(row []string) bool {
		return slices.ContainsFunc(row, func(cell string) bool {
			return strings.HasPrefix(strings.TrimSpace(cell), `"`)
		})
	})
}

// takeBadFirst leaves out a first row that cannot be read, unless it has as many cells as the next.
func (l *Layout) takeBadFirst(top *topRows) *topRows {
	if !top.cut || len(top.rows) < 2 || len(top.rows[0]) == len(top.rows[1]) {
		return top
	}
	l.note(columns.Note{Code: columns.NoteGuessedHeader, What: top.problem.Where() + " names no columns: " +
		top.problem.What, Remedy: top.problem.Remedy})
	return top.from(1)
}

// setColumns names the columns and guesses their types and roles. problem is of a first row that cannot be read.
func (l *Layout) setColumns(rows [][]string, problem *Problem) error {
	l.setNames(rows[0])
	body := rows
	if l.Header {
		body = rows[1:]
	}
	if len(body) == 0 && problem != nil {
		return problem
	}
	if len(body) == 0 {
		return &Problem{File: l.Name, Line: 1, What: "there is a header but no row below it",
			Remedy: "choose a file with at least one row"}
	}
	l.describe(body)
	l.noteCells(body)
	l.guessRoles(body)
	return nil
}

// setNames names the columns by the first row if it is a header. They are ignored until they get their roles.
func (l *Layout) setNames(first []string) {
	names := make([]string, len(first))
	for i := range names {
		names[i] = columnName(i)
		if l.Header {
			names[i] = headerName(first[i], i)
		}
	}
	changed := nameEach(names)
	for _, name := range names {
		l.Columns = append(l.Columns, Column{Name: name, Role: columns.AsIgnored})
	}
	l.noteNames(changed)
}

// nameEach gives each column a name of its own: one that is empty, or the same as another, gets a number. It returns
// how many do.
func nameEach(names []string) (changed int) {
	given := slices.Clone(names)
	for i := range names {
		names[i] = cmp.Or(names[i], columnName(i))
	}
	for i, name := range uniqueNames(names) {
		if name != given[i] {
			changed++
		}
	}
	return changed
}

// headerName returns the name in cell i of a header without white space, marks and the sign of a comment before the
// first name: "id" of "#id" and "# id", but not of "# of ids".
func headerName(cell string, i int) string {
	name := string(trimCell([]byte(strings.ToValidUTF8(cell, "\ufffd"))))
	if rest, isSigned := strings.CutPrefix(name, "#"); i == 0 && isSigned && !strings.HasPrefix(rest, " of ") {
		return cmp.Or(strings.TrimSpace(rest), name)
	}
	return name
}

// noteNames says how many names of columns were empty, or the same as another.
func (l *Layout) noteNames(count int) {
	if count == 0 || l.typed() {
		return
	}
	for i := range l.Columns {
		if l.headerName(i) == "" && l.RowNames {
			l.note(columns.Note{Code: columns.NoteNames, Count: 1, What: "the rows have one cell more than the header, " +
				"as R writes the names of rows: " + strconv.Quote(l.Columns[i].Name) + " is the first one"})
			return
		}
	}
	l.note(columns.Note{Code: columns.NoteNames, Count: int64(count), What: plural(int64(count), "name") +
		" of " + pick(int64(count), "a column is", "columns are") + " empty, or the same as another, and got a number"})
}
