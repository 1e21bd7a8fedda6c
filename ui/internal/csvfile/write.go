package csvfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strconv"
	"strings"
)

// AppendCells appends the label and the kept cells of a row as they begin its
// line in the output, quoted where they have to be, and each followed by a comma.
func AppendCells(dst []byte, hasLabel bool, row *Row) []byte {
	if hasLabel {
		dst = append(appendCell(dst, row.Label), ',')
	}
	for _, cell := range row.Kept {
		dst = append(appendCell(dst, cell), ',')
	}
	return dst
}

// AppendHeader appends the first line of the output: the names of label and kept
// columns, then f0, f1, …
func AppendHeader(dst []byte, names []string, nComponents int) []byte {
	for _, name := range names {
		dst = append(appendCell(dst, name), ',')
	}
	for i := range nComponents {
		dst = append(strconv.AppendInt(append(dst, 'f'), int64(i), 10), ',')
	}
	dst[len(dst)-1] = '\n'
	return dst
}

// AppendRow appends a line of the output: its cells, and the features in the
// fewest digits that read as the same float32.
func AppendRow(dst, cells []byte, features []float32) []byte {
	dst = append(dst, cells...)
	for _, x := range features {
		dst = append(strconv.AppendFloat(dst, float64(x), 'g', -1, 32), ',')
	}
	dst[len(dst)-1] = '\n'
	return dst
}

func appendCell(dst []byte, cell string) []byte {
	if !strings.ContainsAny(cell, ",\"\r\n") && strings.TrimSpace(cell) == cell {
		return append(dst, cell...)
	}
	dst = append(dst, '"')
	for i := range len(cell) {
		if cell[i] == '"' {
			dst = append(dst, '"')
		}
		dst = append(dst, cell[i])
	}
	return append(dst, '"')
}

// Cells of many rows are packed one after another, each with its length before
// it in four bytes.

// PackCells appends the packed cells of one row.
func PackCells(dst, cells []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(dst, uint32(len(cells))), cells...)
}

// UnpackCells returns the cells of the first row and what follows.
func UnpackCells(packed []byte) (cells, rest []byte, err error) {
	if len(packed) < 4 || int(binary.LittleEndian.Uint32(packed)) > len(packed)-4 {
		return nil, nil, errors.New("csvfile: packed cells are cut off")
	}
	end := 4 + int(binary.LittleEndian.Uint32(packed))
	return packed[4:end], packed[end:], nil
}

// OutputNames returns the names of the columns that come before the features:
// the label, then the kept ones.
func (l *Layout) OutputNames() []string {
	var names []string
	if i := l.Label(); i >= 0 {
		names = append(names, l.Columns[i].Name)
	}
	for _, i := range l.Indexes(Keep) {
		names = append(names, l.Columns[i].Name)
	}
	return names
}

// Stem returns the name of the file without its extension.
func (l *Layout) Stem() string {
	if i := strings.LastIndexByte(l.Name, '.'); i > 0 {
		return l.Name[:i]
	}
	return l.Name
}

// bytesPerRow estimates the length of a row from the head.
func bytesPerRow(head []byte) float64 {
	lines := bytes.Count(head, []byte("\n"))
	return float64(len(head)) / float64(max(lines, 1))
}
