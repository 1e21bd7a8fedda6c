package metrics

import (
	"slices"
	"strconv"
)

// Classes say how well predicted classes fit the true ones.
type Classes struct {
	Rows    int64 // all rows, Unknown included
	Unknown int64 // rows whose true label is no class of the model: no prediction can be right

	// Accuracy is the share of rows predicted correctly, with Wilson's interval.
	Accuracy Interval

	// Confusion[t·K + p] counts the rows of class t that were predicted as class p.
	Confusion []int64

	// Recall[k] is the share of the rows of class k that were predicted as k, and Precision[k] the
	// share of the rows predicted as k that are of class k. They are NaN where there are no such rows.
	Precision, Recall []float64

	// LogLoss is the mean of −ln of the probability given to the true class, over the rows of known
	// classes. It is NaN for a model without probabilities.
	LogLoss float64
}

// A ClassEvaluation counts predictions block by block, in memory that does not grow with the rows.
type ClassEvaluation struct {
	K         int
	confusion []int64
	unknown   []int64 // rows of unknown classes, by prediction
	loss      float64
	lossRows  int64
}

// NewClassEvaluation returns the evaluation of no rows for K classes.
func NewClassEvaluation(K int) *ClassEvaluation {
	return &ClassEvaluation{K: K, confusion: make([]int64, K*K), unknown: make([]int64, K)}
}

// Add counts rows by their true and predicted classes, 0 … K − 1; −1 is a true class that the model
// does not know. losses holds −ln of the probability of the true class of each row, or is nil; the
// numbers at unknown classes are not read. It panics if the lengths differ or a class is out of range.
func (e *ClassEvaluation) Add(truth, predicted []int32, losses []float64) {
	if len(truth) != len(predicted) || losses != nil && len(losses) != len(truth) {
		panic("metrics: len(truth) is " + strconv.Itoa(len(truth)) + ", len(predicted) " + strconv.Itoa(len(predicted)))
	}
	for i, t := range truth {
		p := predicted[i]
		if t < 0 {
			e.unknown[p]++
			continue
		}
		e.confusion[int(t)*e.K+int(p)]++
		if losses != nil {
			e.loss += losses[i]
			e.lossRows++
		}
	}
}

// Metrics returns the metrics of all rows so far.
func (e *ClassEvaluation) Metrics() *Classes {
	K := e.K
	m := &Classes{Confusion: slices.Clone(e.confusion), Precision: make([]float64, K), Recall: make([]float64, K),
		LogLoss: e.loss / float64(e.lossRows)}
	predicted, right := slices.Clone(e.unknown), int64(0)
	for _, n := range e.unknown {
		m.Unknown += n
	}
	for k := range K {
		row, ofClass := e.confusion[k*K:(k+1)*K], int64(0)
		for p, n := range row {
			ofClass += n
			predicted[p] += n
		}
		m.Rows += ofClass
		right += row[k]
		m.Recall[k] = float64(row[k]) / float64(ofClass)
	}
	for k := range K {
		m.Precision[k] = float64(e.confusion[k*K+k]) / float64(predicted[k])
	}
	m.Rows += m.Unknown
	m.Accuracy = Wilson(right, m.Rows)
	return m
}
