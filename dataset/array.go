package dataset

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"strconv"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/internal/portable"
)

// element is the type of the numbers of an array.
type element struct {
	kind byte // 'f' float, 'i' signed, 'u' unsigned, 'b' boolean
	size int  // bytes
	big  bool // big-endian
}

// array describes rows of numbers, as the headers of .npy and IDX do.
type array struct {
	element element
	rows    int64
	width   int // numbers in a row

	shape   []int64
	start   int64 // offset of the numbers in a .npy file
	fortran bool  // the first index varies fastest
}

// arrayRows reads the rows of an array.
type arrayRows struct {
	array
	layout *Layout
	r      *bufio.Reader
	done   int64
	raw    []byte
	cells  []float64
	plain  bool // every column is read as a number
}

// readHeader reads the header before the numbers of a file with that name.
type readHeader func(r io.Reader, name string) (array, error)

// openArray returns the rows of content, which is the unpacked content of a file. Arrays stored column by column are
// read from the file itself.
func openArray(content io.Reader, l *Layout, header readHeader, file io.Reader) (RowReader, error) {
	buffered := bufio.NewReaderSize(content, 256<<10)
	a, err := header(buffered, l.Name)
	if err != nil {
		return nil, err
	}
	if a.width != len(l.Columns) {
		return nil, newProblem(l.Name, "the file has changed since its head was read", "open it again")
	}
	if a.fortran {
		f, err := l.wholeFile(file)
		if err != nil {
			return nil, err
		}
		t, err := newTransposer(a, f, l.Name)
		if err != nil {
			return nil, err
		}
		buffered.Reset(t)
	}
	return &arrayRows{array: a, layout: l, r: buffered, raw: make([]byte, a.width*a.element.size),
		cells: make([]float64, a.width),
		plain: len(l.Indexes(columns.AsNumber)) == a.width}, nil
}

// sniffArray fills in the layout of an array with a header.
func (l *Layout) sniffArray(header readHeader, head []byte, whole bool) error {
	r := bytes.NewReader(head)
	a, err := header(r, l.Name)
	switch {
	case err == nil && whole && !l.typed() && !a.fortran && r.Len() < a.width*a.element.size: // no row is there
		return truncated(io.EOF, l.Name, 1, "the file ends here, of "+plural(a.rows, "row"))
	case err == nil:
		l.setArray(a, head[len(head)-r.Len():])
	case !whole && r.Len() == 0:
		return ErrShortHead
	}
	return err
}

func (a *arrayRows) Row(b *Block, unused *Unused) error {
	if a.done == a.rows {
		return a.end()
	}
	if _, err := io.ReadFull(a.r, a.raw); err != nil {
		return truncated(err, a.layout.Name, a.done+1, "the file ends here, of "+plural(a.rows, "row"))
	}
	a.done++
	cells := a.cells
	if a.plain {
		cells = b.numberRow()
	}
	a.element.decode(cells, a.raw)
	for i, x := range cells {
		if math.IsInf(x, 0) && a.layout.Columns[i].Role != columns.AsIgnored {
			b.DropRow()
			unused.Add(&Problem{File: a.layout.Name, Row: a.done, Place: a.layout.Place(i),
				What: "the number is infinite", Remedy: "replace it by a finite one"})
			return nil
		}
	}
	if !a.plain {
		a.cut(b)
	}
	b.EndRow(a.done)
	return nil
}

// cut adds the cells in the form that the roles of their columns need.
func (a *arrayRows) cut(b *Block) {
	var text [32]byte
	for i, x := range a.cells {
		switch a.layout.Columns[i].Role {
		case columns.AsIgnored:
		case columns.AsNumber:
			b.AddNumber(x)
		default:
			b.AddText(AppendNumber(text[:0], x))
		}
	}
}

// end returns an error unless the file ends with its last row.
func (a *arrayRows) end() error {
	if _, err := a.r.ReadByte(); err != nil {
		return err
	}
	return moreThan(a.layout.Name, a.rows)
}

func moreThan(name string, rows int64) error {
	return newProblem(name, "there is more behind the "+plural(rows, "row")+" that its header announces",
		"export the file again")
}

// decode converts len(dst) numbers to float64; integers beyond 2^53 are rounded.
func (e element) decode(dst []float64, src []byte) {
	var order binary.ByteOrder = binary.LittleEndian
	if e.big {
		order = binary.BigEndian
	}
	switch {
	case e.kind == 'f' && e.size == 4:
		for i := range dst {
			dst[i] = float64(math.Float32frombits(order.Uint32(src[4*i:])))
		}
	case e.kind == 'f' && e.size == 8:
		for i := range dst {
			dst[i] = math.Float64frombits(order.Uint64(src[8*i:]))
		}
	case e.kind == 'f':
		for i := range dst {
			dst[i] = portable.HalfFloat(order.Uint16(src[2*i:]))
		}
	case e.kind == 'b':
		for i := range dst {
			dst[i] = float64(min(src[i], 1))
		}
	case e.size == 1 && e.kind == 'u':
		for i := range dst {
			dst[i] = float64(src[i])
		}
	default:
		e.decodeIntegers(dst, src, order)
	}
}

func (e element) decodeIntegers(dst []float64, src []byte, order binary.ByteOrder) {
	for i := range dst {
		var n uint64
		switch at := src[i*e.size:]; e.size {
		case 1:
			n = uint64(at[0])
		case 2:
			n = uint64(order.Uint16(at))
		case 4:
			n = uint64(order.Uint32(at))
		default:
			n = order.Uint64(at)
		}
		if e.kind == 'u' {
			dst[i] = float64(n)
		} else {
			shift := 64 - 8*e.size
			dst[i] = float64(int64(n<<shift) >> shift)
		}
	}
}

// newArray returns the array of a shape, checked. The first dimension counts the rows, and the others are their
// coordinates.
func newArray(name string, e element, shape []int64) (array, error) {
	if len(shape) == 0 {
		return array{}, newProblem(name, "the array is a single number", "save an array of rows")
	}
	width := int64(1)
	for _, n := range shape[1:] {
		if n > maxColumns || width*n > maxColumns {
			return array{}, newProblem(name, "a row has more than "+strconv.Itoa(maxColumns)+" numbers",
				"save fewer columns, or write the rows as LIBSVM, which is sparse")
		}
		width *= n
	}
	switch {
	case shape[0] == 0:
		return array{}, newProblem(name, "the array has no rows", "choose one with at least one row")
	case width == 0:
		return array{}, newProblem(name, "the rows of the array have no numbers", "choose one with at least one column")
	case shape[0] > 1<<53/(width*8):
		return array{}, newProblem(name, "the header announces "+strconv.FormatInt(shape[0], 10)+
			" rows, more than any file holds", "export the file again")
	}
	return array{element: e, rows: shape[0], width: int(width), shape: shape}, nil
}

// setArray makes the columns of an array, with examples from the numbers in the head.
func (l *Layout) setArray(a array, numbers []byte) {
	l.Columns = make([]Column, a.width)
	l.BytesPerRow = float64(a.width * a.element.size)
	l.Total = a.rows
	if l.typed() {
		numbers = nil
	}
	l.Rows = int(min(a.rows, int64(len(numbers)/(a.width*a.element.size)), sniffRows))
	first := make([]float64, len(numbers)/a.element.size)
	if !a.fortran {
		first = first[:min(a.width, len(first))]
	}
	a.element.decode(first, numbers)
	for i := range l.Columns {
		c := &l.Columns[i]
		*c = Column{Name: columnName(i), Type: columns.Integer, Role: columns.AsNumber}
		if a.element.kind == 'f' {
			c.Type = columns.Number
		}
		at := int64(i)
		if a.fortran {
			at = a.columnOf(i) * a.rows
		}
		if at < int64(len(first)) {
			c.Example = string(AppendNumber(nil, first[at]))
		}
	}
}
