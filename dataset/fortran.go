package dataset

import "io"

// stripBytes bounds the memory for an array that is stored column by column.
const stripBytes = 8 << 20

// A transposer returns an array stored column by column as if it were stored row by row, in strips of rows of all
// columns.
type transposer struct {
	array
	f      File
	done   int64
	column []byte // of the strip
	strip  []byte // row by row
}

func newTransposer(a array, f File, name string) (io.Reader, error) {
	switch end := a.start + a.rows*int64(a.element.size*a.width); {
	case f.Size() < end:
		return nil, truncated(io.EOF, name, 0, "the file ends before its last column, of "+plural(a.rows, "row"))
	case f.Size() > end:
		return nil, moreThan(name, a.rows)
	}
	n := min(max(stripBytes/int64(a.element.size*a.width), 1), a.rows)
	size := int(n) * a.element.size
	t := &transposer{array: a, f: f, column: make([]byte, size), strip: make([]byte, size*a.width)}
	return &parts{next: t.next}, nil
}

// next returns the next strip.
func (t *transposer) next() ([]byte, error) {
	if t.done == t.rows {
		return nil, io.EOF
	}
	size := t.element.size
	n := int(min(int64(len(t.column)/size), t.rows-t.done))
	column := t.column[:n*size]
	for c := range t.width {
		at := t.start + (t.columnOf(c)*t.rows+t.done)*int64(size)
		if m, err := t.f.ReadAt(column, at); m < len(column) {
			return nil, err
		}
		for row := range n {
			copy(t.strip[(row*t.width+c)*size:], column[row*size:(row+1)*size])
		}
	}
	t.done += int64(n)
	return t.strip[:n*size*t.width], nil
}

// columnOf returns the position of coordinate c among the stored columns. There the first index of a row varies
// fastest; in rows the last one does.
func (a *array) columnOf(c int) int64 {
	column, stride := int64(0), int64(a.width)
	for i := len(a.shape) - 1; i > 0; i-- {
		stride /= a.shape[i]
		column += int64(c) % a.shape[i] * stride
		c /= int(a.shape[i])
	}
	return column
}
