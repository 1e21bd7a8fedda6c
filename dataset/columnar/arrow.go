package columnar

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"tensorsketch.example/dataset"
)

func init() {
	register(dataset.Arrow, openArrow, func(b *rowBuffer) dataset.Writer { return &arrowWriter{b} })
}

const arrowMagic = "ARROW1"

// The messages of Arrow IPC:
// https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc
const (
	arrowSchemaMessage     = 1
	arrowDictionaryMessage = 2
	arrowRecordMessage     = 3
	continuation           = 0xffffffff
)

// An arrowFile is an open Arrow file or stream. A stream begins with a schema, and its messages follow each other.
// A file has its schema and the places of its messages in its footer. The schema may be only there, as in files of
// arrow-js.
type arrowFile struct {
	facts
	file   *file
	schema arrowSchema

	first, at, end int64 // offsets of the first message, of the next one, and of the end
	isFile         bool
	blocks         []byte // of a file: the places of its dictionaries, then of its record batches
	dictionaries   int    // number of dictionaries in blocks
	block          int    // next block
	batch          *arrowBatch
	row, n         int
	words          map[int64]*vector
	wordBytes      int
	unpack         unpacker
}

func openArrow(f *file) table {
	a := &arrowFile{file: f, end: f.Size()}
	head := f.part(0, min(8, f.Size()))
	if len(head) == 8 && string(head[:6]) == arrowMagic {
		footer := a.footer()
		schema, ok := footer.table(1)
		check(ok, "its footer has no schema")
		a.schema = readArrowSchema(schema)
		dictionaries := footer.vector(2, arrowBlock)
		a.dictionaries = len(dictionaries) / arrowBlock
		a.isFile = true
		a.blocks = slices.Concat(dictionaries, footer.vector(3, arrowBlock))
	} else {
		m, ok := a.message()
		check(ok && m.kind == arrowSchemaMessage, "it does not begin with a schema")
		a.schema = readArrowSchema(m.header)
	}
	for i := range a.schema.columns {
		a.columns = append(a.columns, a.schema.columns[i].column)
	}
	a.first = a.at
	a.rewind()
	a.count()
	a.rewind()
	return a
}

// footer reads the footer of a file, and sets the end of its messages.
func (a *arrowFile) footer() flatTable {
	size := a.file.Size()
	check(size >= 8+10, "the file is shorter than any Arrow")
	tail := a.file.part(size-10, 10)
	check(string(tail[4:]) == arrowMagic, "the file does not end as Arrow does, with "+arrowMagic)
	length := int64(binary.LittleEndian.Uint32(tail))
	check(length <= size-18, "its footer is longer than the file")
	if length > mostMetadata {
		refuse("its footer has "+strconv.FormatInt(length, 10)+" bytes, more than any table needs", again)
	}
	a.at, a.end = 8, size-10-length
	return flatRoot(a.file.part(a.end, length))
}

// arrowBlock is the size of a Block of the footer: the place of a message, the length of its head and, after four
// empty bytes, the length of its body.
const arrowBlock = 24

// mostCounted is the maximum number of messages that are looked at to count the rows.
const mostCounted = 256

// count adds up the rows that the record batches announce. If there are very many batches, or one is damaged, the first
// batches give the bytes per row.
func (a *arrowFile) count() {
	rows, bytes, whole := int64(0), int64(0), false
	_ = guard(a.file.name, nowhere, func() { // reading the rows reports the error
		for range mostCounted {
			m, ok := a.message()
			if !ok {
				whole = true
				return
			}
			if m.kind == arrowRecordMessage {
				n := m.header.number(0, 8, 0)
				a.checkRows(m, n)
				rows += n
				bytes += m.length + int64(len(m.header.b))
			}
		}
	})
	if whole {
		a.rows = rows
	}
	if rows > 0 {
		a.bytesPerRow = float64(bytes) / float64(rows)
	}
}

func (a *arrowFile) rewind() {
	a.block = 0
	a.at, a.batch, a.row, a.n = a.first, nil, 0, 0
	a.words, a.wordBytes = map[int64]*vector{}, 0
}

// A message is the head of a message, with the offset and the length of its body.
type message struct {
	kind       byte
	header     flatTable
	at, length int64
}

// message reads the next message. ok is false after the last one.
func (a *arrowFile) message() (m message, ok bool) {
	if a.isFile && !a.nextBlock() || a.at == a.end {
		return m, false
	}
	check(a.end-a.at >= 4, "the file is cut off")
	prefix := a.file.part(a.at, min(8, a.end-a.at))
	length, start := int64(binary.LittleEndian.Uint32(prefix)), a.at+4 // the format before Arrow 0.15
	if length == continuation {
		check(len(prefix) == 8, "the file is cut off")
		length, start = int64(binary.LittleEndian.Uint32(prefix[4:])), a.at+8
	}
	if length == 0 {
		if rest := a.file.part(start, min(8, a.end-start)); len(bytes.Trim(rest, "\x00")) > 0 && !a.isFile {
			refuse("there is more behind the end of its table", "write one table to a file")
		}
		return m, false
	}
	if length > mostMetadata {
		refuse("it announces the head of a message of "+strconv.FormatInt(length, 10)+
			" bytes, more than any table needs", again)
	}
	check(length <= a.end-start, "the file is cut off")
	t := flatRoot(a.file.part(start, length))
	m.kind, m.at, m.length = byte(t.number(1, 1, 0)), start+length, t.number(3, 8, 0)
	m.header, ok = t.table(2)
	check(ok, "a message has no content")
	check(m.length >= 0 && m.length <= a.end-m.at, "the file is cut off")
	a.at = m.at + m.length
	return m, true
}

// nextBlock moves to the next message that the footer lists. It returns false after the last one.
func (a *arrowFile) nextBlock() bool {
	if a.block == len(a.blocks)/arrowBlock {
		return false
	}
	place := func(i int) int64 { return int64(binary.LittleEndian.Uint64(a.blocks[arrowBlock*i:])) }
	a.at = place(a.block)
	check(a.at >= 8 && a.at < a.end, "its footer lists a message outside the file")
	check(a.block == 0 || a.block == a.dictionaries || a.at > place(a.block-1), "its footer lists a message twice")
	a.block++
	return true
}

func (a *arrowFile) next(n int) int {
	a.row += a.n
	a.n = 0
	for a.batch == nil || a.row == a.batch.rows {
		a.batch, a.row = nil, 0
		m, ok := a.message()
		if !ok {
			return 0
		}
		switch m.kind {
		case arrowDictionaryMessage:
			a.readWords(m)
		case arrowRecordMessage:
			a.batch = a.newBatch(m, m.header)
			a.checkRows(m, int64(a.batch.rows))
		default:
			refuse("it has a message that is no table", "write tables alone")
		}
	}
	a.n = min(n, a.batch.rows-a.row)
	return a.n
}

// checkRows refuses a record batch that announces more rows than its bytes can hold.
func (a *arrowFile) checkRows(m message, rows int64) {
	check(rows >= 0 && rows <= 1<<53, "a record batch has an impossible number of rows")
	if cells := int64(len(a.columns)); rows > bombCells/cells &&
		rows/bombRatio > (m.length+int64(len(m.header.b)))/(8*cells) {
		refuse("a record batch announces "+strconv.FormatInt(rows, 10)+" rows in "+strconv.FormatInt(m.length, 10)+
			" bytes, as no table does", again)
	}
}

// An arrowBatch is a record batch, or the values of a dictionary.
type arrowBatch struct {
	a        *arrowFile
	rows     int
	nodes    []byte // length and number of missing cells, 8 bytes each
	buffers  []byte // offset and length, 8 bytes each
	codec    byte
	isPacked bool
	variadic []int // buffers of the columns with a variable number of them, before each such column
	at       int64
	body     []byte         // if it is kept in memory
	unpacked map[int][]byte // buffers
	held     int            // bytes of the unpacked buffers
}

func (a *arrowFile) newBatch(m message, t flatTable) *arrowBatch {
	rows := t.number(0, 8, 0)
	check(rows >= 0 && rows <= 1<<53, "a record batch has an impossible number of rows")
	b := &arrowBatch{a: a, rows: int(rows), nodes: t.vector(1, 16), buffers: t.vector(2, 16),
		variadic: []int{0}, at: m.at, unpacked: map[int][]byte{}}
	for counts := t.vector(4, 8); len(counts) >= 8; counts = counts[8:] {
		b.variadic = append(b.variadic, b.variadic[len(b.variadic)-1]+int(int32(binary.LittleEndian.Uint64(counts))))
	}
	var compression flatTable
	if compression, b.isPacked = t.table(3); b.isPacked {
		b.codec = byte(compression.number(0, 1, 0))
	}
	for k := 0; k < len(b.buffers); k += 16 {
		at, length := b.place(k / 16)
		check(at >= 0 && length >= 0 && at <= m.length && length <= m.length-at,
			"a record batch has a buffer outside its body")
	}
	if m.length <= mostHeld {
		b.body = a.file.part(m.at, m.length)
	}
	return b
}

// buffer returns the index of a column's k-th buffer.
func (b *arrowBatch) buffer(p arrowPlace, k int) int {
	return p.buffer + b.variadic[p.variadic] + k
}

// place returns where a buffer is in the body.
func (b *arrowBatch) place(buffer int) (at, length int64) {
	place := b.buffers[16*buffer : 16*buffer+16]
	return int64(binary.LittleEndian.Uint64(place)), int64(binary.LittleEndian.Uint64(place[8:]))
}

// part returns n bytes of a buffer from an offset on.
func (b *arrowBatch) part(buffer int, from, n int64) []byte {
	at, length := b.place(buffer)
	const tooShort = "a buffer of the column is shorter than its cells"
	if !b.isPacked || length == 0 {
		check(from >= 0 && n >= 0 && n <= length && from <= length-n, tooShort)
		return b.raw(at+from, n)
	}
	content, ok := b.unpacked[buffer]
	if !ok {
		content = b.unpack(b.raw(at, length))
		if b.held+len(content) <= mostHeld {
			b.held += len(content)
			b.unpacked[buffer] = content
		}
	}
	check(from >= 0 && n >= 0 && n <= int64(len(content)) && from <= int64(len(content))-n, tooShort)
	return content[from : from+n]
}

// raw returns bytes of the body.
func (b *arrowBatch) raw(at, n int64) []byte {
	if b.body != nil {
		return b.body[at : at+n]
	}
	if n > mostPage {
		refuse("a part of the column has more than 64 MB", "write it in smaller record batches")
	}
	return b.a.file.part(b.at+at, n)
}

// unpack unpacks a buffer, which follows its size.
func (b *arrowBatch) unpack(packed []byte) []byte {
	check(len(packed) >= 8, "its compressed data are damaged")
	size := int64(binary.LittleEndian.Uint64(packed))
	packed = packed[8:]
	switch {
	case size == -1:
		return packed
	case size < 0:
		fail("its compressed data are damaged")
	case size > mostPage:
		refuse("a buffer of the column has "+strconv.FormatInt(size>>20, 10)+" MB, more than 64",
			"write it in smaller record batches")
	case b.codec == 0:
		return unpackFrame(packed, int(size))
	case b.codec != 1:
		refuse("it is compressed by method "+strconv.Itoa(int(b.codec))+" of Arrow, which is not known here",
			"write it with lz4 or zstd")
	}
	return b.a.unpack.unpack(codecZstd, packed, int(size))
}

// valid appends, for each of the rows from … to of a place, whether it is present.
func (b *arrowBatch) valid(dst []bool, p arrowPlace, from, to int) []bool {
	node := b.nodes[16*p.node : 16*p.node+16]
	check(int64(to) <= int64(binary.LittleEndian.Uint64(node)), "the column has too few cells")
	buffer := b.buffer(p, 0)
	if _, length := b.place(buffer); length == 0 || binary.LittleEndian.Uint64(node[8:]) == 0 {
		for range to - from {
			dst = append(dst, true)
		}
		return dst
	}
	bits := b.part(buffer, int64(from/8), int64((to+7)/8-from/8))
	for i := from; i < to; i++ {
		dst = append(dst, bits[i/8-from/8]>>(i%8)&1 == 1)
	}
	return dst
}

// present is valid for a place inside structures: a cell is present where each of them is.
func (b *arrowBatch) present(dst []bool, p arrowPlace, parents []arrowPlace, from, to int) []bool {
	before := len(dst)
	dst = b.valid(dst, p, from, to)
	for _, parent := range parents {
		for k, there := range b.valid(nil, parent, from, to) {
			dst[before+k] = dst[before+k] && there
		}
	}
	return dst
}

func (a *arrowFile) read(i int, v *vector) {
	c, b := &a.schema.columns[i], a.batch
	from, to := a.row, a.row+a.n
	if c.list == nil {
		b.cells(v, c, c.parents, from, to)
		return
	}
	valid := b.present(nil, c.list.arrowPlace, c.parents, from, to)
	width := a.columns[i].width
	start, end := 0, 0 // cells that still have to be read
	for row, bounds := 0, c.list.bounds(b, from, to, width); row < to-from; row++ {
		at, length := bounds[2*row], bounds[2*row+1]
		check(at >= 0 && length >= 0 && length <= math.MaxInt32 && at <= math.MaxInt32<<16, "the column's lists are damaged")
		if !valid[row] {
			v.lengths = append(v.lengths, -1)
			continue
		}
		v.lengths = append(v.lengths, int(length))
		if int(length) != width {
			continue
		}
		if int(at) != end {
			b.cells(v, c, c.inside, start, end)
			start = int(at)
		}
		end = int(at) + width
	}
	b.cells(v, c, c.inside, start, end)
}

// keep adds value k of another vector.
func (v *vector) keep(from *vector, k int) {
	switch {
	case len(from.ints) > 0:
		v.ints = append(v.ints, from.ints[k])
	case len(from.floats) > 0:
		v.floats = append(v.floats, from.floats[k])
	default:
		v.addText(from.at(k))
	}
}

// bounds returns the index of the first cell of each row's list, and the list's length.
func (l *listPlace) bounds(b *arrowBatch, from, to, width int) []int64 {
	bounds := make([]int64, 0, 2*(to-from))
	if l.offsetSize == 0 {
		for row := from; row < to; row++ {
			bounds = append(bounds, int64(row)*int64(width), int64(width))
		}
		return bounds
	}
	offsets := b.part(b.buffer(l.arrowPlace, 1), int64(from)*int64(l.offsetSize), int64(to-from+1)*int64(l.offsetSize))
	for row := range to - from {
		start, end := offsetAt(offsets, row, l.offsetSize), offsetAt(offsets, row+1, l.offsetSize)
		bounds = append(bounds, start, end-start)
	}
	return bounds
}

func offsetAt(offsets []byte, i, size int) int64 { return integer(offsets[i*size:], size, true) }

// cells appends the cells from … to of a column, counted in the order of storage. A cell is missing where a structure
// of parents is.
func (b *arrowBatch) cells(v *vector, c *arrowColumn, parents []arrowPlace, from, to int) {
	if from == to {
		return
	}
	if c.storage == nowhereStored {
		for range to - from {
			v.valid = append(v.valid, false)
		}
		return
	}
	before := len(v.valid)
	v.valid = b.present(v.valid, c.arrowPlace, parents, from, to)
	valid := v.valid[before:]
	data := b.buffer(c.arrowPlace, 1)
	switch c.storage {
	case inBits:
		bits := b.part(data, int64(from/8), int64((to+7)/8-from/8))
		for k, there := range valid {
			if i := from%8 + k; there {
				v.ints = append(v.ints, int64(bits[i/8]>>(i%8)&1))
			}
		}
		return
	case inOffsets:
		b.offsetTexts(v, c, data, from, valid)
		return
	case inViews:
		b.viewTexts(v, data, from, valid)
		return
	}
	values := b.part(data, int64(from)*int64(c.size), int64(to-from)*int64(c.size))
	if c.storage == inWords {
		b.a.addWords(v, c, values, valid)
		return
	}
	if c.storage == inFloats && !slices.Contains(valid, false) {
		v.addFloats(values, c.size)
		return
	}
	for k, there := range valid {
		if there {
			c.add(v, values[k*c.size:(k+1)*c.size])
		}
	}
}

// add appends a number of fixed size.
func (c *arrowColumn) add(v *vector, b []byte) {
	switch {
	case c.storage == inDecimals:
		for k := len(b) - 1; k >= 0; k-- {
			v.bytes = append(v.bytes, b[k])
		}
		v.ends = append(v.ends, len(v.bytes))
	case c.storage == inFixed:
		v.addText(b)
	case c.storage == inIntegers:
		n := integer(b, c.size, c.isSigned)
		if c.perDay() {
			n *= 86400
		}
		v.ints = append(v.ints, n)
	default:
		v.addFloats(b, c.size)
	}
}

func (b *arrowBatch) offsetTexts(v *vector, c *arrowColumn, data, from int, valid []bool) {
	offsets := b.part(data, int64(from)*int64(c.size), int64(len(valid)+1)*int64(c.size))
	first, last := offsetAt(offsets, 0, c.size), offsetAt(offsets, len(valid), c.size)
	texts := b.part(data+1, first, last-first)
	for k, there := range valid {
		if there {
			v.addText(texts[offsetAt(offsets, k, c.size)-first : offsetAt(offsets, k+1, c.size)-first])
		}
	}
}

// viewTexts appends texts, which have up to 12 bytes in their view or lie in another buffer.
func (b *arrowBatch) viewTexts(v *vector, data, from int, valid []bool) {
	views := b.part(data, 16*int64(from), 16*int64(len(valid)))
	for k, there := range valid {
		if !there {
			continue
		}
		view := views[16*k : 16*k+16]
		length := int32(binary.LittleEndian.Uint32(view))
		if length <= 12 {
			v.addText(view[4 : 4+length])
			continue
		}
		buffer, at := int32(binary.LittleEndian.Uint32(view[8:])), int32(binary.LittleEndian.Uint32(view[12:]))
		check(buffer >= 0, "the column's texts are damaged")
		v.addText(b.part(data+1+int(buffer), int64(at), int64(length)))
	}
}

// readWords reads a dictionary, or more words of one.
func (a *arrowFile) readWords(m message) {
	id := m.header.number(0, 8, 0)
	c := a.schema.words[id]
	if c == nil || c.note != "" {
		return
	}
	t, ok := m.header.table(1)
	check(ok, "a dictionary has no values")
	b := a.newBatch(m, t)
	if m.length > mostHeld || b.rows > mostHeld/8 {
		refuse("a dictionary of the file has more than "+strconv.Itoa(mostHeld>>20)+" MB",
			"write its columns without dictionaries")
	}
	words := a.words[id]
	a.wordBytes -= words.size()
	if words == nil || m.header.number(2, 1, 0) == 0 {
		words = &vector{}
		a.words[id] = words
	}
	b.cells(words, c, nil, 0, b.rows)
	words.rank()
	a.wordBytes += words.size()
	if a.wordBytes > 2*mostHeld {
		refuse("the dictionaries of the file have more than "+strconv.Itoa(2*mostHeld>>20)+" MB",
			"write its columns without dictionaries")
	}
}

// addWords appends words by their indices.
func (a *arrowFile) addWords(v *vector, c *arrowColumn, indices []byte, valid []bool) {
	words := a.words[c.dictionary]
	for k, there := range valid {
		if !there {
			continue
		}
		check(words != nil, "the column's dictionary comes behind it")
		i := integer(indices[k*c.size:], c.size, c.isSigned)
		check(i >= 0 && i < int64(len(words.valid)), "the column has a value that its dictionary does not have")
		if valid[k] = words.valid[i]; valid[k] {
			v.keep(words, words.index(int(i)))
		}
	}
}

// index returns the index of cell i among the values that are present.
func (v *vector) index(i int) int {
	if len(v.before) > 0 {
		return int(v.before[i])
	}
	k := 0
	for _, valid := range v.valid[:i] {
		if valid {
			k++
		}
	}
	return k
}

// rank makes index quick, for a vector that is only read from now on.
func (v *vector) rank() {
	v.before = v.before[:0]
	k := int32(0)
	for _, valid := range v.valid {
		v.before = append(v.before, k)
		if valid {
			k++
		}
	}
}

// size is the number of bytes of a vector's values; 0 of nil.
func (v *vector) size() int {
	if v == nil {
		return 0
	}
	return len(v.bytes) + 8*(len(v.ints)+len(v.floats)+len(v.ends)) + 4*len(v.before)
}
