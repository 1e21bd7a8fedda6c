//go:build js && wasm

package main

import (
	"math/bits"

	"github.com/tensorsketch/tensorsketch/sketch"
)

// abiVersion changes whenever an export or the parameter block does.
const abiVersion = 1

//go:wasmexport ts_abi
func abi() int32 { return abiVersion }

//go:wasmexport ts_lanes
func lanes() int32 { return int32(sketch.Lanes()) }

// matrix returns rows × columns float32 at an address.
func matrix(address, rows uint32, columns int) ([]float32, bool) {
	high, n := bits.Mul64(uint64(rows), uint64(columns))
	if high != 0 {
		return nil, false
	}
	return view[float32](address, n)
}

//go:wasmexport ts_transform
func transform(handle, x, rows, out uint32) (s status) {
	defer recovered(&s)
	m, s := lookup(handle)
	if s != statusOK {
		return s
	}
	X, ok := matrix(x, rows, m.NFeatures())
	if !ok {
		return failPointer("x")
	}
	dst, ok := matrix(out, rows, m.NComponents())
	if !ok {
		return failPointer("out")
	}
	_, err := m.TransformBatch(dst, X)
	return failWith(err)
}

//go:wasmexport ts_transform_csr
func transformCSR(handle, indptr, indices, data, rows, nnz, out uint32) (s status) {
	defer recovered(&s)
	m, s := lookup(handle)
	if s != statusOK {
		return s
	}
	X, ok := sparse(data, indices, indptr, rows, nnz)
	if !ok {
		return failPointer("the sparse rows")
	}
	dst, ok := matrix(out, rows, m.NComponents())
	if !ok {
		return failPointer("out")
	}
	_, err := m.TransformCSR(dst, X)
	return failWith(err)
}

func sparse(data, indices, indptr, rows, nnz uint32) (X sketch.CSR, ok bool) {
	var a, b, c bool
	X.Data, a = view[float32](data, uint64(nnz))
	X.Indices, b = view[int32](indices, uint64(nnz))
	X.Indptr, c = view[int32](indptr, uint64(rows)+1)
	return X, a && b && c
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

//go:wasmexport ts_transform_product
func transformProduct(handle, description, rows, out uint32) (s status) {
	defer recovered(&s)
	m, s := lookup(handle)
	if s != statusOK {
		return s
	}
	params := m.Params()
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

// pair returns the map of a handle, the vectors x and y that it takes, as
// float64, and n places for results.
func pair(handle, x, y, out uint32, n uint64) (m *sketch.TensorSketch, X, Y, results []float64, s status) {
	m, s = lookup(handle)
	if s != statusOK {
		return
	}
	var a, b, c bool
	X, a = view[float64](x, uint64(m.NFeatures()))
	Y, b = view[float64](y, uint64(m.NFeatures()))
	results, c = view[float64](out, n)
	if !a || !b || !c {
		s = failPointer("x, y or out")
	}
	return
}

//go:wasmexport ts_kernel
func kernel(handle, x, y, out uint32) (s status) {
	defer recovered(&s)
	m, X, Y, results, s := pair(handle, x, y, out, 1)
	if s == statusOK {
		results[0] = m.Kernel(X, Y)
	}
	return s
}

//go:wasmexport ts_std_error
func stdError(handle, x, y, out uint32) (s status) {
	defer recovered(&s)
	m, X, Y, results, s := pair(handle, x, y, out, 2)
	if s == statusOK {
		sigma, kind := m.StdError(X, Y)
		results[0], results[1] = sigma, float64(kind)
	}
	return s
}

//go:wasmexport ts_choose
func choose(handle, x, y uint32, epsilon, delta float64, out uint32) (s status) {
	defer recovered(&s)
	m, X, Y, results, s := pair(handle, x, y, out, 2)
	if s != statusOK {
		return s
	}
	guaranteed, typical, err := m.ChooseComponents(X, Y, epsilon, delta)
	results[0], results[1] = guaranteed, typical
	return failWith(err)
}
