// Package columnar reads and writes Parquet and Arrow IPC for package dataset, and reads a sheet of a workbook.
// Package dataset has these formats in programs that import this package:
//
//	import _ "tensorsketch.example/dataset/columnar"
//
// A file is read in strips of rows, and only the wanted columns of a strip are read. Pages, dictionaries and record
// batches are kept from strip to strip if they fit into 48 MB; otherwise they are read again. None may have more than
// 64 MB itself.
//
// The decoders index into the bytes that they have read without checking the length first. Go's bounds checks panic on
// damaged data, and Head, Open and Next turn the panic into a Problem. They do the same with panics of libraries that
// unpack. Allocations are bounded by the size of the data or by the limits below.
package columnar

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/internal/portable"
)

// Limits.
const (
	mostPage      = 64 << 20 // bytes of a page, buffer or dictionary, unpacked
	mostHeld      = 48 << 20 // bytes kept from strip to strip
	mostMetadata  = 32 << 20 // bytes of a footer or of the head of a message
	mostColumns   = 1 << 18
	mostNames     = 16 << 20 // bytes of the names of all columns
	leastChunk    = 16       // bytes that a footer has at least for a column of a row group
	mostDepth     = 32       // depth of nested columns
	mostScale     = 100      // digits of a decimal behind its point
	mostDecimal   = 32       // bytes of a decimal
	stripRows     = 4096
	textStrip     = 512     // rows of a strip with texts
	stripBytes    = 4 << 20 // decoded numbers of a strip
	headRows      = 500     // rows looked at to guess the types of columns
	headCells     = 200_000
	mostMeasured  = 1 << 20   // rows looked at for the first list or bytes of a column,
	measuredBytes = 128 << 20 // and bytes of the file
	measuredCells = 16 << 20  // and cells
	bombCells     = 8 << 20   // a table with more cells than this must have
	bombRatio     = 10_000    // at least one byte for this many bytes of decoded cells
)

// A table is an open file.
type table interface {
	told() *facts
	// next moves to the next rows, at most n, and returns their number: 0 after the last row.
	next(n int) int
	// read puts the cells of these rows of column i into v. A column that is read must be read for all rows.
	read(i int, v *vector)
	rewind()
}

// facts are what a file says about its table.
type facts struct {
	columns     []column // in the order of the file
	rows        int64    // 0 if it is not known
	bytesPerRow float64
}

func (f *facts) told() *facts { return f }

// A column is one leaf of a file's schema.
type column struct {
	name    string
	meaning meaning
	scale   int    // of decimals
	unit    int64  // of times: in a second
	isList  bool   // its rows have lists
	width   int    // length of the lists; each element is a column of the layout
	isBytes bool   // no type calls its values texts; measure says whether they are
	note    string // what it holds that cannot be read: "maps"
	remedy  string // against note; empty for the usual one
}

// isText reports whether the column's cells are texts, even if they look like numbers.
func (c *column) isText() bool { return c.meaning == text || c.meaning == uuid }

// cellType returns the type of the cells, which are no texts.
func (c *column) cellType() columns.Type {
	switch c.meaning {
	case text, uuid:
		return columns.Empty
	case instant:
		return columns.Date
	case boolean:
		return columns.Boolean
	}
	return columns.Number
}

const listsOfBytes = "lists of bytes"

// require notes what a column holds, unless it can be read.
func (c *column) require(ok bool, holds string) {
	if !ok && c.note == "" {
		c.note = holds
	}
}

// advice is what helps against a column that cannot be read.
func (c *column) advice() string {
	return cmp.Or(c.remedy, "write its values as numbers or texts in columns of their own")
}

// A vector holds the cells of a column for a number of rows. Ints, floats or texts hold the cells that are not missing.
type vector struct {
	ints   []int64
	floats []float64
	texts

	valid   []bool  // of each cell
	before  []int32 // of a dictionary: how many cells before each are present
	lengths []int   // of each row's list, −1 if there is none; lists of another length than the column's have no cells
}

func (v *vector) reset() {
	*v = vector{ints: v.ints[:0], floats: v.floats[:0], texts: texts{v.bytes[:0], v.ends[:0]}, valid: v.valid[:0],
		lengths: v.lengths[:0]}
}

// addFloats appends little-endian floating-point numbers of size bytes each.
func (v *vector) addFloats(b []byte, size int) {
	switch size {
	case 4:
		for ; len(b) >= 4; b = b[4:] {
			v.floats = append(v.floats, float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
		}
	case 8:
		for ; len(b) >= 8; b = b[8:] {
			v.floats = append(v.floats, math.Float64frombits(binary.LittleEndian.Uint64(b)))
		}
	default:
		for ; len(b) >= 2; b = b[2:] {
			v.floats = append(v.floats, portable.HalfFloat(binary.LittleEndian.Uint16(b)))
		}
	}
}

func (v *vector) addText(text []byte) {
	if len(v.bytes)+len(text) > mostPage {
		refuse("the texts of "+strconv.Itoa(textStrip)+" rows have more than 64 MB", "shorten them, or ignore the column")
	}
	v.add(text)
}

// texts holds texts one after another.
type texts struct {
	bytes []byte
	ends  []int
}

func (t *texts) at(i int) []byte {
	from := 0
	if i > 0 {
		from = t.ends[i-1]
	}
	return t.bytes[from:t.ends[i]]
}

func (t *texts) add(text []byte) {
	t.bytes = append(t.bytes, text...)
	t.ends = append(t.ends, len(t.bytes))
}

func (t *texts) clear() { t.bytes, t.ends = t.bytes[:0], t.ends[:0] }

// A damage is the value with which a decoder panics.
type damage struct{ what, remedy string }

const again = "fetch or export the file again"

const noColumns = "it has no columns"

// fail ends the reading of a file.
func fail(what string) { panic(damage{what, again}) }

func refuse(what, remedy string) { panic(damage{what, remedy}) }

func check(ok bool, what string) {
	if !ok {
		fail(what)
	}
}

// A file reads parts of a file.
type file struct {
	dataset.File
	name string
}

// readError is an error of reading, not of the file's content.
type readError struct{ err error }

// part returns n bytes from offset at on.
func (f *file) part(at, n int64) []byte {
	check(at >= 0 && n >= 0 && n <= f.Size() && at <= f.Size()-n, "it says that "+strconv.FormatInt(n, 10)+
		" bytes lie at "+strconv.FormatInt(at, 10)+", and has "+strconv.FormatInt(f.Size(), 10))
	part := make([]byte, n)
	if m, err := f.ReadAt(part, at); m < len(part) {
		panic(readError{err})
	}
	return part
}

// guard runs f and turns a panic into an error. place reports the row and the column.
func guard(name string, place func() (row int64, column string), f func()) (err error) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		row, column := place()
		problem := &dataset.Problem{File: name, Row: row, Place: column, What: "the file is damaged", Remedy: again}
		err = problem
		switch p := p.(type) {
		case damage:
			problem.What, problem.Remedy = p.what, p.remedy
		case readError:
			if err = p.err; errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				err = &dataset.Problem{File: name, Row: row, Place: column, What: "the file has become shorter",
					Remedy: "open it again"}
			} else if errors.As(err, &problem) { // of a guard inside
				problem.File, problem.Row, problem.Place = name, row, column
			}
		}
	}()
	f()
	return nil
}

func nowhere() (int64, string) { return 0, "" }

// An opener opens the files of a format.
type opener func(f *file) table

// register registers a columnar format with package dataset. write returns the writer of a buffer of rows.
func register(format dataset.Format, open opener, write func(*rowBuffer) dataset.Writer) {
	dataset.Register(format, &dataset.Codec{Head: open.head, Open: open.open,
		NewWriter: func(names []string, numbers [2]int, nComponents int, state []byte) (dataset.Writer, error) {
			b, err := newRowBuffer(names, numbers, nComponents, state)
			return write(b), err
		}})
}

// table opens a file and gives its lists the lengths in keys. The lengths of other lists are measured.
func (open opener) table(name string, f dataset.File, keys []columns.Key) (t table, measured bool, err error) {
	reading := ""
	place := func() (int64, string) { return 0, reading }
	err = guard(name, place, func() {
		t = open(&file{f, name})
		all := t.told().columns
		check(len(all) > 0, noColumns)
		takeLengths(all, keys)
		measured = measure(t, &reading)
		cells, unread, names := 0, 0, names(0)
		for i := range all {
			n := all[i].cells()
			cells += n
			names.add(len(all[i].name), n)
			if all[i].note != "" {
				unread++
			}
		}
		if unread == len(all) {
			refuse("none of its columns can be used: "+columns.Quoted(all[0].name)+" holds "+all[0].note,
				all[0].advice())
		}
		if cells > mostColumns {
			tooManyColumns()
		}
		if most := t.told().rows; most > bombCells/int64(cells) && most/bombRatio > f.Size()/int64(8*cells) {
			refuse("it announces "+strconv.FormatInt(most, 10)+" rows in "+strconv.FormatInt(f.Size(), 10)+
				" bytes, as no table does", again)
		}
	})
	return t, measured, err
}

func tooManyColumns() {
	refuse("it has more than "+strconv.Itoa(mostColumns)+" columns", "write it as LIBSVM, which is sparse")
}

// names counts the bytes of the names of columns.
type names int

// add counts a name of some bytes n times. It refuses too many before they are made.
func (n *names) add(bytes, times int) {
	if times > 0 && bytes > (mostNames-int(*n))/times {
		refuse("the names of its columns have more than "+strconv.Itoa(mostNames>>20)+" MB", "shorten them")
	}
	*n += names(bytes * times)
}

// takeLengths gives lists the typed lengths. Rows with lists of other lengths are then unusable.
func takeLengths(all []column, keys []columns.Key) {
	index := map[string]int{}
	for i := range all {
		if _, ok := index[all[i].name]; !ok && len(keys) > 0 {
			index[all[i].name] = i
		}
	}
	for _, key := range keys {
		i, ok := index[key.Name]
		switch {
		case !ok:
			refuse("it has no column "+columns.Quoted(key.Name)+", which the keys of the reading name", "name its columns")
		case all[i].isList != (key.Length > 0):
			refuse("the length of "+columns.Quoted(key.Name)+" in the keys of the reading is "+
				strconv.Itoa(key.Length), "give 0 for a single value, and for lists their length")
		case all[i].isList && all[i].note == "":
			if c := &all[i]; c.width == 0 {
				c.width = key.Length
			} else if c.width != key.Length {
				refuse("the lists of "+columns.Quoted(key.Name)+" have length "+strconv.Itoa(c.width)+
					", and its key has "+strconv.Itoa(key.Length), "give their length, or leave out the key")
			}
		}
	}
}

// measure finds the width of lists from the first rows, and whether bytes are texts. It reports whether there were
// lists to measure. Lists with several widths are not read, nor are bytes. Where the first rows have no list or no
// bytes, more are looked at. reading becomes the column that is read.
func measure(t table, reading *string) bool {
	all := t.told().columns
	var open []int
	hasLists := false
	for i := range all {
		switch c := &all[i]; {
		case c.note != "":
		case c.isList && c.width == 0:
			hasLists = true
			open = append(open, i)
			c.width = unknown
		case c.isBytes:
			open = append(open, i)
		}
	}
	defer t.rewind()
	most := min(mostMeasured, int(measuredBytes/max(t.told().bytesPerRow, 1)))
	met := make([]bool, len(all))
	var v vector
	for seen, cells := 0, 0; len(open) > 0 && (seen < headRows || seen < most && cells < measuredCells); {
		n := t.next(headRows)
		if n == 0 {
			break
		}
		for _, i := range open {
			v.reset()
			*reading = "column " + columns.Quoted(all[i].name)
			met[i] = all[i].measure(t, i, &v) || met[i]
		}
		seen, cells = seen+n, cells+n*len(open)
		open = slices.DeleteFunc(open, func(i int) bool { return all[i].note != "" || seen >= headRows && met[i] })
	}
	*reading = ""
	for i := range all {
		c := &all[i]
		c.require(!c.isList || c.width > 0, "only empty lists")
	}
	return hasLists
}

const unknown = -1

// measure reads cells of column i of a table, and reports whether it met a list or bytes.
func (c *column) measure(t table, i int, v *vector) bool {
	if c.isBytes {
		return c.measureBytes(t, i, v)
	}
	t.read(i, v)
	for _, length := range v.lengths {
		switch {
		case length < 0 || length == c.width:
		case c.width == unknown:
			c.width = length
		default:
			c.note = "lists of different lengths"
		}
	}
	return c.width != unknown
}

// measureBytes reads cells of bytes, column i of a table. They are texts if all of them are valid UTF-8 without control
// characters. Bytes that are too many to be read are none.
func (c *column) measureBytes(t table, i int, v *vector) bool {
	err := guard("", nowhere, func() { t.read(i, v) })
	if problem, ok := err.(*dataset.Problem); err != nil && !(ok && problem.Remedy != again) {
		panic(readError{err})
	}
	isText := err == nil
	for k := range v.ends {
		isText = isText && looksText(v.at(k))
	}
	c.require(isText, "bytes")
	return len(v.ends) > 0
}

// looksText reports whether bytes are valid UTF-8 without control characters except tabs and line ends.
func looksText(b []byte) bool {
	isControl := func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != '\f' }
	return utf8.Valid(b) && bytes.IndexFunc(b, isControl) < 0
}

// cells returns the number of columns in the layout that come from a column.
func (c *column) cells() int {
	if c.isList && c.note == "" {
		return c.width
	}
	return 1
}

// head describes a file. A column whose first cells are refused, as they are too large or in an unknown encoding, is
// not used if there are others. A damaged column refuses the file.
func (open opener) head(name string, f dataset.File, r columns.Reading) (*dataset.Head, error) {
	t, measured, err := open.table(name, f, r.Keys)
	if err != nil {
		return nil, err
	}
	columns := t.told().columns
	for {
		head, refused, err := firstRows(name, t)
		problem, ok := err.(*dataset.Problem)
		if !ok || refused == nil || problem.Remedy == again {
			if head != nil {
				head.Measured = measured
			}
			return head, err
		}
		refused.note, refused.remedy = "values that cannot be read: "+problem.What, problem.Remedy
		if !slices.ContainsFunc(columns, func(c column) bool { return c.note == "" }) {
			return nil, err
		}
		t.rewind()
	}
}

// firstRows returns the columns and the first rows of a table, or the column at which the reading ended.
func firstRows(name string, t table) (*dataset.Head, *column, error) {
	head := &dataset.Head{Total: t.told().rows, BytesPerRow: t.told().bytesPerRow}
	l := &dataset.Layout{Name: name}
	for _, c := range t.told().columns {
		for j := range c.cells() {
			column := dataset.HeadColumn{Name: c.name, Text: c.isText(), Type: c.cellType(), Note: c.note, Remedy: c.advice()}
			if c.isList && c.note == "" {
				column.Name += "[" + strconv.Itoa(j) + "]"
			}
			head.Columns = append(head.Columns, column)
			role := columns.AsKept
			if c.note != "" {
				role = columns.AsIgnored
			}
			l.Columns = append(l.Columns, dataset.Column{Name: column.Name, Role: role})
		}
	}
	s, err := newSource(l, t)
	if err != nil {
		return nil, nil, err
	}
	most := min(headRows, 1+headCells/len(l.Columns))
	s.strip = min(s.strip, most)
	var b dataset.Block
	rows := dataset.NewSource(s.schema, s)
	for len(head.Rows) < most {
		if err := rows.Next(&b); err == io.EOF {
			break
		} else if err != nil {
			return nil, s.readColumn(), err
		}
		for row := range min(b.Rows(), most-len(head.Rows)) {
			head.Rows = append(head.Rows, s.cells(&b, row))
		}
	}
	if len(head.Rows) == 0 && rows.Unused().Total == 0 {
		return nil, nil, &dataset.Problem{File: name, What: "the table has no rows",
			Remedy: "choose one with at least one row"}
	}
	return head, nil, nil
}

// cells returns the texts of a row, empty for columns that are ignored.
func (s *source) cells(b *dataset.Block, row int) []string {
	cells := make([]string, len(s.layout.Columns))
	k := 0
	for i := range cells {
		if s.layout.Columns[i].Role != columns.AsIgnored {
			cells[i] = string(b.Text(row, k))
			k++
		}
	}
	return cells
}

func (open opener) open(l *dataset.Layout, f dataset.File) (dataset.Source, error) {
	t, _, err := open.table(l.Name, f, l.Reading().Keys)
	if err != nil {
		return nil, err
	}
	s, err := newSource(l, t)
	if err != nil {
		return nil, err
	}
	return dataset.NewSource(s.schema, s), nil
}
