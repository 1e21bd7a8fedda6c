package columnar

import "encoding/binary"

// An arrowWriter writes an IPC file. Cells are columns of texts or float64, and the features, if there are any, are a
// column of lists of fixed size. A block is a record batch.
type arrowWriter struct{ *rowBuffer }

const metadataV5 = 4

// AppendHeader appends the magic number, filled up to 8 bytes, and the schema.
func (w *arrowWriter) AppendHeader(dst []byte) []byte {
	dst = append(dst, arrowMagic+"\x00\x00"...)
	return appendMessage(dst, arrowSchemaMessage, w.schema(), 0)
}

// appendMessage appends the head of a message whose body has some length.
func appendMessage(dst []byte, kind byte, header []flatField, body int) []byte {
	head := flatten([]flatField{
		flatNumber(metadataV5, 2), flatNumber(int(kind), 1), flatTableField(header), flatNumber(body, 8),
	})
	dst = binary.LittleEndian.AppendUint32(dst, continuation)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(head)))
	return append(dst, head...)
}

// schema is the table Schema: little-endian, and the fields.
func (w *arrowWriter) schema() []flatField {
	var fields [][]flatField
	for k, name := range w.names[:len(w.cells)] {
		if w.isNumber(k) {
			fields = append(fields, arrowField(name, arrowFloatingPoint, []flatField{flatNumber(2, 2)}))
		} else {
			fields = append(fields, arrowField(name, arrowUtf8, nil))
		}
	}
	if w.lists() > 0 {
		item := arrowField("item", arrowFloatingPoint, []flatField{flatNumber(1, 2)})
		fields = append(fields,
			arrowField(w.names[len(w.cells)], arrowFixedSizeList, []flatField{flatNumber(w.nComponents, 4)}, item))
	}
	return []flatField{flatNumber(0, 2), flatTables(fields)}
}

// arrowField is the table Field of a column without missing cells: name, nullable,
// type, its table, no dictionary, children.
func arrowField(name string, kind byte, details []flatField, children ...[]flatField) []flatField {
	return []flatField{flatString(name), flatNumber(0, 1), flatNumber(int(kind), 1), flatTableField(details), {},
		flatTables(children)}
}

func padded(n int) int { return (n + 7) &^ 7 }

// appendInts appends integers of 8 bytes.
func appendInts(dst []byte, numbers ...int) []byte {
	for _, n := range numbers {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(n))
	}
	return dst
}

// sizes returns the sizes of the buffers of a block. Each column of cells has a validity buffer (empty, because no cell
// is missing), offsets and texts, or numbers. Then follow the validity buffers of the lists and of the features, and
// the features.
func (w *arrowWriter) sizes(rows int, cellBytes []int) []int {
	var sizes []int
	for k, n := range cellBytes {
		if w.isNumber(k) {
			sizes = append(sizes, 0, n)
		} else {
			sizes = append(sizes, 0, 4*(rows+1), n)
		}
	}
	if w.lists() == 0 {
		return sizes
	}
	return append(sizes, 0, 0, 4*rows*w.nComponents)
}

// batch returns the head of a record batch and the size of its body.
func (w *arrowWriter) batch(dst []byte, rows int, cellBytes []int) (head []byte, body int) {
	var nodes, buffers []byte
	for range w.names {
		nodes = appendInts(nodes, rows, 0)
	}
	if w.lists() > 0 {
		nodes = appendInts(nodes, rows*w.nComponents, 0)
	}
	for _, n := range w.sizes(rows, cellBytes) {
		buffers = appendInts(buffers, body, n)
		body += padded(n)
	}
	header := []flatField{flatNumber(rows, 8), flatStructs(nodes, 16), flatStructs(buffers, 16)}
	return appendMessage(dst, arrowRecordMessage, header, body), body
}

func (w *arrowWriter) cellBytes() []int {
	var sizes []int
	for k := range w.cells {
		sizes = append(sizes, len(w.cells[k].bytes))
	}
	return sizes
}

func (w *arrowWriter) AppendBlock(dst []byte) []byte {
	if w.rows == 0 {
		return dst
	}
	dst, _ = w.batch(dst, w.rows, w.cellBytes())
	pad := func(n int) { dst = append(dst, make([]byte, padded(n)-n)...) }
	for k := range w.cells {
		if !w.isNumber(k) {
			dst = binary.LittleEndian.AppendUint32(dst, 0)
			for _, end := range w.cells[k].ends {
				dst = binary.LittleEndian.AppendUint32(dst, uint32(end))
			}
			pad(4 * (w.rows + 1))
		}
		dst = append(dst, w.cells[k].bytes...)
		pad(len(w.cells[k].bytes))
	}
	dst = appendFloats(dst, w.features)
	pad(4 * len(w.features))
	w.endBlock()
	return dst
}

// AppendFooter appends the end of the stream, the table Footer with the place of each
// record batch, its size and the magic number.
func (w *arrowWriter) AppendFooter(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, continuation)
	dst = binary.LittleEndian.AppendUint32(dst, 0)
	at := len(w.AppendHeader(nil))
	var batches []byte
	w.blocks(func(rows int, cellBytes []int) {
		head, body := w.batch(nil, rows, cellBytes)
		batches = appendInts(batches, at, len(head), body) // the length of the head has four bytes, and four to fill up
		at += len(head) + body
	})
	footer := flatten([]flatField{flatNumber(metadataV5, 2), flatTableField(w.schema()), flatStructs(nil, 24),
		flatStructs(batches, 24)})
	dst = append(dst, footer...)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(footer)))
	return append(dst, arrowMagic...)
}
