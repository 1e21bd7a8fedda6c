package dataset

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"unicode/utf8"

	"tensorsketch.example/dataset/columns"
)

// maxIndex is the largest coordinate: a map has at most 2^31 − 1 coordinates.
const maxIndex = 1<<31 - 2

// libsvmRows reads lines of "label index:value index:value … # comment".
type libsvmRows struct {
	layout  *Layout
	entries []entry
}

func newLIBSVMRows(r io.Reader, l *Layout) RowReader {
	s := &libsvmRows{layout: l}
	return &lineRows{lines: newLines(r), layout: l, tooLong: "the row is longer than 8 MB",
		remedy: "write one row per line", content: libsvmContent, add: s.add}
}

func (s *libsvmRows) add(b *Block, line []byte) *Problem {
	label, rest := libsvmLabel(line)
	if problem := s.label(b, label); problem != nil {
		return problem
	}
	if problem := s.parse(rest); problem != nil {
		return problem
	}
	for _, e := range s.entries {
		b.AddEntry(e.index, e.value)
	}
	return nil
}

// libsvmContent returns a line without its comment and outer spaces.
func libsvmContent(line []byte) []byte {
	if i := bytes.IndexByte(line, '#'); i >= 0 {
		line = line[:i]
	}
	return bytes.TrimSpace(line)
}

// libsvmLabel separates the label from the rest. The label is empty if the line begins with an entry.
func libsvmLabel(line []byte) (label, rest []byte) {
	label, rest = cutField(line)
	if bytes.IndexByte(label, ':') >= 0 {
		return nil, line
	}
	return label, rest
}

// cutField returns what comes before the next space or tab, and the rest.
func cutField(line []byte) (field, rest []byte) {
	from := 0
	for from < len(line) && (line[from] == ' ' || line[from] == '\t') {
		from++
	}
	to := from
	for to < len(line) && line[to] != ' ' && line[to] != '\t' {
		to++
	}
	return line[from:to], line[to:]
}

func (s *libsvmRows) label(b *Block, label []byte) *Problem {
	switch s.layout.Columns[0].Role {
	case columns.AsIgnored:
	case columns.AsNumber:
		x, reason := plainNumbers.number(label)
		if reason != "" {
			return &Problem{Place: "label", What: quoted(label) + " " + reason,
				Remedy: "correct it, or do not use it as a number"}
		}
		b.AddNumber(x)
	default:
		if !utf8.Valid(label) {
			return &Problem{Place: "label", What: notUTF8Text, Remedy: utf8Remedy}
		}
		b.AddText(label)
	}
	return nil
}

// parse reads the entries after the label and sorts them.
func (s *libsvmRows) parse(rest []byte) *Problem {
	s.entries = s.entries[:0]
	sorted, last := true, int32(-1)
	for n := 1; ; n++ {
		var entry []byte
		if entry, rest = cutField(rest); len(entry) == 0 {
			break
		}
		if bytes.HasPrefix(entry, []byte("qid:")) {
			continue
		}
		e, what, remedy := s.entry(entry)
		if what != "" {
			return &Problem{Place: "entry " + strconv.Itoa(n) + " (" + quoted(entry) + ")", What: what, Remedy: remedy}
		}
		sorted = sorted && e.index > last
		last = e.index
		s.entries = append(s.entries, e)
	}
	if sorted {
		return nil
	}
	slices.SortStableFunc(s.entries, byIndex)
	for i := 1; i < len(s.entries); i++ {
		if s.entries[i].index == s.entries[i-1].index {
			return &Problem{What: "index " + strconv.Itoa(int(s.entries[i].index)+s.layout.Base) + " occurs twice",
				Remedy: "give each index once"}
		}
	}
	return nil
}

// entry reads "index:value".
func (s *libsvmRows) entry(text []byte) (e entry, what, remedy string) {
	const form = "write index:value, as 3:0.5"
	colon := bytes.IndexByte(text, ':')
	if colon < 0 {
		return e, "there is no colon", form
	}
	if text[0] == '-' {
		return e, "the index is negative", "count coordinates from 0 or from 1"
	}
	index, ok := parseIndex(text[:colon])
	switch {
	case !ok:
		return e, "the index is not an integer", form
	case index < int64(s.layout.Base):
		return e, "the index is 0 where indices count from 1", "count from 1 in all rows, or read the file with {base} 0"
	case index-int64(s.layout.Base) > maxIndex:
		return e, "the index is above " + strconv.Itoa(maxIndex+s.layout.Base), "hash the indices into fewer"
	}
	value := text[colon+1:]
	x, n := scanNumber(value, '.')
	if n == 0 || n != len(value) {
		var reason string
		if x, reason = parseNumber(value, '.'); reason != "" {
			return e, "the value " + reason, "correct it, or leave the entry out"
		}
	}
	return entry{int32(index - int64(s.layout.Base)), x}, "", ""
}

// parseIndex reads a non-negative integer. It returns 2^62 for an integer larger than any index.
func parseIndex(text []byte) (index int64, ok bool) {
	for _, b := range text {
		if b-'0' > 9 {
			return 0, false
		}
		if index = 10*index + int64(b-'0'); index > 1<<40 {
			index = 1 << 40
		}
	}
	return index, len(text) > 0
}

// looksLIBSVM reports whether the first lines are labels and entries. At least half of them must have an entry. A few
// may be odd: fewer than those that are not, or as many if they have entries too.
func looksLIBSVM(h *fileHead) bool {
	rows, some, odd, bare := 0, 0, 0, 0
	for line := range bytes.Lines(h.text) {
		if rows == 20 || line[len(line)-1] != '\n' && rows > 0 { // the last line may be cut off
			break
		}
		if line = libsvmContent(line); len(line) == 0 {
			continue
		}
		label, rest := libsvmLabel(line)
		if len(bytes.Trim(label, "+-.,0123456789eE")) > 0 && bytes.ContainsAny(label, ",;\"") {
			return false
		}
		rows++
		entries, others := countEntries(rest)
		switch {
		case others > 0:
			if odd++; entries == 0 {
				bare++
			}
		case entries > 0:
			some++
		}
	}
	return some > 0 && 2*some >= rows && (2*odd < rows || 2*odd == rows && bare == 0)
}

// countEntries counts the fields that have the form index:value, and the others.
func countEntries(text []byte) (entries, others int) {
	for entry := range bytes.FieldsSeq(text) {
		index, _, ok := bytes.Cut(entry, []byte(":"))
		if _, isIndex := parseIndex(bytes.TrimPrefix(index, []byte("-"))); ok && (isIndex || string(index) == "qid") {
			entries++
		} else {
			others++
		}
	}
	return entries, others
}

// isCountsLine reports whether a line has integers and no entry, as files of extreme classification begin with their
// numbers of rows, coordinates and labels.
func isCountsLine(line []byte) bool {
	fields := bytes.Fields(libsvmContent(line))
	for _, field := range fields {
		if _, ok := parseIndex(field); !ok {
			return false
		}
	}
	return len(fields) >= 2
}

// sniffLIBSVM finds the base: 0 if any index in the head is 0.
func (l *Layout) sniffLIBSVM(head []byte, whole bool) error {
	l.Sparse = true
	l.Columns = []Column{{Name: "label", Type: columns.Text, Role: columns.AsLabel}}
	if l.typed() {
		return nil
	}
	if l.isFree("skip") && isCountsLine(head[:bytes.IndexByte(head, '\n')+1]) {
		l.passOver(1)
	}
	s := libsvmRows{layout: &Layout{}}
	var labels [][]string
	for line := range bytes.Lines(l.withoutComments(head)) {
		label, rest := libsvmLabel(libsvmContent(line))
		if len(label)+len(rest) == 0 {
			continue
		}
		if len(labels) < sniffCells {
			labels = append(labels, []string{string(label)})
		}
		if s.parse(rest) != nil || len(s.entries) == 0 {
			continue
		}
		if s.entries[0].index == 0 && l.guesses("base") {
			l.Base = 0
		}
		l.Width = max(l.Width, int(s.entries[len(s.entries)-1].index)+1)
	}
	l.Width = max(l.Width-l.Base, 0)
	if len(labels) == 0 {
		return l.noRows(whole, "choose one with lines like 1 3:0.5 7:2")
	}
	l.describe(labels)
	if l.Columns[0].Type == columns.Empty {
		l.Columns[0].Role = columns.AsIgnored
	}
	return nil
}

var libsvmEncoding = encoding{
	maxCells: 1, tooMany: "dataset: LIBSVM holds one label and no kept columns; save these as CSV or JSON Lines",
	row: appendLIBSVM,
}

// appendLIBSVM appends a row. Indices count from 1, and zeros are left out.
func appendLIBSVM(e *Encoder, dst []byte, cells [][]byte, features []float32) ([]byte, error) {
	label := []byte("0")
	if len(cells) > 0 {
		label = cells[0]
	}
	if _, reason := parseNumber(label, '.'); reason != "" {
		return dst, errors.New("dataset: row " + strconv.FormatInt(e.rows, 10) + ": the label " + quoted(label) +
			" is not a number, as LIBSVM needs; save as CSV or JSON Lines, or without the label")
	}
	dst = append(dst, label...)
	for i, x := range features {
		if x != 0 {
			dst = append(strconv.AppendInt(append(dst, ' '), int64(i)+1, 10), ':')
			dst = appendFloat32(dst, x)
		}
	}
	return append(dst, '\n'), nil
}
