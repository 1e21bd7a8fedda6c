//go:build js && wasm

package main

import (
	"math"
	"slices"
	"unsafe"
)

// The budget counts the memory of the core: a fixed share for Go's runtime and the program, the
// buffers, and the maps by sketch.Params.MemoryBytes.
const (
	runtimeBytes  = 16 << 20
	defaultBudget = 1 << 30
	// collectAfter is the number of freed bytes after which the garbage collector runs.
	collectAfter = 16 << 20
	pageBytes    = 8 << 10
)

var (
	budget int64 = defaultBudget
	inUse  int64 = runtimeBytes
	freed  int64
)

// reserve counts bytes as used. If they exceed the budget, it fails with the numbers and the
// remedy.
func reserve(bytes int64, remedy string) status {
	if bytes > budget-inUse {
		s := fail(statusMemory, "maxMemory of "+formatBytes(budget)+" bytes is too little: "+
			formatBytes(inUse)+" are in use and this call needs "+formatBytes(bytes)+" more; raise maxMemory, "+remedy)
		last.argument = "maxMemory"
		return s
	}
	if freed > 0 && (freed > collectAfter || inUse+freed+bytes > budget) {
		collectGarbage()
		freed = 0
	}
	inUse += bytes
	return statusOK
}

// lowerComponents is the remedy where the work grows with the components.
const lowerComponents = "lower nComponents, or dispose maps no longer needed"

// withWork calls use with the given bytes reserved.
func withWork(bytes int64, remedy string, use func() error) status {
	if s := reserve(bytes, remedy); s != statusOK {
		return s
	}
	defer release(bytes)
	return failWith(use())
}

func release(bytes int64) {
	inUse -= bytes
	freed += bytes
}

// buffers are the live buffers, sorted by address.
var buffers []buffer

type buffer struct {
	address uint32
	words   []uint64 // 8-aligned
}

func (b *buffer) bytes() int64 { return 8 * int64(len(b.words)) }

// pages returns the bytes that a buffer counts in the budget: whole pages of Go's allocator.
func pages(bytes int64) int64 { return (bytes + pageBytes - 1) &^ (pageBytes - 1) }

// find returns the index of the first buffer at or above the address, and whether it begins there.
func find(address uint32) (at int, ok bool) {
	for end := len(buffers); at < end; {
		if middle := (at + end) / 2; buffers[middle].address < address {
			at = middle + 1
		} else {
			end = middle
		}
	}
	return at, at < len(buffers) && buffers[at].address == address
}

//go:wasmexport ts_budget
func setBudget(bytes float64) (s status) {
	if recovers {
		defer recovered(&s)
	}
	if !(bytes >= float64(inUse) && bytes <= 1<<32) {
		return fail(statusParam, "maxMemory must be from "+formatBytes(inUse)+" bytes, which are in use, to 4294967296")
	}
	budget = int64(bytes)
	return statusOK
}

//go:wasmexport ts_in_use
func bytesInUse() float64 { return float64(inUse) }

// alloc returns the address of a new buffer, 8-aligned and zeroed, or 0.
//
//go:wasmexport ts_alloc
func alloc(bytes uint32) (address uint32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	words := max(1, (int64(bytes)+7)/8)
	if reserve(pages(8*words), "pass less data at once, or dispose maps no longer needed") != statusOK {
		return 0
	}
	return keep(make([]uint64, words))
}

// keep makes a buffer of words and returns its address.
func keep(words []uint64) uint32 {
	b := buffer{words: words}
	b.address = uint32(uintptr(unsafe.Pointer(&b.words[0])))
	at, _ := find(b.address)
	buffers = slices.Insert(buffers, at, b)
	return b.address
}

//go:wasmexport ts_free
func free(address uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	at, ok := find(address)
	if !ok {
		return failPointer("ts_free")
	}
	release(pages(buffers[at].bytes()))
	freePages(&buffers[at].words[0])
	buffers = slices.Delete(buffers, at, at+1)
	return statusOK
}

// view returns n numbers at an address if all of them lie in one live buffer and are aligned.
func view[T byte | int32 | int64 | uint64 | float32 | float64](address uint32, n uint64) ([]T, bool) {
	var zero T
	first := locate(address, n, uint64(unsafe.Sizeof(zero)))
	if first == nil {
		return nil, false
	}
	return unsafe.Slice((*T)(first), int(n)), true
}

// locate returns the pointer to n numbers of the given size, or nil.
func locate(address uint32, n, size uint64) unsafe.Pointer {
	at, exact := find(address)
	if !exact {
		at--
	}
	if at < 0 || uint64(address)%size != 0 || n > math.MaxInt32 {
		return nil
	}
	b := &buffers[at]
	offset := uint64(address - b.address)
	if offset+n*size > uint64(b.bytes()) {
		return nil
	}
	if n == 0 {
		offset = 0 // the end of a buffer lies outside it
	}
	return unsafe.Add(unsafe.Pointer(&b.words[0]), offset)
}
