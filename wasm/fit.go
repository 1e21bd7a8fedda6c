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
	if recovers {
		defer recovered(&s)
	}
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

// pivotWork is a bound for the memory of the maps by which pivotedRows looks at all rows nine times, in maps of all
// landmarks: Σ i/10 for i = 1 … 9, and the copies of landmarks.
const pivotWork = 6

// pivotedRows writes the indices of the rows that FitPivoted would take, as landmarkRows does. Rows are dense if indptr
// is 0, and else CSR.
//
//go:wasmexport ts_pivoted_rows
func pivotedRows(handle, data, indices, indptr, rows, nnz, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	m, s := lookup(handle)
	if s != statusOK {
		return s
	}
	dst, ok := view[int32](out, uint64(m.NComponents()))
	if !ok {
		return failPointer("out")
	}
	X, ok := rowsAt(data, indices, indptr, rows, nnz, m.NFeatures())
	if !ok {
		return failPointer("the rows")
	}
	work := 16*int64(rows) + pivotWork*paramsOf(m).MemoryBytes()
	return withWork(work, "give fewer rows, or lower nComponents", func() error {
		chosen, err := m.PivotedRows(X)
		for i, row := range chosen {
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
	if recovers {
		defer recovered(&s)
	}
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

// newFitter returns the handle of a fitter of a map of method k-space, or 0. The radius is the
// largest norm of a row, or 0 if ts_fit_rows measures it. ts_map_free frees the fitter.
//
//go:wasmexport ts_fit_new
func newFitter(handle uint32, radius float64) (fitter uint32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	m, s := lookup(handle)
	if s != statusOK {
		return 0
	}
	bytes := paramsOf(m).FitBytes()
	return createWork(bytes, "lower nComponents, methodParams.m or methodParams.r", func() (made slot, err error) {
		made.fitter, err = m.NewFitter(radius)
		return made, err
	})
}

// lookupFitter returns the fitter of a handle, or nil and the status.
func lookupFitter(handle uint32) (*sketch.Fitter, status) {
	at, s := at(handle)
	if s != statusOK {
		return nil, s
	}
	return slots[at].fitter, held(slots[at].fitter != nil, "a fitter")
}

// fitRows adds rows to a fitter: rows × nFeatures float32. With step 1 it only measures their norms,
// and with step 2 it only checks what adding them would refuse.
//
//go:wasmexport ts_fit_rows
func fitRows(handle, step, x, rows uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	f, s := lookupFitter(handle)
	if s != statusOK {
		return s
	}
	X, ok := matrix(x, rows, f.NFeatures())
	if !ok {
		return failPointer("x")
	}
	return passRows(f, step, sketch.Dense(X))
}

// fitCSR is fitRows for sparse rows: int32[rows + 1], int32[nnz], float32[nnz].
//
//go:wasmexport ts_fit_csr
func fitCSR(handle, step, indptr, indices, data, rows, nnz uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	f, s := lookupFitter(handle)
	if s != statusOK {
		return s
	}
	X, ok := sparse(data, indices, indptr, rows, nnz)
	if !ok {
		return failPointer("the sparse rows")
	}
	return passRows(f, step, X)
}

func passRows(f *sketch.Fitter, step uint32, X sketch.Rows) status {
	switch step {
	case 1:
		return failWith(f.Measure(X))
	case 2:
		return failWith(f.Check(X))
	}
	return failWith(f.Add(X))
}

// stepFit does some milliseconds of work towards a fit to the rows added so far. It writes as
// float64 which part is done, from 0 to 1, and whether the map is fitted: 1 or 0.
//
//go:wasmexport ts_fit_step
func stepFit(handle, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	f, s := lookupFitter(handle)
	if s != statusOK {
		return s
	}
	dst, ok := view[float64](out, 2)
	if !ok {
		return failPointer("out")
	}
	done, finished, err := f.Step()
	if dst[0], dst[1] = done, 0; finished {
		dst[1] = 1
	}
	return failWith(err)
}

// projection writes the matrices of a fitted map of method k-space: repeats × m × nComponents
// float64. It returns how many numbers these are, 0 before a fit, and writes nothing if n is less.
//
//go:wasmexport ts_projection
func projection(handle, out, n uint32) (length int32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	m, s := lookup(handle)
	if s != statusOK {
		return 0
	}
	dst, ok := view[float64](out, uint64(n))
	if !ok {
		failPointer("out")
		return 0
	}
	matrix := m.Projection()
	if len(matrix) <= len(dst) {
		copy(dst, matrix)
	}
	return int32(len(matrix))
}

// setProjection fits a map of method k-space to the n float64 that ts_projection writes.
//
//go:wasmexport ts_set_projection
func setProjection(handle, matrix, n uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	m, s := lookup(handle)
	if s != statusOK {
		return s
	}
	numbers, ok := view[float64](matrix, uint64(n))
	if !ok {
		return failPointer("projection")
	}
	return failWith(m.SetProjection(numbers))
}
