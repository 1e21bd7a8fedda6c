package learn_test

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/cases"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

// clouds draws rows of d numbers around the middles of classes, which are apart far from each other.
func clouds(r *rand.Rand, K, d int, apart float64) func(n int) table {
	middles := make([]float64, K*d)
	for i := range middles {
		middles[i] = apart * r.NormFloat64()
	}
	return func(n int) table {
		s := table{d: d, X: make(sketch.Dense, n*d), labels: make([]learn.Label, n)}
		for i := range n {
			class := r.IntN(K)
			if i < K {
				class = i
			}
			s.labels[i] = learn.NumberLabel(float64(class))
			for j := range d {
				s.X[i*d+j] = float32(middles[class*d+j] + r.NormFloat64())
			}
		}
		return s
	}
}

// fitted returns the model of a loss that ts.fit would give, with fewer components.
func fitted(t *testing.T, train table, loss string) *learn.Model {
	t.Helper()
	spec := learn.Spec{Map: polynomial(t, train.d, 128, 3, 1), WithoutLinear: true}
	return need.Value(learn.FitModel(spec, train.X, train.labels, learn.RowsOptions{Loss: loss}))(t)
}

var losses = []string{learn.LossSquared, learn.LossLogistic, learn.LossSquaredHinge}

// A coin costs 0.693 in log loss if its probability is ½. Models of rows whose labels say nothing come near it, with
// few rows as with many.
func TestCoinFlips(t *testing.T) {
	slow.Emulated(t)
	for _, c := range []struct {
		n, seeds  int
		mean, any float64
		losses    []string
	}{{100, 12, 0.75, 0.9, losses}, {1000, 4, 0.70, 0.75, losses[:2]}, {5000, 2, 0.695, 0.7, losses[:1]}} {
		for _, loss := range c.losses {
			mean, most := 0.0, 0.0
			for seed := range c.seeds {
				draw := clouds(rand.New(rand.NewPCG(uint64(seed), 7)), 2, 2, 0)
				test := draw(1000)
				got := need.Value(fitted(t, draw(c.n), loss).Evaluate(test.X, test.labels))(t).LogLoss
				mean += got / float64(c.seeds)
				most = max(most, got)
			}
			t.Logf("%s, %d rows: log loss %.4f, at most %.4f", loss, c.n, mean, most)
			if mean > c.mean || most > c.any {
				t.Errorf("%s, %d rows: log loss %.4f, at most %.4f; want %v, %v", loss, c.n, mean, most, c.mean, c.any)
			}
		}
	}
}

// Two classes that overlap, of few rows: the probabilities cost at most what a coin does, and a little.
func TestProbabilitiesOfFewRows(t *testing.T) {
	slow.Emulated(t)
	for _, loss := range losses {
		for _, d := range []int{10, 384} {
			for _, n := range []int{12, 20, 40, 100, 400} {
				if n*d > 4000 && loss != learn.LossSquared {
					continue // slow
				}
				mean, most, seeds := 0.0, 0.0, 6
				for seed := range seeds {
					draw := clouds(rand.New(rand.NewPCG(uint64(seed), 11)), 2, d, 0.8/math.Sqrt(float64(d)))
					test := draw(500)
					got := need.Value(fitted(t, draw(n), loss).Evaluate(test.X, test.labels))(t).LogLoss
					mean += got / float64(seeds)
					most = max(most, got)
				}
				t.Logf("%s, %d × %d: log loss %.3f, at most %.3f", loss, n, d, mean, most)
				if mean > 0.76 || most > 1 {
					t.Errorf("%s, %d × %d: log loss %.3f, at most %.3f", loss, n, d, mean, most)
				}
			}
		}
	}
}

// Where all rows are equal to one of a few, what is held out are too few distinct rows to learn from, however many
// there are. The probabilities are then the shares of the classes, and a warning says so. Passes hold out a fifth of
// the copies of each row, which says how often they are of a class.
func TestFewDistinctRows(t *testing.T) {
	X, labels, d := categories(t, "few-distinct-rows.csv")
	n := len(labels) * 3 / 4
	all := table{X: X, d: d, labels: labels}
	train, test := all.part(0, n), all.part(n, len(labels))
	for _, loss := range losses {
		m := fitted(t, train, loss)
		e := need.Value(m.Evaluate(test.X, test.labels))(t)
		t.Logf("%s: log loss %.3f, accuracy %.3f, %v", loss, e.LogLoss, e.Accuracy.Value, m.Report.Warnings)
		warned := strings.Contains(strings.Join(m.Report.Warnings, "\n"), "fewer than 8 distinct rows can be held out")
		most, isFew := 0.5, loss == learn.LossSquared
		if isFew {
			most = 0.7
		}
		if e.LogLoss > most || warned != isFew {
			t.Errorf("%s: log loss %.3f, warnings %q", loss, e.LogLoss, m.Report.Warnings)
		}
	}
}

// categories reads a CSV of words, the last column being the label: each word of each column is a coordinate, 0 or 1.
func categories(t *testing.T, name string) (X sketch.Dense, labels []learn.Label, d int) {
	t.Helper()
	file := need.Value(os.Open(filepath.Join(cases.Folder(t, "learn"), name)))(t)
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Scan()
	var words []string
	var rows [][]string
	for lines.Scan() {
		fields := strings.Split(lines.Text(), ",")
		last := len(fields) - 1
		labels = append(labels, learn.TextLabel(fields[last]))
		for i := range fields[:last] {
			fields[i] = fmt.Sprint(i, fields[i])
			if !slices.Contains(words, fields[i]) {
				words = append(words, fields[i])
			}
		}
		rows = append(rows, fields[:last])
	}
	need.OK(t, lines.Err())
	for _, row := range rows {
		for _, word := range words {
			x := float32(0)
			if slices.Contains(row, word) {
				x = 1
			}
			X = append(X, x)
		}
	}
	return X, labels, len(words)
}

// With many classes the probability of the most probable class is about the share of rows that have it. With -short
// there are at most 100 classes.
func TestProbabilitiesOfManyClasses(t *testing.T) {
	slow.Emulated(t)
	for _, c := range []struct {
		K, d, n int
		apart   float64
		most    float64 // difference between the mean probability and the share
	}{{26, 16, 3000, 1.2, 0.06}, {100, 12, 4000, 1.5, 0.15}, {600, 32, 5000, 1.5, 0.25}} {
		if c.K > 100 && testing.Short() {
			continue
		}
		draw := clouds(rand.New(rand.NewPCG(uint64(c.K), 3)), c.K, c.d, c.apart)
		train, test := draw(c.n), draw(1500)
		spec := learn.Spec{WithoutLinear: true, Map: need.Value(sketch.NewFeatureMap(sketch.Params{NFeatures: c.d,
			NComponents: 512, Degree: 2, Coef0: 1, Gamma: 1 / float64(c.d)}))(t)}
		m := need.Value(learn.FitModel(spec, train.X, train.labels, learn.RowsOptions{}))(t)
		p := need.Value(m.Probabilities(test.X))(t)
		right, sure := 0.0, 0.0
		for i, label := range test.labels {
			own := p[i*c.K : (i+1)*c.K]
			at := solve.Largest(own)
			sure += own[at] / float64(test.rows())
			if m.Classes[at] == label {
				right += 1 / float64(test.rows())
			}
		}
		e := need.Value(m.Evaluate(test.X, test.labels))(t)
		t.Logf("%d classes: %.3f right, probability %.3f, log loss %.3f", c.K, right, sure, e.LogLoss)
		if math.Abs(right-sure) > c.most {
			t.Errorf("%d classes: %.3f right, mean probability %.3f", c.K, right, sure)
		}
	}
}
