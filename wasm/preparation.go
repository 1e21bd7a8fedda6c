//go:build js && wasm

package main

import (
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/internal/sums"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn/prepare"
)

// The fields of a block for ts_map_prepare, float64. The weights follow, and then the columns, each with the fields
// from columnKind on, its knots and values, and its codes.
const (
	preparedForm = iota
	preparedUnit
	preparedWidth   // of the form raw
	preparedColumns // of the others
	preparedWeights
	preparedFields
)

const (
	columnKind = iota
	columnUnused
	columnMissing
	columnMean
	columnScale
	columnLow
	columnHigh
	columnFill
	columnKnots
	columnCodes
	columnFields
)

var forms = []string{prepare.Std, prepare.MM, prepare.QN, prepare.Raw}

// prepareMap has a map prepare the rows that it is given from here on. They then have the length of a row before it is
// prepared.
//
//go:wasmexport ts_map_prepare
func prepareMap(handle, block, bytes uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	of, s := slotOfMap(handle)
	if s != statusOK {
		return s
	}
	data, ok := view[byte](block, uint64(bytes))
	if !ok {
		return failPointer("ts_map_prepare")
	}
	size := 4 * int64(bytes)
	if s = reserve(size, lowerComponents); s != statusOK {
		return s
	}
	of.bytes += size
	r := &blockReader{bytes: data}
	p := readPreparation(r)
	if r.err != nil {
		return failWith(r.err)
	}
	if err := p.ValidateFor(of.m.NFeatures()); err != nil {
		return failWith(err)
	}
	of.preparation = p
	return statusOK
}

func readPreparation(r *blockReader) *prepare.Preparation {
	fields := r.floats(preparedFields)
	p := &prepare.Preparation{Form: r.name("preparation.form", fields[preparedForm], forms),
		Unit: fields[preparedUnit] != 0}
	if p.Form == prepare.Raw {
		p.Width = r.integer("preparation.nFeatures", fields[preparedWidth], sketch.MaxFeatures)
	}
	if n := r.count("preparation.weights", fields[preparedWeights]); n > 0 {
		p.Weights = r.floats(n)
	}
	p.Columns = make([]prepare.Column, r.count("preparation.columns", fields[preparedColumns]))
	for i := range p.Columns {
		f := r.floats(columnFields)
		c := &p.Columns[i]
		if f[columnKind] != 0 {
			c.Kind = prepare.Indicator
		}
		c.Unused, c.Missing = f[columnUnused] != 0, f[columnMissing] != 0
		c.Mean, c.Scale, c.Low, c.High, c.Fill =
			f[columnMean], f[columnScale], f[columnLow], f[columnHigh], f[columnFill]
		if n := r.count("preparation.knots", f[columnKnots]); n > 0 {
			c.Knots = r.floats(n)
			c.Values = r.floats(n)
		}
		if n := r.count("preparation.codes", f[columnCodes]); n > 0 {
			c.Codes = r.floats(n)
		}
	}
	return p
}

// preparedBlock is the number of rows that are prepared at once.
const preparedBlock = 256

// transformPrepared is TransformRows of rows that are prepared first.
func transformPrepared(m *sketch.FeatureMap, p *prepare.Preparation, dst []float32, X sketch.Rows) error {
	n, part, ok := sums.Parts(X, p.NFeatures())
	if !ok {
		_, _, err := p.Rows(X, nil)
		return err
	}
	D := m.NComponents()
	for from := 0; from < n; from += preparedBlock {
		to := min(from+preparedBlock, n)
		rows, _, err := p.Rows(part(from, to), nil)
		if err == nil {
			_, err = m.TransformRows(dst[from*D:to*D], rows)
		}
		if err != nil {
			return sums.AtRow(err, from)
		}
	}
	return nil
}

// countPrepared writes how many cells of rows a map cuts, and the largest squared length of a prepared row. The rows
// are dense if indptr is 0, and CSR otherwise. weights has a byte for each, unless it is 0.
//
//go:wasmexport ts_map_prepared
func countPrepared(handle, data, indices, indptr, rows, nnz, weights, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	of, s := slotOfMap(handle)
	if s != statusOK {
		return s
	}
	p := of.preparation
	if p == nil {
		return fail(statusABI, "the map has no preparation")
	}
	var used []byte
	ok := true
	if weights != 0 {
		used, ok = view[byte](weights, uint64(rows))
	}
	X, okX := rowsAt(data, indices, indptr, rows, nnz, p.NFeatures())
	if !ok || !okX {
		return failPointer("the rows")
	}
	n, part, _ := sums.Parts(X, p.NFeatures())
	cut, largest := int64(0), 0.0
	for from := 0; from < n; from += preparedBlock {
		to := min(from+preparedBlock, n)
		var weights []byte
		if used != nil {
			weights = used[from:to]
		}
		prepared, more, err := p.Rows(part(from, to), weights)
		if err != nil {
			return failWith(sums.AtRow(err, from))
		}
		square, _ := solve.LargestSquare(prepared, of.m.NFeatures())
		cut, largest = cut+more, max(largest, square)
	}
	return answer(out, nil, float64(cut), largest)
}

// preparedRadius writes a length that no row which a map has prepared exceeds, or 0 where rows may have any.
//
//go:wasmexport ts_map_radius
func preparedRadius(handle, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	at, s := at(handle)
	if s != statusOK {
		return s
	}
	radius := 0.0
	if p := slots[at].preparation; p != nil {
		radius = p.Radius()
	}
	return answer(out, nil, radius)
}

// newPreparation makes the preparation of a form for dense rows of d numbers, in which NaN is a missing one, and
// returns the number of bytes of its block for ts_map_prepare, or 0 on failure. It writes nothing if there is less
// room.
//
//go:wasmexport ts_preparation
func newPreparation(form, x, rows, d, out, bytes uint32) (length int32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	X, ok := matrix(x, rows, int(d))
	dst, okOut := view[byte](out, uint64(bytes))
	if !ok || !okOut || rows == 0 || uint64(form) >= uint64(len(forms)) || d-1 >= sketch.MaxFeatures {
		failPointer("ts_preparation")
		return 0
	}
	work := 16*int64(rows) + 128*int64(d) + 2*int64(bytes)
	if reserve(work, "prepare with fewer rows") != statusOK {
		return 0
	}
	defer release(work)
	p, err := prepare.New(forms[form], X, make([]prepare.Kind, d))
	if err != nil {
		if e, ok := err.(*sketch.Error); ok && e.Argument == "rows" { // as JavaScript calls them
			e.Argument = "X"
		}
		failWith(err)
		return 0
	}
	block := appendPreparation(nil, form, p)
	if len(block) <= len(dst) {
		copy(dst, block)
	}
	return int32(len(block))
}

// flag returns 1 for true.
func flag(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// appendPreparation is the inverse of readPreparation.
func appendPreparation(block []byte, form uint32, p *prepare.Preparation) []byte {
	block = appendFloats(block, float64(form), flag(p.Unit), float64(p.Width), float64(len(p.Columns)),
		float64(len(p.Weights)))
	block = appendFloats(block, p.Weights...)
	for i := range p.Columns {
		c := &p.Columns[i]
		block = appendFloats(block, float64(c.Kind), flag(c.Unused), flag(c.Missing), c.Mean, c.Scale, c.Low, c.High,
			c.Fill, float64(len(c.Knots)), float64(len(c.Codes)))
		block = appendFloats(appendFloats(appendFloats(block, c.Knots...), c.Values...), c.Codes...)
	}
	return block
}
