package columnar

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// Encodings: https://github.com/apache/parquet-format/blob/master/Encodings.md

// values appends the next n values of a page.
type values func(v *vector, n int)

func newValues(c *parquetColumn, encoding int64, page []byte, w *words) values {
	isBits, isTexts := c.physical == parquetBoolean, c.physical == parquetByteArray
	switch {
	case encoding == encodingPlain && isBits:
		return bitValues(page)
	case encoding == encodingPlain && isTexts:
		return textValues((&plainTexts{page}).next)
	case encoding == encodingPlain:
		return plainValues(c, page)
	case encoding == encodingPlainDictionary || encoding == encodingRLEDictionary:
		return wordValues(w, page)
	case encoding == encodingRLE && isBits:
		var bits hybrid
		bits.begin(page, 1)
		return runValues(bits, func(v *vector, bit int32) { v.ints = append(v.ints, int64(bit)) })
	case encoding == encodingDeltaBinary && (c.physical == parquetInt32 || c.physical == parquetInt64):
		return deltaValues(c, newDelta(page))
	case encoding == encodingDeltaLength && isTexts:
		return textValues(newDeltaTexts(page).next)
	case encoding == encodingDeltaByteArray && (isTexts || c.physical == parquetFixed):
		return prefixValues(c, page)
	case encoding == encodingByteStreamSplit && !isBits && !isTexts && c.physical != parquetInt96:
		return splitValues(c, page)
	}
	refuse("the column is encoded by method "+strconv.FormatInt(encoding, 10)+
		" of Parquet, which is not known here for its type", "write it with PLAIN or dictionaries")
	return nil
}

// each returns values that next appends one by one.
func each(next func(v *vector)) values {
	return func(v *vector, n int) {
		for range n {
			next(v)
		}
	}
}

// textValues returns the texts that next returns one by one.
func textValues(next func() []byte) values {
	return func(v *vector, n int) {
		for range n {
			v.addText(next())
		}
	}
}

// size is the number of bytes of a value of fixed size.
func (c *parquetColumn) size() int {
	switch c.physical {
	case parquetInt32, parquetFloat:
		return 4
	case parquetInt64, parquetDouble:
		return 8
	case parquetInt96:
		return 12
	}
	return max(c.length, 1)
}

// appendFixed appends a value of fixed size.
func (c *parquetColumn) appendFixed(v *vector, b []byte) {
	switch c.physical {
	case parquetInt32:
		c.appendInt(v, int64(int32(binary.LittleEndian.Uint32(b))))
	case parquetInt64:
		c.appendInt(v, int64(binary.LittleEndian.Uint64(b)))
	case parquetInt96: // nanoseconds of the day, and the Julian day
		nano, day := int64(binary.LittleEndian.Uint64(b)), int64(binary.LittleEndian.Uint32(b[8:]))
		v.ints = append(v.ints, (day-2440588)*86400_000_000+nano/1000)
	default:
		if c.meaning == float { // the half ones are parquetFixed
			v.addFloats(b, len(b))
		} else {
			v.addText(b)
		}
	}
}

func (c *parquetColumn) appendInt(v *vector, n int64) {
	switch {
	case c.perDay():
		n *= 86400
	case c.meaning == unsigned && c.physical == parquetInt32:
		n &= math.MaxUint32
	}
	v.ints = append(v.ints, n)
}

// plainValues are values of fixed size, one after another.
func plainValues(c *parquetColumn, page []byte) values {
	size := c.size()
	return func(v *vector, n int) {
		check(n <= len(page)/size, "the column ends before its last value")
		values := page[:n*size]
		page = page[n*size:]
		if c.physical == parquetFloat || c.physical == parquetDouble {
			v.addFloats(values, size)
			return
		}
		for i := range n {
			c.appendFixed(v, values[i*size:(i+1)*size])
		}
	}
}

// plainTexts are texts, each after its length.
type plainTexts struct{ b []byte }

func (p *plainTexts) next() []byte {
	check(len(p.b) >= 4, "the column ends before its last text")
	length := int64(binary.LittleEndian.Uint32(p.b))
	check(length <= int64(len(p.b)-4), "a text is longer than its page")
	text := p.b[4 : 4+length]
	p.b = p.b[4+length:]
	return text
}

// bitValues are booleans in bits.
func bitValues(page []byte) values {
	at := 0
	return each(func(v *vector) {
		v.ints = append(v.ints, int64(page[at/8]>>(at%8)&1))
		at++
	})
}

// runValues appends, with add, what small numbers in runs stand for.
func runValues(numbers hybrid, add func(v *vector, number int32)) values {
	var buffer []int32
	return func(v *vector, n int) {
		buffer = slices.Grow(buffer[:0], n)[:n]
		numbers.read(buffer)
		for _, number := range buffer {
			add(v, number)
		}
	}
}

// words are the values of a dictionary: n of fixed size, or texts.
type words struct {
	c    *parquetColumn
	b    []byte
	ends []int32 // ends of texts; each text follows its length
	n    int
}

func newWords(c *parquetColumn, page []byte, n int) *words {
	w := &words{c: c, b: page, n: n}
	if c.physical == parquetByteArray {
		check(n <= len(page)/4, "the dictionary is shorter than it says")
		texts := plainTexts{page}
		w.ends = make([]int32, n)
		for i := range w.ends {
			texts.next()
			w.ends[i] = int32(len(page) - len(texts.b))
		}
		return w
	}
	check(c.physical != parquetBoolean && n <= len(page)/c.size(), "the dictionary is shorter than it says")
	return w
}

func (w *words) size() int { return len(w.b) + 4*len(w.ends) }

func (w *words) add(v *vector, i int32) {
	check(i >= 0 && int(i) < w.n, "the column has a value that its dictionary does not have")
	if w.ends == nil {
		size := w.c.size()
		w.c.appendFixed(v, w.b[int(i)*size:(int(i)+1)*size])
		return
	}
	from := int32(0)
	if i > 0 {
		from = w.ends[i-1]
	}
	v.addText(w.b[from+4 : w.ends[i]])
}

// wordValues are indices into a dictionary, after their number of bits.
func wordValues(w *words, page []byte) values {
	check(w != nil, "the column has no dictionary")
	if len(page) == 0 { // no value is there
		return runValues(hybrid{}, w.add)
	}
	check(page[0] <= 32, "the indices of its dictionary are damaged")
	return runValues(newHybrid(page[1:], uint(page[0])), w.add)
}

// splitValues have the first bytes of all values, then the second ones, and so on.
func splitValues(c *parquetColumn, page []byte) values {
	value, at := make([]byte, c.size()), 0
	count := len(page) / len(value)
	check(len(page)%len(value) == 0, "the column's bytes are not as many as its values")
	return each(func(v *vector) {
		check(at < count, "the column ends before its last value")
		for k := range value {
			value[k] = page[k*count+at]
		}
		c.appendFixed(v, value)
		at++
	})
}

// deltaValues are integers stored as differences.
func deltaValues(c *parquetColumn, d *delta) values {
	return each(func(v *vector) {
		x := d.next()
		if c.physical == parquetInt32 {
			x = int64(int32(x))
		}
		c.appendInt(v, x)
	})
}

// A delta reads DELTA_BINARY_PACKED.
type delta struct {
	varints
	perMini   int // values of a miniblock
	minis     int // of a block
	left      uint64
	isFirst   bool
	value     int64
	least     int64 // difference of the block
	widths    []byte
	mini      int // the current one
	inMini    int // values of it that were read
	miniStart int
}

func newDelta(b []byte) *delta {
	d := &delta{varints: varints{b: b, damage: "the column's differences are damaged"}, isFirst: true}
	size := d.varint()
	minis := d.varint()
	check(size > 0 && size <= 1<<16 && minis > 0 && size%minis == 0 && size/minis%8 == 0,
		"the column's differences are damaged")
	d.minis, d.perMini = int(minis), int(size/minis)
	d.left = d.varint()
	d.value = d.zigzag()
	d.mini, d.inMini = d.minis-1, d.perMini // a block begins
	return d
}

func (d *delta) next() int64 {
	check(d.left > 0, "the column ends before its last value")
	d.left--
	if d.isFirst {
		d.isFirst = false
		return d.value
	}
	if d.inMini == d.perMini {
		d.nextMini()
	}
	width := int(d.widths[d.mini])
	difference := uint64(0)
	for at, got := d.inMini*width, 0; got < width; {
		b := uint64(d.b[d.miniStart+at/8]) >> (at % 8)
		n := min(8-at%8, width-got)
		difference |= (b & (1<<n - 1)) << got
		at, got = at+n, got+n
	}
	d.inMini++
	d.value += d.least + int64(difference)
	return d.value
}

func (d *delta) nextMini() {
	d.inMini = 0
	if d.mini++; d.mini == d.minis {
		d.mini = 0
		d.least = d.zigzag()
		d.widths = d.b[d.at : d.at+d.minis]
		d.at += d.minis
	}
	check(d.widths[d.mini] <= 64, "the column's differences are damaged")
	d.miniStart = d.at
	d.at += d.perMini / 8 * int(d.widths[d.mini])
}

// end returns the end of the differences. It passes over whole miniblocks on a copy.
func (d *delta) end() int {
	copied := *d
	for left := max(d.left, 1) - 1; left > 0; left -= min(left, uint64(d.perMini)) { // without the first value
		copied.nextMini()
	}
	return min(copied.at, len(d.b)) // the last miniblock may be cut
}

// deltaTexts are texts that follow all their lengths.
type deltaTexts struct {
	lengths *delta
	b       []byte
}

func newDeltaTexts(b []byte) *deltaTexts {
	d := &deltaTexts{lengths: newDelta(b)}
	d.b = b[d.lengths.end():]
	return d
}

func (d *deltaTexts) next() []byte {
	n := d.lengths.next()
	check(n >= 0 && n <= int64(len(d.b)), "a text is longer than its page")
	text := d.b[:n]
	d.b = d.b[n:]
	return text
}

// prefixValues are texts, or values of fixed size, that share a prefix with the one before.
func prefixValues(c *parquetColumn, page []byte) values {
	prefixes := newDelta(page)
	suffixes := newDeltaTexts(page[prefixes.end():])
	var last []byte
	return each(func(v *vector) {
		prefix := prefixes.next()
		check(prefix >= 0 && prefix <= int64(len(last)), "a text begins as a longer one before")
		last = append(last[:prefix], suffixes.next()...)
		check(len(last) <= mostPage, "a text is longer than a page")
		if c.physical == parquetFixed {
			check(len(last) == c.length, "a value has another length than the column's")
			c.appendFixed(v, last)
		} else {
			v.addText(last)
		}
	})
}

// A hybrid reads small numbers in runs of one value or in bits.
type hybrid struct {
	b      []byte
	width  uint
	run    int // how many times value is still to come
	value  int32
	packed int // how many values are still to come in bits
	bits   []byte
	at     int // bit
}

func newHybrid(b []byte, width uint) hybrid { return hybrid{b: b, width: width} }

// bitsOf returns the number of bits of a level.
func bitsOf(most int) uint { return uint(bits.Len(uint(most))) }

// begin begins to read numbers, which follow their length in bytes, and returns the bytes after them.
func (h *hybrid) begin(page []byte, most int) []byte {
	check(len(page) >= 4, "the column's levels are damaged")
	n := int64(binary.LittleEndian.Uint32(page))
	check(n <= int64(len(page)-4), "the column's levels are damaged")
	*h = newHybrid(page[4:4+n], bitsOf(most))
	return page[4+n:]
}

func (h *hybrid) read(dst []int32) {
	for len(dst) > 0 {
		switch {
		case h.run > 0:
			n := min(h.run, len(dst))
			for i := range dst[:n] {
				dst[i] = h.value
			}
			h.run -= n
			dst = dst[n:]
		case h.packed > 0:
			n := min(h.packed, len(dst))
			for i := range dst[:n] {
				dst[i] = h.unpack()
			}
			h.packed -= n
			dst = dst[n:]
		case h.width == 0: // all are 0
			clear(dst)
			return
		default:
			h.begins()
		}
	}
}

// begins reads the head of a run.
func (h *hybrid) begins() {
	head, length := binary.Uvarint(h.b)
	check(length > 0 && head>>1 <= 1<<31, "the column's levels or indices are damaged")
	h.b = h.b[length:]
	if head&1 == 0 {
		h.run, h.value = int(head>>1), 0
		for k := range int(h.width+7) / 8 {
			h.value |= int32(h.b[k]) << (8 * k)
		}
		h.b = h.b[(h.width+7)/8:]
		return
	}
	size := min(int64(head>>1)*int64(h.width), int64(len(h.b))) // the last one may be cut
	h.packed, h.bits, h.at = int(head>>1)*8, h.b[:size], 0
	h.b = h.b[size:]
}

// unpack reads a number of width bits, the lowest first.
func (h *hybrid) unpack() int32 {
	at, shift := h.at>>3, h.at&7
	h.at += int(h.width)
	var word uint64
	if at+8 <= len(h.bits) {
		word = binary.LittleEndian.Uint64(h.bits[at:])
	} else {
		for k, b := range h.bits[at:] {
			word |= uint64(b) << (8 * k)
		}
	}
	return int32(word >> shift & (1<<h.width - 1))
}
