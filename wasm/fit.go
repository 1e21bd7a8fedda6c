//go:build js && wasm

package main

import (
	"tensorsketch.example/sketch"
)

// landmarkRows writes the indices of the rows, of n, to which the map should be fitted: repeats ×
// nComponents int32.
//
//go:wasmexport ts_landmark_rows
func landmarkRows(handle, n, out uint32) (s status) {
	defer recovered(&s)
	m, s := lookup(handle)
	if s != statusOK {
		return s
	}
	dst, ok := view[int32](out, uint64(m.NComponents()))
	if !ok || n > sketch.MaxFeatures {
		return failPointer("out")
	}
	work := 8 * (int64(n) + 2*int64(len(dst)))
	return withWork(work, "give fewer rows, or dispose maps no longer needed", func() error {
		rows, err := m.LandmarkRows(int(n))
		for i, row := range rows {
			dst[i] = int32(row)
		}
		return err
	})
}

// setLandmarks fits a map to the rows that landmarkRows chose. n must be repeats × nComponents ×
// nFeatures float32.
//
//go:wasmexport ts_set_landmarks
func setLandmarks(handle, landmarks, n uint32) (s status) {
	defer recovered(&s)
	m, s := lookup(handle)
	if s != statusOK {
		return s
	}
	rows, ok := view[float32](landmarks, uint64(n))
	if !ok {
		return failPointer("landmarks")
	}
	return failWith(m.SetLandmarks(rows))
}
