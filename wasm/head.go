//go:build js && wasm

package main

import (
	"math"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/metrics"
)

// The fields of a block for ts_head_new, float64. The intercepts and weights follow, and then, if calibrated is 2, the
// offset and the matrix of the calibration.
const (
	headComponents = iota
	headOutputs
	headTask
	headLoss
	headAlpha
	headCalibrated
	headFields
)

const (
	calibratedNot = iota
	calibratedSoftmax
	calibratedMatrix
	calibratedClip // the clip follows
)

var (
	tasks  = []string{learn.TaskClassify, learn.TaskRegress}
	losses = []string{learn.LossSquared, learn.LossSquaredHinge, learn.LossLogistic}
)

// A head is the part of a model behind its features.
type head struct {
	linear      *learn.Linear
	calibration *learn.Calibration
	scores      []float64 // of one row
	logarithms  []float64
}

// newHead returns the handle of the head of a model on the features of a map, or 0.
//
//go:wasmexport ts_head_new
func newHead(handle, block, bytes uint32) (made uint32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	m, s := lookup(handle)
	if s != statusOK {
		return 0
	}
	return create("ts_head_new", block, bytes, func(data []byte, reserve func(int64) bool) (slot, error) {
		r := &blockReader{bytes: data}
		model := readHead(r)
		if r.err != nil {
			return slot{}, r.err
		}
		model.Map = m
		if err := model.Validate(); err != nil {
			e := err.(*sketch.Error)
			e.Argument = "head." + e.Argument
			return slot{}, e
		}
		K := model.Linear.K
		if !reserve(16 * int64(K)) {
			return slot{}, nil
		}
		return slot{head: &head{model.Linear, model.Calibration, make([]float64, K), make([]float64, K)}}, nil
	})
}

// readHead reads a model without its map. Its classes are numbers: the labels stay in JavaScript.
func readHead(r *blockReader) *learn.Model {
	fields := r.floats(headFields)
	D := r.integer("nComponents", fields[headComponents], sketch.MaxComponents)
	K := r.integer("intercept", fields[headOutputs], solve.MaxWeights)
	m := &learn.Model{Task: r.name("task", fields[headTask], tasks), Loss: r.name("loss", fields[headLoss], losses),
		Alpha: fields[headAlpha]}
	if r.err != nil || int64(K)*int64(D+1) > int64(len(r.bytes)/8) {
		r.fail("weights", "too few numbers")
		return m
	}
	m.Linear = &learn.Linear{D: D, K: K, Intercept: r.floats(K), Weights: r.floats(K * D)}
	if m.Task == learn.TaskClassify {
		for k := range K {
			m.Classes = append(m.Classes, learn.NumberLabel(float64(k)))
		}
	}
	switch fields[headCalibrated] {
	case calibratedNot:
	case calibratedSoftmax:
		m.Calibration = &learn.Calibration{K: K}
	case calibratedClip:
		m.Calibration = &learn.Calibration{K: K, Clip: r.float64()}
	default:
		if int64(K)*int64(K+1) > int64(len(r.bytes)/8) {
			r.fail("calibration", "too few numbers")
			return m
		}
		m.Calibration = &learn.Calibration{K: K, Offset: r.floats(K), Matrix: r.floats(K * K)}
	}
	return m
}

// lookupHead returns the head of a handle, or nil and the status.
func lookupHead(handle uint32) (*head, status) {
	at, s := at(handle)
	if s != statusOK {
		return nil, s
	}
	return slots[at].head, held(slots[at].head != nil, "a head")
}

// headScores writes the scores of rows of features: rows × K float64.
//
//go:wasmexport ts_head_scores
func headScores(handle, z, rows, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	h, s := lookupHead(handle)
	if s != statusOK {
		return s
	}
	Z, okZ := matrix(z, rows, h.linear.D)
	dst, ok := view[float64](out, uint64(rows)*uint64(h.linear.K))
	if !okZ || !ok {
		return failPointer("z or out")
	}
	h.linear.Scores(dst, Z)
	return statusOK
}

// headProbabilities turns the scores of rows into the probabilities of the classes, in place.
//
//go:wasmexport ts_head_probabilities
func headProbabilities(handle, scores, rows uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	h, s := lookupHead(handle)
	if s != statusOK {
		return s
	}
	K := h.linear.K
	values, ok := view[float64](scores, uint64(rows)*uint64(K))
	if !ok || h.calibration == nil {
		return failPointer("the scores")
	}
	for i := 0; i < len(values); i += K {
		copy(h.scores, values[i:i+K])
		h.calibration.Probabilities(values[i:i+K], h.scores)
	}
	return statusOK
}

// headClasses writes the int32 classes of the largest scores of rows. If truth is not 0, it has the int32 classes of
// the rows, −1 where they are not known, and losses gets −ln of the probability of each: 0 where it is not known.
//
//go:wasmexport ts_head_classes
func headClasses(handle, scores, rows, out, truth, losses uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	h, s := lookupHead(handle)
	if s != statusOK {
		return s
	}
	K := h.linear.K
	values, ok := view[float64](scores, uint64(rows)*uint64(K))
	dst, okOut := view[int32](out, uint64(rows))
	if !ok || !okOut {
		return failPointer("the scores or out")
	}
	for i := range dst {
		dst[i] = int32(solve.Largest(values[i*K : (i+1)*K]))
	}
	if truth == 0 {
		return statusOK
	}
	classes, ok := view[int32](truth, uint64(rows))
	loss, okLosses := view[float64](losses, uint64(rows))
	if !ok || !okLosses || h.calibration == nil {
		return failPointer("the classes or losses")
	}
	for i, class := range classes {
		loss[i] = 0
		if class >= 0 && int(class) < K {
			loss[i] = -h.calibration.LogProbabilities(h.logarithms, values[i*K:(i+1)*K])[class]
		}
	}
	return statusOK
}

// classMetrics writes how well n predicted classes fit the true ones, of K: the rows, the unknown ones, the accuracy
// with its interval and the mean loss; the precision and recall of each class; and the confusion, K × K. The address of
// the losses may be 0.
//
//go:wasmexport ts_class_metrics
func classMetrics(k, truth, predicted, losses, n, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	const fixed = 6
	count := uint64(fixed) + 2*uint64(k) + uint64(k)*uint64(k)
	dst, ok := view[float64](out, count)
	classes, okTruth := view[int32](truth, uint64(n))
	found, okFound := view[int32](predicted, uint64(n))
	var loss []float64
	okLosses := true
	if losses != 0 {
		loss, okLosses = view[float64](losses, uint64(n))
	}
	if !ok || !okTruth || !okFound || !okLosses || k == 0 {
		return failPointer("the classes or out")
	}
	for i, class := range classes {
		if class < -1 || int64(class) >= int64(k) || found[i] < 0 || int64(found[i]) >= int64(k) {
			return failPointer("a class")
		}
	}
	return withWork(16*int64(count)+8*int64(k), lowerComponents, func() error {
		e := metrics.NewClassEvaluation(int(k))
		e.Add(classes, found, loss)
		m := e.Metrics()
		copy(dst, []float64{float64(m.Rows), float64(m.Unknown), m.Accuracy.Value, m.Accuracy.Low, m.Accuracy.High,
			m.LogLoss})
		copy(dst[fixed:], m.Precision)
		copy(dst[fixed+int(k):], m.Recall)
		for i, n := range m.Confusion {
			dst[fixed+2*int(k)+i] = float64(n)
		}
		return nil
	})
}

// targetMetrics writes how well predicted targets fit the true ones, both n × k float64: for each target R², RMSE and
// MAE, each with its interval.
//
//go:wasmexport ts_target_metrics
func targetMetrics(k, truth, predicted, n, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	const each = 9
	y, ok := view[float64](truth, uint64(n)*uint64(k))
	found, okFound := view[float64](predicted, uint64(n)*uint64(k))
	dst, okOut := view[float64](out, each*uint64(k))
	if !ok || !okFound || !okOut || k == 0 || k > solve.MaxTargets {
		return failPointer("the targets or out")
	}
	for i, v := range y {
		if v-v != 0 {
			e := sketch.ErrNonFinite.New("y", portable.FormatNumber(v), "be finite: remove or replace NaN and infinite values")
			e.Row, e.Column = i/int(k), i%int(k)
			return failWith(e)
		}
	}
	const group = 40 << 10 // bytes of an evaluation for each target
	return withWork(2*group*int64(k)+math.MaxUint16, lowerComponents, func() error {
		e := metrics.NewTargetEvaluation(int(k))
		if err := e.Add(y, found); err != nil {
			return err
		}
		for i, m := range e.Metrics() {
			for j, interval := range []metrics.Interval{m.R2, m.RMSE, m.MAE} {
				copy(dst[each*i+3*j:], []float64{interval.Value, interval.Low, interval.High})
			}
		}
		return nil
	})
}
