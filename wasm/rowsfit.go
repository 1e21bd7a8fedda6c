//go:build js && wasm

package main

import (
	"math"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/prepare"
)

// The fields of a block for ts_rows_fit, float64. rowsOutputs is the number of classes, or of targets if rowsTargets is
// 1. rowsCost is C; with the squared loss it is λ, or 0 to choose it. If there is a start, its K intercepts and K·D
// weights follow.
const (
	rowsLoss = iota
	rowsOutputs
	rowsTargets
	rowsCost
	rowsTolerance
	rowsMaxPasses
	rowsHoldOut
	rowsPrecondition
	rowsStarts
	rowsFields
)

// fitRowsOf fits what predicts classes or targets from the features of rows, in passes over them, and returns the
// handle of the result for ts_ridge_result, or 0. The rows are dense if indptr is 0, and CSR otherwise. labels has an
// int32 for each, or its float64 targets, and weights a byte, unless it is 0. The moments of the same rows, if their
// handle is not 0, make it quicker.
//
//go:wasmexport ts_rows_fit
func fitRowsOf(handle, moments, block, bytes, data, indices, indptr, rows, nnz, labels, weights uint32) (made uint32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	of, s := slotOfMap(handle)
	if s != statusOK {
		return 0
	}
	f := rowsFit{m: of.m, preparation: of.preparation}
	if moments != 0 {
		if f.moments, s = lookupMoments(moments); s != statusOK {
			return 0
		}
	}
	question, ok := view[byte](block, uint64(bytes))
	X, okX := rowsAt(data, indices, indptr, rows, nnz, of.inputFeatures())
	f.X, ok = X, ok && okX
	if weights != 0 {
		var okWeights bool
		f.labels.Weights, okWeights = view[byte](weights, uint64(rows))
		ok = ok && okWeights
	}
	if ok && rows <= math.MaxInt32 {
		f.rows = int(rows)
		if err := f.read(question); err != nil {
			failWith(err)
			return 0
		}
		if targets := f.problem.Targets; targets > 0 {
			f.labels.Targets, ok = view[float64](labels, uint64(rows)*uint64(targets))
		} else {
			f.labels.Classes, ok = view[int32](labels, uint64(rows))
		}
	}
	if !ok || rows > math.MaxInt32 {
		failPointer("the rows, their labels or the block")
		return 0
	}
	return createWork(f.bytes(), "lower nComponents, or give fewer rows", f.fit)
}

// A rowsFit is one call of ts_rows_fit.
type rowsFit struct {
	m           *sketch.FeatureMap
	preparation *prepare.Preparation
	moments     *learn.Moments
	X           sketch.Rows
	rows        int
	labels      solve.RowLabels
	problem     solve.Problem
	options     learn.SolverOptions
	holdOut     bool
	keeps       bool // all features, so that passes need not compute them
}

func (f *rowsFit) read(block []byte) error {
	r := &blockReader{bytes: block}
	fields := r.floats(rowsFields)
	D := f.m.NComponents()
	f.problem = solve.Problem{Loss: r.name("loss", fields[rowsLoss], losses), NComponents: D}
	if fields[rowsTargets] == 0 {
		f.problem.Classes = r.integer("classes", fields[rowsOutputs], math.MaxInt32)
	} else {
		f.problem.Targets = r.integer("targets", fields[rowsOutputs], math.MaxInt32)
	}
	if f.problem.Loss == learn.LossSquared {
		f.problem.Alpha = fields[rowsCost]
	} else {
		f.problem.C = fields[rowsCost]
	}
	f.options = learn.SolverOptions{Tolerance: fields[rowsTolerance], Diagonal: true}
	if fields[rowsMaxPasses] != 0 {
		f.options.MaxPasses = r.integer("maxPasses", fields[rowsMaxPasses], math.MaxInt32)
	}
	f.holdOut = fields[rowsHoldOut] != 0
	if r.err != nil {
		return r.err
	}
	problem := f.problem
	if problem.Loss == learn.LossSquared && problem.Alpha == 0 {
		problem.Alpha = 1 // the fit chooses another
	}
	if err := problem.Validate(); err != nil {
		return err
	}
	if K := problem.Classes + problem.Targets; fields[rowsStarts] != 0 {
		if len(r.bytes) != 8*K*(D+1) {
			r.fail("start", "another length")
			return r.err
		}
		f.options.Start = &learn.Linear{D: D, K: K, Intercept: r.floats(K), Weights: r.floats(K * D)}
	}
	if f.moments == nil || fields[rowsPrecondition] == 0 {
		f.moments = nil
	} else if s := f.moments.Shape(); s.NComponents != D || s.Classes != problem.Classes || s.Targets != problem.Targets {
		return sketch.ErrParam.New("moments", "others", "be of this map and these classes")
	}
	return r.err
}

// bytes returns about what the fit needs, and decides whether there is room for all features.
func (f *rowsFit) bytes() int64 {
	D, K, n := int64(f.m.NComponents()), int64(f.problem.Classes+f.problem.Targets), int64(f.rows)
	total := 8*K*(D+8)*12 + 8*n*(2*K+1) + n*4 + 8*solve.BlockRows*(K+D) + 1<<20
	if f.moments != nil {
		total += 3 * 8 * D * D
	}
	if f.preparation != nil {
		total += 4 * n * int64(f.m.NFeatures())
	}
	if features := 4 * n * D; total+features <= budget-inUse {
		f.keeps = true
		return total + features
	}
	return total
}

func (f *rowsFit) fit() (made slot, err error) {
	var held []uint8
	if f.holdOut {
		d := f.m.NFeatures()
		if f.preparation != nil {
			d = f.preparation.NFeatures()
		}
		if held, err = solve.HeldOutRows(f.X, d); err != nil {
			return made, err
		}
	}
	X, _, err := f.preparation.Rows(f.X, nil)
	if err != nil {
		return made, err
	}
	if f.moments != nil {
		f.options.Precondition, f.options.Diagonal = f.moments.System(), false
	}
	var source solve.Source
	if f.keeps {
		Z, err := f.m.TransformRows(nil, X)
		if err != nil {
			return made, err
		}
		source, err = solve.FeatureSource(Z, f.m.NComponents())
		if err != nil {
			return made, err
		}
	} else if source, err = solve.MapSource(f.m, X); err != nil {
		return made, err
	}
	progress := func(done float64) bool { return hostProgress(done) != 0 }
	made.result, err = learn.FitHead(f.problem, solve.RowData{Source: source, Labels: f.labels}, held, f.options,
		solve.RunOptions{Progress: progress})
	if made.result == nil && err == nil {
		err = sketch.ErrParam.New("signal", "", "not be aborted")
	}
	return made, err
}
