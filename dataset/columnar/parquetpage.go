package columnar

import (
	"hash/crc32"
	"slices"
	"strconv"
)

// The types of page, and the encodings.
const (
	dataPage       = 0
	indexPage      = 1
	dictionaryPage = 2
	dataPageV2     = 3

	encodingPlain           = 0
	encodingPlainDictionary = 2
	encodingRLE             = 3
	encodingBitPacked       = 4
	encodingDeltaBinary     = 5
	encodingDeltaLength     = 6
	encodingDeltaByteArray  = 7
	encodingRLEDictionary   = 8
	encodingByteStreamSplit = 9
	mostHeader              = 1 << 20 // bytes of the head of a page
	usualHeader             = 512
)

type pageHeader struct {
	kind, unpacked, packed int64
	values, encoding       int64
	defEncoding            int64
	repBytes, defBytes     int64 // of version 2
	isPacked               bool
	crc                    int64 // CRC-32 of the page as it is in the file, or noCRC
}

const noCRC = 1 << 40

func readPageHeader(t *thriftReader) (h pageHeader) {
	h.kind, h.isPacked, h.crc = -1, true, noCRC
	h.defEncoding = encodingRLE
	t.numbers(thriftFields{1: &h.kind, 2: &h.unpacked, 3: &h.packed, 4: &h.crc}, func(id int64, kind byte) {
		switch id {
		case 5: // data
			t.numbers(thriftFields{1: &h.values, 2: &h.encoding, 3: &h.defEncoding}, nil)
		case 7: // dictionary
			t.numbers(thriftFields{1: &h.values, 2: &h.encoding}, nil)
		case 8:
			t.numbers(thriftFields{1: &h.values, 4: &h.encoding, 5: &h.defBytes, 6: &h.repBytes}, func(id int64, kind byte) {
				if id == 7 {
					h.isPacked = kind == thriftTrue
				}
				t.skip(kind)
			})
		default:
			t.skip(kind)
		}
	})
	return h
}

// A chunkReader reads a column of a row group from page to page.
type chunkReader struct {
	p        *parquetFile
	leaf     *parquetColumn
	chunk    chunk
	at       int64 // of the next page
	entries  int64 // of the pages so far
	current  int64 // where the current page is
	left     int   // entries of it still to read
	done     int   // entries of it read
	held     int   // bytes of page and dictionary
	dropped  bool
	def, rep hybrid
	values   values
	words    *words // of the dictionary
	wordsAt  int64  // where its page is, 0 if there is none
	levels   []int32

	// Of lists: levels of entries that have been decoded, and which is the next.
	reps, defs []int32
	entry      int
}

func newChunkReader(p *parquetFile, leaf *parquetColumn, c chunk) *chunkReader {
	check(c.at >= 4 && c.length >= 0 && c.at <= p.file.Size(), "the column lies outside the file")
	return &chunkReader{p: p, leaf: leaf, chunk: c, at: c.at, current: -1}
}

// header returns the head of the page at an offset, and the size of the head.
func (c *chunkReader) header(at int64) (h pageHeader, size int64) {
	for n := int64(usualHeader); ; n *= 8 {
		rest := c.p.file.Size() - at
		t := newThriftReader(c.p.file.part(at, min(n, rest)))
		if guard("", nowhere, func() { h = readPageHeader(t) }) == nil {
			return h, int64(t.at)
		}
		check(n < min(rest, mostHeader), "the head of a page is damaged")
	}
}

// page moves to the next page of data.
func (c *chunkReader) page() {
	for {
		check(c.at < c.chunk.at+c.chunk.length, "the column ends before its last row")
		at := c.at
		h := c.load(at)
		if h.kind == dataPage || h.kind == dataPageV2 {
			c.current, c.left, c.done = at, int(h.values), 0
			c.entries += h.values
			return
		}
	}
}

// load reads the page at a place; c.at is then the next one's.
func (c *chunkReader) load(at int64) pageHeader {
	h, size := c.header(at)
	check(h.packed >= 0 && h.unpacked >= 0 && h.values >= 0 && h.values <= 1<<31, "the head of a page is damaged")
	if h.unpacked > mostPage {
		refuse("a page of the column has "+strconv.FormatInt(h.unpacked>>20, 10)+" MB, more than 64",
			"write it with pages of about 1 MB")
	}
	packed := c.p.file.part(at+size, h.packed)
	c.at = at + size + h.packed
	check(h.crc == noCRC || uint32(h.crc) == crc32.ChecksumIEEE(packed), "a page is damaged, since its checksum differs")
	switch h.kind {
	case dictionaryPage:
		page := c.p.unpack.unpack(c.chunk.codec, packed, int(h.unpacked))
		c.words = newWords(c.leaf, page, int(h.values))
		c.wordsAt = at
		c.hold(c.words.size())
	case dataPage:
		page := c.p.unpack.unpack(c.chunk.codec, packed, int(h.unpacked))
		if c.leaf.maxRep > 0 {
			page = c.rep.begin(page, c.leaf.maxRep)
		}
		if c.leaf.maxDef > 0 {
			if h.defEncoding != encodingRLE {
				refuse("the column has levels in a form that was given up in 2013", "write it again")
			}
			page = c.def.begin(page, c.leaf.maxDef)
		}
		c.setValues(h.encoding, page)
	case dataPageV2:
		levels := h.repBytes + h.defBytes
		check(h.repBytes >= 0 && h.defBytes >= 0 && levels <= h.packed && levels <= h.unpacked,
			"the head of a page is damaged")
		c.rep = newHybrid(packed[:h.repBytes], bitsOf(c.leaf.maxRep))
		c.def = newHybrid(packed[h.repBytes:levels], bitsOf(c.leaf.maxDef))
		page := packed[levels:]
		if h.isPacked {
			page = c.p.unpack.unpack(c.chunk.codec, page, int(h.unpacked-levels))
		}
		c.setValues(h.encoding, page)
	case indexPage:
	default:
		fail("the column has a page of no known kind")
	}
	return h
}

// hold counts bytes that are kept from strip to strip.
func (c *chunkReader) hold(bytes int) {
	c.held += bytes
	c.p.held += bytes
}

func (c *chunkReader) setValues(encoding int64, page []byte) {
	size := len(page)
	if c.words != nil {
		size += c.words.size()
	}
	c.hold(size - c.held)
	c.values = newValues(c.leaf, encoding, page, c.words)
}

// drop releases the page and the dictionary; read loads them again. Lists are kept, because their rows may lie on two
// pages.
func (c *chunkReader) drop() {
	if c.leaf.maxRep > 0 || c.left == 0 {
		return
	}
	c.hold(-c.held)
	c.words, c.values, c.def = nil, nil, hybrid{}
	c.dropped = true
}

// restore loads a dropped page again, and skips the entries that were already read.
func (c *chunkReader) restore() {
	next, left, done := c.at, c.left, c.done
	if c.wordsAt > 0 {
		c.load(c.wordsAt)
	}
	c.load(c.current)
	c.at = next
	c.dropped = false
	c.left, c.done = left+done, 0
	for c.done < done {
		c.p.scratch.reset()
		c.take(&c.p.scratch, min(stripRows, done-c.done))
	}
}

// read appends the cells of n rows of a column without lists.
func (c *chunkReader) read(v *vector, n int) {
	if c.dropped {
		c.restore()
	}
	for n > 0 {
		for c.left == 0 {
			c.page()
		}
		k := min(n, c.left)
		c.take(v, k)
		n -= k
	}
}

// take appends k entries of the current page.
func (c *chunkReader) take(v *vector, k int) {
	c.left -= k
	c.done += k
	present := k
	if c.leaf.maxDef > 0 {
		c.levels = slices.Grow(c.levels[:0], k)[:k]
		c.def.read(c.levels)
		present = 0
		for _, level := range c.levels {
			isPresent := int(level) == c.leaf.maxDef
			v.valid = append(v.valid, isPresent)
			if isPresent {
				present++
			}
		}
	} else {
		for range k {
			v.valid = append(v.valid, true)
		}
	}
	c.values(v, present)
}

// readLists appends the lists of n rows. A list whose length is not width adds no cells.
func (c *chunkReader) readLists(v *vector, n, width int) {
	for range n {
		before, length, present := *v, 0, 0
		check(c.haveEntry() && c.reps[c.entry] == 0, "the column ends before its last row")
		if def := int(c.defs[c.entry]); def < c.leaf.listDef {
			c.entry++
			if def < c.leaf.listDef-1 {
				length = -1
			}
			v.lengths = append(v.lengths, length)
			continue
		}
		for isFirst := true; c.haveEntry() && (isFirst || c.reps[c.entry] != 0); isFirst = false {
			isPresent := int(c.defs[c.entry]) == c.leaf.maxDef
			c.entry++
			length++
			v.valid = append(v.valid, isPresent)
			if isPresent {
				present++
			}
			if length > mostColumns {
				refuse("a list has more than "+strconv.Itoa(mostColumns)+" numbers", "ignore the column")
			}
			if c.left == 0 && c.entry == len(c.reps) { // the list may go on on the next page
				c.values(v, present)
				present = 0
			}
		}
		if present > 0 {
			c.values(v, present)
		}
		if length != width {
			v.valid, v.ints, v.floats = v.valid[:len(before.valid)], v.ints[:len(before.ints)], v.floats[:len(before.floats)]
			v.bytes, v.ends = v.bytes[:len(before.bytes)], v.ends[:len(before.ends)]
		}
		v.lengths = append(v.lengths, length)
	}
}

// haveEntry decodes levels until there is a next entry, on the next page if necessary. It returns false after the last
// entry.
func (c *chunkReader) haveEntry() bool {
	if c.entry < len(c.reps) {
		return true
	}
	for c.left == 0 {
		if c.entries >= c.chunk.values {
			return false
		}
		c.page()
	}
	n := min(c.left, stripRows)
	c.reps, c.defs, c.entry = slices.Grow(c.reps[:0], n)[:n], slices.Grow(c.defs[:0], n)[:n], 0
	c.rep.read(c.reps)
	c.def.read(c.defs)
	c.left -= n
	return true
}
