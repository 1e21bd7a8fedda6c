//go:build js && wasm

package main

import (
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/prepare"
	"tensorsketch.example/sketch/product"
)

// A handle has slot + 1 in its low 16 bits and the slot's generation above. The generation grows
// each time the slot is reused, so a stale handle finds nothing.
const (
	slotBits       = 16
	maxGenerations = 1<<15 - 1
)

// A slot holds one of these, or nothing.
type slot struct {
	generation  uint32
	m           *sketch.FeatureMap
	preparation *prepare.Preparation // of the rows of m, or nil
	product     *product.Compressed
	moments     *learn.Moments
	fitter      *sketch.Fitter
	head        *head
	fit         *learn.MomentsFit
	released    *releasedFit
	result      *learn.Head
	comparison  *solve.TwoSample
	search      *learn.Searcher
	bytes       int64
}

// holdsNothing reports whether nothing was made for a slot.
func (s *slot) holdsNothing() bool {
	return s.m == nil && s.product == nil && s.moments == nil && s.fitter == nil && s.head == nil
}

var (
	slots []slot
	empty []uint32 // indices of free slots
)

// at returns the slot index of a live handle, or the status of the failure.
func at(handle uint32) (int, status) {
	at := handle&(1<<slotBits-1) - 1
	if uint64(at) >= uint64(len(slots)) || slots[at].generation != handle>>slotBits || slots[at].bytes == 0 {
		return 0, fail(statusDisposed, "this map has been disposed")
	}
	return int(at), statusOK
}

// held returns the status of a handle whose slot holds what is wanted, or does not.
func held(is bool, what string) status {
	if is {
		return statusOK
	}
	return fail(statusABI, "the handle does not belong to "+what)
}

// lookup returns the map of a handle, or nil and the status.
func lookup(handle uint32) (*sketch.FeatureMap, status) {
	slot, s := slotOfMap(handle)
	if s != statusOK {
		return nil, s
	}
	return slot.m, statusOK
}

// slotOfMap returns the slot of a map, which is valid until another is stored, or nil and the status.
func slotOfMap(handle uint32) (*slot, status) {
	at, s := at(handle)
	if s != statusOK {
		return nil, s
	}
	return &slots[at], held(slots[at].m != nil, "a map")
}

// inputFeatures returns the length of the rows that a map is given.
func (s *slot) inputFeatures() int {
	if s.preparation != nil {
		return s.preparation.NFeatures()
	}
	return s.m.NFeatures()
}

// paramsOf returns a pointer to the parameters of a map. TinyGo expands a struct of so many fields
// at each place that uses it as a value.
func paramsOf(m *sketch.FeatureMap) *sketch.Params {
	params := m.Params()
	return &params
}

// newMap returns the handle of a new map with the given parameter block, or 0.
//
//go:wasmexport ts_map_new
func newMap(block, bytes uint32) (handle uint32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	return create("ts_map_new", block, bytes, func(data []byte, reserve func(int64) bool) (made slot, err error) {
		params := new(sketch.Params)
		err = readParams(params, data)
		if err == nil && reserve(params.MemoryBytes()) {
			made.m, err = sketch.NewFeatureMap(*params)
		}
		return made, err
	})
}

// create calls make with the block and returns the handle of the new slot, or 0. The bytes that
// make reserves belong to the slot. If nothing was made, they are released at once.
func create(name string, block, bytes uint32,
	make func(data []byte, reserve func(int64) bool) (slot, error)) (handle uint32) {
	data, ok := view[byte](block, uint64(bytes))
	if !ok {
		failPointer(name)
		return 0
	}
	size := int64(0)
	counted := func(bytes int64) bool {
		if reserve(bytes, lowerComponents) != statusOK {
			return false
		}
		size += bytes
		return true
	}
	defer func() {
		if handle == 0 {
			release(size)
		}
	}()
	// Decoding a block copies its tables, and a map keeps the copy.
	if !counted(int64(bytes)) {
		return 0
	}
	made, err := make(data, counted)
	if err != nil {
		failWith(err)
		return 0
	}
	if made.holdsNothing() { // the budget was exceeded
		return 0
	}
	made.bytes = size
	return store(made)
}

// createWork calls make with so many bytes reserved for a slot and returns its handle, or 0.
func createWork(bytes int64, remedy string, make func() (slot, error)) uint32 {
	if reserve(bytes, remedy) != statusOK {
		return 0
	}
	made, err := make()
	made.bytes = bytes
	if failWith(err) == statusOK {
		if handle := store(made); handle != 0 {
			return handle
		}
	}
	release(bytes)
	return 0
}

func store(made slot) uint32 {
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
	made.generation = slots[at].generation
	slots[at] = made
	return made.generation<<slotBits | (at + 1)
}

// freeMap frees what a handle stands for.
//
//go:wasmexport ts_map_free
func freeMap(handle uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	at, s := at(handle)
	if s != statusOK {
		return s
	}
	release(slots[at].bytes)
	slots[at] = slot{generation: slots[at].generation + 1}
	if slots[at].generation <= maxGenerations { // a slot without generations left stays empty
		empty = append(empty, uint32(at))
	}
	return statusOK
}

// signs writes the signs of the features of a map with methodParams.signed, one float32 for each. For other maps it
// writes nothing.
//
//go:wasmexport ts_signs
func signs(handle, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	m, s := lookup(handle)
	if s != statusOK {
		return s
	}
	dst, ok := view[float32](out, uint64(m.NComponents()))
	if !ok {
		return failPointer("out")
	}
	return withWork(4*int64(m.NComponents())+1<<20, lowerComponents, func() error { // and a fit
		copy(dst, m.Signs())
		return nil
	})
}

// resolvedParams writes what depends on the method: the degree as float64, the 16-byte check value
// of the key, and the method parameters as in a block. The check value is meaningless for a seed
// that is not 32 bytes. The parameters have their defaults, without those that a model leaves out.
// It returns the number of bytes needed, or 0 on failure, and writes nothing if there is less room.
//
//go:wasmexport ts_map_params
func resolvedParams(handle, out, bytes uint32) (length int32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	m, s := lookup(handle)
	if s != statusOK {
		return 0
	}
	dst, ok := view[byte](out, uint64(bytes))
	if !ok {
		failPointer("ts_map_params")
		return 0
	}
	params := paramsOf(m)
	check := params.Seed.KeyCheck()
	resolved := append(appendFloats(nil, float64(params.Degree)), check[:]...)
	for name, value := range params.MethodParams.All {
		resolved = appendParam(resolved, name, value)
	}
	if len(resolved) <= len(dst) {
		copy(dst, resolved)
	}
	return int32(len(resolved))
}
