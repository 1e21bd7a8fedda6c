// Package rows has the elements of the pipelines of packages embed and learn: rows as a feature map takes them, with
// their labels and the place that they come from. Read makes them of files.
package rows

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"strconv"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"tensorsketch.example/beam/internal/storage"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// A Row is a row of numbers, dense or sparse.
type Row struct {
	Values  []float32 // all coordinates or, of a sparse row, those at Indices
	Indices []int32   // of a sparse row, ascending and not nil; nil if the row is dense

	Label   learn.Label // to learn classes
	Targets []float64   // to learn numbers
	Cells   []string    // the label as it stands in the file, and the kept columns

	// Where the row comes from, for errors. They are empty for rows that are not of files.
	File   string
	Place  int64 // from 1: the line or the number of the row
	IsLine bool
}

func init() {
	beam.RegisterType(reflect.TypeOf(Row{}))
	beam.RegisterCoder(reflect.TypeOf(Row{}), encode, decode)
}

// Fault returns an error of a map or a learner about the row as a *dataset.Problem, which names the file and the row.
func (r *Row) Fault(err error) error {
	return storage.Fault(err, cmp.Or(r.File, "a row"), r.Place, r.IsLine)
}

// Join returns rows as one matrix of d columns: dense if the first row is. All rows must be as the first one. The
// error is a *dataset.Problem for a dense row of another length.
func Join(rows []Row, d int) (sketch.Rows, error) {
	if len(rows) > 0 && rows[0].Indices != nil {
		m := sketch.CSR{Indptr: make([]int32, 1, len(rows)+1)}
		for i := range rows {
			m.Indices, m.Data = append(m.Indices, rows[i].Indices...), append(m.Data, rows[i].Values...)
			m.Indptr = append(m.Indptr, int32(len(m.Data)))
		}
		return m, nil
	}
	m := make(sketch.Dense, 0, len(rows)*d)
	for i := range rows {
		if n := len(rows[i].Values); n != d {
			return nil, rows[i].Fault(sketch.ErrShape.New("X", strconv.Itoa(n), "have "+strconv.Itoa(d)+
				" numbers, as the map takes them"))
		}
		m = append(m, rows[i].Values...)
	}
	return m, nil
}

// The kinds of a label in the encoding of a row.
const (
	isFalse = iota
	isTrue
	isNumber
	isText
)

// encode returns the bytes of a row: every bit of its numbers, little-endian, and lengths as unsigned varints.
func encode(r Row) []byte {
	b := make([]byte, 0, 64+4*(len(r.Values)+len(r.Indices))+8*len(r.Targets))
	flags := byte(0)
	if r.Indices != nil {
		flags |= 1
	}
	if r.IsLine {
		flags |= 2
	}
	b = binary.AppendUvarint(append(b, flags), uint64(len(r.Values)))
	for _, x := range r.Values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	for _, i := range r.Indices {
		b = binary.LittleEndian.AppendUint32(b, uint32(i))
	}
	switch value := r.Label.Value().(type) {
	case float64:
		b = binary.LittleEndian.AppendUint64(append(b, isNumber), math.Float64bits(value))
	case string:
		b = appendText(append(b, isText), value)
	case bool:
		b = append(b, map[bool]byte{false: isFalse, true: isTrue}[value])
	}
	b = binary.AppendUvarint(b, uint64(len(r.Targets)))
	for _, y := range r.Targets {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(y))
	}
	b = binary.AppendUvarint(b, uint64(len(r.Cells)))
	for _, cell := range r.Cells {
		b = appendText(b, cell)
	}
	return binary.AppendUvarint(appendText(b, r.File), uint64(r.Place))
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// decode returns the row of bytes that encode made.
func decode(b []byte) (r Row, err error) {
	p := &parser{rest: b}
	flags := p.take(1)[0]
	r.IsLine = flags&2 != 0
	r.Values = make([]float32, p.length(4))
	for i := range r.Values {
		r.Values[i] = math.Float32frombits(binary.LittleEndian.Uint32(p.take(4)))
	}
	if flags&1 != 0 {
		r.Indices = make([]int32, len(r.Values))
		for i := range r.Indices {
			r.Indices[i] = int32(binary.LittleEndian.Uint32(p.take(4)))
		}
	}
	switch kind := p.take(1)[0]; kind {
	case isFalse, isTrue:
		r.Label = learn.BoolLabel(kind == isTrue)
	case isNumber:
		r.Label = learn.NumberLabel(p.float64())
	default:
		r.Label = learn.TextLabel(p.text())
	}
	if n := p.length(8); n > 0 {
		r.Targets = make([]float64, n)
		for i := range r.Targets {
			r.Targets[i] = p.float64()
		}
	}
	if n := p.length(1); n > 0 {
		r.Cells = make([]string, n)
		for i := range r.Cells {
			r.Cells[i] = p.text()
		}
	}
	r.File = p.text()
	r.Place = int64(p.uvarint())
	if p.isShort || len(p.rest) > 0 {
		return Row{}, errors.New("rows: the bytes are no encoded row")
	}
	return r, nil
}

// A parser takes numbers and texts from bytes. Where they end too early, it returns zeros.
type parser struct {
	rest    []byte
	isShort bool
}

var zeros [8]byte

func (p *parser) take(n int) []byte {
	if n > len(p.rest) {
		p.isShort, p.rest = true, nil
		return zeros[:min(n, len(zeros))]
	}
	taken := p.rest[:n]
	p.rest = p.rest[n:]
	return taken
}

func (p *parser) uvarint() uint64 {
	v, n := binary.Uvarint(p.rest)
	if n <= 0 {
		p.isShort, p.rest = true, nil
		return 0
	}
	p.rest = p.rest[n:]
	return v
}

// length returns the number of items that follow, of so many bytes at least.
func (p *parser) length(each int) int {
	n := p.uvarint()
	if n > uint64(len(p.rest)/each) {
		p.isShort, p.rest = true, nil
		return 0
	}
	return int(n)
}

func (p *parser) float64() float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(p.take(8)))
}

func (p *parser) text() string { return string(p.take(p.length(1))) }
