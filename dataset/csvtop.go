package dataset

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/dataset/columns"
)

// What may stand around the table of a CSV: comments, lines before the header, a header in a comment, and a header that
// does not name the first column.

// A lastComment is the last comment above the table.
type lastComment struct {
	text   string // without its sign
	before int    // lines above it
}

// guessComment finds the sign of comments, if the file begins with lines that begin with one and most other lines do
// not. It returns the last of these comments, which may be the header.
func (l *Layout) guessComment(head []byte) (above *lastComment) {
	if !l.isFree("comment") {
		return nil
	}
	others, signed, n := 0, 0, 0
	sign := ""
	for line := range bytes.Lines(head) {
		if n++; n <= l.Skip || len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if sign == "" {
			if sign = string(bytes.TrimLeft(line, " \t")[:1]); sign != "#" && sign != "%" {
				return nil
			}
		}
		switch isSigned := isComment(line, sign); {
		case isSigned && others == 0:
			above = &lastComment{strings.TrimLeft(strings.TrimSpace(string(line)), sign), n - 1}
		case isSigned:
			signed++
		default:
			others++
		}
		if others+signed == 20 {
			break
		}
	}
	if others == 0 || signed >= others {
		return nil
	}
	l.Comment = sign
	return above
}

// withoutComments returns a head without the lines that are passed over and without comments.
func (l *Layout) withoutComments(head []byte) []byte {
	if l.Skip == 0 && l.Comment == "" {
		return head
	}
	var table []byte
	n := 0
	for line := range bytes.Lines(head) {
		if n++; n > l.Skip && !isComment(line, l.Comment) {
			table = append(table, line...)
		}
	}
	return table
}

// takeTop finds what stands above the rows: a header in a comment, other lines, or a header one cell short. It returns
// the rows from the header on.
func (l *Layout) takeTop(top *topRows, above *lastComment, head []byte) *topRows {
	switch {
	case above != nil && l.headsRows(above, top.rows):
		l.Comment, l.Skip, l.Header = "", above.before, true
		top = l.firstRows(head, sniffRows)
		if l.Skip > 0 {
			l.passOver(l.Skip)
		}
	case l.Comment != "" && l.isFree("comment"):
		l.Guessed = append(l.Guessed, "comment")
		n := l.countComments(head)
		l.note(columns.Note{Code: columns.NoteSkippedLines, Count: int64(n), What: "lines that begin with " +
			strconv.Quote(l.Comment) + " are left out as comments, " + strconv.Itoa(n) + " of them in the head of the file",
			Remedy: "set {comment} to \"\" to read them"})
	}
	if l.isFree("skip") && l.Skip == 0 && !l.namesOne(top.rows) {
		if k := l.preambleRows(top.rows); k > 0 {
			l.passOver(int(top.lines[k]) - 1)
			top = top.from(k)
		}
	}
	if l.isFree("rownames") && l.lacksName(top.rows) {
		l.RowNames = true
		l.Guessed = append(l.Guessed, "rownames")
	}
	if l.RowNames {
		top.rows[0] = append([]string{""}, top.rows[0]...)
		l.Header = true
	}
	return top
}

// namesOne reports whether a first row of one cell is the name of the second column, and no title: the cells of the
// first column count from 1, as R numbers rows, or are texts and the name is a word above rows without a header.
func (l *Layout) namesOne(rows [][]string) bool {
	if !l.isFree("rownames") || len(rows) < 3 || len(rows[0]) != 1 || !l.lacksName(rows) {
		return false
	}
	counting, texts := true, true
	for i, row := range rows[1:] {
		counting = counting && row[0] == strconv.Itoa(i+1)
		texts = texts && kind(row[0], l.numbers(), l.Dates) == columns.Text
	}
	hasHeader, _ := l.guessHeader(rows[1:])
	return counting || texts && !hasHeader && !strings.Contains(rows[0][0], " ")
}

// countComments counts the comments in a head.
func (l *Layout) countComments(head []byte) (count int) {
	n := 0
	for line := range bytes.Lines(head) {
		if n++; n > l.Skip && isComment(line, l.Comment) {
			count++
		}
	}
	return count
}

// passOver leaves out the lines before the table, and says so.
func (l *Layout) passOver(lines int) {
	l.Skip = lines
	l.Guessed = append(l.Guessed, "skip")
	n := int64(lines)
	l.note(columns.Note{Code: columns.NoteSkippedLines, Count: n, Remedy: "set {skip} to 0 to read them",
		What: plural(n, "line") + " before the table " + pick(n, "is", "are") + " left out"})
}

// headsRows reports whether a comment names the columns of the rows: it has as many cells, or one less where the first
// cells name the rows, and no row is a header.
func (l *Layout) headsRows(above *lastComment, rows [][]string) bool {
	if !l.isFree("skip") || !l.guesses("header") && !l.Header {
		return false
	}
	c := newCSVRows(nil, &Layout{Comma: l.Comma, Quote: l.Quote})
	problem, err := c.split(c.content([]byte(above.text)))
	if problem != nil || err != nil {
		return false
	}
	names := make([]string, len(c.ends))
	for i := range names {
		names[i] = string(c.cell(i))
	}
	if header, _ := l.guessHeader(rows); header {
		return false
	}
	with := append([][]string{names}, rows...)
	if len(names) != len(rows[0]) {
		return l.lacksName(with)
	}
	named, _ := l.guessHeader(with)
	return named
}

// mostPreamble bounds the rows above a header that Sniff passes over.
const mostPreamble = 50

// preambleRows returns how many rows stand above the header. They have fewer cells than the header and most rows below
// it, or are filled up with empty cells, as spreadsheets write them. The header must be clear, unless each of them
// has one cell, and stand above numbers or dates if rows that are filled up have several.
func (l *Layout) preambleRows(rows [][]string) int {
	width := commonWidth(rows)
	k := slices.IndexFunc(rows, func(row []string) bool { return len(row) >= max(width, 2) && !isFilledUp(row) })
	if width < 2 || k < 1 || k > mostPreamble || len(rows) < k+2 || len(rows[k]) != width {
		return 0
	}
	if slices.ContainsFunc(rows[:k], func(row []string) bool { return len(row) > 1 }) {
		header, weak := l.guessHeader(rows[k:])
		isSure := header && !weak
		if isSure && len(rows[0]) == width && slices.ContainsFunc(rows[:k], hasSeveral) {
			isSure = l.headerOf(rows[k:]).texts > 0
		}
		if !isSure {
			return 0
		}
	}
	return k
}

// isFilledUp reports whether the last cell of a row is empty, and so are about half of its cells.
func isFilledUp(row []string) bool {
	return 2*(len(row)-filled(row))+1 >= len(row) && strings.TrimSpace(row[len(row)-1]) == ""
}

// filled counts the cells of a row that are not empty.
func filled(row []string) (n int) {
	for _, cell := range row {
		if strings.TrimSpace(cell) != "" {
			n++
		}
	}
	return n
}

func hasSeveral(row []string) bool { return filled(row) > 1 }

// commonWidth returns the number of cells of most rows, or 0 if fewer than four fifths have one number.
func commonWidth(rows [][]string) int {
	times := map[int]int{}
	for _, row := range rows {
		times[len(row)]++
	}
	for width, n := range times {
		if k := min(mostPreamble, len(rows)/2); 5*n >= 4*(len(rows)-k) && 2*n > len(rows) {
			return width
		}
	}
	return 0
}

// lacksName reports whether all rows have one cell more than the first, which is a header then, and the first cells
// name the rows: they differ. Rows whose last cell is empty only end with a delimiter.
func (l *Layout) lacksName(rows [][]string) bool {
	if !l.guesses("header") && !l.Header || len(rows) < 2 {
		return false
	}
	empty, seen := 0, map[string]bool{}
	for _, row := range rows[1:] {
		if len(row) != len(rows[0])+1 || seen[row[0]] {
			return false
		}
		seen[row[0]] = true
		if strings.TrimSpace(row[len(row)-1]) == "" {
			empty++
		}
	}
	if 2*empty >= len(rows) {
		return false
	}
	named := slices.Clone(rows)
	named[0] = append([]string{""}, rows[0]...)
	header, _ := l.guessHeader(named)
	return header
}
