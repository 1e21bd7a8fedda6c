package columnar

import "encoding/binary"

// Arrow's metadata are FlatBuffers:
// https://flatbuffers.dev/internals/

// A flatTable is a table in a buffer.
type flatTable struct {
	b  []byte
	at int
}

func flatRoot(b []byte) flatTable {
	return flatTable{b, int(binary.LittleEndian.Uint32(b))}
}

// slot returns the offset of field i, or 0 if it is absent.
func (t flatTable) slot(i int) int {
	vtable := t.at - int(int32(binary.LittleEndian.Uint32(t.b[t.at:])))
	if 4+2*i >= int(binary.LittleEndian.Uint16(t.b[vtable:])) {
		return 0
	}
	offset := int(binary.LittleEndian.Uint16(t.b[vtable+4+2*i:]))
	if offset == 0 {
		return 0
	}
	return t.at + offset
}

// number returns the integer of size bytes of field i, or another one if it is absent.
func (t flatTable) number(i, size int, otherwise int64) int64 {
	if at := t.slot(i); at > 0 {
		return integer(t.b[at:], size, true)
	}
	return otherwise
}

// integer reads a little-endian integer of 1, 2, 4 or 8 bytes.
func integer(b []byte, size int, isSigned bool) int64 {
	var n uint64
	switch size {
	case 1:
		n = uint64(b[0])
	case 2:
		n = uint64(binary.LittleEndian.Uint16(b))
	case 4:
		n = uint64(binary.LittleEndian.Uint32(b))
	default:
		n = binary.LittleEndian.Uint64(b)
	}
	if unused := 64 - 8*size; isSigned {
		return int64(n<<unused) >> unused
	}
	return int64(n)
}

// table returns the table of field i.
func (t flatTable) table(i int) (flatTable, bool) {
	at := t.slot(i)
	if at == 0 {
		return t, false
	}
	return flatTable{t.b, at + int(binary.LittleEndian.Uint32(t.b[at:]))}, true
}

// vector returns the elements of field i, each of the given size.
func (t flatTable) vector(i, size int) []byte {
	at := t.slot(i)
	if at == 0 {
		return nil
	}
	at += int(binary.LittleEndian.Uint32(t.b[at:]))
	n := int(binary.LittleEndian.Uint32(t.b[at:]))
	return t.b[at+4 : at+4+n*size]
}

// A tableVector is a vector of tables.
type tableVector struct {
	b     []byte
	at, n int // where the offset of the first table is, and how many there are
}

// tables returns the tables of field i.
func (t flatTable) tables(i int) tableVector {
	offsets := t.vector(i, 4)
	if len(offsets) == 0 {
		return tableVector{}
	}
	at := t.slot(i)
	return tableVector{t.b, at + int(binary.LittleEndian.Uint32(t.b[at:])) + 4, len(offsets) / 4}
}

// table returns table k.
func (t tableVector) table(k int) flatTable {
	at := t.at + 4*k
	return flatTable{t.b, at + int(binary.LittleEndian.Uint32(t.b[at:]))}
}

// A flatField is a field of a table to be written: the bytes of a scalar, an object that the table refers to, or
// neither if the field is absent.
type flatField struct {
	scalar []byte
	refers func(w *flatWriter) (at int) // writes it and returns where it is
}

func (f *flatField) width() int {
	if f.refers != nil {
		return 4
	}
	return len(f.scalar)
}

// A flatWriter writes a buffer from front to back, tables before what they refer to.
type flatWriter struct{ b []byte }

// flatten returns the buffer of a root table, a multiple of 8 bytes.
func flatten(root []flatField) []byte {
	w := &flatWriter{b: make([]byte, 4)}
	at := w.table(root)
	binary.LittleEndian.PutUint32(w.b, uint32(at))
	w.align(8)
	return w.b
}

func (w *flatWriter) align(n int) {
	for len(w.b)%n != 0 {
		w.b = append(w.b, 0)
	}
}

// table writes a table and the objects that it refers to, and returns the offset of the table. Its fields follow the
// four bytes with the place of its vtable.
func (w *flatWriter) table(fields []flatField) int {
	offsets, size := make([]int, len(fields)), 4
	for i, f := range fields {
		if width := f.width(); width > 0 {
			size = (size + width - 1) / width * width
			offsets[i] = size
			size += width
		}
	}
	w.align(8)
	vtable := len(w.b)
	w.b = binary.LittleEndian.AppendUint16(w.b, uint16(4+2*len(fields)))
	w.b = binary.LittleEndian.AppendUint16(w.b, uint16(size))
	for _, offset := range offsets {
		w.b = binary.LittleEndian.AppendUint16(w.b, uint16(offset))
	}
	w.align(8)
	at := len(w.b)
	w.b = append(w.b, make([]byte, size)...)
	binary.LittleEndian.PutUint32(w.b[at:], uint32(at-vtable))
	for i, f := range fields {
		copy(w.b[at+offsets[i]:], f.scalar)
	}
	for i, f := range fields {
		if f.refers != nil {
			w.refer(at+offsets[i], f.refers)
		}
	}
	return at
}

// refer writes an object, and stores its distance from place at place.
func (w *flatWriter) refer(place int, write func(w *flatWriter) int) {
	at := write(w)
	binary.LittleEndian.PutUint32(w.b[place:], uint32(at-place))
}

// count writes the number of elements that follow, aligned to n, and returns where it is.
func (w *flatWriter) count(elements, n int) (at int) {
	for (len(w.b)+4)%n != 0 {
		w.b = append(w.b, 0)
	}
	w.b = binary.LittleEndian.AppendUint32(w.b, uint32(elements))
	return len(w.b) - 4
}

// flatNumber is an integer of size bytes.
func flatNumber(x, size int) flatField {
	return flatField{scalar: binary.LittleEndian.AppendUint64(nil, uint64(x))[:size]}
}

func flatTableField(fields []flatField) flatField {
	return flatField{refers: func(w *flatWriter) int { return w.table(fields) }}
}

func flatString(s string) flatField {
	return flatField{refers: func(w *flatWriter) int {
		at := w.count(len(s), 4)
		w.b = append(append(w.b, s...), 0)
		return at
	}}
}

// flatStructs are structures of some size, which are aligned to 8.
func flatStructs(structs []byte, size int) flatField {
	return flatField{refers: func(w *flatWriter) int {
		at := w.count(len(structs)/size, 8)
		w.b = append(w.b, structs...)
		return at
	}}
}

func flatTables(tables [][]flatField) flatField {
	return flatField{refers: func(w *flatWriter) int {
		at := w.count(len(tables), 4)
		w.b = append(w.b, make([]byte, 4*len(tables))...)
		for k, fields := range tables {
			w.refer(at+4+4*k, func(w *flatWriter) int { return w.table(fields) })
		}
		return at
	}}
}
