package columnar

import (
	"bytes"
	"encoding/binary"
	"math"
)

// A parquetWriter writes cells as columns of texts or float64, and the features, if there are any, as a column of lists
// of float32, all of one length. A block is a row group of one page for each column. Nothing
// is compressed: features have nothing to be compressed by.
type parquetWriter struct{ *rowBuffer }

func (w *parquetWriter) AppendHeader(dst []byte) []byte { return append(dst, parquetMagic...) }

func (w *parquetWriter) AppendBlock(dst []byte) []byte {
	if w.rows == 0 {
		return dst
	}
	for k := range w.cells {
		dst = appendParquetPage(dst, w.rows, w.cellBytes(k, w.rows, len(w.cells[k].bytes)), nil)
		if w.isNumber(k) {
			dst = append(dst, w.cells[k].bytes...)
			continue
		}
		for row := range w.rows {
			text := w.cells[k].at(row)
			dst = append(binary.LittleEndian.AppendUint32(dst, uint32(len(text))), text...)
		}
	}
	if w.lists() > 0 {
		levels := w.levels(w.rows)
		dst = appendParquetPage(dst, w.rows*w.nComponents, len(levels)+4*len(w.features), levels)
		dst = appendFloats(dst, w.features)
	}
	w.endBlock()
	return dst
}

// cellBytes returns the size of a page of cells: a text has its length before it.
func (w *parquetWriter) cellBytes(k, rows, bytes int) int {
	if w.isNumber(k) {
		return bytes
	}
	return bytes + 4*rows
}

func appendFloats(dst []byte, features []float32) []byte {
	for _, x := range features {
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(x))
	}
	return dst
}

// levels returns the levels of lists, after their sizes. All lists are present and have the same length. The first
// entry of each row has repetition level 0, and the others have 1. All have definition level 1.
func (w *parquetWriter) levels(rows int) []byte {
	row, defined := w.runs(rows)
	levels := binary.LittleEndian.AppendUint32(nil, uint32(len(row)*rows))
	levels = append(levels, bytes.Repeat(row, rows)...)
	return append(binary.LittleEndian.AppendUint32(levels, uint32(len(defined))), defined...)
}

// levelBytes returns the length of levels without making them. A damaged state may claim 2^31 rows.
func (w *parquetWriter) levelBytes(rows int) int {
	row, defined := w.runs(rows)
	return 4 + len(row)*rows + 4 + len(defined)
}

// runs returns the run lengths of a row's repetition levels, and of all definition levels.
func (w *parquetWriter) runs(rows int) (row, defined []byte) {
	row = append(binary.AppendUvarint(nil, 1<<1), 0)
	if w.nComponents > 1 {
		row = append(binary.AppendUvarint(row, uint64(w.nComponents-1)<<1), 1)
	}
	return row, append(binary.AppendUvarint(nil, uint64(rows*w.nComponents)<<1), 1)
}

// appendParquetPage appends the head of a page, and its levels.
func appendParquetPage(dst []byte, values, size int, levels []byte) []byte {
	t := &thriftWriter{b: dst}
	t.begin()
	t.i32(1, dataPage)
	t.i32(2, int64(size))
	t.i32(3, int64(size))
	t.structure(5)
	t.i32(1, int64(values))
	t.i32(2, encodingPlain)
	t.i32(3, encodingRLE)
	t.i32(4, encodingRLE)
	t.end()
	t.end()
	return append(t.b, levels...)
}

// A parquetPage is the footer's entry for a page.
type parquetPage struct {
	at, size int64 // with its head
	values   int64
}

// groups calls group with the pages of each block, in the order of the columns.
func (w *parquetWriter) groups(group func(pages []parquetPage, rows int64)) {
	at := int64(len(parquetMagic))
	w.blocks(func(rows int, texts []int) {
		var pages []parquetPage
		add := func(values, size int) {
			page := parquetPage{at, int64(len(appendParquetPage(nil, values, size, nil)) + size), int64(values)}
			pages = append(pages, page)
			at += page.size
		}
		for k, bytes := range texts {
			add(rows, w.cellBytes(k, rows, bytes))
		}
		if w.lists() > 0 {
			add(rows*w.nComponents, w.levelBytes(rows)+4*rows*w.nComponents)
		}
		group(pages, int64(rows))
	})
}

func (w *parquetWriter) AppendFooter(dst []byte) []byte {
	t := &thriftWriter{}
	t.begin()
	t.i32(1, 1)
	w.appendSchema(t)
	t.i64(3, w.total)
	t.list(4, thriftStruct, w.nBlocks)
	w.groups(func(pages []parquetPage, rows int64) {
		t.begin()
		t.list(1, thriftStruct, len(pages))
		size := int64(0)
		for k, page := range pages {
			w.appendChunk(t, k, page)
			size += page.size
		}
		t.i64(2, size)
		t.i64(3, rows)
		t.end()
	})
	t.text(6, "tensorsketch")
	t.end()
	dst = append(dst, t.b...)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(t.b)))
	return append(dst, parquetMagic...)
}

func (w *parquetWriter) appendChunk(t *thriftWriter, k int, page parquetPage) {
	t.begin()
	t.i64(2, page.at)
	t.structure(3)
	physical, path := int64(parquetByteArray), []string{w.names[k]}
	if w.isNumber(k) {
		physical = parquetDouble
	} else if k == len(w.cells) {
		physical, path = parquetFloat, append(path, "list", "element")
	}
	t.i32(1, physical)
	t.list(2, thriftI32, 2)
	t.zigzag(encodingPlain)
	t.zigzag(encodingRLE)
	t.list(3, thriftBinary, len(path))
	for _, name := range path {
		t.bytes(name)
	}
	t.i32(4, codecNone)
	t.i64(5, page.values)
	t.i64(6, page.size)
	t.i64(7, page.size)
	t.i64(9, page.at)
	t.end()
	t.end()
}

// appendSchema writes the nodes: the root, a required text or number for each cell, and a required list of required
// floats.
func (w *parquetWriter) appendSchema(t *thriftWriter) {
	node := func(name string, children, physical, repetition, converted, logical int64) {
		t.begin()
		if physical >= 0 {
			t.i32(1, physical)
		}
		if repetition >= 0 {
			t.i32(3, repetition)
		}
		t.text(4, name)
		if children > 0 {
			t.i32(5, children)
		}
		if converted >= 0 {
			t.i32(6, converted)
		}
		if logical > 0 {
			t.structure(10)
			t.structure(logical)
			t.end()
			t.end()
		}
		t.end()
	}
	t.list(2, thriftStruct, 1+len(w.cells)+3*w.lists())
	node("schema", int64(len(w.names)), -1, -1, -1, 0)
	for k, name := range w.names[:len(w.cells)] {
		if w.isNumber(k) {
			node(name, 0, parquetDouble, parquetRequired, -1, 0)
		} else {
			node(name, 0, parquetByteArray, parquetRequired, convertedUTF8, logicalString)
		}
	}
	if w.lists() == 0 {
		return
	}
	node(w.names[len(w.cells)], 1, -1, parquetRequired, convertedList, logicalList)
	node("list", 1, -1, parquetRepeated, -1, 0)
	node("element", 0, parquetFloat, parquetRequired, -1, 0)
}
