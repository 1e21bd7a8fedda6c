package dataset

import (
	"bytes"
	"io"
	"unicode/utf8"

	"tensorsketch.example/dataset/plan"
)

// newTextRows reads each line as a row of one cell.
func newTextRows(r io.Reader, l *Layout) RowReader {
	columns := len(l.Columns) - len(l.Indexes(plan.AsIgnored))
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

// looksPlainText reports whether a file has the name of a text and is not a table.
func looksPlainText(h *fileHead) bool {
	return (h.extension == ".txt" || h.extension == ".text" || h.extension == ".md") && !looksTable(h.text)
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
	l.Columns = []Column{{Name: "text", Type: plan.Text, Role: plan.AsWords}}
	if l.typed() {
		return nil
	}
	for line := range bytes.Lines(head) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if l.Rows++; l.Rows == 1 {
				l.Columns[0].Example = plan.Short(string(line))
			}
		}
	}
	if l.Rows == 0 {
		return l.noRows(whole, "choose a text with one row per line")
	}
	return nil
}
