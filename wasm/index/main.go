//go:build js && wasm

// Command index is a core of its own for searches: an instance has one index of package index and ends with it, so that
// its memory is given back at once. public/api/index.js calls it. The interface holds only between files of one
// release. Exports work once _initialize has been called.
//
// All that goes in and out lies in one buffer, which ix_stage makes large enough. No call, however wrong, reads or
// writes outside it. Exports return a status: 0, or 1 for a failure, which ix_failure puts into the buffer.
package main

import (
	"math"
	"unsafe"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/index"
)

func main() {
	select {} // exports work only while the program runs
}

const abiVersion = 2

var (
	x       *index.Index
	reader  index.Reader
	stage   []uint64 // the buffer
	hits    []index.Hit
	sum     uint64 // of the blocks of a file
	failure sketch.Error
)

// bytes returns the buffer.
func bytes() []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(stage))), 8*len(stage))
}

// numbers returns n numbers of the buffer from a byte on, or nil if they are not in it.
func numbers[T float32 | float64 | uint32](from, n uint32) []T {
	var t T
	all := bytes()
	size := uint64(unsafe.Sizeof(t))
	if uint64(from)+uint64(n)*size > uint64(len(all)) || uint64(from)%size != 0 || n == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&all[from])), n)
}

// fail keeps an error and returns its status.
func fail(err error) int32 {
	if err == nil {
		return 0
	}
	failure = *err.(*sketch.Error)
	return 1
}

func failMemory() int32 {
	return fail(sketch.ErrOverflow.New("memory", "", "have room"))
}

func failCall() int32 { return fail(sketch.ErrShape.New("call", "", "stay within the buffer")) }

//go:wasmexport ix_abi
func abi() int32 { return abiVersion }

// makeStage makes the buffer at least so large and returns its address, or 0 if there is no memory for it.
//
//go:wasmexport ix_stage
func makeStage(size uint32) unsafe.Pointer {
	if words := (int(size) + 7) / 8; words > len(stage) {
		if !hasRoom(uintptr(8 * words)) {
			return nil
		}
		index.Release(stage)
		stage = make([]uint64, words)
	}
	return unsafe.Pointer(unsafe.SliceData(stage))
}

//go:wasmexport ix_new
func newIndex(nFeatures, metric, bits, keep int32, seed uint32) int32 {
	made, err := index.New(index.Options{
		NFeatures: int(nFeatures), Metric: index.Metric(metric), Bits: int(bits), Keep: keep != 0, Seed: seed,
	})
	x = made
	return fail(err)
}

// add adds a part of the rows of a call from the buffer. Their ids are after them, if there are any. ix_settle ends the
// call, and ix_truncate undoes it.
//
//go:wasmexport ix_add
func add(rows uint32, hasIDs int32) int32 {
	width := uint32(x.Options().NFeatures)
	X := numbers[float32](0, rows*width)
	var ids []uint32
	if hasIDs != 0 {
		ids = numbers[uint32](4*rows*width, rows)
	}
	if X == nil || hasIDs != 0 && ids == nil {
		return failCall()
	}
	if !hasRoom(uintptr(min(x.MemoryBytes(int(rows)), math.MaxUint32))) {
		return failMemory()
	}
	_, err := x.AddPart(X, ids)
	return fail(err)
}

//go:wasmexport ix_count
func count() int32 { return int32(x.Len()) }

//go:wasmexport ix_next
func next() float64 { return float64(x.NextID()) }

// taken returns the place of the first of some ids in the buffer that the index has, or −1.
//
//go:wasmexport ix_taken
func taken(count uint32) int32 {
	for i, id := range numbers[uint32](0, count) {
		if x.Has(id) {
			return int32(i)
		}
	}
	return -1
}

//go:wasmexport ix_remove
func remove(count uint32) int32 { return int32(x.Remove(numbers[uint32](0, count))) }

//go:wasmexport ix_truncate
func truncate(count int32, next float64) {
	x.Truncate(int(count), uint64(next))
	x.Settle()
}

//go:wasmexport ix_settle
func settle() { x.Settle() }

// search searches for the queries in the buffer, and writes the scores and then the ids over them.
//
//go:wasmexport ix_search
func search(queries uint32, k, rerank int32) int32 {
	q := numbers[float32](0, queries*uint32(x.Options().NFeatures))
	if q == nil {
		return failCall()
	}
	var err error
	if hits, err = x.Search(hits[:0], q, int(k), int(rerank)); err != nil {
		return fail(err)
	}
	n := uint32(len(hits))
	scores, ids := numbers[float64](0, n), numbers[uint32](8*n, n)
	if len(scores) < len(hits) || len(ids) < len(hits) {
		return failCall()
	}
	for i, hit := range hits {
		scores[i], ids[i] = hit.Score, hit.ID
	}
	return 0
}

// fileBytes returns the bytes of the file.
//
//go:wasmexport ix_file_bytes
func fileBytes() float64 { return float64(x.FileBytes()) }

// option returns an option of the index: nFeatures, the metric, the bits, whether floats are kept, the seed.
//
//go:wasmexport ix_option
func option(which int32) int32 {
	o := x.Options()
	keep := 0
	if o.Keep {
		keep = 1
	}
	return int32([...]uint32{uint32(o.NFeatures), uint32(o.Metric), uint32(o.Bits), uint32(keep), o.Seed}[which%5])
}

// setNote takes the note from the buffer.
//
//go:wasmexport ix_set_note
func setNote(length uint32) {
	all := bytes()
	x.SetNote(append([]byte(nil), all[:min(int(length), len(all))]...))
}

// note writes the note into the buffer if it has room, and returns its length.
//
//go:wasmexport ix_note
func note() int32 {
	copy(bytes(), x.Note())
	return int32(len(x.Note()))
}

// maxBlock returns the bytes that the buffer must have for ix_block.
//
//go:wasmexport ix_max_block
func maxBlock() int32 { return int32(x.MaxBlock()) }

// block writes block i of the file into the buffer and returns its length: 0 after the last, −1 without room. The sum
// of the blocks before it is what ix_sum returned after the last of them.
//
//go:wasmexport ix_block
func block(i int32, before uint64) int32 {
	all := bytes()
	if len(all) < x.MaxBlock() {
		return -1
	}
	sum = before
	return int32(len(x.AppendBlock(all[:0], int(i), &sum)))
}

//go:wasmexport ix_sum
func blockSum() uint64 { return sum }

// need returns the bytes of the next piece of a file.
//
//go:wasmexport ix_need
func need() int32 { return int32(reader.Need()) }

// feed takes the next piece of a file from the buffer. The index is the one of the file then.
//
//go:wasmexport ix_feed
func feed() int32 {
	all := bytes()
	if len(all) < reader.Need() {
		return failCall()
	}
	if !hasRoom(uintptr(min(reader.MemoryBytes(), math.MaxUint32))) {
		return failMemory()
	}
	err := reader.Feed(all[:reader.Need()])
	x = reader.Index()
	return fail(err)
}

// failed writes into the buffer what the last failure was: its code, row, column and the lengths of two texts as int32,
// then its argument and what it says after the place. It returns 0 if the buffer has no room.
//
//go:wasmexport ix_failure
func failed() int32 {
	text := "must " + failure.Want
	if failure.Value != "" {
		text += ", got " + failure.Value
	}
	all, fields := bytes(), numbers[uint32](0, 5)
	if len(all) < 20+len(failure.Argument)+len(text) {
		return 0
	}
	for i, v := range [...]int{int(failure.Code), failure.Row, failure.Column, len(failure.Argument), len(text)} {
		fields[i] = uint32(v)
	}
	copy(all[20:], failure.Argument)
	copy(all[20+len(failure.Argument):], text)
	return 1
}
