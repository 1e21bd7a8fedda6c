package dataset

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"tensorsketch.example/dataset/columns"
)

// newTextRows reads each line as a row of one cell.
func newTextRows(r io.Reader, l *Layout) RowReader {
	columns := len(l.Columns) - len(l.Indexes(columns.AsIgnored))
	return &lineRows{lines: newLines(r), layout: l, tooLong: "the line is longer than 8 MB", remedy: "break it into lines",
		content: bytes.TrimSpace, add: func(b *Block, line []byte) *Problem {
			if !utf8.Valid(line) {
				return &Problem{What: notUTF8Text, Remedy: utf8Remedy}
			}
			for range columns {
				b.AddText(line)
			}
			return nil
		}}
}

// sentences returns a Problem if a file whose format is guessed holds lines of text and no table: most of its lines
// have several words, and they are a single column of texts that hardly recur, or the file has the name of a text and
// its lines have different numbers of cells.
func (l *Layout) sentences(head []byte, top *topRows) *Problem {
	if !l.guesses("format") {
		return nil
	}
	name := columns.WithoutCompression(l.Name)
	extension := strings.ToLower(name[len(columns.WithoutExtension(name)):])
	isText := slices.Contains([]string{".txt", ".text", ".md"}, extension)
	isColumn := !slices.ContainsFunc(top.rows, func(row []string) bool { return len(row) > 1 })
	switch {
	case isColumn && (l.columnType(top.rows, 0) != columns.Text || fewValues(top.rows, 0)),
		!isColumn && !(isText && !looksTable(head)), !haveWords(head):
		return nil
	}
	return &Problem{File: l.Name, Line: top.lines[0], What: "the lines are texts and no table, such as " +
		quoted(bytes.TrimSpace(firstLine(head))),
		Remedy: "read it with {format} \"text\", which takes the words of each line, or with " +
			"{format} \"csv\" and its {delimiter}"}
}

// haveWords reports whether most of the first lines have several words.
func haveWords(head []byte) bool {
	n, several := 0, 0
	for line := range firstLines(head) {
		if n++; bytes.ContainsAny(bytes.TrimSpace(line), " \t") {
			several++
		}
	}
	return 2*several > n
}

func firstLine(head []byte) []byte {
	for line := range firstLines(head) {
		return line
	}
	return nil
}

// looksTable reports whether at least three quarters of the first lines have equally many delimiters, or are a number.
func looksTable(text []byte) bool {
	comma := guessComma(text, '"')
	if comma == ' ' {
		return true
	}
	n, numbers, times := 0, 0, map[int]int{}
	for line := range firstLines(text) {
		line = bytes.TrimSpace(line)
		if kind(string(line), plainNumbers, "").IsNumeric() {
			numbers++
		}
		times[countOutsideQuotes(line, comma, '"')]++
		n++
	}
	delete(times, 0)
	most := numbers
	for _, k := range times {
		most = max(most, k)
	}
	return 4*most >= 3*n
}

func (l *Layout) sniffPlainText(head []byte, whole bool) error {
	l.Columns = []Column{{Name: "text", Type: columns.Text, Role: columns.AsWords}}
	if l.typed() {
		return nil
	}
	for line := range bytes.Lines(head) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if l.Rows++; l.Rows == 1 {
				l.Columns[0].Example = columns.Short(string(line))
			}
		}
	}
	if l.Rows == 0 {
		return l.noRows(whole, "choose a text with one row per line")
	}
	l.note(columns.Note{Code: columns.NoteWords, What: "each line is read as one text"})
	return nil
}
