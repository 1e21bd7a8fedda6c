//go:build js && wasm

package main

import (
	"math"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch/learn"
)

// The fields of a block for ts_moments_new, float64.
const (
	momentsComponents = iota
	momentsClasses
	momentsTargets
	momentsStep
	momentsLow
	momentsHigh
	momentsFolds
	momentsBound
	momentsKeep
	momentsLimit
	momentsFiner // so many bytes after the fields, padded to 8
	momentsFields
)

// lowerMoments is the remedy where sums of products are too large.
const lowerMoments = "lower nComponents, the folds or the threads, or dispose what is no longer needed"

// newMoments returns the handle of the Moments of no rows, or 0.
//
//go:wasmexport ts_moments_new
func newMoments(block, bytes uint32) (handle uint32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	return create("ts_moments_new", block, bytes, func(data []byte, reserve func(int64) bool) (made slot, err error) {
		r := &blockReader{bytes: data}
		shape, grid, folds, keep := readMoments(r)
		if r.err != nil {
			return made, r.err
		}
		if err := shape.Validate(); err != nil {
			return made, err
		}
		if reserve(solve.MomentsBytes(shape, folds)) {
			if made.moments, err = learn.NewMoments(shape, grid, folds); err == nil {
				err = made.moments.Keep(keep)
			}
		}
		return made, err
	})
}

func readMoments(r *blockReader) (learn.Shape, learn.Grid, int, float64) {
	fields := r.floats(momentsFields)
	count := func(field, most int) int {
		if fields[field] == 0 {
			return 0
		}
		return r.integer(momentsNames[field], fields[field], most)
	}
	finer := r.padded(count(momentsFiner, solve.MaxComponents))
	return learn.Shape{NComponents: r.integer("nComponents", fields[momentsComponents], math.MaxInt32),
			Classes: count(momentsClasses, math.MaxInt32), Targets: count(momentsTargets, math.MaxInt32)},
		learn.Grid{Step: fields[momentsStep], Low: fields[momentsLow], High: fields[momentsHigh],
			Bound: fields[momentsBound], Limit: count(momentsLimit, math.MaxInt32), Finer: string(finer)},
		count(momentsFolds, math.MaxInt32), fields[momentsKeep]
}

var momentsNames = [momentsFields]string{momentsClasses: "classes", momentsTargets: "targets", momentsFolds: "folds",
	momentsLimit: "limit", momentsFiner: "finer"}

// lookupMoments returns the Moments of a handle, or nil and the status.
func lookupMoments(handle uint32) (*learn.Moments, status) {
	at, s := at(handle)
	if s != statusOK {
		return nil, s
	}
	return slots[at].moments, held(slots[at].moments != nil, "moments")
}

// addMoments adds rows of features with their int32 classes or float64 targets, and with weights of a byte each unless
// their address is 0. After an error the moments are unchanged.
//
//go:wasmexport ts_moments_add
func addMoments(handle, z, rows, targets, weights uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	m, s := lookupMoments(handle)
	if s != statusOK {
		return s
	}
	shape := m.Shape()
	var (
		classes []int32
		y       []float64
		used    []byte
		okY, ok = true, true
	)
	Z, okZ := matrix(z, rows, shape.NComponents)
	switch {
	case shape.Classes > 0:
		classes, okY = view[int32](targets, uint64(rows))
	case shape.Targets > 0:
		y, okY = view[float64](targets, uint64(rows)*uint64(shape.Targets))
	}
	if weights != 0 {
		used, ok = view[byte](weights, uint64(rows))
	}
	if !okZ || !okY || !ok {
		return failPointer("z, the targets or the weights")
	}
	return failWith(m.AddFeatures(Z, classes, y, used))
}

// clearMoments takes all rows away, so that the moments can serve again.
//
//go:wasmexport ts_moments_clear
func clearMoments(handle uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	m, s := lookupMoments(handle)
	if s == statusOK {
		m.Clear()
	}
	return s
}

// wordsOfMoments returns the number of words of Moments, or −1.
//
//go:wasmexport ts_moments_size
func wordsOfMoments(handle uint32) (words int32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	m, s := lookupMoments(handle)
	if s != statusOK {
		return -1
	}
	return int32(m.Parts() * m.CountedWords())
}

// readMomentWords copies n words, from one on, to out.
//
//go:wasmexport ts_moments_read
func readMomentWords(handle, from, n, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	m, s := lookupMoments(handle)
	if s != statusOK {
		return s
	}
	dst, ok := view[int64](out, uint64(n))
	if !ok || uint64(from)+uint64(n) > uint64(m.Parts()*m.CountedWords()) {
		return failPointer("the words")
	}
	m.ReadWords(dst, int(from))
	return statusOK
}

// setMomentWords replaces all n words.
//
//go:wasmexport ts_moments_set
func setMomentWords(handle, words, n uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	m, s := lookupMoments(handle)
	if s != statusOK {
		return s
	}
	from, ok := view[int64](words, uint64(n))
	if !ok {
		return failPointer("the words")
	}
	return failWith(m.SetCounted(from))
}

// mergeMoments adds the rows of another handle's Moments, or takes them away.
//
//go:wasmexport ts_moments_merge
func mergeMoments(handle, other, subtract uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	m, s := lookupMoments(handle)
	if s != statusOK {
		return s
	}
	o, s := lookupMoments(other)
	if s != statusOK {
		return s
	}
	if subtract != 0 {
		return failWith(m.Subtract(o))
	}
	return failWith(m.Merge(o))
}

// addWords adds n int64 to others.
//
//go:wasmexport ts_words_add
func addWords(to, from, n uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	dst, okTo := view[int64](to, uint64(n))
	src, okFrom := view[int64](from, uint64(n))
	if !okTo || !okFrom {
		return failPointer("the words")
	}
	for i, w := range src {
		dst[i] += w
	}
	return statusOK
}

// keptRows copies the kept rows of Moments to out, as KeptBytes of package learn has them, and returns their bytes, 0
// if they are not known. It writes nothing if there is less room.
//
//go:wasmexport ts_moments_kept
func keptRows(handle, out, bytes uint32) (length int32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	m, s := lookupMoments(handle)
	dst, ok := view[byte](out, uint64(bytes))
	if s != statusOK || !ok {
		return 0
	}
	kept := m.KeptBytes()
	if len(kept) <= len(dst) {
		copy(dst, kept)
	}
	return int32(len(kept))
}

// setKeptRows is the inverse of keptRows, after ts_moments_set.
//
//go:wasmexport ts_moments_set_kept
func setKeptRows(handle, from, bytes uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	m, s := lookupMoments(handle)
	if s != statusOK {
		return s
	}
	kept, ok := view[byte](from, uint64(bytes))
	if !ok {
		return failPointer("the kept rows")
	}
	return failWith(m.SetKept(kept))
}

// mergeKept writes the kept rows of two moments that keep this share to out, which has room for both, and returns their
// bytes. each is 1 for classes, and else the number of targets.
//
//go:wasmexport ts_kept_merge
func mergeKept(share float64, width, each, a, aBytes, b, bBytes, out uint32) (length int32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	one, okOne := view[byte](a, uint64(aBytes))
	two, okTwo := view[byte](b, uint64(bBytes))
	dst, ok := view[byte](out, uint64(aBytes)+uint64(bBytes))
	if !okOne || !okTwo || !ok || width-1 >= solve.MaxComponents || each-1 >= solve.MaxTargets {
		return 0
	}
	return int32(copy(dst, solve.MergeKept(share, int(width), int(each), one, two)))
}
