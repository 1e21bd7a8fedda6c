package model

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/prepare"
	"tensorsketch.example/test/need"
)

// preparedFiles returns the files of a model with a preparation and of its learner.
func preparedFiles(t testing.TB, form string) (ofModel, ofLearner []byte, fitted *learn.Model, X []float32) {
	t.Helper()
	X, labels, p := preparedRows(t, form, 120, 8)
	m := need.Value(sketch.New(sketch.Params{NFeatures: p.NOutputs(), NComponents: 16, Seed: sketch.IntSeed(7)}))(t)
	spec := need.Value(learn.Prepare(learn.Spec{Map: m, Preparation: p}, sketch.Dense(X), labels))(t)
	l := need.Value(learn.NewLearner(spec))(t)
	need.OK(t, l.Add(sketch.Dense(X), labels, nil))
	fitted = need.Value(l.Fit(learn.RidgeOptions{}))(t)
	return need.Value(MarshalModel(fitted, Options{}))(t), need.Value(MarshalLearner(l))(t), fitted, X
}

// Models and learners with a preparation come back with every bit, and are written as the same bytes again.
func TestPreparationsComeBack(t *testing.T) {
	for _, form := range preparedForms {
		ofModel, ofLearner, fitted, X := preparedFiles(t, form)
		for _, m := range []*learn.Model{fitted, fitted.Beside} {
			data := need.Value(MarshalModel(m, Options{}))(t)
			back, err := UnmarshalModel(data)
			if err != nil {
				t.Fatalf("%s: %v: %s", form, err, data)
			}
			if again := need.Value(MarshalModel(back, Options{}))(t); !bytes.Equal(again, data) {
				t.Errorf("%s: %s becomes %s", form, data, again)
			}
			if !back.Preparation.Equal(m.Preparation) || back.Report.Cut != m.Report.Cut {
				t.Errorf("%s: %+v comes back as %+v", form, m.Preparation, back.Preparation)
			}
			want := need.Value(m.Scores(sketch.Dense(X)))(t)
			if got := need.Value(back.Scores(sketch.Dense(X)))(t); !slices.Equal(got, want) {
				t.Errorf("%s: the file scores rows otherwise", form)
			}
			content := need.Value(UnmarshalContent(data))(t)
			if !content.Head.Preparation.Equal(m.Preparation) {
				t.Errorf("%s: the content has the preparation %+v", form, content.Head.Preparation)
			}
		}
		if _, err := Unmarshal(ofModel); err != nil {
			t.Errorf("%s: the map of the file: %v", form, err)
		}
		l, err := UnmarshalLearner(ofLearner, nil)
		if err != nil {
			t.Fatalf("%s: %v", form, err)
		}
		if again := need.Value(MarshalLearner(l))(t); !bytes.Equal(again, ofLearner) {
			t.Errorf("%s: the learner %.500s becomes %.500s", form, ofLearner, again)
		}
		packed := need.Value(MarshalLearnerBinary(l))(t)
		again := need.Value(MarshalLearner(need.Value(UnmarshalLearner(packed, nil))(t)))(t)
		if !bytes.Equal(again, ofLearner) {
			t.Errorf("%s: the binary form is another learner", form)
		}
	}
}

// The example of docs/SPEC.md.
func TestPreparationExample(t *testing.T) {
	const example = `{"form":"std","columns":[{"mean":2,"scale":0.5,"low":1,"high":3.5,"fill":2.25,"missing":true},` +
		`{"indicator":true}],"weights":[1,2,0.5],"unit":true}`
	r := &reader{version: PreparedVersion, keys: map[string]json.RawMessage{"preparation": json.RawMessage(example)}}
	p := r.preparation()
	need.OK(t, r.err)
	if text := need.Value(encode(writePreparation(p)))(t); string(text) != example {
		t.Errorf("the example comes back as %s", text)
	}
	rows, cut, err := p.Rows(sketch.Dense{float32(math.NaN()), 1, 9, 0}, nil)
	need.OK(t, err)
	if want := (sketch.Dense{0.23570226, 0.94280905, 0.23570226, 1, 0, 0}); cut != 1 ||
		!slices.Equal(rows.(sketch.Dense), want) {
		t.Errorf("%v with %d cells cut, want %v with 1", rows, cut, want)
	}
}

// Each thing that a file with a preparation may not hold is an error that names its key.
func TestMalformedPreparation(t *testing.T) {
	std, learner, _, _ := preparedFiles(t, prepare.Std)
	qn, _, _, _ := preparedFiles(t, prepare.QN)
	raw, _, _, _ := preparedFiles(t, prepare.Raw)
	codes, _, _, _ := preparedFiles(t, coded)
	plain := need.Value(Marshal(need.Value(sketch.New(sketch.Params{NFeatures: 7, NComponents: 16}))(t)))(t)
	for _, c := range []struct {
		file              []byte
		old, new, message string
	}{
		{std, `"version":2`, `"version":1`, "preparation is a key of version 2, got version 1"},
		{learner, `learner","version":3`, `learner","version":1`, "preparation is a key of version 2"},
		{learner, `"cut":1,`, ``, "cut is missing"},
		{learner, `"cut":1,`, `"cut":-1,`, "cut must be cells that a preparation cut"},
		{plain, `"seed":"0"`, `"seed":"0","preparation":{}`, "head is missing"},
		{std, `"cut":1,`, ``, "head.report.cut is missing"},
		{std, `"cut":1,`, `"cut":-1,`, "head.report.cut must be at least 0"},
		{std, `"form":"std"`, `"form":"rank"`, `preparation.form must be "std", "mm", "qn" or "raw"`},
		{std, `"form":"std",`, ``, "preparation.form is missing"},
		{std, `"form":"std"`, `"form":"raw"`, "preparation.nFeatures is missing"},
		{std, `"form":"std"`, `"form":"std","unit":false`, "preparation.unit must be true, or left out"},
		{std, `"form":"std"`, `"form":"std","weights":[1,2]`, "preparation.weights must hold one number for each"},
		{std, `{"indicator":true}`, `{"indicator":true,"mean":1}`, `"preparation.columns[7].mean" is not a key of a column`},
		{std, `{"indicator":true}`, `{"indicator":1}`, "preparation.columns[7].indicator"},
		{std, `,{"indicator":true}`, ``, "head.nFeatures must be the number of prepared coordinates, 7"},
		{std, `"nFeatures":8`, `"nFeatures":2147483647`, // whose map would need gigabytes
			"head.nFeatures must be the number of prepared coordinates, 8, got 2147483647"},
		{std, `{"unused":true}`, `{"unused":true,"knots":[1,2],"values":[1,2]}`,
			"preparation.columns[4] must have no numbers"},
		{std, `"scale":`, `"scale":-`, "preparation.columns[0] must have a scale > 0"},
		{std, `"missing":true`, `"missing":null`, "preparation.columns[2].missing must not be null"},
		{qn, `"knots":[`, `"knots":[1e9,`, "preparation.columns[0] must have"},
		{codes, `"codes":[-0.5,0`, `"codes":[0,0`, "preparation.columns[0] must have ascending codes"},
		{codes, `"codes":[-0.5,0`, `"codes":[0`, "preparation.weights must hold one number for each"},
		{std, `{"unused":true}`, `{"unused":true,"codes":[1]}`, "preparation.columns[4] must have no numbers"},
		{raw, `"nFeatures":8,"unit"`, `"nFeatures":9,"unit"`, "head.nFeatures must be the number of prepared coordinates, 9"},
		{raw, `"form":"raw"`, `"form":"raw","columns":[]`, `"preparation.columns" is not a key of a preparation`},
	} {
		changed := strings.Replace(string(c.file), c.old, c.new, 1)
		if changed == string(c.file) {
			t.Errorf("%s is not in %s", c.old, c.file)
			continue
		}
		_, err := UnmarshalModel([]byte(changed))
		if bytes.Equal(c.file, learner) {
			_, err = UnmarshalLearner([]byte(changed), nil)
		} else if bytes.Equal(c.file, plain) {
			_, err = Unmarshal([]byte(changed))
		}
		if err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%s instead of %s: error %v, want %q", c.new, c.old, err, c.message)
		}
	}
}
