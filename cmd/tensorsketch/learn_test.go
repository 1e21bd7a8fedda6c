//go:build !js

package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/prepare"
	"tensorsketch.example/sketch/model"
	"tensorsketch.example/test/cases"
	"tensorsketch.example/test/golden"
	"tensorsketch.example/test/need"
)

// rings are the flags that learn the label "ring" from x and y, without a search: with the map that was usual before.
var rings = []string{"--label", "ring", "--use", "x,y", "--unit-norm=false", "--components", "32", "--seed", "3",
	"--search", "off"}

func with(verb string, args ...string) []string { return append([]string{verb}, args...) }

// The model file that fit writes has the bytes of the one that package learn fits to the same rows.
func TestFitIsThatOfGo(t *testing.T) {
	folder := samples(t)
	mustCall(t, folder, nil, with("fit", append(rings, "rings.csv", "-o", "m.json")...)...)

	content := bytes.NewReader([]byte(read(t, "testdata/rings.csv")))
	layout := need.Value(dataset.SniffFile("rings.csv", content, columns.Reading{}))(t)
	layout = layout.WithLabel(3).With(2, columns.AsIgnored)
	p := dataset.NewPreprocessing(layout)
	p.SetScaling(columns.MinMax)
	need.Value(p.Fit(need.Value(layout.Open(content))(t)))(t)
	reader := need.Value(dataset.NewReader(need.Value(layout.Open(content))(t), p))(t)
	var batch dataset.Batch
	need.OK(t, reader.Next(&batch))
	labels := make([]learn.Label, batch.Rows())
	for i := range labels {
		labels[i] = learn.TextLabel(string(batch.Cell(i, 0)))
	}
	m := need.Value(sketch.NewFeatureMap(sketch.Params{NFeatures: 2, NComponents: 32, Degree: 3, Coef0: 1,
		Seed: sketch.IntSeed(3)}))(t)
	text := need.Value(json.Marshal(p))(t)
	spec := need.Value(learn.Prepare(learn.Spec{Map: m, Preprocessing: string(text)}, batch.Dense, labels))(t)
	spec.Classes = nil
	spec.Step, spec.Limit, spec.Finer, spec.LinearGrid = 0, 0, "", learn.Grid{} // the shell's follows from the radius
	l := need.Value(learn.NewLearner(spec))(t)
	need.OK(t, l.Add(batch.Dense, labels, nil))
	want := need.Value(model.MarshalModel(need.Value(l.Fit(learn.RidgeOptions{}))(t), model.Options{}))(t)
	if got := read(t, filepath.Join(folder, "m.json")); got != string(want) {
		t.Errorf("the model is\n%.600s …\nwant\n%.600s …", got, want)
	}
}

// However rows are cut into files, read from pipes and merged, the sums and the model have the same bytes.
func TestPartsAddUp(t *testing.T) {
	folder := samples(t)
	all := read(t, "testdata/rings.csv")
	lines := strings.SplitAfter(all, "\n")
	cut := func(from, to int) string { return lines[0] + strings.Join(lines[from:to], "") }
	write(t, folder, "1.csv", cut(1, 20))
	write(t, folder, "2.csv", cut(20, 150))
	write(t, folder, "3.csv", cut(150, len(lines)))
	for _, target := range [][]string{rings, {"--label", "height", "--use", "x,y", "--components", "16", "--folds", "1",
		"--search", "off", "--unit-norm=false"}} {
		fit := func(stdin io.Reader, args ...string) {
			t.Helper()
			mustCall(t, folder, stdin, with("fit", append(args, "--quiet")...)...)
		}
		fit(nil, append(target, "rings.csv", "-o", "all.json", "--moments", "all.tsm")...)
		fit(nil, append(target, "1.csv", "2.csv", "3.csv", "-o", "files.json")...)
		fit(strings.NewReader(all), append(target, "-", "-o", "pipe.json")...)
		for _, part := range []string{"1", "2", "3"} {
			fit(strings.NewReader(read(t, filepath.Join(folder, part+".csv"))), "-", "--like", "all.tsm", "--moments",
				part+".tsm")
		}
		mustCall(t, folder, nil, "merge", "--quiet", "3.tsm", "1.tsm", "2.tsm", "-o", "merged.tsm")
		mustCall(t, folder, nil, "merge", "--quiet", "merged.tsm", "2.tsm", "--subtract", "2.tsm", "-o", "less.tsm")
		fit(nil, "--from", "less.tsm", "-o", "merged.json")
		fit(nil, "--from", "2.tsm", "--from", "3.tsm", "--from", "1.tsm", "-o", "from.json")
		for _, pair := range []string{"files.json all.json", "pipe.json all.json", "merged.json all.json",
			"from.json all.json", "merged.tsm all.tsm", "less.tsm all.tsm"} {
			a, b, _ := strings.Cut(pair, " ")
			if read(t, filepath.Join(folder, a)) != read(t, filepath.Join(folder, b)) {
				t.Errorf("%s is not %s", a, b)
			}
		}
	}
	const twice = "the rows of 1.tsm count twice, since 1.tsm holds the same sums"
	r := mustCall(t, folder, nil, "merge", "1.tsm", "2.tsm", "1.tsm", "-o", "x.tsm")
	if strings.Count(r.stderr, twice) != 1 {
		t.Errorf("a part that is merged twice: %q, want %q", r.stderr, twice)
	}
	r = mustCall(t, folder, nil, "merge", "1.tsm", "2.tsm", "--json", "-o", "x.tsm")
	if r.stdout != `{"output":"x.tsm","rows":149}`+"\n" {
		t.Errorf("merge says %q", r.stdout)
	}
}

// A model or sums from Python or SQL name no columns: the shell takes the columns it is told, and missing numbers where
// a preparation knows what they mean.
func TestColumnsOfOtherHosts(t *testing.T) {
	folder := t.TempDir()
	text, rows, labels := "x,y,kind\n", []float32{}, []learn.Label{}
	for i := range 60 {
		x, y, kind := float64(i%7), float64(i%11), []string{"inner", "outer"}[i%7/4]
		cell := fmt.Sprint(x)
		if i%5 == 0 {
			x, cell = math.NaN(), ""
		}
		text += fmt.Sprintf("%s,%v,%s\n", cell, y, kind)
		rows, labels = append(rows, float32(x), float32(y)), append(labels, learn.TextLabel(kind))
	}
	write(t, folder, "rows.csv", text)
	p := need.Value(prepare.New(prepare.Std, rows, []prepare.Kind{prepare.Number, prepare.Number}))(t)
	m := need.Value(sketch.NewFeatureMap(sketch.Params{NFeatures: p.NOutputs(), NComponents: 16, Coef0: 1}))(t)
	X := sketch.Dense(rows)
	spec := need.Value(learn.Prepare(learn.Spec{Map: m, Preparation: p}, X, labels))(t)
	l := need.Value(learn.NewLearner(spec))(t)
	need.OK(t, l.Add(X, labels, nil))
	fitted := need.Value(l.Fit(learn.RidgeOptions{}))(t)
	write(t, folder, "m.json", string(need.Value(model.MarshalModel(fitted, model.Options{}))(t)))
	write(t, folder, "sums.tsm", string(need.Value(model.MarshalLearnerBinary(l))(t)))

	r := mustCall(t, folder, nil, "predict", "rows.csv", "--model", "m.json", "--label", "kind")
	want := "kind,prediction,why\n"
	for i, predicted := range need.Value(fitted.Predict(X))(t) {
		want += fmt.Sprintf("%v,%v,\n", labels[i].Value(), predicted.Value())
	}
	if r.stdout != want || !strings.Contains(r.stderr, `12 cells of column "x" are missing, and the model fills them`) {
		t.Errorf("predict: %s\n%s\nwant\n%s", r.stderr, r.stdout, want)
	}
	mustCall(t, folder, nil, "fit", "rows.csv", "--like", "sums.tsm", "--label", "kind", "--moments", "again.tsm")
	if read(t, filepath.Join(folder, "again.tsm")) != read(t, filepath.Join(folder, "sums.tsm")) {
		t.Error("the sums of the shell are other ones")
	}
	mustCall(t, folder, nil, "fit", "rows.csv", "--label", "y", "--task", "regress", "--components", "16", "--search",
		"off", "--moments", "own.tsm")
	if r := call(t, folder, nil, "fit", "rows.csv", "--like", "own.tsm", "--use", "x", "--moments", "x.tsm"); r.status !=
		wrongUsage || !strings.Contains(r.stderr, "--use contradicts own.tsm, which has its own columns") {
		t.Errorf("fit --like own.tsm --use x: status %d, %s", r.status, r.stderr)
	}
	const noModel = " holds sums of rows, and no model; fit one to them with --from"
	for line, want := range map[string]string{
		"predict rows.csv --model own.tsm":                          "own.tsm" + noModel,
		"export --model sums.tsm -o m.onnx":                         "sums.tsm" + noModel,
		"predict rows.csv --model m.json --label kind --interval 9": "--interval must be ",
	} {
		if r := call(t, folder, nil, strings.Fields(line)...); r.status == done || !strings.Contains(r.stderr, want) {
			t.Errorf("%s: status %d, %s, want %q", line, r.status, r.stderr, want)
		}
	}
	write(t, folder, "far.csv", "x,y,kind\n1,99,inner\n")
	r = call(t, folder, nil, "fit", "far.csv", "--like", "own.tsm", "--moments", "x.tsm")
	want = "the label 99 is outside --target-range; make the sums of --like with a wider one, or leave the row out."
	if r.status != failed || !strings.Contains(r.stderr, want) {
		t.Errorf("fit --like own.tsm: status %d, %s, want %q", r.status, r.stderr, want)
	}
}

// A column of numbers whose first 600 cells are empty is learned from as one whose last are, in each format.
func TestLateNumbers(t *testing.T) {
	folder := t.TempDir()
	csv, lines, other := "x,late,day,kind\n", "", "x,late,day,kind\n"
	for i := range 900 {
		x, late := float64(i*7919%1000)/1000, float64(i*104729%1000)/1000
		kind := "no"
		if x+late > 1 {
			kind = "yes"
		}
		full := fmt.Sprintf("%g,%g,2026-01-%02d,%s\n", x, late, i%28+1, kind)
		if i < 600 {
			csv += fmt.Sprintf("%g,,,%s\n", x, kind)
			lines += fmt.Sprintf(`{"x":%g,"late":null,"day":null,"kind":"%s"}`+"\n", x, kind)
		} else {
			csv, other = csv+full, other+full
			lines += fmt.Sprintf(`{"x":%g,"late":%g,"day":"2026-01-%02d","kind":"%s"}`+"\n", x, late, i%28+1, kind)
		}
	}
	write(t, folder, "late.csv", csv)
	write(t, folder, "late.jsonl", lines)
	write(t, folder, "full.csv", other)
	for _, name := range []string{"late.csv", "late.jsonl"} {
		args := append([]string{"fit", name, "--label", "kind", "-o", name + ".json"}, oneCandidate...)
		if r := mustCall(t, folder, nil, args...); !strings.Contains(r.stderr, `1200 cells of 2 columns are missing`) &&
			!strings.Contains(r.stderr, `600 cells of column "late" are missing, and the model learns`) {
			t.Errorf("%s: %s", name, r.stderr)
		}
		judged := object(t, mustCall(t, folder, nil, "evaluate", "full.csv", "--model", name+".json", "--json").stdout)
		if got := judged["accuracy"].(map[string]any)["value"].(float64); got < .9 {
			t.Errorf("%s: accuracy %g", name, got)
		}
	}
}

// Rows without any label are an error, and not an accuracy of NaN.
func TestEvaluateWithoutLabels(t *testing.T) {
	folder := samples(t)
	mustCall(t, folder, nil, append([]string{"fit", "rings.csv", "--label", "ring", "-o", "m.json"}, oneCandidate...)...)
	mustCall(t, folder, nil, append([]string{"fit", "rings.csv", "--label", "height", "-o", "n.json"}, oneCandidate...)...)
	write(t, folder, "none.csv", "x,y,height,ring\n1,2,3,\n4,5,6,\n")
	write(t, folder, "words.csv", "x,y,height,ring\n1,2,three,inner\n4,5,six,inner\n")
	for line, want := range map[string]string{
		"evaluate none.csv --model m.json":  "none.csv, line 2: none of the 2 rows can be used: the label is missing; ",
		"evaluate words.csv --model n.json": "words.csv, line 2: none of the 2 rows can be used: \"three\" is not a number; ",
	} {
		r := call(t, folder, nil, strings.Fields(line)...)
		if r.status != failed || !strings.HasPrefix(r.stderr, "tensorsketch: "+want) || r.stdout != "" {
			t.Errorf("%s: status %d, %s%s, want %q", line, r.status, r.stdout, r.stderr, want)
		}
	}
}

// Labels with another unit than the model are counted, as other cells are.
func TestEvaluateUnits(t *testing.T) {
	folder := samples(t)
	mustCall(t, folder, nil, append([]string{"fit", "rings.csv", "--label", "height", "-o", "n.json"}, oneCandidate...)...)
	write(t, folder, "cents.csv", "x,y,height,ring\n1,2,3%,inner\n4,5,6 %,inner\n-1,1,2,inner\n")
	r := mustCall(t, folder, nil, "evaluate", "cents.csv", "--model", "n.json")
	const want = `2 numbers of column "height" have "%" beside them, which others have not, and count as hundredths`
	if !strings.Contains(r.stderr, want) {
		t.Errorf("evaluate said %s, want %s", r.stderr, want)
	}
}

// A file that is no model, or no sums, is said to be none, whatever it is.
func TestWrongModelFiles(t *testing.T) {
	folder := samples(t)
	mustCall(t, folder, nil, append([]string{"fit", "rings.csv", "--label", "ring", "-o", "m.json"}, oneCandidate...)...)
	mustCall(t, folder, nil, "transform", "rings.csv", "--no-label", "--components", "4", "--save-model", "map.json",
		"-o", "o.csv")
	write(t, folder, "cut.json", read(t, filepath.Join(folder, "m.json"))[:300])
	write(t, folder, "list.json", "[1]")
	write(t, folder, "other.json", `{"a":1}`)
	write(t, folder, "bytes.json", "PAR1\xff\x00")
	write(t, folder, "empty.json", "")
	const none = ": it holds no model; give one that fit has saved"
	const cut = " begins as a saved model or sums, and is cut off or damaged; give another copy, or save it again"
	const noSums = ": it holds no sums of rows; give some that fit has saved"
	for line, want := range map[string]string{
		"predict rings.csv --model rings.csv":    "rings.csv" + none,
		"evaluate rings.csv --model list.json":   "list.json" + none,
		"export --model other.json -o m.onnx":    "other.json" + none,
		"transform rings.csv --model bytes.json": "bytes.json" + none,
		"predict rings.csv --model empty.json":   "empty.json" + none,
		"predict rings.csv --model cut.json":     "cut.json" + cut,
		"predict rings.csv --model map.json": "map.json: head is missing: this file has a map without a model " +
			"that predicts",
		"merge m.json -o x.tsm":                                    "m.json" + noSums,
		"merge rings.csv -o x.tsm":                                 "rings.csv" + noSums,
		"fit --from cut.json -o x.json":                            "cut.json" + cut,
		"fit rings.csv --like other.json -o x.json":                "other.json" + noSums,
		"predict rings.csv --model m.json --novelty rings-new.csv": "rings-new.csv" + noSums,
	} {
		r := call(t, folder, nil, strings.Fields(line)...)
		if r.status != failed || r.stderr != "tensorsketch: "+want+"\n" {
			t.Errorf("%s: status %d, %s, want %q", line, r.status, r.stderr, want)
		}
	}
}

// Sums and rows under their model give one comparison, which finds a difference where there is one.
func TestCompare(t *testing.T) {
	folder := samples(t)
	lines := strings.SplitAfter(read(t, "testdata/rings.csv"), "\n")
	kinds := map[string]string{"inner": lines[0], "outer": lines[0], "few": strings.Join(lines[:6], "")}
	for _, line := range lines[1:] {
		for _, kind := range []string{"inner", "outer"} {
			if strings.Contains(line, kind) {
				kinds[kind] += line
			}
		}
	}
	for name, text := range kinds {
		write(t, folder, name+".csv", text)
	}
	flags := append(rings, "rings.csv", "--quiet", "-o", "m.json", "--moments", "a.tsm")
	mustCall(t, folder, nil, with("fit", flags...)...)
	mustCall(t, folder, nil, "fit", "rings-new.csv", "--like", "a.tsm", "--moments", "b.tsm")
	var sums, rows, apart struct {
		Rows           []int64
		MMD2, StdError float64
		PValue         float64
	}
	for call, to := range map[string]any{"a.tsm b.tsm": &sums, "rings.csv rings-new.csv --model m.json": &rows,
		"inner.csv outer.csv --model m.json": &apart} {
		r := mustCall(t, folder, nil, with("compare", append(strings.Fields(call), "--json")...)...)
		need.OK(t, json.Unmarshal([]byte(r.stdout), to))
	}
	if fmt.Sprint(sums.Rows) != "[300 100]" || !(math.Abs(sums.PValue-rows.PValue) < 1e-3) || !(sums.PValue > 0.01) {
		t.Errorf("sums give %+v, rows %+v", sums, rows)
	}
	if !(apart.PValue < sums.PValue) || !(apart.StdError > 0) {
		t.Errorf("inner and outer rows: %+v", apart)
	}
	for line, want := range map[string]string{
		"a.tsm":                                    "name two files",
		"inner.csv outer.csv":                      "files of rows need --model",
		"inner.csv few.csv --model m.json":         "rows must be at least 10 in each set",
		"a.tsm b.tsm --use x":                      "--use contradicts sums",
		"a.tsm b.tsm --key-file k":                 "--key-file is for a --model",
		"inner.csv few.csv --model m.json --use x": "--use contradicts m.json",
	} {
		if r := call(t, folder, nil, with("compare", strings.Fields(line)...)...); r.status == done ||
			!strings.Contains(r.stderr, want) {
			t.Errorf("compare %s: status %d, %q, want %q", line, r.status, r.stderr, want)
		}
	}
}

// A model of several targets comes from Go, JavaScript or Python: each has a column, and the label of a file is none of
// them.
func TestSeveralTargets(t *testing.T) {
	folder := t.TempDir()
	text, X, targets := "x,y,kind\n", sketch.Dense{}, []float64{}
	for i := range 60 {
		x, y := float64(i%7), float64(i%11)
		text += fmt.Sprintf("%v,%v,%v\n", x, y, x)
		X, targets = append(X, float32(x), float32(y)), append(targets, x*y, x-y)
	}
	write(t, folder, "rows.csv", text)
	m := need.Value(sketch.NewFeatureMap(sketch.Params{NFeatures: 2, NComponents: 16, Degree: 2, Coef0: 1}))(t)
	spec := need.Value(learn.PrepareTargets(learn.Spec{Map: m, Task: learn.TaskRegress, Targets: 2}, X, targets))(t)
	l := need.Value(learn.NewLearner(spec))(t)
	need.OK(t, l.AddTargets(X, targets, nil))
	fitted := need.Value(l.Fit(learn.RidgeOptions{}))(t)
	write(t, folder, "m.json", string(need.Value(model.MarshalModel(fitted, model.Options{}))(t)))
	want, scores := "kind,prediction 1,prediction 2,why\n", need.Value(fitted.Scores(X))(t)
	for i := range 60 {
		want += fmt.Sprintf("%v,%v,%v,\n", X[2*i], scores[2*i], scores[2*i+1])
	}
	r := mustCall(t, folder, nil, "predict", "rows.csv", "--model", "m.json", "--label", "kind", "--json")
	if r.stdout != want || !strings.Contains(r.stderr, `"labelled":0`) {
		t.Errorf("predict: %s\n%s\nwant\n%s", r.stderr, r.stdout, want)
	}
	mustCall(t, folder, nil, "predict", "rows.csv", "--model", "m.json", "--label", "kind", "-o", "o.jsonl")
	first, _, _ := strings.Cut(read(t, filepath.Join(folder, "o.jsonl")), "\n")
	if !strings.Contains(first, `"prediction 1":`) || !strings.Contains(first, `"prediction 2":`) {
		t.Errorf("in lines of JSON: %s", first)
	}
	if r := call(t, folder, nil, "evaluate", "rows.csv", "--model", "m.json", "--label", "kind"); r.status == done {
		t.Errorf("evaluate: %s", r.stdout)
	}
}

// What evaluate counts is what predict writes, for each loss; predictions are the same in all formats.
func TestPredictAndEvaluate(t *testing.T) {
	folder := samples(t)
	for _, loss := range []string{"squared", "squared-hinge --C 100", "logistic --C 100"} {
		flags := append(rings, strings.Fields("--loss "+loss)...)
		fitted := mustCall(t, folder, nil, with("fit", append(flags, "rings.csv", "--json", "-o", "m.json")...)...).stdout
		if !json.Valid([]byte(fitted)) { // NaN, such as an R² of a loss that has none, is no JSON
			t.Errorf("%s: fit prints %s", loss, fitted)
		}
		predicted := mustCall(t, folder, nil, "predict", "rings-new.csv", "--model", "m.json", "--probabilities").stdout
		records := need.Value(csv.NewReader(strings.NewReader(predicted)).ReadAll())(t)
		if got := strings.Join(records[0], ","); got != "ring,prediction,probability inner,probability outer,why" {
			t.Errorf("%s: the columns are %s", loss, got)
		}
		confusion, logLoss := map[string]int{}, 0.0
		for _, row := range records[1:] {
			confusion[row[0]+" "+row[1]]++
			inner, outer := number(t, row[2]), number(t, row[3])
			if math.Abs(inner+outer-1) > 1e-12 {
				t.Fatalf("%s: probabilities %v and %v", loss, inner, outer)
			}
			logLoss -= math.Log(map[string]float64{"inner": inner, "outer": outer}[row[0]]) / 100
		}
		var e struct {
			Rows      int
			Classes   []string
			Accuracy  struct{ Value, Low, High float64 }
			Confusion [][]int
			LogLoss   float64
		}
		text := mustCall(t, folder, nil, "evaluate", "rings-new.csv", "--model", "m.json", "--json").stdout
		need.OK(t, json.Unmarshal([]byte(text), &e))
		for i, is := range e.Classes {
			for j, as := range e.Classes {
				if e.Confusion[i][j] != confusion[is+" "+as] {
					t.Errorf("%s: %d of %s are predicted as %s, and predict has %d", loss, e.Confusion[i][j], is, as,
						confusion[is+" "+as])
				}
			}
		}
		right := float64(e.Confusion[0][0]+e.Confusion[1][1]) / 100
		inside := e.Accuracy.Low < right && right < e.Accuracy.High
		if e.Rows != 100 || e.Accuracy.Value != right || right < 0.95 || !inside {
			t.Errorf("%s: %d rows, accuracy %+v, want %v and at least 0.95", loss, e.Rows, e.Accuracy, right)
		}
		if math.Abs(e.LogLoss-logLoss) > 1e-9 {
			t.Errorf("%s: log loss %v, and by predict %v", loss, e.LogLoss, logLoss)
		}
		for _, format := range []string{"parquet", "jsonl"} {
			mustCall(t, folder, nil, "predict", "rings-new.csv", "--model", "m.json", "--probabilities", "-o", "p."+format)
			again := mustCall(t, folder, nil, "transform", "p."+format, "--keep", "prediction,ring", "--no-label", "--quiet",
				"--components", "2").stdout
			lines := strings.Split(strings.TrimSpace(again), "\n")
			if len(lines) != 101 {
				t.Fatalf("%s: %d lines", format, len(lines))
			}
			for i, row := range records[1:] {
				if !strings.Contains(lines[i+1]+",", row[1]+",") {
					t.Errorf("%s: row %d is %s, want prediction %s", format, i, lines[i+1], row[1])
				}
			}
		}
	}
}

// TestPredictColumnar: Parquet and Arrow have predicted numbers and scores of 64 bits as columns with the names that a
// CSV has.
func TestPredictColumnar(t *testing.T) {
	folder := samples(t)
	for _, c := range []struct{ label, names string }{
		{"height", "height,prediction,low,high,why"},
		{"ring", "ring,prediction,score inner,score outer,probability inner,probability outer,set,why"},
	} {
		mustCall(t, folder, nil, "fit", "rings.csv", "--quiet", "--label", c.label, "--use", "x,y", "--components", "64",
			"-o", "m.json")
		more := []string{"--interval", "0.9", "--quiet", "--row-numbers"}
		if c.label == "ring" {
			more = append(more, "--scores", "--probabilities")
		}
		predict := func(out string) {
			mustCall(t, folder, nil, append([]string{"predict", "rings-new.csv", "--model", "m.json", "-o", out}, more...)...)
		}
		predict("p.csv")
		var want []string
		for _, line := range strings.Split(read(t, filepath.Join(folder, "p.csv")), "\n") {
			_, rest, _ := strings.Cut(line, ",")
			want = append(want, rest)
		}
		if want[0] != c.names {
			t.Errorf("the header is %s, want %s", want[0], c.names)
		}
		for _, format := range []string{"parquet", "arrow"} {
			predict("p." + format)
			kept := mustCall(t, folder, nil, "transform", "p."+format, "--number", "row", "--keep", c.names, "--no-label",
				"--components", "1", "--degree", "1", "--quiet").stdout
			for i, line := range strings.Split(kept, "\n") {
				if got := line[:max(0, strings.LastIndexByte(line, ','))]; got != want[i] {
					t.Fatalf("%s: line %d is %s, of the CSV %s", format, i, got, want[i])
				}
			}
		}
	}
}

// TestFormatsOfPredict: each format that the help lists has a place for predictions.
func TestFormatsOfPredict(t *testing.T) {
	folder := samples(t)
	mustCall(t, folder, nil, "fit", "rings.csv", "--quiet", "--label", "ring", "--search", "off", "--components", "8",
		"-o", "m.json")
	help := mustCall(t, folder, nil, "predict", "--help").stdout
	_, list, _ := strings.Cut(help, "--to FORMAT ")
	list, _, _ = strings.Cut(list, ";")
	formats := strings.Fields(list)
	if len(formats) < 5 {
		t.Fatalf("the help lists %q", formats)
	}
	for _, format := range formats {
		mustCall(t, folder, nil, "predict", "rings-new.csv", "--quiet", "--model", "m.json", "--to", format, "-o", "p")
	}
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	return need.Value(strconv.ParseFloat(text, 64))(t)
}

// Numbers are predicted where the label has fractions, and R² is about the predictions.
func TestRegression(t *testing.T) {
	folder := samples(t)
	mustCall(t, folder, nil, "fit", "rings.csv", "--quiet", "--label", "height", "--use", "x,y", "--unit-norm=false",
		"--components", "64", "-o", "m.json")
	records := need.Value(csv.NewReader(strings.NewReader(mustCall(t, folder, nil, "predict", "rings-new.csv", "--model",
		"m.json").stdout)).ReadAll())(t)
	column := map[string]int{}
	for i, name := range records[0] {
		column[name] = i
	}
	sum, squares, misses := 0.0, 0.0, 0.0
	for _, row := range records[1:] {
		y, p := number(t, row[column["height"]]), number(t, row[column["prediction"]])
		sum, squares, misses = sum+y, squares+y*y, misses+(y-p)*(y-p)
	}
	want := 1 - misses/(squares-sum*sum/100)
	var e struct {
		Task     string
		R2, RMSE struct{ Value float64 }
	}
	need.OK(t, json.Unmarshal([]byte(mustCall(t, folder, nil, "evaluate", "rings-new.csv", "--model", "m.json",
		"--json").stdout), &e))
	if e.Task != "regress" || math.Abs(e.R2.Value-want) > 1e-9 || want < 0.98 ||
		math.Abs(e.RMSE.Value-math.Sqrt(misses/100)) > 1e-9 {
		t.Errorf("%+v, want R² %v and at least 0.98", e, want)
	}
}

// The example of a model in docs/SPEC.md, which another program wrote: its labels are false, 3 and "b".
func TestModelOfTheSpec(t *testing.T) {
	folder := t.TempDir()
	spec := read(t, filepath.Join("..", "..", "docs", "SPEC.md"))
	for line := range strings.Lines(spec) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, `{"format":"tensorsketch-model"`) &&
			strings.Contains(line, `"head":`) {
			write(t, folder, "m.json", line)
		}
	}
	r := mustCall(t, folder, strings.NewReader("a,b\n1,-0.5\n"), "predict", "-", "--model", "m.json", "--probabilities",
		"--to", "jsonl")
	var got map[string]any
	need.OK(t, json.Unmarshal([]byte(r.stdout), &got))
	for name, want := range map[string]float64{"probability false": 0.743044331, "probability 3": 0.044068961,
		"probability b": 0.212886707} {
		if p, ok := got[name].(float64); !ok || math.Abs(p-want) > 1e-9 {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
	if got["prediction"] != "false" {
		t.Errorf("the prediction is %v", got["prediction"])
	}
	labelled := "a,b,label\n1,-0.5,false\n1,-0.5,0\n1,-0.5,3\n1,-0.5,3.0\n1,-0.5,b\n1,-0.5,c\n"
	r = call(t, folder, strings.NewReader(labelled), "evaluate", "-", "--model", "m.json", "--json")
	for _, want := range []string{`"confusion":[[2,0,0],[2,0,0],[1,0,0]]`, `"unknown":1,`} {
		if r.status != done || !strings.Contains(r.stdout, want) {
			t.Errorf("%s%s, want %s", r.stdout, r.stderr, want)
		}
	}
}

// Labels that stand in a file of their own belong to the rows in order.
func TestLabelFile(t *testing.T) {
	folder := samples(t)
	var X, y strings.Builder
	for i, row := range need.Value(csv.NewReader(strings.NewReader(read(t, "testdata/rings.csv"))).ReadAll())(t) {
		fmt.Fprintln(&X, strings.Join(row[:2], ","))
		if i > 0 {
			fmt.Fprintln(&y, row[3])
		}
	}
	write(t, folder, "X.csv", X.String())
	write(t, folder, "y.txt", y.String())
	args := []string{"--unit-norm=false", "--components", "32", "--search", "off", "--quiet", "-o"}
	mustCall(t, folder, nil, with("fit", append([]string{"X.csv", "--labels", "y.txt"}, append(args, "m.json")...)...)...)
	r := mustCall(t, folder, nil, "evaluate", "X.csv", "--labels", "y.txt", "--model", "m.json")
	if !regexp.MustCompile("rows      300\naccuracy  (9|100)").MatchString(r.stdout) {
		t.Errorf("evaluate says\n%s", r.stdout)
	}
	mustCall(t, folder, nil, with("fit", append(rings, "rings.csv", "--quiet", "--seed", "0", "-o", "own.json")...)...)
	own := mustCall(t, folder, nil, "evaluate", "rings.csv", "--model", "own.json")
	if own.stdout != r.stdout {
		t.Errorf("with labels of their own\n%s, and in the file\n%s", r.stdout, own.stdout)
	}
	write(t, folder, "few.txt", "inner\nouter\n")
	write(t, folder, "many.txt", y.String()+"inner\n")
	for file, want := range map[string]string{
		"few.txt":  "few.txt: it has fewer labels than there are rows; give one for each.",
		"many.txt": "many.txt: it has more labels than there are rows; give one for each.",
	} {
		r := call(t, folder, nil, with("fit", append([]string{"X.csv", "--labels", file}, append(args, "x.json")...)...)...)
		if r.status != failed || r.stderr != "tensorsketch: "+want+"\n" {
			t.Errorf("%s: status %d, %q", file, r.status, r.stderr)
		}
	}
}

// Each call about models, its exit status and all of what it says.
func TestCallsOfModels(t *testing.T) {
	folder := samples(t)
	mustCall(t, folder, nil, with("fit", append(rings, "rings.csv", "--quiet", "--moments", "a.tsm", "-o",
		"m.json")...)...)
	mustCall(t, folder, nil, "fit", "rings.csv", "--quiet", "--label", "height", "--use", "x,y", "--unit-norm=false",
		"--components", "8", "--search", "off", "--moments", "h.tsm", "-o", "h.json")
	mustCall(t, folder, nil, "fit", "rings-new.csv", "--quiet", "--label", "ring", "--use", "x,y", "--unit-norm=false",
		"--components", "32", "--seed", "3", "--search", "off", "--moments", "b.tsm")
	mustCall(t, folder, nil, "fit", "rings.csv", "--quiet", "--label", "ring", "--use", "x,y", "--folds", "0",
		"--search", "off", "-o", "plain.json")
	write(t, folder, "one.csv", "x,y,ring\n1,2,inner\n2,1,inner\n0,3,inner\n")
	write(t, folder, "unlabelled.csv", "x,y\n1,2\n2,1\n")
	write(t, folder, "gaps.csv", "x,y,ring\n1,2,inner\n2,1,\n-2,1,outer\n1,1,inner\n")
	cut := read(t, filepath.Join(folder, "a.tsm"))
	write(t, folder, "cut.tsm", cut[:len(cut)-8])
	for _, c := range []struct {
		call   string
		status int
	}{
		{"fit rings.csv", wrongUsage},
		{"fit -o x.json", wrongUsage},
		{"fit rings.csv -o x.json --loss hinge", wrongUsage},
		{"fit rings.csv -o x.json --C 2", wrongUsage},
		{"fit rings.csv -o x.json --loss logistic --alpha 2", wrongUsage},
		{"fit rings.csv -o x.json --alpha 0", wrongUsage},
		{"fit rings.csv -o x.json --folds 2", wrongUsage},
		{"fit rings.csv -o x.json --target-range 3,1", wrongUsage},
		{"fit rings.csv -o x.json --radius 2", wrongUsage},
		{"fit rings.csv -o x.json --no-label", wrongUsage},
		{"fit rings.csv -o x.json --quiet --components 5000", wrongUsage},
		{"fit rings.csv -o x.json --loss logistic --moments x.tsm", wrongUsage},
		{"fit rings.csv -o x.json --from a.tsm", wrongUsage},
		{"fit --from a.tsm -o x.json --degree 2", wrongUsage},
		{"fit rings.csv --like a.tsm -o x.json --scaling none", wrongUsage},
		{"fit one.csv --label ring -o x.json --quiet", failed},
		{"fit one.csv --label ring -o x.json --quiet --loss logistic", failed},
		{"fit rings.csv --label ring --use x,y --classes inner -o x.json --quiet", wrongUsage},
		{"fit rings.csv --label ring --use x,y --classes inner,middle -o x.json --quiet", failed},
		{"fit rings.csv --label height --use x,y --target-range 0,1 --task regress -o x.json --quiet", failed},
		{"fit gaps.csv --label ring --unit-norm=false --components 8 --moments x.tsm", done},
		{"fit unlabelled.csv --like a.tsm --moments x.tsm", failed},

		{"predict rings.csv", wrongUsage},
		{"predict rings.csv --model model.json", failed},
		{"predict rings.csv --model none.json", failed},
		{"predict rings.csv --model h.json --probabilities", wrongUsage},
		{"predict rings.csv --model plain.json --probabilities", wrongUsage},
		{"predict rings.csv --model m.json --to libsvm", wrongUsage},
		{"predict odd.csv --model m.json", failed},
		{"predict rings.csv --model m.json --use x", wrongUsage},
		{"evaluate unlabelled.csv --model m.json", failed},

		{"export m.json -o x.onnx", wrongUsage},
		{"export -o x.onnx", wrongUsage},
		{"export --model m.json", wrongUsage},
		{"export --model none.json -o x.onnx", failed},
		{"export --model m.json -o x.onnx", done},
		{"export --model model.json -o x.onnx", done},
		{"merge -o x.tsm", wrongUsage},
		{"merge a.tsm b.tsm", wrongUsage},
		{"merge a.tsm b.tsm -o x.tsm", failed},
		{"merge a.tsm h.tsm -o x.tsm", failed},
		{"merge rings.csv -o x.tsm", failed},
	} {
		r := call(t, folder, strings.NewReader(""), strings.Fields(c.call)...)
		golden.Say(t, c.call, r.stderr)
		if r.status != c.status {
			t.Errorf("tensorsketch %s\n ended with %d, want %d; it said %s", c.call, r.status, c.status, r.stderr)
		}
		if _, err := os.Stat(filepath.Join(folder, "x.json")); err == nil && c.status != done {
			t.Errorf("tensorsketch %s wrote a model", c.call)
		}
	}
	if r := call(t, folder, nil, "merge", "cut.tsm", "-o", "x.tsm"); r.status != failed ||
		!strings.HasPrefix(r.stderr, "tensorsketch: cut.tsm: ") || strings.Count(r.stderr, "\n") != 1 {
		t.Errorf("a file that is cut off: status %d, %q", r.status, r.stderr)
	}
}

// Ctrl-C ends a fit, and no model is written.
func TestFitStops(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a program there gets no interrupt from another")
	}
	folder := samples(t)
	c := exec.Command(program, with("fit", append(rings, "-", "-o", "m.json")...)...)
	c.Dir = folder
	stdin := need.Value(c.StdinPipe())(t)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	need.OK(t, c.Start())
	head, rows, _ := strings.Cut(read(t, "testdata/rings.csv"), "\n")
	_, err := io.WriteString(stdin, head+"\n"+strings.Repeat(rows, 1+200_000/len(rows))) // a pipe holds less: it reads
	need.OK(t, err)
	time.Sleep(100 * time.Millisecond) // it waits for the rest
	need.OK(t, c.Process.Signal(os.Interrupt))
	if err := c.Wait(); c.ProcessState.ExitCode() != failed ||
		stderr.String() != "tensorsketch: stopped, and no output was written\n" {
		t.Errorf("%v, %q", err, stderr.String())
	}
	if left := need.Value(filepath.Glob(filepath.Join(folder, "m.json*")))(t); len(left) > 0 {
		t.Errorf("%q is there", left)
	}
}

// Learners of real data: what the defaults reach, and that a pipe gives the same model. With -short, a quarter of the
// digits is learned from, and nothing else.
func TestSharedModels(t *testing.T) {
	path := func(name string) string { return cases.Data(t, name) }
	folder := t.TempDir()
	digits, rows, least := path("digits.csv"), 3823, 0.975
	if testing.Short() {
		rows, least = 956, 0.95
	}
	lines := strings.SplitAfter(read(t, digits), "\n")
	write(t, folder, "train.csv", strings.Join(lines[:rows+1], ""))
	write(t, folder, "test.csv", lines[0]+strings.Join(lines[3824:], ""))
	accuracy := func(args ...string) float64 {
		var e struct{ Accuracy, R2 struct{ Value float64 } }
		need.OK(t, json.Unmarshal([]byte(mustCall(t, folder, nil, with("evaluate", append(args, "--model", "m.json",
			"--json")...)...).stdout), &e))
		return e.Accuracy.Value + e.R2.Value
	}
	mustCall(t, folder, nil, "fit", "train.csv", "--label", "digit", "--quiet", "-o", "m.json")
	if got := accuracy("test.csv"); got < least {
		t.Errorf("digits: accuracy %v", got)
	}
	if testing.Short() {
		return
	}
	model := read(t, filepath.Join(folder, "m.json"))
	mustCall(t, folder, strings.NewReader(read(t, filepath.Join(folder, "train.csv"))), "fit", "-", "--label", "digit",
		"--quiet", "-o", "m.json")
	if read(t, filepath.Join(folder, "m.json")) != model {
		t.Error("digits: a pipe gives another model")
	}
	mustCall(t, folder, nil, "fit", path("a9a.libsvm.gz"), "--components", "256", "--quiet", "-o", "m.json")
	if got := accuracy(path("a9a.t.libsvm.gz")); got < 0.84 {
		t.Errorf("a9a: accuracy %v", got)
	}
	images, labels := path("mnist-t10k-images-idx3-ubyte.gz"), path("mnist-t10k-labels-idx1-ubyte.gz")
	mustCall(t, folder, nil, "fit", images, "--labels", labels, "--components", "256", "--quiet", "-o", "m.json")
	if got := accuracy(images, "--labels", labels); got < 0.9 {
		t.Errorf("MNIST: accuracy on what it was fitted to %v", got)
	}
}

// A fit that fails says which rows it has left out: they may be why. It said nothing of them.
func TestNotesOfAFailure(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, "rows.jsonl", `{"a":1,"b":[1,2],"y":"no"}`+"\n"+strings.Repeat(`{"a":2,"b":3,"y":"yes"}`+"\n", 9))
	r := call(t, folder, nil, "fit", "rows.jsonl", "--label", "y", "-o", "m.json")
	if want := `9 rows are left out, the first at line 2, key "b": there is no list of 2 numbers`; r.status == done ||
		strings.Count(r.stderr, want) != 1 {
		t.Errorf("status %d\n%s", r.status, r.stderr)
	}
}
