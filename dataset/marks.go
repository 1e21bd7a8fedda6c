package dataset

import (
	"bytes"
	"strings"
	"unicode"
)

// marks are characters that spreadsheets and web pages leave around a cell, and that nobody sees: the byte order mark,
// the zero-width space, and the marks for the direction of writing.
const marks = "\ufeff\u200b\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"

// mayBeMark is the least first byte of a mark. Its last byte is at least 0x80.
const mayBeMark = 0xd8

// trimCell returns a cell without white space and marks at both ends.
func trimCell(cell []byte) []byte {
	cell = bytes.TrimSpace(cell)
	if n := len(cell); n > 0 && (cell[0] >= mayBeMark || cell[n-1] >= 0x80) {
		cell = bytes.TrimFunc(cell, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(marks, r) })
	}
	return cell
}

// trimMarks returns a text without marks at both ends.
func trimMarks(text []byte) []byte {
	if n := len(text); n > 0 && (text[0] >= mayBeMark || text[n-1] >= 0x80) {
		return bytes.TrimFunc(text, func(r rune) bool { return strings.ContainsRune(marks, r) })
	}
	return text
}
