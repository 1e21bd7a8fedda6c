//go:build js && wasm

package main

import (
	"math"
	"strings"
	"unsafe"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// largestSquare writes the largest squared length of rows, or of the given number if that is larger. The rows are dense
// if indptr is 0, and CSR otherwise.
//
//go:wasmexport ts_largest_square
func largestSquare(data, indices, indptr, rows, nnz, d uint32, largest float64, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	X, ok := rowsAt(data, indices, indptr, rows, nnz, int(d))
	if !ok || d-1 >= sketch.MaxFeatures {
		return failPointer("the rows")
	}
	square, bad := solve.LargestSquare(X, int(d))
	if bad >= 0 {
		return failWith(solve.NotFiniteRow(X, bad, int(d)))
	}
	return answer(out, nil, max(square, largest))
}

func isWellFormed(X sketch.CSR) bool {
	last := int32(0)
	for _, at := range X.Indptr {
		if at < last {
			return false
		}
		last = at
	}
	return X.Indptr[0] == 0 && int(last) == len(X.Data)
}

// radiusOf writes the radius that learners take from the largest squared length of rows.
//
//go:wasmexport ts_radius
func radiusOf(largest float64, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	return answer(out, nil, solve.RadiusOf(largest))
}

// targetRange writes the lowest and the highest target that a learner takes from n targets.
//
//go:wasmexport ts_target_range
func targetRange(y, n, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	targets, ok := view[float64](y, uint64(n))
	if !ok || n == 0 {
		return failPointer("y")
	}
	r := solve.TargetRangeOf(targets)
	return answer(out, nil, r[0], r[1])
}

// gridStep writes the step of the grid for the features of a map, of rows within a radius: of 16 bits, or else of 2^12.
//
//go:wasmexport ts_grid_step
func gridStep(handle uint32, radius float64, is16, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	m, s := lookup(handle)
	if s != statusOK {
		return s
	}
	step, err := 0.0, error(nil)
	switch {
	case !(radius > 0 && radius-radius == 0):
		err = sketch.ErrParam.New("radius", portable.FormatNumber(radius), "be a finite number > 0")
	case is16 != 0:
		step, err = solve.GridStep16(m, radius)
	default:
		step, err = solve.GridStep(m, radius)
	}
	return answer(out, err, step)
}

// gridScan looks at the rows of one call of prepare.
var gridScan *solve.GridScan

// beginGrid begins a look at rows of D features, for their grid.
//
//go:wasmexport ts_grid_begin
func beginGrid(D uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	if D-1 >= solve.MaxComponents {
		return failPointer("the number of features")
	}
	gridScan = solve.NewGridScan(int(D))
	return statusOK
}

// addToGrid looks at rows of features.
//
//go:wasmexport ts_grid_add
func addToGrid(z, rows uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	if gridScan == nil {
		return failPointer("ts_grid_begin")
	}
	Z, ok := matrix(z, rows, gridScan.NFeatures())
	if !ok {
		return failPointer("z")
	}
	gridScan.Add(Z)
	return statusOK
}

// endGrid writes the grid of 16 bits of the rows: its step and the length of Finer, as float64, and the bytes of Finer,
// for which there is room for D.
//
//go:wasmexport ts_grid_end
func endGrid(out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	if gridScan == nil {
		return failPointer("ts_grid_begin")
	}
	dst, ok := view[byte](out, uint64(16+gridScan.NFeatures()))
	if !ok {
		return failPointer("ts_grid_end")
	}
	g := gridScan.Grid()
	gridScan = nil
	copy(dst[16:], g.Finer)
	return answer(out, nil, g.Step, float64(len(g.Finer)))
}

// newRidge returns the handle of a fit to Moments, or 0. They must stay as they are until the fit has ended. alpha
// is 0 to choose it; low, high and count say the path, and 0 stands for a default.
//
//go:wasmexport ts_ridge_new
func newRidge(handle uint32, alpha, low, high, count float64, intercept uint32) (made uint32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	m, s := lookupMoments(handle)
	if s != statusOK {
		return 0
	}
	r := &blockReader{}
	o := learn.RidgeOptions{Alpha: alpha, Low: low, High: high, NoIntercept: intercept == 0}
	if count != 0 {
		o.Count = r.integer("alphaCount", count, solve.MaxPath)
	}
	if r.err != nil {
		failWith(r.err)
		return 0
	}
	return createWork(fitBytes(m), lowerMoments, func() (made slot, err error) {
		made.fit, err = learn.NewMomentsFit(m, o)
		return made, err
	})
}

// novelty writes the novelty of rows of features, as float64, and then which share of the kept rows of Moments is less
// novel, NaN where none are kept.
//
//go:wasmexport ts_novelty
func novelty(handle, z, rows, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	m, s := lookupMoments(handle)
	if s != statusOK {
		return s
	}
	D := m.Shape().NComponents
	Z, ok := matrix(z, rows, D)
	dst, okOut := view[float64](out, 2*uint64(rows))
	if !ok || !okOut {
		return failPointer("z")
	}
	return withWork(16*int64(D)*int64(D+m.KeptCount()), lowerMoments, func() error {
		v, err := solve.NewNovelty(m)
		if err != nil {
			return err
		}
		n := copy(dst, v.Of(Z, solve.Neighbour))
		for i, h := range dst[:n] {
			dst[n+i] = v.Share(h)
		}
		return nil
	})
}

// fitBytes returns about what a fit needs: sums of parts and systems of all, the rest and the part held out, the matrix
// that is solved and its factor.
func fitBytes(m *learn.Moments) int64 {
	D, K := int64(m.Shape().NComponents), int64(m.Shape().Classes+m.Shape().Targets)
	matrices := int64(5)
	if m.Folds() > 0 {
		matrices = 7
	}
	return 8 * (matrices*D*D + 12*K*D + 4*K*K)
}

// fitted returns the result of the fit of a slot, or nil.
func (s *slot) fitted() *learn.Head {
	switch {
	case s.fit != nil:
		return s.fit.Head()
	case s.released != nil:
		return s.released.head
	}
	return s.result
}

// stepRidge does some milliseconds of a fit and writes how much of it is done, from 0 to 1, where the numbers of its
// folds are (Ridge.Folds), how many these are, and the number of folds. Other steps do not move them. After the last
// step it writes 2.
//
//go:wasmexport ts_ridge_step
func stepRidge(handle, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	at, s := at(handle)
	if s != statusOK {
		return s
	}
	f := &slots[at]
	if f.fit == nil && f.released == nil && f.comparison == nil {
		return fail(statusABI, "the handle is not of a fit")
	}
	if f.fitted() != nil || f.comparison != nil && f.comparison.Comparison() != nil {
		return answer(out, nil, 2)
	}
	var (
		done     float64
		finished bool
		err      error
		numbers  []float64
		folds    int
	)
	switch { // an interface for all would bring the names of all their fields
	case f.fit != nil:
		done, finished, err = f.fit.Step()
		numbers, folds = f.fit.Folds()
	case f.released != nil:
		done, finished, err = f.released.step()
	default:
		done, finished, err = f.comparison.Step()
	}
	if finished {
		done = 2
	}
	address := uintptr(unsafe.Pointer(unsafe.SliceData(numbers)))
	return answer(out, err, done, float64(address), float64(len(numbers)), float64(folds))
}

const resultFields = 16

var rules = []string{solve.RuleGiven, solve.RuleCrossValidation, solve.RuleHeldOut, solve.RuleNoise}

// ridgeResult writes the result of a finished fit and returns the number of its bytes, or 0 on failure. It writes
// nothing if there is less room. The result has, as float64: D, K, alpha, the rule as an index, df, rows, clipped,
// whether there is a calibration (2 if it is the softmax, 3 if with a clip), the rows held out with R² and accuracy of
// them (NaN where they are not known), the iterations, gradient and convergence of the solver (NaN without one), and
// the bytes of the warnings and the lists of counts of a Conformal; then K counts (−1 for regression), K intercepts,
// K·D weights, and if there is a calibration its K offsets and K·K matrix, or its clip; then the units of a Conformal
// for regression, and its counts; and last the warnings in UTF-8, each ending with a line feed, padded to 8 bytes.
//
//go:wasmexport ts_ridge_result
func ridgeResult(handle, out, bytes uint32) (length int32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	at, s := at(handle)
	if s != statusOK {
		return 0
	}
	dst, ok := view[byte](out, uint64(bytes))
	if t := slots[at].comparison; ok && t != nil && t.Comparison() != nil {
		if len(dst) >= comparisonBytes {
			appendComparison(dst[:0], t.Comparison())
		}
		return comparisonBytes
	}
	h := slots[at].fitted()
	if !ok || h == nil {
		failPointer("ts_ridge_result")
		return 0
	}
	K, r := h.Linear.K, &h.Report
	warnings := strings.Join(append(r.Warnings, ""), "\n")
	rule, calibrated, none := 0, 0.0, math.NaN()
	held, solver := [3]float64{0, none, none}, [3]float64{none, none, none}
	for i, name := range rules {
		if name == r.Rule {
			rule = i
		}
	}
	if r.HeldOut != nil {
		held = [3]float64{float64(r.HeldOut.Rows), r.HeldOut.R2, r.HeldOut.Accuracy}
	}
	if r.Solver != nil {
		solver = [3]float64{float64(r.Solver.Iterations), r.Solver.Gradient, 0}
		if r.Solver.Converged {
			solver[2] = 1
		}
	}
	size := 8 * (resultFields + 2*K + len(h.Linear.Weights))
	switch {
	case h.Calibration == nil:
	case h.Calibration.Clip > 0:
		calibrated = 3
		size += 8
	case h.Calibration.Matrix == nil:
		calibrated = 2
	default:
		calibrated = 1
		size += 8 * (K + K*K)
	}
	lists, unit := 0, []float64(nil)
	if c := h.Conformal; c != nil {
		lists, unit = len(c.Counts), c.Unit
		size += 8 * (len(unit) + solve.ConformalBins*lists)
	}
	size += (len(warnings) + 7) &^ 7
	if size > len(dst) {
		return int32(size)
	}
	b := appendFloats(dst[:0], float64(h.Linear.D), float64(K), h.Alpha, float64(rule), r.DF, float64(r.Rows),
		float64(r.Clipped), calibrated, held[0], held[1], held[2], solver[0], solver[1], solver[2], float64(len(warnings)),
		float64(lists))
	for k := range K {
		count := -1.0
		if r.Counts != nil {
			count = float64(r.Counts[k])
		}
		b = appendFloats(b, count)
	}
	b = appendFloats(b, h.Linear.Intercept...)
	b = appendFloats(b, h.Linear.Weights...)
	if calibrated == 1 {
		b = appendFloats(b, h.Calibration.Offset...)
		b = appendFloats(b, h.Calibration.Matrix...)
	}
	if calibrated == 3 {
		b = appendFloats(b, h.Calibration.Clip)
	}
	b = appendFloats(b, unit...)
	for k := range lists {
		for _, n := range h.Conformal.Counts[k] {
			b = appendFloats(b, float64(n))
		}
	}
	appendText(b, warnings)
	return int32(size)
}
