package index

import (
	"encoding/binary"
	"math"
	"strconv"

	"tensorsketch.example/sketch"
)

// The file of an index, version 2. All numbers are little-endian.
//
//	bytes  what
//	8      "TSKINDEX"
//	1      version, 2
//	1      metric: 0 cosine, 1 inner, 2 euclidean
//	1      bits: 32, 8 or 4
//	1      1 if floats are kept, plus 2 if rows are rounded
//	4      nFeatures
//	4      seed of the rotation
//	4      number of rows
//	8      next id
//	4      bytes of the note
//	4      0
//	8      sum of the bytes before
//	       note, padded with zeros to a multiple of 8
//	       if rows are rounded: the centre, nFeatures float32, padded in the same way
//	       the rows, in blocks of at most 256 (chunkRows): of all rows of the block the ids, uint32; where rounded
//	       the factors, float32; for distances and where rounded the terms, float32; where rounded the codes; where
//	       floats are held the floats, padded in the same way
//	8      sum of all bytes before
//
// Sum is checksum over words of 8 bytes. Every change of one word changes it.
const (
	magic       = "TSKINDEX"
	headBytes   = 48
	version     = 2
	sumStart    = 0x9e3779b97f4a7c15
	flagKeep    = 1
	flagRounded = 2
)

// checksum adds words of 8 bytes to a sum. Each step is a bijection of the sum and of the word: an odd factor, and a
// shifted exclusive or.
func checksum(sum uint64, words []byte) uint64 {
	for ; len(words) >= 8; words = words[8:] {
		sum = (sum ^ binary.LittleEndian.Uint64(words)) * 0xbf58476d1ce4e5b9
		sum ^= sum >> 29
	}
	return sum
}

func padded(bytes int) int { return (bytes + 7) &^ 7 }

// AppendBlock appends block i of the file to dst: 0, 1 … until it appends nothing. The blocks of a file must be taken
// in this order, all with the same sum, and the index must not change meanwhile. A block has at most 1.5 MiB, or four
// rows and the note.
func (x *Index) AppendBlock(dst []byte, i int, sum *uint64) []byte {
	from := len(dst)
	data := (x.count + x.chunkRows() - 1) / x.chunkRows()
	switch {
	case i == 0:
		*sum = sumStart
		dst = x.appendHead(dst)
	case i <= data:
		dst = x.appendRows(dst, i-1)
	case i == data+1:
		return binary.LittleEndian.AppendUint64(dst, *sum)
	default:
		return dst
	}
	for (len(dst)-from)%8 != 0 {
		dst = append(dst, 0)
	}
	*sum = checksum(*sum, dst[from:])
	return dst
}

// MaxBlock returns the largest number of bytes that AppendBlock appends.
func (x *Index) MaxBlock() int {
	head := headBytes + padded(len(x.note)) + padded(4*x.options.NFeatures)
	return max(head, padded(x.chunkRows()*x.rowBytes(x.isRounded())))
}

// FileBytes returns the bytes of the file.
func (x *Index) FileBytes() int64 {
	bytes := int64(headBytes + padded(len(x.note)) + padded(4*len(x.centre)) + 8)
	for from := 0; from < x.count; from += x.chunkRows() {
		bytes += int64(padded(min(x.chunkRows(), x.count-from) * x.rowBytes(x.isRounded())))
	}
	return bytes
}

func (x *Index) appendHead(dst []byte) []byte {
	le, from := binary.LittleEndian, len(dst)
	flags := byte(0)
	if x.options.Keep {
		flags |= flagKeep
	}
	if x.isRounded() {
		flags |= flagRounded
	}
	dst = append(dst, magic...)
	dst = append(dst, version, byte(x.options.Metric), byte(x.options.Bits), flags)
	for _, v := range [...]uint32{uint32(x.options.NFeatures), x.options.Seed, uint32(x.count), uint32(x.nextID),
		uint32(x.nextID >> 32), uint32(len(x.note)), 0} {
		dst = le.AppendUint32(dst, v)
	}
	dst = le.AppendUint64(dst, checksum(sumStart, dst[from:]))
	dst = append(dst, x.note...)
	for (len(dst)-from)%8 != 0 {
		dst = append(dst, 0)
	}
	return appendFloats(dst, x.centre)
}

func appendFloats(dst []byte, values []float32) []byte {
	for _, v := range values {
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(v))
	}
	return dst
}

// appendRows appends the rows of a chunk.
func (x *Index) appendRows(dst []byte, chunk int) []byte {
	c, n := x.chunks[chunk], x.rowsOf(chunk, x.count)
	for _, id := range c.ids[:n] {
		dst = binary.LittleEndian.AppendUint32(dst, id)
	}
	if x.isRounded() {
		dst = appendFloats(dst, c.factors[:n])
	}
	dst = appendFloats(dst, c.terms[:min(n, len(c.terms))])
	if x.isRounded() {
		dst = append(dst, c.codes[:n*x.codeBytes()]...)
	}
	if x.hasFloats() {
		dst = appendFloats(dst, c.rows[:n*x.options.NFeatures])
	}
	return dst
}

// rowsOf returns the rows of a chunk of an index of count rows.
func (x *Index) rowsOf(chunk, count int) int { return min(x.chunkRows(), count-chunk*x.chunkRows()) }

// A Reader makes an index of the bytes of its file, piece by piece:
//
//	for n := r.Need(); n > 0; n = r.Need() { err := r.Feed(the next n bytes) }
type Reader struct {
	index   *Index
	note    int // bytes
	rows    int // in the file
	rounded bool
	state   int // what comes: the head, the note with the centre, the rows, the sum, nothing
	sum     uint64
}

const (
	readHead = iota
	readNote
	readRows
	readSum
	readDone
)

// Need returns how many bytes Feed wants next: 0 at the end.
func (r *Reader) Need() int {
	switch r.state {
	case readHead:
		return headBytes
	case readNote:
		n := padded(r.note)
		if r.rounded {
			n += padded(4 * r.index.options.NFeatures)
		}
		return n
	case readRows:
		return padded(r.index.rowsOf(len(r.index.chunks), r.rows) * r.index.rowBytes(r.rounded))
	case readSum:
		return 8
	}
	return 0
}

// rowBytes returns the bytes of a row in the file.
func (x *Index) rowBytes(isRounded bool) int {
	n := 4
	if x.hasTerms(isRounded) {
		n += 4
	}
	if isRounded {
		n += 4 + x.codeBytes()
	}
	if x.options.Keep || !isRounded {
		n += 4 * x.options.NFeatures
	}
	return n
}

// MemoryBytes returns about the memory that the next piece needs.
func (r *Reader) MemoryBytes() int64 {
	if r.state != readRows {
		return int64(2*r.Need()) + 1<<20
	}
	return r.index.MemoryBytes(r.index.rowsOf(len(r.index.chunks), r.rows))
}

// Index returns the index, which has its rows once Need returns 0.
func (r *Reader) Index() *Index { return r.index }

// Feed takes the next Need() bytes. The error says that the file is damaged, or not of an index.
func (r *Reader) Feed(piece []byte) error {
	switch r.state {
	case readHead:
		return r.head(piece)
	case readNote:
		r.sum = checksum(r.sum, piece)
		r.index.note = append([]byte(nil), piece[:r.note]...)
		if r.rounded {
			centre := make([]float32, r.index.options.NFeatures)
			if !readFloats(centre, piece[padded(r.note):]) {
				return damaged("a centre that is not finite")
			}
			r.index.setCentre(centre)
		}
		return r.next()
	case readRows:
		r.sum = checksum(r.sum, piece)
		if err := r.takeRows(piece); err != nil {
			return err
		}
		return r.next()
	case readSum:
		if r.state = readDone; binary.LittleEndian.Uint64(piece) != r.sum {
			return damaged("bytes without the sum at its end")
		}
	}
	return nil
}

// next goes on to the rows, or to the sum after the last of them.
func (r *Reader) next() error {
	r.state = readSum
	if r.index.count < r.rows {
		r.state = readRows
	}
	return nil
}

func damaged(why string) error {
	return sketch.ErrParam.New("bytes", why, "be the whole file of an index: copy it again, or make the index anew")
}

func (r *Reader) head(piece []byte) error {
	le := binary.LittleEndian
	switch {
	case string(piece[:8]) != magic:
		return damaged("a file that begins otherwise")
	case piece[8] != version:
		return sketch.ErrParam.New("bytes", "version "+strconv.Itoa(int(piece[8])),
			"be of version 2: make the index anew by this package")
	case le.Uint64(piece[headBytes-8:]) != checksum(sumStart, piece[:headBytes-8]):
		return damaged("a head without its sum")
	}
	nextID := le.Uint64(piece[24:])
	index, err := New(Options{
		NFeatures: int(le.Uint32(piece[12:])), Metric: Metric(piece[9]), Bits: int(piece[10]),
		Keep: piece[11]&flagKeep != 0, Seed: le.Uint32(piece[16:]),
	})
	if err != nil {
		return err
	}
	rows, note := le.Uint32(piece[20:]), le.Uint32(piece[32:])
	if piece[11] > flagKeep|flagRounded || rows > MaxRows || nextID > MaxID+1 || note > MaxNote {
		return damaged("a head of impossible numbers")
	}
	r.rounded = piece[11]&flagRounded != 0
	if r.rounded == (index.options.Bits == 32) && r.rounded || !r.rounded && index.options.Bits < 32 &&
		int(rows) >= index.rowsOfCentre() {
		return damaged("a head that contradicts itself")
	}
	r.index, r.rows, r.note, r.state = index, int(rows), int(note), readNote
	index.nextID = nextID
	r.sum = checksum(sumStart, piece)
	if r.Need() == 0 {
		return r.next()
	}
	return nil
}

// MaxNote is the largest number of bytes of a note.
const MaxNote = 1 << 26

// takeRows reads the rows of a block into a new chunk.
func (r *Reader) takeRows(piece []byte) error {
	x, le := r.index, binary.LittleEndian
	n := x.rowsOf(len(x.chunks), r.rows)
	c, _ := x.place()
	for i := range n {
		c.ids[i] = le.Uint32(piece[4*i:])
	}
	piece = piece[4*n:]
	isFinite := true
	if r.rounded {
		isFinite = readFloats(c.factors[:n], piece)
		piece = piece[4*n:]
	}
	if c.terms != nil {
		isFinite = readFloats(c.terms[:n], piece) && isFinite
		piece = piece[4*n:]
	}
	if r.rounded {
		piece = piece[copy(c.codes, piece[:n*x.codeBytes()]):]
	}
	if c.rows != nil {
		isFinite = readFloats(c.rows[:n*x.options.NFeatures], piece) && isFinite
	}
	if !isFinite {
		return damaged("a number that is not finite")
	}
	for i := range n {
		if id := c.ids[i]; uint64(id) >= x.nextID || !x.slots.add(x, id, x.count) {
			return damaged("an id that is impossible or there twice")
		}
		x.count++
	}
	return nil
}

// readFloats fills dst and reports whether all numbers are finite.
func readFloats(dst []float32, from []byte) bool {
	isFinite := true
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(from[4*i:]))
		isFinite = isFinite && dst[i]-dst[i] == 0
	}
	return isFinite
}

// FromBytes returns the index of the bytes of a file.
func FromBytes(file []byte) (*Index, error) {
	var r Reader
	for n := r.Need(); n > 0; n = r.Need() {
		if n > len(file) {
			return nil, damaged("a file that ends early")
		}
		if err := r.Feed(file[:n]); err != nil {
			return nil, err
		}
		file = file[n:]
	}
	if len(file) > 0 {
		return nil, damaged("a file with more after its end")
	}
	return r.index, nil
}

// Bytes returns the bytes of the file.
func (x *Index) Bytes() (file []byte) {
	var sum uint64
	for i := 0; ; i++ {
		before := len(file)
		if file = x.AppendBlock(file, i, &sum); len(file) == before {
			return file
		}
	}
}
