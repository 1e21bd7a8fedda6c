//go:build js && wasm

// Command work is dataset.wasm, the WebAssembly file that reads and writes files of rows with package dataset, for
// public/api/dataset.js, and does jobs with them by package jobs. It is loaded only when a file is opened.
//
// Its one call takes a request and leaves a reply, both JSON. Large data (rows, cells, features)
// stays in its memory; the reply gives its address and length. The module reads files through the
// host function dataset.read, which blocks, so it needs a worker or Node.
package main

import (
	"encoding/json"
	"fmt"
	"runtime/debug"
	"unsafe"
)

func main() {
	if err := serve(); err != nil {
		panic(err)
	}
	select {} // exports work only while the program runs
}

// mostBytes limits all buffers together: Go does not survive running out of memory. The host sets GOMEMLIMIT to nine
// tenths of what there is.
var mostBytes = min(1<<30, debug.SetMemoryLimit(-1)/4*3)

var (
	buffers = map[uint32][]byte{} // handed out by alloc
	held    int64                 // bytes of them
	reply   []byte
)

// alloc returns the address of a new buffer, or 0 if the buffers would exceed mostBytes.
//
//go:wasmexport ds_alloc
func alloc(bytes uint32) uint32 {
	size := int64(bytes) + 8
	if size > mostBytes-held {
		return 0
	}
	buffer := make([]byte, size)
	address := addressOf(buffer)
	buffers[address] = buffer
	held += size
	return address
}

//go:wasmexport ds_free
func free(address uint32) {
	held -= int64(len(buffers[address]))
	delete(buffers, address)
}

// call answers the request in a buffer. It returns 0, or 1 if the reply is an error.
//
//go:wasmexport ds_call
func call(address, length uint32) (failed uint32) {
	defer func() {
		if p := recover(); p != nil {
			failed = fail(panicWords(p))
		}
	}()
	answer, err := answer(bufferOf(span{address, length}))
	if err != nil {
		return fail(err)
	}
	if reply, err = json.Marshal(answer); err != nil {
		return fail(err)
	}
	return 0
}

//go:wasmexport ds_reply
func replyAddress() uint32 { return addressOf(reply) }

//go:wasmexport ds_reply_length
func replyLength() uint32 { return uint32(len(reply)) }

// A span is a range of bytes in memory, as [address, length].
type span [2]uint32

func spanOf[T any](numbers []T) span {
	return span{addressOf(numbers), uint32(uintptr(len(numbers)) * unsafe.Sizeof(*new(T)))}
}

func addressOf[T any](numbers []T) uint32 {
	return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(numbers))))
}

// bufferOf returns the bytes that the host wrote at the start of a buffer. It panics if they do not lie in one.
func bufferOf(at span) []byte {
	buffer := buffers[at[0]]
	if uint64(at[1]) > uint64(len(buffer)) {
		panic(fmt.Sprintf("%d bytes at %d do not lie in a buffer of %d", at[1], at[0], len(buffer)))
	}
	return buffer[:at[1]]
}
