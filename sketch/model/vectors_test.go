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

// TestLearnedVectors: files of learners and of models of each loss keep their bytes, on every platform and in
// JavaScript, which reads them here. Model files with too many features for moments are large, so they are kept as
// digests.
func TestLearnedVectors(t *testing.T) {
	const n, d = 600, 8
	X, labels, targets := learnedRows(n, d)
	newMap := func() *sketch.FeatureMap {
		return need.Value(sketch.New(sketch.Params{NFeatures: d, NComponents: 24, Degree: 2, Coef0: 1,
			Seed: sketch.IntSeed(7)}))(t)
	}
	files := map[string][]byte{}
	for name, loss := range map[string]string{"squared": learn.LossSquared, "squared-hinge": learn.LossSquaredHinge,
		"logistic": learn.LossLogistic} {
		m := need.Value(learn.FitModel(learn.Spec{Map: newMap()}, sketch.Dense(X), labels, learn.RowsOptions{Loss: loss}))(t)
		files["model-"+name+".json"] = need.Value(MarshalModel(m, Options{}))(t)
	}
	m := need.Value(learn.FitTargetsModel(learn.Spec{Map: newMap()}, sketch.Dense(X), targets, learn.RowsOptions{}))(t)
	files["model-regress.json"] = need.Value(MarshalModel(m, Options{}))(t)
	const few = 60
	large := learn.Spec{Map: need.Value(sketch.New(sketch.Params{NFeatures: d, NComponents: 4100, Degree: 2, Coef0: 1,
		Seed: sketch.IntSeed(7)}))(t)}
	rows := sketch.Dense(X[:few*d])
	digest := func(m *learn.Model) []byte {
		return fmt.Appendf(nil, "%x", sha256.Sum256(need.Value(MarshalModel(m, Options{}))(t)))
	}
	files["large-logistic.sha256"] = digest(need.Value(learn.FitModel(large, rows, labels[:few],
		learn.RowsOptions{Loss: learn.LossLogistic, Tolerance: 1e-3}))(t))
	files["large-regress.sha256"] = digest(need.Value(learn.FitTargetsModel(large, rows, targets[:few],
		learn.RowsOptions{Alpha: 2}))(t))
	spec := need.Value(learn.Prepare(learn.Spec{Map: newMap()}, sketch.Dense(X), labels))(t)
	l := need.Value(learn.NewLearner(spec))(t)
	need.OK(t, l.Add(sketch.Dense(X), labels, nil))
	files["learner.json"] = need.Value(MarshalLearner(l))(t)
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
