package metrics

import (
	"math"
	"slices"
	"strconv"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
)

// Targets say how well predicted numbers fit a target.
type Targets struct {
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
		panic("metrics: len(truth) is " + strconv.Itoa(len(truth)) + ", len(predicted) " + strconv.Itoa(len(predicted)))
	}
	if err := solve.CheckTargets(truth, e.K); err != nil {
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

// Metrics returns the metrics of each target, over all rows so far. The same rows in the same order
// give the same intervals on every platform.
func (e *TargetEvaluation) Metrics() []Targets {
	all := make([]Targets, e.K)
	used := int(min(e.rows, bootstrapGroups))
	for k := range all {
		groups := e.groups[k*bootstrapGroups:][:used]
		all[k] = Targets{Rows: e.rows}
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
