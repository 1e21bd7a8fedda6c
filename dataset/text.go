package dataset

import (
	"bytes"
	"io"
	"unicode/utf8"

	"tensorsketch.example/dataset/plan"
)

// textRows reads each line as a row of one cell; blank lines are no rows.
type textRows struct {
	layout *Layout
	lines  *lines
}

func newTextRows(r io.Reader, l *Layout) *textRows { return &textRows{l, newLines(r)} }

func (t *textRows) row(b *Block, unused *Unused) error {
	line, err := t.lines.next()
	if err != nil {
		return t.lines.tooLong(err, unused,
			Problem{File: t.layout.Name, What: "the line is longer than 8 MB", Remedy: "break it into lines"})
	}
	line = bytes.TrimSpace(line)
	switch {
	case len(line) == 0:
		t.lines.blank(unused, t.layout.Name)
		return nil
	case !utf8.Valid(line):
		unused.Add(&Problem{File: t.layout.Name, Line: t.lines.line, What: notUTF8Text, Remedy: utf8Remedy})
		return nil
	}
	for range len(t.layout.Columns) - len(t.layout.Indexes(plan.AsIgnored)) {
		b.AddText(line)
	}
	b.EndRow(t.lines.line)
	return nil
}

func (l *Layout) sniffText(head []byte, whole bool) error {
	l.Columns = []Column{{Name: "text", Type: plan.Text, Role: plan.AsWords}}
	if l.typed() {
		return nil
	}
	for line := range bytes.Lines(head) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if l.Rows++; l.Rows == 1 {
				l.Columns[0].Example = short(string(line))
			}
		}
	}
	switch {
	case l.Rows == 0 && !whole:
		return ErrShortHead
	case l.Rows == 0:
		return &Problem{File: l.Name, What: "the file has no rows", Remedy: "choose a text with one row per line"}
	}
	return nil
}
