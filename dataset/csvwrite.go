package dataset

import (
	"bytes"
	"strconv"
)

var csvEncoding = encoding{header: appendCSVHeader, row: appendCSV}

func appendCSVHeader(e *Encoder, dst []byte) []byte {
	for _, name := range e.names {
		dst = append(appendCell(dst, []byte(name)), ',')
	}
	for i := range e.nComponents {
		dst = append(strconv.AppendInt(append(dst, 'f'), int64(i), 10), ',')
	}
	dst[len(dst)-1] = '\n'
	return dst
}

func appendCSV(_ *Encoder, dst []byte, cells [][]byte, features []float32) ([]byte, error) {
	for _, cell := range cells {
		dst = append(appendCell(dst, cell), ',')
	}
	for _, x := range features {
		dst = append(appendFloat32(dst, x), ',')
	}
	dst[len(dst)-1] = '\n'
	return dst, nil
}

// appendCell appends a cell of CSV, in quotes if it needs them.
func appendCell(dst, cell []byte) []byte {
	isPadded := len(cell) > 0 && (cell[0] == ' ' || cell[len(cell)-1] == ' ')
	if !isPadded && !bytes.ContainsAny(cell, ",\"\r\n\t") {
		return append(dst, cell...)
	}
	dst = append(append(dst, '"'), bytes.ReplaceAll(cell, []byte{'"'}, []byte{'"', '"'})...)
	return append(dst, '"')
}
