//go:build tinycore

package main

import (
	"unsafe"

	"tensorsketch.example/sketch/index"
)

// The heap of an instance, which has one index and ends with it. Memory is taken from the end and grows by as much as
// is needed. Nothing is collected: package index gives back what it no longer needs, and large pieces are used again.
const (
	wasmPage = 1 << 16
	align    = 16
	leastGap = 1 << 12
)

// A gap is memory that was given back.
type gap struct{ from, to uintptr }

var (
	end  uintptr // of the memory in use
	gaps [64]gap // where the table is full, what is given back is lost
	zero byte    // target of pointers to objects of size 0
)

//export llvm.wasm.memory.size.i32
func memorySize(index int32) int32

//export llvm.wasm.memory.grow.i32
func memoryGrow(index, pages int32) int32

//go:wasmimport tensorsketch exhausted
func exhausted()

//go:extern __heap_base
var heapBase [0]byte

func init() { index.Freed = giveBack }

// initHeap is a function of its own because TinyGo computes heapAlloc at compile time, and not this.
func initHeap() { end = (uintptr(unsafe.Pointer(&heapBase)) + 15) &^ 15 }

// heapAlloc returns zeroed memory.
//
//go:linkname heapAlloc runtime.alloc
func heapAlloc(size uintptr, layout unsafe.Pointer) unsafe.Pointer {
	if size == 0 {
		return unsafe.Pointer(&zero)
	}
	size = (size + align - 1) &^ (align - 1)
	for i := range gaps {
		if g := &gaps[i]; g.to-g.from >= size {
			from := unsafe.Pointer(g.from)
			g.from += size
			clear(unsafe.Slice((*byte)(from), size))
			return from
		}
	}
	if end == 0 {
		initHeap()
	}
	if !hasRoom(size) {
		exhausted()
	}
	from := unsafe.Pointer(end)
	end += size
	return from
}

// hasRoom grows the memory where less than size bytes are left, and reports whether it could. New memory is zeroed.
func hasRoom(size uintptr) bool {
	have := uint64(memorySize(0)) * wasmPage
	need := uint64(end) + uint64(size)
	if need <= have {
		return true
	}
	return need < 1<<32 && memoryGrow(0, int32((need-have+wasmPage-1)/wasmPage)) >= 0
}

// giveBack notes a gap.
func giveBack(from unsafe.Pointer, bytes uintptr) {
	bytes &^= align - 1
	if bytes < leastGap {
		return
	}
	for i := range gaps {
		if g := &gaps[i]; g.to-g.from < leastGap {
			*g = gap{uintptr(from), uintptr(from) + bytes}
			return
		}
	}
}
