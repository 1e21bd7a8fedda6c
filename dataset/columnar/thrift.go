package columnar

import (
	"encoding/binary"
)

// Parquet's metadata are structures in Thrift's compact protocol:
// https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md

// The types of a field.
const (
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftI32    = 5
	thriftI64    = 6
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
)

// varints reads numbers of as many bytes as they need.
type varints struct {
	b      []byte
	at     int
	damage string // what it means that one does not end
}

func (v *varints) varint() uint64 {
	n, length := binary.Uvarint(v.b[v.at:])
	check(length > 0, v.damage)
	v.at += length
	return n
}

func (v *varints) zigzag() int64 {
	n := v.varint()
	return int64(n>>1) ^ -int64(n&1)
}

// A thriftReader reads what it has in order; a failed bounds check ends it.
type thriftReader struct {
	varints
	depth int
}

func newThriftReader(b []byte) *thriftReader {
	return &thriftReader{varints: varints{b: b, damage: "a number of the metadata does not end"}}
}

func (t *thriftReader) byte() byte {
	t.at++
	return t.b[t.at-1]
}

// int reads the integer of a field of a type.
func (t *thriftReader) int(kind byte) int64 {
	switch kind {
	case thriftTrue:
		return 1
	case thriftFalse:
		return 0
	case thriftByte:
		return int64(int8(t.byte()))
	}
	check(kind >= 4 && kind <= thriftI64, "the metadata have something else than a number")
	return t.zigzag()
}

func (t *thriftReader) binary() []byte {
	n := t.varint()
	check(n <= uint64(len(t.b)-t.at), "a text of the metadata is longer than they are")
	t.at += int(n)
	return t.b[t.at-int(n) : t.at]
}

// structure calls field for each field, which reads it or skips it.
func (t *thriftReader) structure(field func(id int64, kind byte)) {
	t.depth++
	check(t.depth < 64, "the metadata are nested too deeply")
	for id := int64(0); ; {
		head := t.byte()
		if head == 0 {
			break
		}
		if delta := int64(head >> 4); delta != 0 {
			id += delta
		} else {
			id = t.zigzag()
		}
		field(id, head&15)
	}
	t.depth--
}

// A thriftFields says where the numbers of some fields go.
type thriftFields map[int64]*int64

// numbers reads a structure. Numbers go to the places in fields. other is called for every other field and must read or
// skip it; if other is nil, they are skipped.
func (t *thriftReader) numbers(fields thriftFields, other func(id int64, kind byte)) {
	t.structure(func(id int64, kind byte) {
		switch to := fields[id]; {
		case to != nil:
			*to = t.int(kind)
		case other != nil:
			other(id, kind)
		default:
			t.skip(kind)
		}
	})
}

// list calls element for each element of a list.
func (t *thriftReader) list(element func(kind byte)) {
	head := t.byte()
	n := uint64(head >> 4)
	if n == 15 {
		n = t.varint()
	}
	check(n <= uint64(len(t.b)-t.at), "a list of the metadata is longer than they are")
	for range n {
		element(head & 15)
	}
}

func (t *thriftReader) skip(kind byte) {
	switch kind {
	case thriftTrue, thriftFalse:
	case thriftByte:
		t.byte()
	case thriftDouble:
		t.at += 8
	case thriftBinary:
		t.binary()
	case thriftList, thriftSet:
		t.depth++
		check(t.depth < 64, "the metadata are nested too deeply")
		t.list(t.skipElement)
		t.depth--
	case thriftMap:
		t.skipMap()
	case thriftStruct:
		t.structure(func(_ int64, kind byte) { t.skip(kind) })
	default:
		check(kind == 4 || kind == thriftI32 || kind == thriftI64, "the metadata have a field of no known type")
		t.varint()
	}
}

// skipElement skips an element of a collection, in which a boolean takes a byte.
func (t *thriftReader) skipElement(kind byte) {
	if kind == thriftTrue || kind == thriftFalse {
		kind = thriftByte
	}
	t.skip(kind)
}

func (t *thriftReader) skipMap() {
	n := t.varint()
	if n == 0 {
		return
	}
	check(n <= uint64(len(t.b)-t.at), "a map of the metadata is longer than they are")
	kinds := t.byte()
	for range n {
		t.skipElement(kinds >> 4)
		t.skipElement(kinds & 15)
	}
}

// A thriftWriter appends structures whose fields are given in order.
type thriftWriter struct {
	b    []byte
	last []int64 // field of each open structure
}

func (t *thriftWriter) field(id int64, kind byte) {
	top := len(t.last) - 1
	t.b = append(t.b, byte(id-t.last[top])<<4|kind)
	t.last[top] = id
}

func (t *thriftWriter) begin() { t.last = append(t.last, 0) }

func (t *thriftWriter) end() {
	t.b = append(t.b, 0)
	t.last = t.last[:len(t.last)-1]
}

func (t *thriftWriter) zigzag(n int64) { t.b = binary.AppendVarint(t.b, n) }

func (t *thriftWriter) i32(id, n int64) {
	t.field(id, thriftI32)
	t.zigzag(n)
}

func (t *thriftWriter) i64(id, n int64) {
	t.field(id, thriftI64)
	t.zigzag(n)
}

func (t *thriftWriter) text(id int64, s string) {
	t.field(id, thriftBinary)
	t.bytes(s)
}

func (t *thriftWriter) bytes(s string) {
	t.b = append(binary.AppendUvarint(t.b, uint64(len(s))), s...)
}

func (t *thriftWriter) list(id int64, kind byte, n int) {
	t.field(id, thriftList)
	if n < 15 {
		t.b = append(t.b, byte(n)<<4|kind)
	} else {
		t.b = binary.AppendUvarint(append(t.b, 15<<4|kind), uint64(n))
	}
}

func (t *thriftWriter) structure(id int64) {
	t.field(id, thriftStruct)
	t.begin()
}
