//go:build tinycore && host

package main

import (
	"math"
	"unsafe"

	"tensorsketch.example/internal/udf"
)

// The functions for SQL, by ClickHouse's convention BUFFERED_V1 (packaging/host.md). A buffer is one of ts_alloc. Its
// first two words are the address and the number of the bytes after them.
const handleBytes = 8

var functions = udf.New()

// createBuffer returns a new buffer of zeros, or 0.
//
//go:wasmexport clickhouse_create_buffer
func createBuffer(bytes uint32) (handle uint32) {
	if bytes > math.MaxInt32 {
		failPointer("clickhouse_create_buffer")
		return 0
	}
	handle = alloc(handleBytes + bytes)
	if words, ok := view[int32](handle, 2); ok {
		words[0], words[1] = int32(handle+handleBytes), int32(bytes)
	}
	return handle
}

// destroyBuffer frees a buffer.
//
//go:wasmexport clickhouse_destroy_buffer
func destroyBuffer(handle uint32) { free(handle) }

// content returns the bytes of a buffer.
func content(handle uint32) ([]byte, bool) {
	words, ok := view[int32](handle, 2)
	if !ok {
		return nil, false
	}
	return view[byte](uint32(words[0]), uint64(uint32(words[1])))
}

// respond calls a function of package udf with a block of rows, and returns a buffer with its results, or 0.
func respond(handle, rows uint32, of func(dst, block []byte, rows int) ([]byte, error)) (made uint32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	block, ok := content(handle)
	if !ok || rows > math.MaxInt32 {
		failPointer("the block")
		return 0
	}
	results, err := of(make([]byte, handleBytes), block, int(rows))
	if err != nil {
		fail(statusParam, err.Error())
		return 0
	}
	return adopt(results)
}

// adopt makes a buffer of bytes, whose first handleBytes are free. Objects of this heap have a multiple of 16 bytes.
func adopt(bytes []byte) (handle uint32) {
	words := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(bytes))), (len(bytes)+7)/8)
	inUse += pages(8 * int64(len(words)))
	handle = keep(words)
	header, _ := view[int32](handle, 2)
	header[0], header[1] = int32(handle+handleBytes), int32(len(bytes)-handleBytes)
	return handle
}

// sqlFeatures returns the features of each row: Array(Float32).
//
//go:wasmexport tensorsketch_features
func sqlFeatures(handle, rows uint32) uint32 { return respond(handle, rows, functions.Features) }

// sqlPredict returns the predicted label of each row: String.
//
//go:wasmexport tensorsketch_predict
func sqlPredict(handle, rows uint32) uint32 { return respond(handle, rows, functions.Predict) }

// sqlScores returns the scores of the classes, or the predicted targets, of each row: Array(Float64).
//
//go:wasmexport tensorsketch_scores
func sqlScores(handle, rows uint32) uint32 { return respond(handle, rows, functions.Scores) }

// sqlProbabilities returns the probabilities of the classes of each row: Array(Float64).
//
//go:wasmexport tensorsketch_probabilities
func sqlProbabilities(handle, rows uint32) uint32 {
	return respond(handle, rows, functions.Probabilities)
}

// sqlError returns why a row has no features, or an empty text: String.
//
//go:wasmexport tensorsketch_error
func sqlError(handle, rows uint32) uint32 { return respond(handle, rows, functions.Errors) }

// sqlSpec returns the Spec that a search chooses by each group of rows: String.
//
//go:wasmexport tensorsketch_spec
func sqlSpec(handle, rows uint32) uint32 { return respond(handle, rows, functions.Spec) }

// sqlSpecOf returns the Spec of each sums: String.
//
//go:wasmexport tensorsketch_spec_of
func sqlSpecOf(handle, rows uint32) uint32 { return respond(handle, rows, functions.SpecOf) }

// sqlSums returns the sums of each group of rows: String.
//
//go:wasmexport tensorsketch_sums
func sqlSums(handle, rows uint32) uint32 { return respond(handle, rows, functions.Sums) }

// sqlMerge returns the sums of each list of sums: String.
//
//go:wasmexport tensorsketch_merge
func sqlMerge(handle, rows uint32) uint32 { return respond(handle, rows, functions.Merge) }

// sqlFit returns the model file of each sums: String.
//
//go:wasmexport tensorsketch_fit
func sqlFit(handle, rows uint32) uint32 { return respond(handle, rows, functions.Fit) }

// The functions that say why the ones above fail, or an empty text: String.

//go:wasmexport tensorsketch_spec_error
func sqlSpecError(handle, rows uint32) uint32 { return respond(handle, rows, functions.SpecErrors) }

//go:wasmexport tensorsketch_sums_error
func sqlSumsError(handle, rows uint32) uint32 { return respond(handle, rows, functions.SumsErrors) }

//go:wasmexport tensorsketch_merge_error
func sqlMergeError(handle, rows uint32) uint32 { return respond(handle, rows, functions.MergeErrors) }

//go:wasmexport tensorsketch_fit_error
func sqlFitError(handle, rows uint32) uint32 { return respond(handle, rows, functions.FitErrors) }

// lastError returns a buffer with the message of the last call that failed.
//
//go:wasmexport tensorsketch_last_error
func lastError() uint32 { return adopt(append(make([]byte, handleBytes), last.message...)) }
