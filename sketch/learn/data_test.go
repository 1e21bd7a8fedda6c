package learn_test

import (
	"bufio"
	"strconv"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/need"
)

// A table has rows of length 1 and their labels or targets.
type table struct {
	X      sketch.Dense
	d      int
	labels []learn.Label
	y      []float64
}

func (s table) part(from, to int) table {
	p := table{X: s.X[from*s.d : to*s.d], d: s.d}
	if s.labels != nil {
		p.labels = s.labels[from:to]
	}
	if s.y != nil {
		p.y = s.y[from:to]
	}
	return p
}

func (s table) rows() int { return len(s.X) / s.d }

// csv reads a CSV of numbers with a header. The last column has the labels or targets.
func csv(t testing.TB, name string) (X []float32, last []float64, d int) {
	t.Helper()
	lines := bufio.NewScanner(openData(t, name))
	lines.Scan()
	for lines.Scan() {
		fields := strings.Split(lines.Text(), ",")
		d = len(fields) - 1
		for i, field := range fields {
			v := need.Value(strconv.ParseFloat(field, 64))(t)
			if i < d {
				X = append(X, float32(v))
			} else {
				last = append(last, v)
			}
		}
	}
	need.OK(t, lines.Err())
	return X, last, d
}

// digits returns the training and test rows in the order of the file, as the papers split them.
func digits(t testing.TB) (train, test table) {
	t.Helper()
	X, last, d := csv(t, "digits.csv")
	for i := range X {
		X[i] /= 16
	}
	for i := 0; i < len(X); i += d {
		unit(X[i : i+d])
	}
	all := table{X: X, d: d, labels: learn.Labels(last)}
	return all.part(0, 3823), all.part(3823, len(last))
}

func polynomial(t testing.TB, d, D, degree int, seed uint64) *sketch.FeatureMap {
	t.Helper()
	return need.Value(sketch.NewFeatureMap(sketch.Params{NFeatures: d, NComponents: D, Degree: degree, Coef0: 1,
		Seed: sketch.IntSeed(seed)}))(t)
}

// learnerOf returns a learner of the rows of a table under a map.
func learnerOf(t testing.TB, m *sketch.FeatureMap, data table) *learn.Learner {
	t.Helper()
	spec := need.Value(learn.Prepare(learn.Spec{Map: m}, data.X, data.labels))(t)
	l := need.Value(learn.NewLearner(spec))(t)
	need.OK(t, l.Add(data.X, data.labels, nil))
	return l
}
