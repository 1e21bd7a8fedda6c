package learn_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/need"
)

// conformal returns a model of a table with all rows kept.
func conformal(t *testing.T, train table) *learn.Model {
	t.Helper()
	spec := learn.Spec{Map: gaussian(t, train, 512), WithoutLinear: true, Folds: 5, Keep: 1}
	if train.labels != nil {
		return need.Value(learn.FitModel(spec, train.X, train.labels, learn.RowsOptions{}))(t)
	}
	return need.Value(learn.FitTargetsModel(spec, train.X, train.y, learn.RowsOptions{}))(t)
}

// cover returns the share of the test rows whose interval or set of a level has the truth.
func cover(t *testing.T, m *learn.Model, test table, level float64) float64 {
	t.Helper()
	inside := 0.0
	if test.labels == nil {
		radius, scores := need.Value(m.Radii(level))(t)[0], need.Value(m.Scores(test.X))(t)
		for i, y := range test.y {
			if math.Abs(y-scores[i]) <= radius {
				inside++
			}
		}
	} else {
		sets, K := need.Value(m.Sets(test.X, level))(t), m.NOutputs()
		for i, label := range test.labels {
			if k := slices.Index(m.Classes, label); k >= 0 && sets[i*K+k] {
				inside++
			}
		}
	}
	return inside / float64(test.rows())
}

// Intervals of 90 % hold the truth of about 90 % of the rows of tables with numbers to predict. Sets of classes may
// hold it more often, since each has at least one class. With -long it takes the means over five splits, because in one
// chance alone moves the share of 63 rows by 4 points; without it, one split of three tables.
func TestCoverOfTables(t *testing.T) {
	leftOut(t)
	names := []string{"autompg", "vehicle", "stock", "abalone", "bank8fm", "bodyfat", "puma8nh", "car",
		"credit-g", "colic", "heart-c", "segment", "sonar", "splice", "vowel", "waveform5000"}
	splits := 5
	if !*long {
		names, splits = names[:3], 1
	}
	sum, numbers := 0.0, 0.0
	for _, name := range names {
		got, rows, most, isNumber := 0.0, 0, 0.97, false
		for split := range splits {
			train, test := readSplit(t, name, uint64(7+1000*split))
			got += cover(t, conformal(t, train), test, 0.9) / float64(splits)
			rows, isNumber = rows+test.rows(), test.labels == nil
		}
		t.Logf("%-13s %.3f of %d", name, got, rows)
		if !isNumber {
			most = 1
		} else {
			sum += got
			numbers++
		}
		slack := 0.0 // of one split alone
		if !*long {
			slack = 2 * math.Sqrt(0.09/float64(rows))
		}
		if got < min(0.8, 0.9-slack) || got > max(most, 0.9+slack) {
			t.Errorf("%s: intervals of 90 %% hold %.3f of %d rows", name, got, rows)
		}
	}
	if mean := sum / numbers; *long && (mean < 0.88 || mean > 0.92) {
		t.Errorf("intervals of 90 %% hold %.3f of the rows in the mean over %.0f tables", mean, numbers)
	}
}

// The edges of bins are exact, ascend, and are at most a 32nd above the sizes in them.
func TestConformalBins(t *testing.T) {
	for i := 1; i < solve.ConformalBins; i++ {
		if ratio := learn.BinEdge(i) / learn.BinEdge(i-1); !(ratio > 1 && ratio <= 1+1.0/32) {
			t.Fatalf("edge %d is %v times the one before", i, ratio)
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	train := table{d: 1, X: make([]float32, 500), y: make([]float64, 500)}
	for i := range train.y {
		train.X[i] = float32(r.NormFloat64())
		train.y[i] = r.NormFloat64()
	}
	m := conformal(t, train)
	radius, counted := need.Value(m.Radii(0.9))(t)[0], int64(0)
	for _, n := range m.Conformal.Counts[0] {
		counted += n
	}
	if counted != 500 || radius < 1.4 || radius > 2 { // 1.645 in the limit
		t.Errorf("%d rows, radius %v", counted, radius)
	}
	if _, err := m.Radii(0.9999); err == nil {
		t.Error("500 rows say nothing of 99.99 %")
	}
	if _, err := m.Radii(1); err == nil {
		t.Error("no level is 1")
	}
	if _, err := m.Sets(train.X, 0.9); err == nil {
		t.Error("numbers have no sets")
	}
}
