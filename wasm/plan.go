//go:build js && wasm

package main

import (
	"github.com/tensorsketch/tensorsketch/sketch"
)

// The fields of the block of a question, float64 in order; NaN where something was not
// given. The methods asked for follow, each as its place in the list.
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

const answerFields = 5 // method, nComponents, σ, its kind, µs per row

// plan writes the answers to a question, best first, each of answerFields float64, and
// returns how many there are, or 0 where it failed. The sample has rows dense rows if
// indptr is 0, else CSR rows; rows is 0 without one.
//
//go:wasmexport ts_plan
func plan(block, bytes, data, indices, indptr, rows, nnz, out, room uint32) (answers int32) {
	var s status
	defer recovered(&s)
	question, ok := view[byte](block, uint64(bytes))
	results, okOut := view[float64](out, uint64(room)*answerFields)
	if !ok || !okOut {
		failPointer("the question or out")
		return 0
	}
	q, err := readQuestion(question)
	if err != nil {
		failWith(err)
		return 0
	}
	width, ok := q.NFeatures, true
	switch {
	case rows == 0:
		width = min(width, 1<<12)
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
	work := q.MemoryBytes(width)
	if reserve(work) != statusOK {
		return 0
	}
	defer release(work)
	found, err := sketch.Plan(q)
	if err != nil {
		failWith(err)
		return 0
	}
	for i, a := range found[:min(len(found), int(room))] {
		method := 0
		for methods[method] != a.Method {
			method++
		}
		copy(results[i*answerFields:], []float64{float64(method), float64(a.NComponents), a.PredictedSigma, float64(a.Kind), a.MicrosecondsPerRow})
	}
	return int32(len(found))
}

func readQuestion(block []byte) (q sketch.PlanQuestion, err error) {
	r := &blockReader{bytes: block}
	var fields [questionFields]float64
	for i := range fields {
		fields[i] = r.float64()
	}
	integer := func(argument string, field, most int) int {
		if value := fields[field]; value == value {
			return r.integer(argument, value, most)
		}
		return 0
	}
	number := func(field int) float64 {
		if value := fields[field]; value == value {
			return value
		}
		return 0
	}
	q = sketch.PlanQuestion{
		NFeatures:   r.integer("nFeatures", fields[questionFeatures], sketch.MaxFeatures),
		NNZPerRow:   integer("nnzPerRow", questionNNZ, sketch.MaxFeatures),
		Degree:      integer("degree", questionDegree, sketch.MaxDegree),
		Gamma:       number(questionGamma),
		Coef0:       number(questionCoef0),
		Cosine:      number(questionCosine),
		Epsilon:     number(questionEpsilon),
		Delta:       number(questionDelta),
		NComponents: integer("nComponents", questionComponents, sketch.MaxComponents),
	}
	for range r.count("methods", fields[questionMethods]) {
		q.Methods = append(q.Methods, r.name("methods", r.float64(), methods))
	}
	return q, r.err
}
