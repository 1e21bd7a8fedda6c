package learn

import (
	"math"
	"slices"
	"strconv"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
)

// An Interval is a value with its 95 % confidence interval. All three are NaN where there are no rows.
type Interval struct{ Value, Low, High float64 }

// ClassMetrics say how well predicted classes fit the true ones.
type ClassMetrics struct {
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
		panic("learn: len(truth) is " + strconv.Itoa(len(truth)) + ", len(predicted) " + strconv.Itoa(len(predicted)))
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
func (e *ClassEvaluation) Metrics() *ClassMetrics {
	K := e.K
	m := &ClassMetrics{Confusion: slices.Clone(e.confusion), Precision: make([]float64, K), Recall: make([]float64, K),
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

// z95 is the normal quantile of 0.975.
const z95 = 1.959963984540054

// Wilson returns the share k/n with its 95 % interval by Wilson (1927):
//
//	(p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n),   p = k/n.
func Wilson(k, n int64) Interval {
	if n == 0 {
		return Interval{math.NaN(), math.NaN(), math.NaN()}
	}
	p, size := float64(k)/float64(n), float64(n)
	square := z95 * z95 / size
	centre := p + square/2
	half := z95 * math.Sqrt(float64(p*(1-p))/size+square/(4*size))
	return Interval{p, max(0, (centre-half)/(1+square)), min(1, (centre+half)/(1+square))}
}

// TargetMetrics say how well predicted numbers fit a target.
type TargetMetrics struct {
	Rows int64

	// R2 is 1 − Σ(y − p)²/Σ(y − ȳ)² over the rows, where ȳ is their own mean. It is NaN if all y are
	// equal. RMSE is the root of the mean of (y − p)², MAE the mean of |y − p|. The intervals are
	// percentiles of 1,000 bootstrap samples.
	R2, RMSE, MAE Interval
}

// The bootstrap draws 1,000 samples of groups of rows. Row r belongs to group r mod 1024, so up to
// 1,024 rows each is its own group.
const (
	bootstrapSamples = 1000
	bootstrapGroups  = 1024
)

// A TargetEvaluation adds up errors of predictions block by block, in memory that does not grow with
// the rows: 40 KB for each target.
type TargetEvaluation struct {
	K      int
	rows   int64
	first  []float64   // the first row, from which y is measured
	groups []errorSums // K × bootstrapGroups
}

// errorSums are sums over rows, with y measured from the first row's.
type errorSums struct{ rows, y, yy, square, absolute float64 }

func (s *errorSums) add(o *errorSums) {
	s.rows += o.rows
	s.y += o.y
	s.yy += o.yy
	s.square += o.square
	s.absolute += o.absolute
}

// metrics returns R², RMSE and MAE.
func (s *errorSums) metrics() [3]float64 {
	spread := s.yy - float64(s.y*s.y)/s.rows
	r2 := math.NaN()
	if spread > 1e-12*s.yy {
		r2 = 1 - s.square/spread
	}
	return [3]float64{r2, math.Sqrt(s.square / s.rows), s.absolute / s.rows}
}

// NewTargetEvaluation returns the evaluation of no rows for K targets.
func NewTargetEvaluation(K int) *TargetEvaluation {
	return &TargetEvaluation{K: K, groups: make([]errorSums, K*bootstrapGroups)}
}

// Add adds rows by their true and predicted targets, both n × K and row-major. The error is a
// *sketch.Error with code ErrNonFinite for a true target that is not finite; then nothing is added. It
// panics if the lengths differ or are no multiple of K.
func (e *TargetEvaluation) Add(truth, predicted []float64) error {
	if len(truth) != len(predicted) || len(truth)%e.K != 0 {
		panic("learn: len(truth) is " + strconv.Itoa(len(truth)) + ", len(predicted) " + strconv.Itoa(len(predicted)))
	}
	if err := checkTargets(truth, e.K); err != nil {
		return err
	}
	if e.rows == 0 && len(truth) > 0 {
		e.first = slices.Clone(truth[:e.K])
	}
	for i, y := range truth {
		k := i % e.K
		s := &e.groups[k*bootstrapGroups+int(e.rows%bootstrapGroups)]
		miss := y - predicted[i]
		y -= e.first[k]
		s.add(&errorSums{1, y, float64(y * y), float64(miss * miss), math.Abs(miss)})
		if k == e.K-1 {
			e.rows++
		}
	}
	return nil
}

// checkTargets returns an error for the first target that is not finite.
func checkTargets(y []float64, K int) error {
	for i, v := range y {
		if v-v != 0 {
			return solve.RowError(sketch.ErrNonFinite, "y", i/K, i%K, portable.FormatNumber(v),
				"be finite: remove or replace NaN and infinite values")
		}
	}
	return nil
}

// Metrics returns the metrics of each target, over all rows so far. The same rows in the same order
// give the same intervals on every platform.
func (e *TargetEvaluation) Metrics() []TargetMetrics {
	all := make([]TargetMetrics, e.K)
	used := int(min(e.rows, bootstrapGroups))
	for k := range all {
		groups := e.groups[k*bootstrapGroups:][:used]
		all[k] = TargetMetrics{Rows: e.rows}
		values := []*Interval{&all[k].R2, &all[k].RMSE, &all[k].MAE}
		var total errorSums
		for g := range groups {
			total.add(&groups[g])
		}
		for i, v := range total.metrics() {
			*values[i] = Interval{v, math.NaN(), math.NaN()}
		}
		if used == 0 {
			continue
		}
		below := sketch.IntSeed(0).ForBootstrap()
		var samples [3][]float64
		for range bootstrapSamples {
			var sum errorSums
			for range groups {
				sum.add(&groups[below(used)])
			}
			for i, v := range sum.metrics() {
				if v == v { // R² of a sample whose y are all equal is left out
					samples[i] = append(samples[i], v)
				}
			}
		}
		for i, sample := range samples {
			if n := len(sample); n > 0 && values[i].Value == values[i].Value {
				slices.Sort(sample)
				values[i].Low, values[i].High = sample[n*25/1000], sample[n-1-n*25/1000]
			}
		}
	}
	return all
}
