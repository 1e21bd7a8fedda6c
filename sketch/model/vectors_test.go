package model

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/prepare"
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
			v := int((int64(row*row)*7919+int64(row*31*(i+1)+i*i*17))%201) - 100
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

// preparedForms are the forms of a preparation, and the form std with codes.
var preparedForms = []string{prepare.Std, prepare.MM, prepare.QN, prepare.Raw, coded}

const coded = "codes"

// preparedRows are learnedRows with missing numbers, a constant column, one of 0 and 1, and a wild cell, and the
// preparation of a form for them.
func preparedRows(t testing.TB, form string, n, d int) (X []float32, labels []learn.Label, p *prepare.Preparation) {
	X, labels, _ = learnedRows(n, d)
	kinds := make([]prepare.Kind, d)
	for row := range n {
		if form == prepare.Raw {
			break
		}
		if row%9 == 0 {
			X[row*d+2] = float32(math.NaN())
		}
		X[row*d+4] = 1
		X[row*d+7] = float32(row % 2)
		kinds[7] = prepare.Indicator
	}
	X[d+1] = 1e8
	isCoded := form == coded
	if isCoded {
		form = prepare.Std
	}
	p = need.Value(prepare.New(form, X, kinds))(t)
	if isCoded {
		p.Columns[0].Codes, p.Columns[2].Codes = []float64{-0.5, 0, 0.5}, []float64{-0.25, 0.25}
	}
	p.Unit = form == prepare.MM || form == prepare.Raw
	if form == prepare.QN || isCoded {
		p.Weights = make([]float64, p.NOutputs())
		for i := range p.Weights {
			p.Weights[i] = 1 / float64(i+1)
		}
	}
	return X, labels, p
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
		fit := func(o learn.RowsOptions) []byte {
			o.Loss = loss
			m := need.Value(learn.FitModel(learnedSpec(t, d, D), sketch.Dense(X), labels, o))(t)
			return need.Value(MarshalModel(m, Options{}))(t)
		}
		if files["model-"+name+".json"] = fit(learn.RowsOptions{C: 1}); loss != learn.LossSquared {
			files["chosen-"+name+".sha256"] = fmt.Appendf(nil, "%x", sha256.Sum256(fit(learn.RowsOptions{})))
		}
	}
	m := need.Value(learn.FitTargetsModel(learnedSpec(t, d, D), sketch.Dense(X), targets, learn.RowsOptions{}))(t)
	files["model-regress.json"] = need.Value(MarshalModel(m, Options{}))(t)
	spec := need.Value(learn.Prepare(learnedSpec(t, d, D), sketch.Dense(X), labels))(t)
	l := need.Value(learn.NewLearner(spec))(t)
	need.OK(t, l.Add(sketch.Dense(X), labels, nil))
	files["learner.json"] = need.Value(MarshalLearner(l))(t)
	for _, keep := range []float64{0.5, 0} { // 0: all rows, since they are few
		spec := learnedSpec(t, d, D)
		spec.Folds, spec.Keep = 5, keep
		spec = need.Value(learn.Prepare(spec, sketch.Dense(X), labels))(t)
		l := need.Value(learn.NewLearner(spec))(t)
		need.OK(t, l.Add(sketch.Dense(X), labels, nil))
		if keep > 0 {
			files["learner-kept.json"] = need.Value(MarshalLearner(l))(t)
		}
		fitted := need.Value(l.Fit(learn.RidgeOptions{}))(t)
		files[fmt.Sprintf("model-kept-%v.json", spec.Keep)] = need.Value(MarshalModel(fitted, Options{}))(t)
	}
	keepLearned(t, files)
}

// TestPreparedVectors: files of models and of a learner that have a preparation, and what they say of rows.
// test/api/learnvectors.test.mjs and python/test_tensorsketch.py compare them.
func TestPreparedVectors(t *testing.T) {
	const n, d, D = 300, 8, 24
	files := map[string][]byte{}
	for _, form := range preparedForms {
		X, labels, p := preparedRows(t, form, n, d)
		m := need.Value(sketch.New(sketch.Params{NFeatures: p.NOutputs(), NComponents: D, Degree: 2, Coef0: 1,
			Seed: sketch.IntSeed(7)}))(t)
		spec := need.Value(learn.Prepare(learn.Spec{Map: m, Preparation: p}, sketch.Dense(X), labels))(t)
		l := need.Value(learn.NewLearner(spec))(t)
		need.OK(t, l.Add(sketch.Dense(X), labels, nil))
		fitted := need.Value(l.Fit(learn.RidgeOptions{}))(t)
		files["prepared-"+form+".json"] = need.Value(MarshalModel(fitted, Options{}))(t)
		files["prepared-"+form+"-linear.json"] = need.Value(MarshalModel(fitted.Beside, Options{}))(t)
		files["prepared-"+form+"-learner.json"] = need.Value(MarshalLearner(l))(t)
		rows, _, err := p.Rows(sketch.Dense(X[:20*d]), nil)
		need.OK(t, err)
		files["prepared-"+form+"-scores.json"] = fmt.Appendf(nil, "{\n%s,\n%s,\n\"prepared\":%s\n}",
			scoresOf(t, "model", fitted, X), scoresOf(t, "linear", fitted.Beside, X), need.Value(json.Marshal(rows))(t))
	}
	keepLearned(t, files)
}

// scoresOf returns the scores of the first rows as JSON.
func scoresOf(t *testing.T, name string, m *learn.Model, X []float32) []byte {
	t.Helper()
	scores := need.Value(m.Scores(sketch.Dense(X[:20*m.NFeatures()])))(t)
	return fmt.Appendf(nil, "%q:%s", name, need.Value(json.Marshal(scores))(t))
}

// TestLearnerOfBefore: a learner's file of version 1, on a grid of 2^12, is written as it was read, and gives the model
// that it gave.
func TestLearnerOfBefore(t *testing.T) {
	read := func(name string) []byte {
		return need.Value(os.ReadFile(filepath.Join("testdata", "learned", name)))(t)
	}
	file := read("learner-1.json")
	l := need.Value(UnmarshalLearner(file, nil))(t)
	if got := append(need.Value(MarshalLearner(l))(t), '\n'); !bytes.Equal(got, file) {
		t.Error("the file is written otherwise")
	}
	m := need.Value(l.Fit(learn.RidgeOptions{}))(t)
	if got := append(need.Value(MarshalModel(m, Options{}))(t), '\n'); !bytes.Equal(got, read("model-squared-1.json")) {
		t.Errorf("another model: %s", got)
	}
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
		learn.RowsOptions{Loss: learn.LossLogistic, C: 1, Tolerance: 1e-3}))(t)
	regress := need.Value(learn.FitTargetsModel(spec, rows, targets, learn.RowsOptions{Alpha: 2}))(t)
	keepLearned(t, map[string][]byte{"large-logistic.sha256": digest(logistic), "large-regress.sha256": digest(regress)})
}
