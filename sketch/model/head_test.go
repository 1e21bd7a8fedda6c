package model_test

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/model"
	"tensorsketch.example/test/need"
)

// The worked example of docs/SPEC.md, section 6.
const headExample = `{"format":"tensorsketch-model","version":1,"method":"tensor-sketch","nFeatures":2,` +
	`"nComponents":4,"degree":2,"gamma":1,"coef0":0,"normalize":"none","output":"real","repeats":1,"methodParams":{},` +
	`"hash":"seed","seed":"5","head":{"task":"classify","loss":"squared","classes":[false,3,"b"],"alpha":0.5,` +
	`"intercept":[-0.25,0,0.125],"weights":[1,0,0.5,0,0,0.1,0,-1,0.0000015,0,-1e-7,2],` +
	`"calibration":{"offset":[-1,-1.5,0],"matrix":[2,-1,-1,-1,2,-1,-1,-1,2]},` +
	`"report":{"rows":120,"counts":[40,30,50],"clipped":0,"rule":"cross-validation","df":2.5,` +
	`"heldOut":{"rows":24,"r2":0.75},"linear":{"alpha":0.25,"df":1.5,"heldOut":{"rows":24,"r2":0.5}}}}}`

func exampleModel(t testing.TB) *learn.Model {
	t.Helper()
	m := need.Value(sketch.New(sketch.Params{NFeatures: 2, NComponents: 4, Seed: sketch.IntSeed(5)}))(t)
	return &learn.Model{
		Map: m, Task: learn.TaskClassify, Loss: learn.LossSquared, Alpha: 0.5,
		Classes: []learn.Label{learn.BoolLabel(false), learn.NumberLabel(3), learn.TextLabel("b")},
		Linear: &learn.Linear{D: 4, K: 3, Intercept: []float64{-0.25, math.Copysign(0, -1), 0.125},
			Weights: []float64{1, 0, 0.5, 0, 0, 0.1, 0, -1, 1.5e-6, 0, -1e-7, 2}},
		Calibration: &learn.Calibration{K: 3, Offset: []float64{-1, -1.5, 0},
			Matrix: []float64{2, -1, -1, -1, 2, -1, -1, -1, 2}},
		Report: learn.Report{Rows: 120, Counts: []int64{40, 30, 50}, Rule: solve.RuleCrossValidation, DF: 2.5,
			HeldOut: &learn.HeldOutReport{Rows: 24, R2: 0.75, Accuracy: math.NaN()},
			Linear: &learn.LinearReport{Alpha: 0.25, DF: 1.5,
				HeldOut: &learn.HeldOutReport{Rows: 24, R2: 0.5, Accuracy: math.NaN()}}},
	}
}

// The bytes and the predictions that docs/SPEC.md prints.
func TestSpecExampleOfHead(t *testing.T) {
	m := exampleModel(t)
	data := need.Value(model.MarshalModel(m, model.Options{}))(t)
	if string(data) != headExample {
		t.Errorf("MarshalModel gives\n%s, want\n%s", data, headExample)
	}
	back := need.Value(model.UnmarshalModel([]byte(headExample)))(t)
	if again := need.Value(model.MarshalModel(back, model.Options{}))(t); string(again) != headExample {
		t.Errorf("read and written again it is\n%s", again)
	}
	X := sketch.Dense{1, -0.5}
	if got, want := need.Value(back.Map.TransformBatch(nil, X))(t), []float32{1, 1, 0.25, 0}; !slices.Equal(got, want) {
		t.Errorf("features %v, want %v", got, want)
	}
	if got, want := need.Value(back.Scores(X))(t), []float64{0.875, 0.1, 0.125001475}; !slices.Equal(got, want) {
		t.Errorf("scores %v, want %v", got, want)
	}
	want := []float64{0.743044331468709, 0.0440689612641374, 0.21288670726715364}
	if got := need.Value(back.Probabilities(X))(t); !slices.Equal(got, want) {
		t.Errorf("probabilities %v, want %v", got, want)
	}
	if got := need.Value(back.Predict(X))(t); !slices.Equal(got, []learn.Label{learn.BoolLabel(false)}) {
		t.Errorf("labels %v, want false", got)
	}
}

// Models of every shape come back with every part, and are written as the same bytes again.
func TestHeadsComeBack(t *testing.T) {
	regression := exampleModel(t)
	regression.Task, regression.Classes, regression.Calibration = learn.TaskRegress, nil, nil
	regression.Report = learn.Report{Rows: 5, Rule: solve.RuleHeldOut, DF: 1, Clipped: 3,
		HeldOut: &learn.HeldOutReport{Rows: 1, R2: -2, Accuracy: math.NaN()},
		Linear:  &learn.LinearReport{Missing: "d is 5,000"}, Warnings: []string{"a", "b"}}
	logistic := exampleModel(t)
	logistic.Loss, logistic.Calibration = learn.LossLogistic, &learn.Calibration{K: 3}
	logistic.Report = learn.Report{Rows: 5, Rule: solve.RuleGiven, Counts: []int64{1, 2, 2},
		HeldOut: &learn.HeldOutReport{Rows: 2, R2: math.NaN(), Accuracy: 0.5},
		Solver:  &learn.SolverReport{Iterations: 7, Gradient: 1e-9, Converged: true}}
	plain := exampleModel(t)
	plain.Loss, plain.Calibration, plain.Report = learn.LossSquaredHinge, nil, learn.Report{Rule: solve.RuleNoise}
	plain.Classes = learn.Labels([]string{"naïve ☃", "\u2028", "\U0001f600"})
	for name, m := range map[string]*learn.Model{"regression": regression, "logistic": logistic, "plain": plain} {
		data := need.Value(model.MarshalModel(m, model.Options{}))(t)
		back, err := model.UnmarshalModel(data)
		if err != nil {
			t.Errorf("%s: %v: %s", name, err, data)
			continue
		}
		if again := need.Value(model.MarshalModel(back, model.Options{}))(t); !bytes.Equal(again, data) {
			t.Errorf("%s: %s becomes %s", name, data, again)
		}
		if !slices.Equal(back.Classes, m.Classes) || back.Loss != m.Loss || back.Task != m.Task || back.Alpha != m.Alpha ||
			!slices.Equal(back.Linear.Weights, m.Linear.Weights) {
			t.Errorf("%s: %+v comes back as %+v", name, m, back)
		}
		if h := back.Report.HeldOut; h != nil && fmt.Sprint(*m.Report.HeldOut) != fmt.Sprint(*h) {
			t.Errorf("%s: held out %+v comes back as %+v", name, *m.Report.HeldOut, *h)
		}
	}
}

// The preprocessing of a model is in its file, and a reader of maps takes the same file.
func TestHeadBesidePreprocessing(t *testing.T) {
	m := exampleModel(t)
	m.Preprocessing = `{"format": "tensorsketch-preprocessing", "version": 1}`
	data := need.Value(model.MarshalModel(m, model.Options{}))(t)
	const want = `,"preprocessing":{"format":"tensorsketch-preprocessing","version":1},"head":{"task"`
	if !strings.Contains(string(data), want) {
		t.Errorf("%s does not hold %s", data, want)
	}
	back := need.Value(model.UnmarshalModel(data))(t)
	if got, want := back.Preprocessing, `{"format":"tensorsketch-preprocessing","version":1}`; got != want {
		t.Errorf("the preprocessing comes back as %s, want %s", got, want)
	}
	if _, err := model.Unmarshal(data); err != nil {
		t.Errorf("the map of a file with a head: %v", err)
	}
	m.Preprocessing = "as they come"
	if data := need.Value(model.MarshalModel(m, model.Options{}))(t); string(data) != headExample {
		t.Errorf("with another text the file is %s", data)
	}
}

// A class that no row held out had has the offset −1e300, which no probability survives.
func TestAbsentOffset(t *testing.T) {
	data := strings.Replace(headExample, `"offset":[-1,-1.5,0]`, `"offset":[-1,-1.5,-1e300]`, 1)
	if _, err := model.UnmarshalModel([]byte(data)); err != nil {
		t.Error(err)
	}
}

// Wrong heads are refused, and the error names the key.
func TestMalformedHead(t *testing.T) {
	for _, c := range []struct{ old, new, message string }{
		{`"task":"classify"`, `"task":"rank"`, `head.task must be "classify" or "regress", got "rank"`},
		{`"task":"classify"`, `"task":"regress"`, `head.classes must be left out for regression`},
		{`"task":"classify",`, ``, `head.task is missing`},
		{`"loss":"squared"`, `"loss":"hinge"`, `head.loss must be "squared" or, for classes, "squared-hinge"`},
		{`"classes":[false,3,"b"],`, ``, `head.classes must be at least 2, got 0`},
		{`[false,3,"b"]`, `[3,false,"b"]`, `head.classes[1] must come after 3`},
		{`[false,3,"b"]`, `[false,3,3]`, `head.classes[2] must come after 3`},
		{`[false,3,"b"]`, `[false,3]`, `head.intercept must hold one number for each class or target, 2, got 3`},
		{`[false,3,"b"]`, `[false,null,"b"]`, `head.classes[1] must be true, false, a number or a text, got null`},
		{`[false,3,"b"]`, `[false,[3],"b"]`, `head.classes[1] must be true, false, a number or a text, got [3]`},
		{`[false,3,"b"]`, `[false,3,"\ud800"]`, `head.classes[2] must be Unicode text`},
		{`"alpha":0.5`, `"alpha":-1`, `head.alpha must be a finite number ≥ 0, got -1`},
		{`"alpha":0.5`, `"alpha":null`, `head.alpha must not be null`},
		{`"alpha":0.5`, `"alpha":"auto"`, `head.alpha`},
		{`[-0.25,0,0.125]`, `[-0.25,0]`, `head.intercept must hold one number for each class or target, 3, got 2`},
		{`[-0.25,0,0.125]`, `[-0.25,null,0.125]`, `head.intercept must hold numbers only, got null`},
		{`[-0.25,0,0.125]`, `[-0.25,NaN,0.125]`, `not a JSON object`},
		{`[-0.25,0,0.125]`, `[-0.25,1e999,0.125]`, `head.intercept`},
		{`[1,0,0.5`, `[1,0`, `head.weights must hold 3 × 4 numbers: one for each class or target and each feature, got 11`},
		{`[1,0,0.5`, `[1,0,"0.5"`, `head.weights`},
		{`[1,0,0.5`, `[1,1e308,0.5`, `head.weights[1] must be a finite number up to 2^400, got 1e+308`},
		{`"nComponents":4`, `"nComponents":16777216`, `head.weights must hold 3 × 16777216 numbers`},
		{`[2,-1,-1,`, `[-1e200,-1,-1,`, `head.calibration.matrix[0] must be a finite number up to 2^400, got -1e+200`},
		{`"weights"`, `"Weights"`, `head.weights is missing`},
		{`"offset":[-1,-1.5,0]`, `"offset":[-1,-1.5]`, `head.calibration.offset must hold one number for each class, 3`},
		{`"matrix":[2,`, `"matrix":[`, `head.calibration.matrix must hold 3 × 3 numbers, got 8`},
		{`"matrix"`, `"slope":1,"matrix"`, `"head.calibration.slope" is not a key`},
		{`{"offset":[-1,-1.5,0],"matrix":[2,-1,-1,-1,2,-1,-1,-1,2]}`, `"sigmoid"`,
			`head.calibration must be "softmax", {clip} or`},
		{`{"offset":[-1,-1.5,0],"matrix":[2,-1,-1,-1,2,-1,-1,-1,2]}`, `null`, `head.calibration must not be null`},
		{`"report":{`, `"report":{"seconds":1,`, `"head.report.seconds" is not a key`},
		{`"rule":"cross-validation"`, `"rule":"best"`, `head.report.rule must be one of ["given" "cross-validation" ` +
			`"held-out" "noise"], got "best"`},
		{`"rows":120`, `"rows":-1`, `head.report.rows must be at least 0, got -1`},
		{`"rows":120`, `"rows":1.5`, `head.report.rows must be an integer`},
		{`"counts":[40,30,50]`, `"counts":[40,30]`, `head.report.counts must hold one number for each of 3 classes, got 2`},
		{`"heldOut":{"rows":24,"r2":0.75}`, `"heldOut":{"r2":0.75}`, `head.report.heldOut.rows is missing`},
		{`"heldOut":{"rows":24,"r2":0.75}`, `"heldOut":{"rows":24,"r2":null}`, `head.report.heldOut.r2 must not be null`},
		{`"report":{`, `"report":{"warnings":["a",null],`, `head.report.warnings must hold texts only, got null`},
		{`"linear":{`, `"linear":{"missing":"x",`, `"head.report.linear.`},
		{`"head":{`, `"head":{"bias":1,`, `"head.bias" is not a key`},
		{`"head":{`, `"head":null,"h":{`, `head must not be null`},
		{`"head":{`, `"foot":{`, `head is missing`},
		{`"head":{`, `"head":[{`, `not a JSON object`},
		{`"seed":"5"`, `"seed":"05"`, `seed must be a decimal string`},
		{`"seed":"5"`, `"seed":"5","more":1`, `"more" is not a key of a model`},
	} {
		data := strings.Replace(headExample, c.old, c.new, 1)
		if data == headExample {
			t.Errorf("%s is not in the example", c.old)
		}
		if _, err := model.UnmarshalModel([]byte(data)); err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%s: error %v, want %q", data, err, c.message)
		}
	}
}

// What no reader would take is not written.
func TestUnwritableHead(t *testing.T) {
	for message, change := range map[string]func(m *learn.Model){
		"head.weights[1] must be a finite number up to 2^400, got NaN": func(m *learn.Model) {
			m.Linear.Weights[1] = math.NaN()
		},
		"head.classes[1] must come after": func(m *learn.Model) {
			m.Classes[0] = learn.NumberLabel(9)
		},
		"head.classes[2] must be true, false": func(m *learn.Model) {
			m.Classes[2] = learn.TextLabel("\xff")
		},
		"head.report.rule must be one of": func(m *learn.Model) { m.Report.Rule = "" },
	} {
		m := exampleModel(t)
		change(m)
		if data, err := model.MarshalModel(m, model.Options{}); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%s, %v, want %q", data, err, message)
		}
	}
}

// The key of a map is not in the file, and its model predicts with it only.
func TestKeyedHead(t *testing.T) {
	key := [32]byte{1, 2, 3}
	m := exampleModel(t)
	m.Map = need.Value(sketch.New(sketch.Params{NFeatures: 2, NComponents: 4, Seed: sketch.BytesSeed(key),
		Keyed: true}))(t)
	data := need.Value(model.MarshalModel(m, model.Options{}))(t)
	if _, err := model.UnmarshalModel(data); err == nil || !strings.Contains(err.Error(), "the key is missing") {
		t.Errorf("without the key: %v", err)
	}
	back := need.Value(model.UnmarshalModelKeyed(data, key))(t)
	X := sketch.Dense{1, -0.5}
	if got, want := need.Value(back.Scores(X))(t), need.Value(m.Scores(X))(t); !slices.Equal(got, want) {
		t.Errorf("scores %v, want %v", got, want)
	}
}

var largeNumber = regexp.MustCompile(`[0-9.]{5}|[0-9][eE]|repeats\W+[0-9]{2}`)

func FuzzUnmarshalModel(f *testing.F) {
	f.Add([]byte(headExample))
	f.Fuzz(func(t *testing.T, data []byte) {
		if largeNumber.Match(data) && !bytes.HasPrefix(data, []byte(headExample[:200])) {
			return // a large map perhaps
		}
		m, err := model.UnmarshalModel(data)
		if err != nil {
			return
		}
		again := need.Value(model.MarshalModel(m, model.Options{IncludeKey: true}))(t)
		back, err := model.UnmarshalModel(again)
		if err != nil {
			t.Fatalf("%s reads, %s does not: %v", data, again, err)
		}
		if final, _ := model.MarshalModel(back, model.Options{IncludeKey: true}); !bytes.Equal(again, final) {
			t.Errorf("%s becomes %s", again, final)
		}
	})
}
