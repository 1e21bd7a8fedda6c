//go:build js && wasm

package main

import (
	"math"
	"slices"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
)

// The fields of a question block, float64 in this order; NaN if not given. The methods asked for
// follow, each as its index in the list.
const (
	questionFeatures = iota
	questionNNZ
	questionDegree
	questionGamma
	questionCoef0
	questionCosine
	questionEpsilon
	questionDelta
	questionComponents
	questionMethods
	questionFields
)

const answerFields = 6 // method, nComponents, σ, its kind, µs per row, 1 if a wanted error is reached

// plan writes the answers to a question, best first, each of answerFields float64. It returns how
// many there are, or 0 on failure. The sample has dense rows if indptr is 0, otherwise CSR rows.
// rows is 0 without a sample.
//
//go:wasmexport ts_plan
func plan(block, bytes, data, indices, indptr, rows, nnz, out, room uint32) (answers int32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	question, ok := view[byte](block, uint64(bytes))
	results, okOut := view[float64](out, uint64(room)*answerFields)
	if !ok || !okOut {
		failPointer("the question or out")
		return 0
	}
	var q sketch.PlanQuestion
	if err := readQuestion(&q, question); err != nil {
		failWith(err)
		return 0
	}
	width, ok := q.NFeatures, true
	switch {
	case rows == 0:
	case indptr == 0:
		var X []float32
		X, ok = matrix(data, rows, q.NFeatures)
		q.Sample = sketch.Dense(X)
	default:
		q.Sample, ok = sparse(data, indices, indptr, rows, nnz)
		width = min(width, int(nnz))
	}
	if !ok {
		failPointer("the sample")
		return 0
	}
	work := q.MemoryBytes(int(rows), width)
	if reserve(work, "give fewer or sparser rows in the sample, or dispose maps no longer needed") != statusOK {
		return 0
	}
	defer release(work)
	found, err := sketch.Plan(q)
	if err != nil {
		failWith(err)
		return 0
	}
	for i, a := range found[:min(len(found), int(room))] {
		reached := 0.0
		if a.Reached {
			reached = 1
		}
		copy(results[i*answerFields:],
			[]float64{float64(slices.Index(methods, a.Method)), float64(a.NComponents), a.PredictedSigma,
				float64(a.Kind), a.MicrosecondsPerRow, reached})
	}
	return int32(len(found))
}

func readQuestion(q *sketch.PlanQuestion, block []byte) error {
	r := &blockReader{bytes: block}
	fields := r.floats(questionFields)
	integer := func(argument string, field, most int) int {
		if value := fields[field]; value == value {
			return r.integer(argument, value, most)
		}
		return 0
	}
	number := func(argument string, field int, least float64) float64 {
		value := fields[field]
		if value == value {
			if !(value >= least) && r.err == nil { // 0 would stand for the default
				r.err = sketch.ErrParam.New(argument, portable.FormatNumber(value), "be > 0")
			}
			return value
		}
		return 0
	}
	positive, any := math.SmallestNonzeroFloat64, math.Inf(-1)
	*q = sketch.PlanQuestion{
		NFeatures:   r.integer("nFeatures", fields[questionFeatures], sketch.MaxFeatures),
		NNZPerRow:   integer("nnzPerRow", questionNNZ, sketch.MaxFeatures),
		Degree:      integer("degree", questionDegree, sketch.MaxDegree),
		Gamma:       number("gamma", questionGamma, positive),
		Coef0:       number("coef0", questionCoef0, any),
		Cosine:      number("cosine", questionCosine, any),
		Epsilon:     number("epsilon", questionEpsilon, positive),
		Delta:       number("delta", questionDelta, positive),
		NComponents: integer("nComponents", questionComponents, sketch.MaxComponents),
	}
	for range r.count("methods", fields[questionMethods]) {
		q.Methods = append(q.Methods, r.name("methods", r.float64(), methods))
	}
	return r.err
}
