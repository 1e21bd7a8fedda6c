package columnar

import (
	"strconv"
	"strings"
)

// The physical types of Parquet:
// https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
const (
	parquetBoolean = iota
	parquetInt32
	parquetInt64
	parquetInt96
	parquetFloat
	parquetDouble
	parquetByteArray
	parquetFixed
)

// How often a node occurs.
const (
	parquetRequired = iota
	parquetOptional
	parquetRepeated
)

// A schemaElement is a node of the schema; nodes follow each other in depth-first order.
type schemaElement struct {
	name       string
	physical   int64 // −1: a group
	length     int64 // of parquetFixed
	repetition int64
	children   int64
	converted  int64 // ConvertedType, −1 if there is none
	scale      int64
	logical    int64 // field of LogicalType, 0 if there is none
	unit       int64 // of its times, 0 if they have none
	isSigned   bool
}

// The fields of LogicalType, and ConvertedTypes.
const (
	logicalString, logicalMap, logicalList, logicalEnum, logicalDecimal, logicalDate,
	logicalTime = 1, 2, 3, 4, 5, 6, 7
	logicalTimestamp, logicalInteger, logicalUnknown, logicalJSON, logicalBSON, logicalUUID, logical16,
	logicalVariant, logicalGeometry, logicalGeography = 8, 10, 11, 12, 13, 14, 15, 16, 17, 18

	convertedUTF8, convertedMap, convertedMapKeyValue, convertedList, convertedEnum, convertedDecimal,
	convertedDate = 0, 1, 2, 3, 4, 5, 6
	convertedTimeMillis, convertedTimeMicros, convertedTimestampMillis,
	convertedTimestampMicros = 7, 8, 9, 10
	convertedUint8, convertedUint64,
	convertedJSON, convertedBSON, convertedInterval = 11, 14, 19, 20, 21
)

func readSchemaElement(t *thriftReader) (e schemaElement) {
	e.physical, e.converted = -1, -1
	t.numbers(thriftFields{1: &e.physical, 2: &e.length, 3: &e.repetition, 5: &e.children, 6: &e.converted, 7: &e.scale},
		func(id int64, kind byte) {
			switch id {
			case 4:
				e.name = string(t.binary())
			case 10:
				readLogicalType(t, &e)
			default:
				t.skip(kind)
			}
		})
	return e
}

func readLogicalType(t *thriftReader, e *schemaElement) {
	t.structure(func(id int64, _ byte) {
		e.logical = id
		t.structure(func(field int64, kind byte) {
			switch {
			case id == logicalDecimal && field == 1:
				e.scale = t.int(kind)
			case id == logicalInteger && field == 2:
				e.isSigned = kind == thriftTrue
			case (id == logicalTime || id == logicalTimestamp) && field == 2:
				t.structure(func(unit int64, kind byte) {
					if unit >= 1 && unit <= 3 {
						e.unit = []int64{1_000, 1_000_000, 1_000_000_000}[unit-1]
					}
					t.skip(kind)
				})
			default:
				t.skip(kind)
			}
		})
	})
}

// A parquetColumn is a leaf of the schema.
type parquetColumn struct {
	column
	physical int64
	length   int // of parquetFixed
	maxDef   int // levels
	maxRep   int
	listDef  int // the definition level from which on a list has an element
}

// mostFixed is the maximum number of bytes of a value of fixed size.
const mostFixed = 1 << 20

// schemaReader walks the tree of the schema.
type schemaReader struct {
	elements []schemaElement
	at       int
	columns  []parquetColumn
	names    names
}

// A path is the place of a node in the schema.
type path struct {
	names    []string
	def, rep int
	listDef  int
	unnamed  int // nodes below a list whose names say nothing: "list" and "element"
	isMap    bool
	depth    int
}

func (s *schemaReader) node(p path) {
	check(p.depth < mostDepth, "its columns are nested too deeply")
	e := s.elements[s.at]
	s.at++
	p.depth++
	if p.unnamed == 0 {
		p.names = append(p.names[:len(p.names):len(p.names)], e.name)
	}
	switch e.repetition {
	case parquetOptional:
		p.def++
	case parquetRepeated:
		p.def++
		p.rep++
		p.listDef = p.def
	}
	if e.physical >= 0 && e.children == 0 {
		s.leaf(&e, p)
		return
	}
	isList := e.logical == logicalList || e.converted == convertedList
	isMap := e.logical == logicalMap || e.converted == convertedMap || e.converted == convertedMapKeyValue
	p.isMap = p.isMap || isMap
	check(e.children >= 0 && e.children <= int64(len(s.elements)-s.at), "a group has more columns than there are")
	for range e.children {
		child := p
		switch {
		case e.children > 1:
			child.unnamed = 0
		case isList || isMap && p.unnamed == 0:
			child.unnamed = 2
		case p.unnamed > 0:
			child.unnamed--
		}
		s.node(child)
	}
}

func (s *schemaReader) leaf(e *schemaElement, p path) {
	c := parquetColumn{physical: e.physical, length: int(e.length), maxDef: p.def, maxRep: p.rep, listDef: p.listDef}
	if len(s.columns) == mostColumns {
		tooManyColumns()
	}
	for _, name := range p.names {
		s.names.add(len(name)+1, 1)
	}
	c.name = strings.Join(p.names, ".")
	c.isList = p.rep > 0
	switch {
	case p.isMap:
		c.note = "maps"
	case p.rep > 1:
		c.note = "lists of lists"
	case e.scale < -mostScale || e.scale > mostScale:
		c.note = "decimals with " + strconv.FormatInt(e.scale, 10) + " digits behind the point"
	}
	c.setMeaning(e)
	c.require(!c.isList || !c.isBytes, listsOfBytes)
	s.columns = append(s.columns, c)
}

// setMeaning sets the meaning of the values, or what they are if they cannot be read.
func (c *parquetColumn) setMeaning(e *schemaElement) {
	c.scale, c.unit = int(e.scale), 1
	isDecimal := e.logical == logicalDecimal || e.converted == convertedDecimal
	switch e.physical {
	case parquetBoolean:
		c.meaning = boolean
	case parquetFloat, parquetDouble:
		c.meaning = float
	case parquetInt96:
		c.meaning, c.unit = instant, 1_000_000
		c.scale = 0
	case parquetByteArray, parquetFixed:
		if c.meaning = text; isDecimal {
			c.meaning = bigEndian
			c.require(e.length <= mostDecimal, "decimals of "+strconv.FormatInt(e.length, 10)+" bytes")
		} else {
			c.setBytes(e)
		}
	case parquetInt32, parquetInt64:
		c.setIntegers(e, isDecimal)
	default:
		c.meaning = text
		c.require(false, "values of type "+strconv.FormatInt(e.physical, 10)+" of Parquet, which is not known here")
	}
	c.require(e.physical != parquetFixed || e.length > 0 && e.length <= mostFixed, "values of "+
		strconv.FormatInt(e.length, 10)+" bytes")
}

// setBytes sets the meaning of values that are bytes and no decimals.
func (c *parquetColumn) setBytes(e *schemaElement) {
	isFixed := e.physical == parquetFixed
	switch {
	case isFixed && e.logical == logical16 && e.length == 2:
		c.meaning = float
	case isFixed && e.logical == logicalUUID && e.length == 16:
		c.meaning = uuid
	case e.converted == convertedInterval:
		c.require(false, "intervals of months and days")
	case e.logical == logicalBSON || e.converted == convertedBSON:
		c.require(false, "BSON")
	case e.logical == logicalGeometry || e.logical == logicalGeography:
		c.require(false, "geometry")
	default:
		isNamed := e.logical == logicalString || e.logical == logicalEnum || e.logical == logicalJSON ||
			e.converted == convertedUTF8 || e.converted == convertedEnum || e.converted == convertedJSON
		c.isBytes = !isNamed
	}
}

func (c *parquetColumn) setIntegers(e *schemaElement, isDecimal bool) {
	switch {
	case isDecimal:
		c.meaning = decimal
	case e.logical == logicalDate || e.converted == convertedDate:
		c.meaning, c.scale = instant, dateOnly
	case e.logical == logicalTimestamp:
		c.meaning, c.unit = instant, max(e.unit, 1)
	case e.converted == convertedTimestampMillis:
		c.meaning, c.unit = instant, 1_000
	case e.converted == convertedTimestampMicros:
		c.meaning, c.unit = instant, 1_000_000
	case e.logical == logicalTime:
		c.meaning, c.unit = clock, max(e.unit, 1)
	case e.converted == convertedTimeMillis:
		c.meaning, c.unit = clock, 1_000
	case e.converted == convertedTimeMicros:
		c.meaning, c.unit = clock, 1_000_000
	case e.logical == logicalInteger && !e.isSigned, e.converted >= convertedUint8 && e.converted <= convertedUint64:
		c.meaning = unsigned
	default:
		c.meaning = signed
	}
}

// perDay reports whether the values are days, which become seconds.
func (c *parquetColumn) perDay() bool { return c.meaning == instant && c.scale == dateOnly }
