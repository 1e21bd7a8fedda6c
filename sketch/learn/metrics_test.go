package learn_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/metrics"
	"tensorsketch.example/test/golden"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

// The ends of Wilson's interval are the shares p whose sample share k/n is 1.96 standard deviations away:
// (k/n − p)² = z²·p(1 − p)/n.
func TestWilson(t *testing.T) {
	for _, c := range [][2]int64{{8, 10}, {0, 10}, {10, 10}, {1, 1}, {50, 100}, {1700, 1797}, {999999, 1000000}} {
		got, n := metrics.Wilson(c[0], c[1]), float64(c[1])
		if got.Value != float64(c[0])/n || got.Low < 0 || got.High > 1 || got.Low > got.Value || got.High < got.Value {
			t.Errorf("%d of %d: %v", c[0], c[1], got)
		}
		for _, p := range []float64{got.Low, got.High} {
			distance, deviation := math.Abs(got.Value-p), 1.959963984540054*math.Sqrt(p*(1-p)/n)
			if math.Abs(distance-deviation) > 1e-9 {
				t.Errorf("%d of %d: the end %v is %v away, and %v are 1.96 deviations", c[0], c[1], p, distance, deviation)
			}
		}
	}
	if got := metrics.Wilson(0, 0); got.Value == got.Value || got.Low == got.Low {
		t.Errorf("no rows: %v, want NaN", got)
	}
}

// Counts by hand: an unknown class is an error, and no share is taken of no rows.
func TestClassMetrics(t *testing.T) {
	e := metrics.NewClassEvaluation(3)
	e.Add([]int32{0, 0, 1}, []int32{0, 1, 1}, []float64{0.5, 2, 0.25})
	e.Add([]int32{1, -1, -1}, []int32{1, 1, 0}, []float64{0.25, math.NaN(), math.NaN()})
	m := e.Metrics()
	if m.Rows != 6 || m.Unknown != 2 || m.Accuracy.Value != 0.5 || m.LogLoss != 0.75 {
		t.Errorf("%+v", m)
	}
	if want := []int64{1, 1, 0, 0, 2, 0, 0, 0, 0}; !slices.Equal(m.Confusion, want) {
		t.Errorf("confusion %v, want %v", m.Confusion, want)
	}
	for name, pair := range map[string][2][]float64{
		"precision": {m.Precision, {0.5, 0.5, math.NaN()}}, "recall": {m.Recall, {0.5, 1, math.NaN()}},
	} {
		for k, want := range pair[1] {
			if got := pair[0][k]; got != want && (got == got || want == want) {
				t.Errorf("%s of class %d is %v, want %v", name, k, got, want)
			}
		}
	}
}

// A label that the model does not know is counted, and its row is an error.
func TestUnknownLabels(t *testing.T) {
	data := blobs(1, 60, 4, "a", "b")
	m := need.Value(learnerOf(t, polynomial(t, 4, 32, 2, 5), data).Fit(learn.RidgeOptions{}))(t)
	before := need.Value(m.Evaluate(data.X, data.labels))(t)
	labels := slices.Clone(data.labels)
	labels[0], labels[1], labels[2] = learn.TextLabel("z"), learn.NumberLabel(1), learn.BoolLabel(true)
	e := need.Value(m.Evaluate(data.X, labels))(t)
	if e.Unknown != 3 || e.Rows != 60 || e.Accuracy.Value > before.Accuracy.Value {
		t.Errorf("%d of %d rows are unknown, accuracy %v after %v", e.Unknown, e.Rows, e.Accuracy, before.Accuracy)
	}
	blocks := metrics.NewClassEvaluation(2)
	for from := 0; from < 60; from += 7 {
		to := min(60, from+7)
		need.OK(t, m.EvaluateInto(blocks, data.X[4*from:4*to], labels[from:to]))
	}
	if got := blocks.Metrics(); math.Abs(got.LogLoss-e.LogLoss) > 1e-12 || !slices.Equal(got.Confusion, e.Confusion) {
		t.Errorf("in blocks %+v, want %+v", got, e)
	}
	uncalibrated := *m
	uncalibrated.Calibration = nil
	X := slices.Clone(data.X)
	X[22] = float32(math.NaN())
	_, short := m.Evaluate(data.X, labels[1:])
	_, regress := m.EvaluateTargets(data.X, make([]float64, 60))
	_, infinite := m.Predict(X)
	_, probabilities := uncalibrated.Probabilities(sketch.Dense{1, 0, 0, 0})
	golden.Errors(t, map[string]error{"a label is missing": short, "targets": regress, "NaN": infinite,
		"no calibration": probabilities})
}

// The values are the formulas', in blocks as at once, and for several targets side by side.
func TestTargetMetrics(t *testing.T) {
	slow.Emulated(t)
	r := rand.New(rand.NewPCG(1, 2))
	const n = 3000
	y, p := make([]float64, 2*n), make([]float64, 2*n)
	for i := range y {
		y[i] = 1e6 + r.NormFloat64()
		p[i] = y[i] + 0.5*r.NormFloat64()
	}
	whole, blocks := metrics.NewTargetEvaluation(2), metrics.NewTargetEvaluation(2)
	need.OK(t, whole.Add(y, p))
	for from := 0; from < 2*n; from += 26 {
		to := min(2*n, from+26)
		need.OK(t, blocks.Add(y[from:to], p[from:to]))
	}
	got := whole.Metrics()
	if again := blocks.Metrics(); !reflect.DeepEqual(got, again) {
		t.Errorf("in blocks %+v, want %+v", again, got)
	}
	for k, m := range got {
		mean, square, absolute, spread := 0.0, 0.0, 0.0, 0.0
		for i := k; i < 2*n; i += 2 {
			mean += y[i] / n
		}
		for i := k; i < 2*n; i += 2 {
			square += (y[i] - p[i]) * (y[i] - p[i])
			absolute += math.Abs(y[i] - p[i])
			spread += (y[i] - mean) * (y[i] - mean)
		}
		for name, pair := range map[string][2]float64{"R²": {m.R2.Value, 1 - square/spread},
			"RMSE": {m.RMSE.Value, math.Sqrt(square / n)}, "MAE": {m.MAE.Value, absolute / n}} {
			if math.Abs(pair[0]-pair[1]) > 1e-9 {
				t.Errorf("target %d: %s is %v, want %v", k, name, pair[0], pair[1])
			}
		}
		if m.Rows != n || !(m.R2.Low < m.R2.Value && m.R2.Value < m.R2.High && m.RMSE.Low < m.RMSE.High) {
			t.Errorf("target %d: %+v", k, m)
		}
	}
	if err := whole.Add([]float64{1, math.NaN()}, []float64{1, 2}); err == nil || whole.Metrics()[0].Rows != n {
		t.Errorf("a NaN target: %v", err)
	}
	if m := metrics.NewTargetEvaluation(1).Metrics()[0]; m.R2.Value == m.R2.Value || m.Rows != 0 {
		t.Errorf("no rows: %+v", m)
	}
}

// The intervals of 100 test files, with -long of 400, have the true values about 95 times in 100. Below
// 1,024 rows each row is drawn, beyond that groups. Percentiles of 150 rows cover about 2 % less than
// they should; four standard deviations of the share are 8.7 %, and 4.4 %.
func TestBootstrapCovers(t *testing.T) {
	leftOut(t)
	r := rand.New(rand.NewPCG(3, 4))
	files, least := 100, 0.84
	if *long {
		files, least = 400, 0.886
	}
	for _, n := range []int{150, 2500} {
		var covered [3]int
		for range files {
			y, p := make([]float64, n), make([]float64, n)
			for i := range y {
				p[i] = r.NormFloat64()
				y[i] = p[i] + 0.5*r.NormFloat64()
			}
			e := metrics.NewTargetEvaluation(1)
			need.OK(t, e.Add(y, p))
			m := e.Metrics()[0]
			for k, c := range []struct {
				interval metrics.Interval
				want     float64
			}{{m.R2, 0.8}, {m.RMSE, 0.5}, {m.MAE, 0.5 * math.Sqrt(2/math.Pi)}} {
				if c.interval.Low <= c.want && c.want <= c.interval.High {
					covered[k]++
				}
			}
		}
		for k, name := range []string{"R²", "RMSE", "MAE"} {
			share := float64(covered[k]) / float64(files)
			t.Logf("%d rows: %s, %.3f", n, name, share)
			if share < least {
				t.Errorf("%d rows: the interval of %s has the true value in %.3f of the files", n, name, share)
			}
		}
	}
}
