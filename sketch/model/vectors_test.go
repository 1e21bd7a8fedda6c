package model

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

var updateLearned = flag.Bool("updatelearned", false, "write testdata/learned anew")

// learnedRows returns n rows of d numbers and what a test learns of them. test/api/learnvectors.test.mjs makes the
// same.
func learnedRows(n, d int) (X []float32, labels []learn.Label, targets []float64) {
	for row := range n {
		var product [3]int
		for i := range d {
			v := (row*row*7919+row*31*(i+1)+i*i*17)%201 - 100
			X = append(X, float32(v)/128)
			if i < 6 {
				product[i/2] = v * max(1, product[i/2])
				if i%2 == 0 {
					product[i/2] = v
				}
			}
		}
		best := 0
		for k, p := range product {
			if p > product[best] {
				best = k
			}
		}
		labels = append(labels, learn.TextLabel("class "+strconv.Itoa(best)))
		targets = append(targets, float64(product[0]-product[1])/1024)
	}
	return X, labels, targets
}

// learnedSpec has a map of d numbers to D components.
func learnedSpec(t *testing.T, d, D int) learn.Spec {
	return learn.Spec{Map: need.Value(sketch.New(sketch.Params{NFeatures: d, NComponents: D, Degree: 2, Coef0: 1,
		Seed: sketch.IntSeed(7)}))(t)}
}

// keepLearned compares files with those in testdata.
func keepLearned(t *testing.T, files map[string][]byte) {
	t.Helper()
	for name, got := range files {
		path := filepath.Join("testdata", "learned", name)
		if *updateLearned {
			need.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
			need.OK(t, os.WriteFile(path, append(got, '\n'), 0o644))
		}
		if want := need.Value(os.ReadFile(path))(t); !bytes.Equal(append(got, '\n'), want) {
			t.Errorf("%s is not what this release writes; after an intended change: -updatelearned", name)
		}
	}
}

// TestLearnedVectors: files of learners and of models of each loss keep their bytes, on every platform and in
// JavaScript, which reads them here.
func TestLearnedVectors(t *testing.T) {
	const n, d, D = 600, 8, 24
	X, labels, targets := learnedRows(n, d)
	files := map[string][]byte{}
	for name, loss := range map[string]string{"squared": learn.LossSquared, "squared-hinge": learn.LossSquaredHinge,
		"logistic": learn.LossLogistic} {
		m := need.Value(learn.FitModel(learnedSpec(t, d, D), sketch.Dense(X), labels, learn.RowsOptions{Loss: loss}))(t)
		files["model-"+name+".json"] = need.Value(MarshalModel(m, Options{}))(t)
	}
	m := need.Value(learn.FitTargetsModel(learnedSpec(t, d, D), sketch.Dense(X), targets, learn.RowsOptions{}))(t)
	files["model-regress.json"] = need.Value(MarshalModel(m, Options{}))(t)
	spec := need.Value(learn.Prepare(learnedSpec(t, d, D), sketch.Dense(X), labels))(t)
	l := need.Value(learn.NewLearner(spec))(t)
	need.OK(t, l.Add(sketch.Dense(X), labels, nil))
	files["learner.json"] = need.Value(MarshalLearner(l))(t)
	keepLearned(t, files)
}

// TestLearnedVectorsInPasses: models with too many features for moments. Their files are large, so they are kept as
// digests.
func TestLearnedVectorsInPasses(t *testing.T) {
	slow.Emulated(t)
	const n, d = 60, 8
	X, labels, targets := learnedRows(n, d)
	spec, rows := learnedSpec(t, d, 4100), sketch.Dense(X)
	digest := func(m *learn.Model) []byte {
		return fmt.Appendf(nil, "%x", sha256.Sum256(need.Value(MarshalModel(m, Options{}))(t)))
	}
	logistic := need.Value(learn.FitModel(spec, rows, labels,
		learn.RowsOptions{Loss: learn.LossLogistic, Tolerance: 1e-3}))(t)
	regress := need.Value(learn.FitTargetsModel(spec, rows, targets, learn.RowsOptions{Alpha: 2}))(t)
	keepLearned(t, map[string][]byte{"large-logistic.sha256": digest(logistic), "large-regress.sha256": digest(regress)})
}
