//go:build js && wasm

package main

import (
	"errors"
	"strings"
	"syscall/js" // for js.Error: safejs returns it, and has no other way to the value that was thrown
	"unsafe"

	"github.com/hack-pad/safejs"
	"tensorsketch.example/sketch"
)

// textOf returns a text, or "" for any other value.
func textOf(v safejs.Value) string {
	if v.Type() != safejs.TypeString {
		return ""
	}
	text, _ := v.String()
	return text
}

// ask calls a method, and returns what it threw as errorOf does.
func ask(v safejs.Value, method string, args ...any) (safejs.Value, error) {
	result, err := v.Call(method, args...)
	return result, errorOf(err)
}

// await blocks the goroutine until a promise is settled. It takes what the call returned that made the promise.
func await(promise safejs.Value, err error) (safejs.Value, error) { return awaited(promise, err)() }

// awaited returns what await would return, once it is called. It listens at once.
func awaited(promise safejs.Value, err error) func() (safejs.Value, error) {
	type outcome struct {
		value  safejs.Value
		failed bool
	}
	settled := make(chan outcome, 1)
	var heard [2]safejs.Func
	for k := range heard {
		if err != nil {
			break
		}
		heard[k], err = safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) any {
			settled <- outcome{args[0], k == 1}
			for _, f := range heard {
				f.Release()
			}
			return nil
		})
	}
	if err == nil {
		_, err = promise.Call("then", heard[0], heard[1])
	}
	return func() (safejs.Value, error) {
		if err != nil {
			return promise, errorOf(err)
		}
		end := <-settled
		if end.failed {
			return end.value, thrown(end.value)
		}
		return end.value, nil
	}
}

// errorOf returns what JavaScript threw with all its parts.
func errorOf(err error) error {
	if exception, ok := errors.AsType[js.Error](err); ok {
		return thrown(safejs.Safe(exception.Value))
	}
	return err
}

// thrown returns an error of the API. One about a row is a *sketch.Error, so that jobs can name the place in the file.
func thrown(v safejs.Value) error {
	part := func(name string) safejs.Value {
		value, _ := v.Get(name)
		return value
	}
	e := &apiError{message: textOf(part("message")), code: textOf(part("code")), argument: textOf(part("argument"))}
	row, err := part("row").Int()
	if err != nil || row < 0 {
		return e
	}
	_, rest, _ := strings.Cut(e.message, " must ")
	want, value, _ := strings.Cut(rest, ", got ")
	return &sketch.Error{Code: codes[e.code], Argument: e.argument, Want: want, Value: value, Row: row, Column: -1,
		RowsDone: -1}
}

// codes are the codes of errors about rows by their names in JavaScript.
var codes = map[string]sketch.Code{sketch.ErrNonFinite.String(): sketch.ErrNonFinite,
	sketch.ErrOverflow.String(): sketch.ErrOverflow, sketch.ErrShape.String(): sketch.ErrShape}

// An apiError is an error that the API threw. Its message names argument, value and remedy.
type apiError struct{ message, code, argument string }

func (e *apiError) Error() string { return e.message }

// arrays hands rows to JavaScript in buffers that are used again.
type arrays struct{ dense, indptr, indices, data array }

// of returns rows as the API takes them, valid until the next call.
func (a *arrays) of(X sketch.Rows) (any, error) {
	switch X := X.(type) {
	case sketch.Dense:
		return filled(&a.dense, "Float32Array", X)
	case sketch.CSR:
		indptr, err := filled(&a.indptr, "Int32Array", X.Indptr)
		indices, err2 := filled(&a.indices, "Int32Array", X.Indices)
		data, err3 := filled(&a.data, "Float32Array", X.Data)
		return map[string]any{"indptr": indptr, "indices": indices, "data": data}, errors.Join(err, err2, err3)
	}
	panic("work: unknown rows")
}

// An array is a buffer of JavaScript, as bytes.
type array struct {
	bytes safejs.Value
	size  int
}

// filled returns numbers as a typed array on the buffer, which grows as needed.
func filled[T float32 | float64 | int32](a *array, kind string, numbers []T) (safejs.Value, error) {
	bytes := bytesOf(numbers)
	view, err := a.view(kind, len(numbers), len(bytes))
	if err == nil {
		_, err = safejs.CopyBytesToJS(a.bytes, bytes)
	}
	return view, err
}

// view returns a typed array of so many numbers on the buffer, which grows as needed.
func (a *array) view(kind string, numbers, bytes int) (view safejs.Value, err error) {
	if bytes > a.size || a.bytes.IsUndefined() {
		if a.bytes, err = construct("Uint8Array", bytes); err != nil {
			return a.bytes, err
		}
		a.size = bytes
	}
	buffer, err := a.bytes.Get("buffer")
	if err != nil {
		return buffer, err
	}
	return construct(kind, buffer, 0, numbers)
}

// newArray returns bytes in a new array.
func newArray(kind string, bytes []byte) (safejs.Value, error) {
	made, err := construct(kind, len(bytes))
	if err == nil {
		_, err = safejs.CopyBytesToJS(made, bytes)
	}
	return made, err
}

// construct calls a constructor among the globals that this program sees.
func construct(name string, args ...any) (safejs.Value, error) {
	constructor, err := safejs.Global().Get(name)
	if err != nil {
		return constructor, err
	}
	return constructor.New(args...)
}

// numbersOf copies a Float64Array into dst, which grows as needed.
func numbersOf(dst []float64, v safejs.Value) ([]float64, error) {
	n, err := v.Length()
	if err != nil {
		return nil, err
	}
	if cap(dst) < n {
		dst = make([]float64, n)
	}
	dst = dst[:n]
	buffer, err := v.Get("buffer")
	if err != nil {
		return nil, err
	}
	at, err := v.Get("byteOffset")
	if err != nil {
		return nil, err
	}
	view, err := construct("Uint8Array", buffer, at, 8*n)
	if err == nil {
		_, err = safejs.CopyBytesToGo(bytesOf(dst), view)
	}
	return dst, err
}

// bytesOf returns the memory of numbers.
func bytesOf[T float32 | float64 | int32](x []T) []byte {
	if len(x) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(x[0])))
}
