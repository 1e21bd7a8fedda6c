package columnar

import (
	"slices"
	"strconv"
	"strings"
)

// The types of Arrow:
// https://github.com/apache/arrow/blob/main/format/Schema.fbs
const (
	arrowNull            = 1
	arrowInt             = 2
	arrowFloatingPoint   = 3
	arrowBinary          = 4
	arrowUtf8            = 5
	arrowBool            = 6
	arrowDecimal         = 7
	arrowDate            = 8
	arrowTime            = 9
	arrowTimestamp       = 10
	arrowInterval        = 11
	arrowList            = 12
	arrowStruct          = 13
	arrowUnion           = 14
	arrowFixedSizeBinary = 15
	arrowFixedSizeList   = 16
	arrowMap             = 17
	arrowDuration        = 18
	arrowLargeBinary     = 19
	arrowLargeUtf8       = 20
	arrowLargeList       = 21
	arrowRunEndEncoded   = 22
	arrowBinaryView      = 23
	arrowUtf8View        = 24
	arrowListView        = 25
	arrowLargeListView   = 26
)

// A storage is the layout of a column's cells in its buffers. The first buffer says which cells are present.
type storage uint8

const (
	nowhereStored storage = iota // all are missing
	inBits
	inIntegers // of size bytes
	inFloats   // of size bytes
	inDecimals // of size bytes, two's complement
	inFixed    // texts of size bytes
	inOffsets  // texts; an offset has size bytes
	inViews    // texts
	inWords    // indices into a dictionary, of size bytes
)

// An arrowColumn is a leaf of the schema.
type arrowColumn struct {
	column
	arrowPlace
	storage    storage
	size       int
	isSigned   bool
	isDuration bool
	dictionary int64
	parents    []arrowPlace // structures around it, or around its list
	list       *listPlace   // the list whose cells it has, if any
	inside     []arrowPlace // structures around it in the list
}

// An arrowPlace is the place of a column's node and buffers in a batch.
type arrowPlace struct {
	node, buffer, variadic int // variadic: columns before that have as many buffers as a batch says
}

type listPlace struct {
	arrowPlace
	offsetSize int // 0 if all have the same length
}

type arrowSchema struct {
	next    arrowPlace
	columns []arrowColumn
	words   map[int64]*arrowColumn // the values of dictionaries
	isLost  bool                   // a type before is not known, and so neither are the places of other columns
	names   names
}

// An arrowPath is the place of a field.
type arrowPath struct {
	names     []string
	parents   []arrowPlace
	list      *listPlace
	inside    []arrowPlace
	isElement bool // of a list, whose name says nothing
	width     int
	note      string // of all columns below
	depth     int
}

func readArrowSchema(t flatTable) (s arrowSchema) {
	if t.number(0, 2, 0) != 0 {
		refuse("its numbers are big-endian", "write it on a little-endian machine")
	}
	s.words = map[int64]*arrowColumn{}
	fields := t.tables(1)
	for k := range fields.n {
		s.field(fields.table(k), arrowPath{})
	}
	return s
}

// place reserves a node and its buffers.
func (s *arrowSchema) place(buffers int) arrowPlace {
	place := s.next
	s.next.node++
	s.next.buffer += buffers
	return place
}

func (s *arrowSchema) field(f flatTable, p arrowPath) {
	check(p.depth < mostDepth, "its columns are nested too deeply")
	if s.next.node > mostColumns {
		tooManyColumns()
	}
	p.depth++
	if !p.isElement {
		for _, name := range p.names {
			s.names.add(len(name)+1, 1)
		}
		s.names.add(len(f.vector(0, 1)), 1)
		p.names = append(p.names[:len(p.names):len(p.names)], string(f.vector(0, 1)))
	}
	p.isElement = false
	c := arrowColumn{column: column{name: strings.Join(p.names, "."), unit: 1, isList: p.list != nil, width: p.width,
		note: p.note}, parents: p.parents, list: p.list, inside: p.inside}
	kind := byte(f.number(2, 1, 0))
	t, _ := f.table(3)
	if s.isLost && c.note == "" {
		c.note = "values behind a type of Arrow that is not known here"
	}
	if encoding, ok := f.table(4); ok {
		s.dictionary(c, kind, t, encoding)
		return
	}
	children := f.tables(5)
	switch kind {
	case arrowStruct:
		around := &p.parents
		if p.list != nil {
			around = &p.inside
		}
		*around = append(slices.Clone(*around), s.place(1))
		for k := range children.n {
			s.field(children.table(k), p)
		}
		return
	case arrowList, arrowLargeList, arrowFixedSizeList, arrowMap, arrowListView, arrowLargeListView:
		s.lists(kind, t, children, p)
		return
	case arrowUnion, arrowRunEndEncoded:
		s.others(c, kind, t, children, p)
		return
	}
	c.setStorage(kind, t)
	if isUUID(f) && c.storage == inFixed && c.size == 16 {
		c.meaning, c.isBytes = uuid, false
	}
	c.require(!c.isList || !c.isBytes, listsOfBytes)
	s.isLost = s.isLost || kind > arrowLargeListView
	s.add(c)
}

// mostPairs is how many pairs of a field's metadata are looked at: all fields of a damaged file may share them.
const mostPairs = 64

// isUUID reports whether the metadata of a field call its bytes a UUID.
func isUUID(f flatTable) bool {
	pairs := f.tables(6)
	for k := range min(pairs.n, mostPairs) {
		pair := pairs.table(k)
		if string(pair.vector(0, 1)) == "ARROW:extension:name" && string(pair.vector(1, 1)) == "arrow.uuid" {
			return true
		}
	}
	return false
}

// add gives a column its place.
func (s *arrowSchema) add(c arrowColumn) {
	c.arrowPlace = s.place(c.buffers())
	if c.storage == inViews {
		s.next.variadic++
	}
	s.columns = append(s.columns, c)
}

func (c *arrowColumn) buffers() int {
	switch c.storage {
	case nowhereStored:
		return 0
	case inOffsets:
		return 3
	}
	return 2
}

func (s *arrowSchema) lists(kind byte, t flatTable, children tableVector, p arrowPath) {
	check(children.n == 1, "a list has not one type of element")
	list := &listPlace{}
	switch {
	case p.list != nil && p.note == "":
		p.note = "lists of lists"
	case kind == arrowMap:
		p.note = "maps"
	case kind == arrowListView || kind == arrowLargeListView:
		p.note = "list views"
	}
	switch kind {
	case arrowFixedSizeList:
		list.arrowPlace = s.place(1)
		p.width = int(t.number(0, 4, 0))
		check(p.width >= 0, "a list has less than no elements")
		if p.width == 0 && p.note == "" {
			p.note = "only empty lists"
		}
	case arrowListView, arrowLargeListView:
		list.arrowPlace = s.place(3)
	default:
		list.arrowPlace = s.place(2)
		list.offsetSize = 4
		if kind == arrowLargeList {
			list.offsetSize = 8
		}
	}
	if p.list == nil {
		p.list = list
	}
	p.isElement = true
	s.field(children.table(0), p)
}

// others reserves the places of types that are not read.
func (s *arrowSchema) others(c arrowColumn, kind byte, t flatTable, children tableVector, p arrowPath) {
	c.meaning, c.storage, c.note = text, nowhereStored, "values in runs"
	buffers := 0
	if kind == arrowUnion {
		c.note = "unions"
		buffers = 1 + int(t.number(0, 2, 0)) // types, and offsets if it is dense
	}
	c.arrowPlace = s.place(buffers)
	s.columns = append(s.columns, c)
	hidden := len(s.columns)
	for k := range children.n {
		s.field(children.table(k), p)
	}
	s.columns = s.columns[:hidden]
}

// dictionary adds a column of indices.
func (s *arrowSchema) dictionary(c arrowColumn, kind byte, t, encoding flatTable) {
	c.dictionary = encoding.number(0, 8, 0)
	c.size, c.isSigned = 4, true
	if index, ok := encoding.table(1); ok {
		c.setInteger(index)
	}
	words := &arrowColumn{column: column{unit: 1}}
	words.setStorage(kind, t)
	s.words[c.dictionary] = words
	c.meaning, c.scale, c.unit, c.isBytes = words.meaning, words.scale, words.unit, words.isBytes
	if c.note == "" {
		c.note = words.note
	}
	c.storage = inWords
	s.add(c)
}

func (c *arrowColumn) setInteger(t flatTable) {
	c.size = int(t.number(0, 4, 0)) / 8
	c.isSigned = t.number(1, 1, 0) != 0
	c.require(c.size == 1 || c.size == 2 || c.size == 4 || c.size == 8, "integers of an unknown size")
}

// setUnit sets the number of TimeUnits in a second.
func (c *arrowColumn) setUnit(unit int64) {
	units := []int64{1, 1_000, 1_000_000, 1_000_000_000}
	if isKnown := unit >= 0 && unit < int64(len(units)); isKnown {
		c.unit = units[unit]
	} else {
		c.require(isKnown, "times in an unknown unit")
	}
}

// setStorage sets the meaning and the storage of the cells of a type.
func (c *arrowColumn) setStorage(kind byte, t flatTable) {
	switch kind {
	case arrowNull:
		c.meaning, c.storage = text, nowhereStored
	case arrowInt:
		c.storage = inIntegers
		if c.setInteger(t); !c.isSigned {
			c.meaning = unsigned
		}
	case arrowFloatingPoint:
		precision := t.number(0, 2, 0)
		c.require(precision >= 0 && precision <= 2, "numbers of an unknown precision")
		c.meaning, c.storage, c.size = float, inFloats, 2<<(precision&3)
	case arrowBool:
		c.meaning, c.storage = boolean, inBits
	case arrowDecimal:
		c.setDecimal(t)
	case arrowDate, arrowTime, arrowTimestamp, arrowDuration:
		c.setTime(kind, t)
	case arrowUtf8, arrowBinary, arrowLargeUtf8, arrowLargeBinary, arrowUtf8View, arrowBinaryView, arrowFixedSizeBinary:
		c.setText(kind, t)
	case arrowInterval:
		c.meaning, c.storage = text, inIntegers
		c.require(false, "intervals of months and days")
	case arrowStruct, arrowUnion, arrowRunEndEncoded, arrowMap, arrowList, arrowLargeList, arrowFixedSizeList,
		arrowListView, arrowLargeListView: // other columns than dictionaries have got theirs in field
		c.require(false, "a dictionary of nested values")
	default:
		c.meaning = text
		c.require(false, "values of type "+strconv.Itoa(int(kind))+" of Arrow, which is not known here")
	}
}

func (c *arrowColumn) setDecimal(t flatTable) {
	bits := t.number(2, 4, 128)
	c.require(bits == 32 || bits == 64 || bits == 128 || bits == 256, "decimals of an unknown size")
	c.meaning, c.storage, c.size, c.scale = bigEndian, inDecimals, int(bits/8), int(t.number(1, 4, 0))
	c.require(c.scale >= -mostScale && c.scale <= mostScale, "decimals with "+strconv.Itoa(c.scale)+
		" digits behind the point")
}

func (c *arrowColumn) setTime(kind byte, t flatTable) {
	c.meaning, c.storage, c.isSigned, c.size = instant, inIntegers, true, 8
	switch kind {
	case arrowDate:
		c.scale = dateOnly
		if c.unit = 1_000; t.number(0, 2, 1) == 0 { // days
			c.size, c.unit = 4, 1
		}
	case arrowTimestamp:
		c.setUnit(t.number(0, 2, 0))
	case arrowDuration:
		c.meaning, c.isDuration = clock, true
		c.setUnit(t.number(0, 2, 1))
	case arrowTime:
		c.meaning = clock
		c.size = int(t.number(1, 4, 32)) / 8
		c.require(c.size == 4 || c.size == 8, "times of an unknown size")
		c.setUnit(t.number(0, 2, 1))
	}
}

func (c *arrowColumn) setText(kind byte, t flatTable) {
	c.meaning, c.storage, c.size = text, inOffsets, 4
	switch kind {
	case arrowLargeUtf8, arrowLargeBinary:
		c.size = 8
	case arrowUtf8View, arrowBinaryView:
		c.storage, c.size = inViews, 16
	case arrowFixedSizeBinary:
		c.storage, c.size = inFixed, int(t.number(0, 4, 0))
		c.require(c.size > 0, "no bytes")
	}
	c.isBytes = kind != arrowUtf8 && kind != arrowLargeUtf8 && kind != arrowUtf8View
}

// perDay reports whether the values are days, which become seconds.
func (c *arrowColumn) perDay() bool {
	return c.meaning == instant && c.scale == dateOnly && c.size == 4
}
