//go:build js && wasm

package main

import (
	"strconv"

	"tensorsketch.example/sketch"
)

// A status is the result of an export: 0, or the kind of failure.
type status = int32

const (
	statusOK status = iota
	statusParam
	statusShape
	statusNonFinite
	statusOverflow
	statusDisposed
	statusMemory
	statusABI      // a pointer, length or alignment that only an incorrect caller passes
	statusInternal // a bug in the core
)

// failure describes the last call that failed.
type failure struct {
	status            status
	message, argument string
	row, column, done int32
}

var last failure

func fail(s status, message string) status {
	last = failure{status: s, message: message, row: -1, column: -1, done: -1}
	return s
}

func failWith(err error) status {
	if err == nil {
		return statusOK
	}
	e, ok := err.(*sketch.Error)
	if !ok {
		return fail(statusInternal, err.Error())
	}
	var s status
	switch e.Code {
	case sketch.ErrParam:
		s = statusParam
	case sketch.ErrShape:
		s = statusShape
	case sketch.ErrNonFinite:
		s = statusNonFinite
	default:
		s = statusOverflow
	}
	last = failure{s, e.Error(), e.Argument, int32(e.Row), int32(e.Column), int32(e.RowsDone)}
	return s
}

// answer writes the results of a call to out, unless the call failed.
func answer(out uint32, err error, values ...float64) status {
	results, ok := view[float64](out, uint64(len(values)))
	if !ok {
		return failPointer("out")
	}
	if err == nil {
		copy(results, values)
	}
	return failWith(err)
}

func failPointer(name string) status {
	return fail(statusABI, "the pointer or length of "+name+" does not lie in a live buffer")
}

//go:wasmexport ts_error_status
func errorStatus() int32 { return last.status }

//go:wasmexport ts_error_row
func errorRow() int32 { return last.row }

//go:wasmexport ts_error_column
func errorColumn() int32 { return last.column }

//go:wasmexport ts_error_rows_done
func errorRowsDone() int32 { return last.done }

// errorMessage writes the message as UTF-8 and returns how many bytes it wrote.
//
//go:wasmexport ts_error_message
func errorMessage(out, bytes uint32) uint32 { return writeText(out, bytes, last.message) }

//go:wasmexport ts_error_argument
func errorArgument(out, bytes uint32) uint32 { return writeText(out, bytes, last.argument) }

func writeText(out, bytes uint32, text string) uint32 {
	dst, ok := view[byte](out, uint64(bytes))
	if !ok {
		return 0
	}
	return uint32(copy(dst, text))
}

func formatBytes(n int64) string { return strconv.FormatInt(n, 10) }
