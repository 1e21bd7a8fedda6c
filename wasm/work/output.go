//go:build js && wasm

package main

import (
	"fmt"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/onnx"
)

type encoder struct {
	*dataset.Encoder
	cells, nComponents int
	rowNumbers         bool
	bytes, footer      []byte
}

func newEncoder(q *struct {
	Format      string
	Cells       []string
	NComponents int
	RowNumbers  bool
	State       []byte
}) (any, error) {
	e, err := dataset.NewEncoderWith(dataset.Format(q.Format), q.Cells, q.NComponents,
		dataset.EncoderOptions{RowNumbers: q.RowNumbers, State: q.State})
	if err != nil {
		return nil, err
	}
	made := &encoder{Encoder: e, cells: len(q.Cells), nComponents: q.NComponents, rowNumbers: q.RowNumbers}
	made.bytes = e.AppendHeader(nil)
	return struct {
		Encoder uint32 `json:"encoder"`
		Header  span   `json:"header"`
	}{keep(made), spanOf(made.bytes)}, nil
}

// encode writes a block of rows of features after their cells. The cells are as next returned them,
// unless the format has none. It returns the span of the bytes, valid until the next call, and the
// encoder state after them.
func encode(q *struct {
	Encoder                          uint32
	Features, Cells, Offsets, Places span
}) (any, error) {
	e := kept[*encoder](q.Encoder)
	features, places := numbersIn[float32](q.Features), numbersIn[float64](q.Places)
	offsets, text := numbersIn[int32](q.Offsets), bufferOf(q.Cells)
	rows := len(places) // without features, count row numbers
	if e.nComponents > 0 {
		rows = len(features) / e.nComponents
	}
	if e.rowNumbers && len(places) != rows {
		return nil, fmt.Errorf("places must have one number for each of the %d rows, got %d: "+
			"give the block with its places", rows, len(places))
	}
	if e.cells > 0 && len(offsets) != rows*e.cells+1 {
		return nil, fmt.Errorf("internal error: %d offsets for %d cells", len(offsets), rows*e.cells)
	}
	e.bytes = e.bytes[:0]
	var err error
	cells := make([][]byte, e.cells)
	for row := range rows {
		for k := range cells {
			at := row*e.cells + k
			cells[k] = text[offsets[at]:offsets[at+1]]
		}
		z := features[row*e.nComponents : (row+1)*e.nComponents]
		if e.rowNumbers {
			e.bytes, err = e.AppendRowAt(e.bytes, int64(places[row]), cells, z)
		} else {
			e.bytes, err = e.AppendRow(e.bytes, cells, z)
		}
		if err != nil {
			return nil, err
		}
	}
	e.bytes = e.AppendBlock(e.bytes)
	return struct {
		Bytes span   `json:"bytes"`
		State []byte `json:"state,omitempty"`
	}{spanOf(e.bytes), e.State()}, nil
}

// finish returns the header that replaces the first one, empty if that is right, and the bytes
// after the last block.
func finish(q *struct {
	Encoder uint32
	Rows    int64
}) (any, error) {
	e := kept[*encoder](q.Encoder)
	e.bytes = e.FinalHeader(q.Rows)
	e.footer = e.AppendFooter(e.footer[:0])
	return struct {
		Header span `json:"header"`
		Footer span `json:"footer"`
	}{spanOf(e.bytes), spanOf(e.footer)}, nil
}

// written is the last ONNX file.
var written []byte

// toONNX makes the ONNX file of a model file and returns the span of its bytes, valid until the next call.
func toONNX(q *struct{ Model string }) (any, error) {
	var err error
	written, err = onnx.Marshal([]byte(q.Model))
	if err != nil {
		return nil, err
	}
	return spanOf(written), nil
}
