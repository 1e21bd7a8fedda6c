//go:build js && wasm

package main

import (
	"github.com/tensorsketch/tensorsketch/sketch"
)

// A handle is slot + 1 in its low 16 bits and the slot's generation above, which
// grows each time the slot is used again, so that a stale handle finds nothing.
const (
	slotBits       = 16
	maxGenerations = 1<<15 - 1
)

type slot struct {
	generation uint32
	m          *sketch.TensorSketch
	bytes      int64
}

var (
	slots []slot
	empty []uint32 // slots free for use
)

// lookup returns the map of a handle, or nil and the status.
func lookup(handle uint32) (*sketch.TensorSketch, status) {
	at := handle&(1<<slotBits-1) - 1
	if uint64(at) >= uint64(len(slots)) || slots[at].generation != handle>>slotBits || slots[at].m == nil {
		return nil, fail(statusDisposed, "this map has been disposed")
	}
	return slots[at].m, statusOK
}

// newMap returns the handle of a new map of the parameter block, or 0.
//
//go:wasmexport ts_map_new
func newMap(block, bytes uint32) (handle uint32) {
	var s status
	defer recovered(&s)
	data, ok := view[byte](block, uint64(bytes))
	if !ok {
		failPointer("ts_map_new")
		return 0
	}
	// Decoding a block copies its tables, and the map keeps the copy.
	if reserve(int64(bytes)) != statusOK {
		return 0
	}
	size := int64(bytes)
	defer func() {
		if handle == 0 {
			release(size)
		}
	}()
	params, err := readParams(data)
	if err != nil {
		failWith(err)
		return 0
	}
	if reserve(params.MemoryBytes()) != statusOK {
		return 0
	}
	size += params.MemoryBytes()
	m, err := sketch.New(params)
	if err != nil {
		failWith(err)
		return 0
	}
	return store(m, size)
}

func store(m *sketch.TensorSketch, bytes int64) uint32 {
	if len(empty) == 0 {
		if len(slots) == 1<<slotBits-1 {
			fail(statusMemory, "65535 maps are alive; dispose maps no longer needed")
			return 0
		}
		slots = append(slots, slot{})
		empty = append(empty, uint32(len(slots)-1))
	}
	at := empty[len(empty)-1]
	empty = empty[:len(empty)-1]
	slots[at].m, slots[at].bytes = m, bytes
	return slots[at].generation<<slotBits | (at + 1)
}

//go:wasmexport ts_map_free
func freeMap(handle uint32) (s status) {
	defer recovered(&s)
	if _, s := lookup(handle); s != statusOK {
		return s
	}
	at := handle&(1<<slotBits-1) - 1
	release(slots[at].bytes)
	slots[at].m = nil
	slots[at].generation++
	if slots[at].generation <= maxGenerations { // a worn-out slot stays empty
		empty = append(empty, at)
	}
	return statusOK
}
