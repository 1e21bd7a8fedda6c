//go:build js && wasm

package main

import (
	"math"

	"tensorsketch.example/sketch"
)

// abiVersion changes whenever an export or the parameter block changes.
const abiVersion = 9

//go:wasmexport ts_abi
func abi() int32 { return abiVersion }

//go:wasmexport ts_lanes
func lanes() int32 { return int32(sketch.Lanes()) }

// matrix returns rows × columns float32 at an address.
func matrix(address, rows uint32, columns int) ([]float32, bool) {
	if uint64(columns) > math.MaxInt32 {
		return nil, false
	}
	return view[float32](address, uint64(rows)*uint64(columns))
}

// transform computes rows × (repeats·nComponents) float32 from rows × nFeatures float32.
//
//go:wasmexport ts_transform
func transform(handle, x, rows, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	of, s := slotOfMap(handle)
	if s != statusOK {
		return s
	}
	X, ok := matrix(x, rows, of.inputFeatures())
	if !ok {
		return failPointer("x")
	}
	dst, ok := matrix(out, rows, of.m.NComponents())
	if !ok {
		return failPointer("out")
	}
	if p := of.preparation; p != nil {
		return failWith(transformPrepared(of.m, p, dst, sketch.Dense(X)))
	}
	_, err := of.m.TransformBatch(dst, X)
	return failWith(err)
}

// transformCSR is transform for sparse rows: int32[rows + 1], int32[nnz], float32[nnz].
//
//go:wasmexport ts_transform_csr
func transformCSR(handle, indptr, indices, data, rows, nnz, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	of, s := slotOfMap(handle)
	if s != statusOK {
		return s
	}
	X, ok := sparse(data, indices, indptr, rows, nnz)
	if !ok {
		return failPointer("the sparse rows")
	}
	dst, ok := matrix(out, rows, of.m.NComponents())
	if !ok {
		return failPointer("out")
	}
	if p := of.preparation; p != nil {
		return failWith(transformPrepared(of.m, p, dst, X))
	}
	_, err := of.m.TransformCSR(dst, X)
	return failWith(err)
}

func sparse(data, indices, indptr, rows, nnz uint32) (X sketch.CSR, ok bool) {
	var a, b, c bool
	X.Data, a = view[float32](data, uint64(nnz))
	X.Indices, b = view[int32](indices, uint64(nnz))
	X.Indptr, c = view[int32](indptr, uint64(rows)+1)
	return X, a && b && c
}

// rowsAt returns rows of d numbers, dense if indptr is 0, and CSR otherwise.
func rowsAt(data, indices, indptr, rows, nnz uint32, d int) (X sketch.Rows, ok bool) {
	if indptr == 0 {
		dense, ok := matrix(data, rows, d)
		return sketch.Dense(dense), ok
	}
	csr, ok := sparse(data, indices, indptr, rows, nnz)
	return csr, ok && isWellFormed(csr)
}

// The words of one degree's record in the description of ts_transform_product.
const (
	wordKind = iota // 0 dense, 1 CSR
	wordData
	wordIndices
	wordIndptr
	wordNNZ
	recordWords
)

// transformProduct is transform for products of unlike vectors. The description has an int32 record
// for each degree.
//
//go:wasmexport ts_transform_product
func transformProduct(handle, description, rows, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	m, s := lookup(handle)
	if s != statusOK {
		return s
	}
	params := paramsOf(m)
	words, ok := view[int32](description, uint64(params.Degree)*recordWords)
	if !ok {
		return failPointer("the description")
	}
	Xs := make([]sketch.Rows, params.Degree)
	for k := range Xs {
		w := words[k*recordWords:]
		if w[wordKind] == 1 {
			Xs[k], ok = sparse(uint32(w[wordData]), uint32(w[wordIndices]), uint32(w[wordIndptr]), rows, uint32(w[wordNNZ]))
		} else {
			var X []float32
			X, ok = matrix(uint32(w[wordData]), rows, params.FeaturesOf(k))
			Xs[k] = sketch.Dense(X)
		}
		if !ok {
			return failPointer("the rows of a degree")
		}
	}
	dst, ok := matrix(out, rows, m.NComponents())
	if !ok {
		return failPointer("out")
	}
	_, err := m.TransformProduct(dst, Xs...)
	return failWith(err)
}
