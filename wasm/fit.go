//go:build js && wasm

package main

import (
	"tensorsketch.example/sketch"
)

// lookupMap is lookup for what only maps beside the tensor sketch do.
func lookupMap(handle uint32) (*sketch.Map, status) {
	m, s := lookup(handle)
	if s != statusOK {
		return nil, s
	}
	if own, ok := m.(*sketch.Map); ok {
		return own, statusOK
	}
	return nil, failMethod(m, "be \""+sketch.MethodNystroem+"\" to be fitted: the others need no rows")
}

// landmarkRows writes which of n rows a map is to be fitted to: repeats ×
// nComponents int32.
//
//go:wasmexport ts_landmark_rows
func landmarkRows(handle, n, out uint32) (s status) {
	defer recovered(&s)
	m, s := lookupMap(handle)
	if s != statusOK {
		return s
	}
	dst, ok := view[int32](out, uint64(m.NComponents()))
	if !ok || n > sketch.MaxFeatures {
		return failPointer("out")
	}
	work := 8 * (int64(n) + 2*int64(len(dst)))
	if s := reserve(work, "give fewer rows, or dispose maps no longer needed"); s != statusOK {
		return s
	}
	defer release(work)
	rows, err := m.LandmarkRows(int(n))
	for i, row := range rows {
		dst[i] = int32(row)
	}
	return failWith(err)
}

// setLandmarks fits a map to the rows that landmarkRows chose: n float32, which must
// be repeats × nComponents × nFeatures.
//
//go:wasmexport ts_set_landmarks
func setLandmarks(handle, landmarks, n uint32) (s status) {
	defer recovered(&s)
	m, s := lookupMap(handle)
	if s != statusOK {
		return s
	}
	rows, ok := view[float32](landmarks, uint64(n))
	if !ok {
		return failPointer("landmarks")
	}
	return failWith(m.SetLandmarks(rows))
}
