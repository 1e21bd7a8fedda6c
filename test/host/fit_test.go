package host

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/prepare"
	"tensorsketch.example/sketch/model"
	"tensorsketch.example/test/need"
)

// A caller calls functions of the module with texts for results.
type caller struct {
	*testing.T
	*Host
}

func (c caller) try(function string, block []byte, rows int) ([]string, error) {
	out, err := c.Call(c.Context(), "tensorsketch_"+function, block, rows)
	return ReadTexts(out), err
}

func (c caller) call(function string, block []byte, rows int) []string {
	c.Helper()
	return need.Value(c.try(function, block, rows))(c.T)
}

// rings returns n rows of 3 numbers with labels, and their CSV. A label that is a number is written as one.
func rings(n int, label func(x []float32) string) (X sketch.Dense, labels []string, csv string) {
	X = randomRows(n, 3)
	text := new(strings.Builder)
	text.WriteString("a,b,c,y\n")
	for i := range n {
		x := X[3*i : 3*i+3]
		labels = append(labels, label(x))
		for _, v := range x {
			text.WriteString(strconv.FormatFloat(float64(v), 'g', -1, 32) + ",")
		}
		text.WriteString(labels[i] + "\n")
	}
	return X, labels, text.String()
}

func byRadius(x []float32) string { return []string{"in", "out"}[int(min(1, 2*(x[0]*x[0]+x[1]*x[1])))] }

// TestFit: rows that are summed in parts, merged and fitted give the model file of the shell, and so does a Spec of
// JSON.
func TestFit(t *testing.T) {
	c, folder := caller{t, start(t)}, t.TempDir()
	shell := filepath.Join(folder, "tensorsketch")
	run(t, ".", "go", "build", "-o", shell, repo+"/cmd/tensorsketch")
	for name, label := range map[string]func([]float32) string{
		"texts":   byRadius,
		"numbers": func(x []float32) string { return []string{"1", "2.5", "-7"}[int(math.Abs(float64(3*x[0])))%3] },
		"targets": func(x []float32) string { return strconv.FormatFloat(float64(x[0]*x[1]), 'g', -1, 64) },
	} {
		X, labels, csv := rings(500, label)
		need.OK(t, os.WriteFile(filepath.Join(folder, "t.csv"), []byte(csv), 0o644))
		run(t, folder, shell, strings.Fields("fit t.csv --label y --search off --components 48 --scaling none "+
			"--unit-norm=false --no-rows --moments start.tsm")...)
		run(t, folder, shell, strings.Fields("fit t.csv --like start.tsm -o model.json")...)
		file := string(need.Value(os.ReadFile(filepath.Join(folder, "start.tsm")))(t))
		want := need.Value(os.ReadFile(filepath.Join(folder, "model.json")))(t)
		l := need.Value(model.UnmarshalLearner([]byte(file), nil))(t)
		spec := string(need.Value(model.MarshalSpec(l))(t))
		if len(spec) > 3000 {
			t.Errorf("%s: the Spec has %d bytes", name, len(spec))
		}
		var block []byte
		for i := range 5 { // the Spec of the row before, its JSON, and the file of its learner
			block = AppendTable(block, []string{spec, "", "", file, ""}[i], X[300*i:300*i+300], 3, labels[100*i:100*i+100]...)
		}
		parts := c.call("sums", block, 5)
		two := c.call("merge", AppendList(AppendList(nil, parts[4], parts[1], parts[2]), parts[3], parts[0]), 2)
		all := c.call("merge", AppendList(nil, two...), 1)[0]
		got := c.call("fit", AppendTexts(nil, all, ""), 1)[0]
		if strings.TrimSpace(got) != string(bytes.TrimSpace(want)) {
			t.Errorf("%s: the model file differs from the shell's:\n%s\n%s", name, got, want)
		}
		need.OK(t, os.WriteFile(filepath.Join(folder, "all.tsm"), []byte(all), 0o644))
		run(t, folder, shell, strings.Fields("fit --from all.tsm --alpha 0.5 -o from.json")...)
		want = need.Value(os.ReadFile(filepath.Join(folder, "from.json")))(t)
		got = c.call("fit", AppendTexts(nil, all, `{"alpha":0.5}`), 1)[0]
		if strings.TrimSpace(got) != string(bytes.TrimSpace(want)) {
			t.Errorf("%s, alpha 0.5: the model file differs from the shell's", name)
		}
	}
}

// TestSpec: the Spec is the one of the search by package learn, and a model of it predicts rows with missing numbers.
func TestSpec(t *testing.T) {
	c := caller{t, start(t)}
	X, labels, _ := rings(200, byRadius)
	X[7] = float32(math.NaN())
	const options = `{"nComponents":32,"degree":2,"seed":3,"candidates":["polynomial-2"],"folds":1}`
	names := make([]learn.Label, len(labels))
	for i, label := range labels {
		names[i] = learn.TextLabel(label)
	}
	choices := learn.Choices{Candidates: []string{"polynomial-2"}, Mergeable: true, Seeded: true,
		Params: sketch.Params{NComponents: 32, Degree: 2, Seed: sketch.IntSeed(3)}}
	want, _, err := learn.Search(X, make([]prepare.Kind, 3), learn.Targets{Labels: names}, choices)
	need.OK(t, err)
	want.Folds, want.Keep, want.Classes = 1, 0, nil
	text := need.Value(model.MarshalSpec(need.Value(learn.NewLearner(want))(t)))(t)
	spec := c.call("spec", AppendTable(nil, options, X, 3, labels...), 1)[0]
	if spec != string(text) {
		t.Errorf("the Spec is\n%s\nwant\n%s", spec, text)
	}
	sums := c.call("sums", AppendTable(nil, spec, X, 3, labels...), 1)[0]
	fitted := c.call("fit", AppendTexts(nil, sums, ""), 1)[0]
	l := need.Value(learn.NewLearner(want))(t)
	need.OK(t, l.Add(X, names, nil))
	own := need.Value(need.Value(l.Fit(learn.RidgeOptions{}))(t).Predict(X))(t)
	for i, label := range c.call("predict", blockOf(fitted, X, 3), len(labels)) {
		if label != own[i].Value() {
			t.Errorf("row %d has the label %s, want %v", i, label, own[i])
		}
	}
}

// TestBadFit: what is wrong is an error by argument, value and remedy, also by the functions that say why.
func TestBadFit(t *testing.T) {
	c := caller{t, start(t)}
	specOf := func(seed uint64, task string, classes ...learn.Label) string {
		m := need.Value(sketch.New(sketch.Params{NFeatures: 2, NComponents: 8, Degree: 2, Seed: sketch.IntSeed(seed)}))(t)
		s := learn.Spec{Map: m, Task: task, Classes: classes, Radius: 2}
		if task == learn.TaskRegress {
			s.TargetRange = [2]float64{0, 10}
		}
		return string(need.Value(model.MarshalSpec(need.Value(learn.NewLearner(s))(t)))(t))
	}
	spec, other := specOf(1, learn.TaskClassify), specOf(2, learn.TaskClassify)
	given := specOf(1, learn.TaskClassify, learn.NumberLabel(1), learn.TextLabel("b"))
	numbers := specOf(1, learn.TaskRegress)
	X, nan := []float32{1, 0, 0, 1}, float32(math.NaN())
	sums := c.call("sums", AppendTable(nil, spec, X, 2, "a", "b"), 1)[0]
	foreign := c.call("sums", AppendTable(nil, other, X, 2, "a", "b"), 1)[0]
	one := c.call("sums", AppendTable(nil, spec, X, 2, "a", "a"), 1)[0]
	damaged := []byte(sums)
	damaged[len(damaged)-308] ^= 0x80
	end := len(damaged) - 8
	flipped := binary.LittleEndian.AppendUint64(bytes.Clone(damaged[:end]), uint64(crc32.ChecksumIEEE(damaged[:end])))
	for _, b := range []struct {
		function string
		block    []byte
		want     string
	}{
		{"sums", AppendTable(nil, "", X, 2, "a", "b"), "several were read before"},
		{"sums", AppendTable(nil, "{}", X, 2, "a", "b"), "spec: model: format is missing"},
		{"sums", AppendTable(nil, spec[:99], X, 2, "a", "b"), "spec: model: not a JSON object"},
		{"sums", AppendTable(nil, spec, nil, 2), "rows must be at least one"},
		{"sums", AppendTable(nil, spec, X[:3], 1, "a", "b", "c"), "rows[1] must have 2 numbers, got 1"},
		{"sums", AppendTable(nil, spec, X, 2, "a"), "labels must be 2, since there are 2 rows: lists of SQL may leave NULL"},
		{"sums", AppendTable(nil, spec, []float32{1, 0, 0, nan}, 2, "a", "b"), "rows[2][2] must be finite"},
		{"sums", AppendTable(nil, given, X, 2, "1.0", "c"), `labels[2] must be one of the classes that were given`},
		{"sums", AppendTable(nil, numbers, X, 2, "1", "red"), `labels[2] must be a finite number, since the task is ` +
			`regress, got "red"`},
		{"sums", AppendTable(nil, numbers, X, 2, "NaN", "2"), `labels[1] must be a finite number`},
		{"sums", AppendTable(nil, numbers, X, 2, "1", "11"), `labels[2] must be`},
		{"merge", AppendList(nil), "sums must be at least one"},
		{"merge", AppendList(nil, sums, foreign), "sums[2]: seed must be"},
		{"merge", AppendList(nil, sums, sums[:len(sums)-1]), "sums[2]: model: the file is damaged or cut off"},
		{"merge", AppendList(nil, sums, sums[:len(sums)-8]), "sums[2]: model: the file is damaged or cut off"},
		{"merge", AppendList(nil, sums, sums[:40]), "sums[2]: model: the file is damaged or cut off"},
		{"merge", AppendList(nil, string(damaged)), "sums[1]: model: the file is damaged or cut off"},
		{"merge", AppendList(nil, string(flipped)), "sums[1]: words["},
		{"merge", AppendList(nil, spec), "sums[1]: model: moments is missing"},
		{"fit", AppendTexts(nil, sums, "{"), "options: unexpected EOF"},
		{"fit", AppendTexts(nil, sums, `{"lambda":1}`), `options: unknown field "lambda"`},
		{"fit", AppendTexts(nil, sums, "[1]"), `options: they must be an object such as {"folds":5}, got array`},
		{"fit", AppendTexts(nil, sums, `{"alpha":"1"}`), "options: alpha must be a number, got string"},
		{"fit", AppendTexts(nil, sums, `{"alphaRange":[1,0]}`), "alphaRange must be two numbers, the lower first, got [1,0]"},
		{"fit", AppendTexts(nil, sums, `{"alphaRange":[1]}`), "alphaRange must be two numbers, the lower first, got [1]"},
		{"fit", AppendTexts(nil, sums, `{"alphaRange":[0,1]}`), "alphaRange must be two numbers > 0, the lower first, got 0"},
		{"fit", AppendTexts(nil, sums, `{"alpha":1,"alphaRange":[1,2]}`), "alphaRange must be left out beside alpha"},
		{"fit", AppendTexts(nil, sums, `{"alpha":1,"alphaCount":2}`), "alphaCount must be left out beside alpha"},
		{"fit", AppendTexts(nil, sums, `{"alphaCount":0}`), "alphaCount must be an integer ≥ 1, got 0"},
		{"spec", AppendTable(nil, `{"candidates":"linear"}`, X, 2, "a", "b"), "candidates must be a list, got string"},
		{"spec", AppendTable(nil, `{"degree":2.5}`, X, 2, "a", "b"), "degree must be an integer, got number 2.5"},
		{"spec", AppendTable(nil, `{"seed":-1}`, X, 2, "a", "b"), "seed must be an integer from 0 to 2^64 − 1, got"},
		{"spec", AppendTable(nil, `{"rows":-1}`, X, 2, "a", "b"), "rows must be at least 1, got -1"},
		{"spec", AppendTable(nil, `{"task":"regress","targetRange":[-1]}`, X, 2, "1", "2"),
			"targetRange must be two numbers, the lower first, got [-1]"},
		{"spec", AppendTable(nil, `{"task":"regress","targetRange":[0,1,2]}`, X, 2, "1", "2"),
			"targetRange must be two numbers, the lower first, got [0,1,2]"},
		{"spec", AppendTable(nil, `{"task":"regress","targetRange":[0,0]}`, X, 2, "1", "2"),
			"targetRange must be two numbers, the lower first, got 0 twice"},
		{"fit", AppendTexts(nil, sums, `{"alpha":-1}`), "alpha must be"},
		{"fit", AppendTexts(nil, one, ""), "classes must have rows of at least two"},
		{"fit", AppendTexts(nil, "", ""), "sums: model: not a JSON object"},
		{"spec", AppendTable(nil, `{"task":"rank"}`, X, 2, "a", "b"), `task must be "classify" or "regress", got "rank"`},
		{"spec", AppendTable(nil, `{"indicators":[3]}`, X, 2, "a", "b"), "indicators must be columns, 1 for the first, " +
			"got 3"},
		{"spec", AppendTable(nil, `{"nComponent":3}`, X, 2, "a", "b"), `unknown field "nComponent"`},
	} {
		_, err := c.try(b.function, b.block, 1)
		if err == nil || !strings.Contains(err.Error(), b.want) {
			t.Errorf("the error of %s is %v, want %q", b.function, err, b.want)
		}
		if why := c.call(b.function+"_error", b.block, 1)[0]; err != nil && "row 1: "+why != err.Error() {
			t.Errorf("%s_error says %q, and the error is %v", b.function, why, err)
		}
		for cut := range min(len(b.block), 40) { // a block that ends anywhere is an error
			if _, err := c.try(b.function, b.block[:cut], 1); err == nil {
				t.Errorf("%s of the first %d bytes has no error", b.function, cut)
			}
		}
	}
	mixed := AppendTable(AppendTable(nil, spec, X, 2, "a", "b"), "", X, 2, "a")
	if why := c.call("sums_error", mixed, 2); why[0] != "" || why[1] == "" {
		t.Errorf("sums_error of a good and a bad group says %q", why)
	}
	if again := c.call("sums", AppendTable(nil, spec, X, 2, "a", "b"), 1)[0]; again != sums {
		t.Error("after all errors the sums differ")
	}
}

// TestFitSpeed says how many rows a second sums take, and how much memory. Sums made again take no more.
func TestFitSpeed(t *testing.T) {
	c := caller{t, start(t)}
	const n, d, inGroup = 40_000, 64, 5_000
	for _, D := range []int{256, 1024} {
		m := need.Value(sketch.New(sketch.Params{NFeatures: d, NComponents: D, Degree: 2, Coef0: 1,
			Seed: sketch.IntSeed(5)}))(t)
		l := need.Value(learn.NewLearner(learn.Spec{Map: m, Task: learn.TaskClassify, Radius: 8, Folds: 1}))(t)
		spec := string(need.Value(model.MarshalSpec(l))(t))
		X := randomRows(n, d)
		labels := make([]string, inGroup)
		for i := range labels {
			labels[i] = fmt.Sprint(i % 3)
		}
		rows := n
		if !*long {
			rows = 2 * inGroup
		}
		var parts []string
		began := time.Now()
		for from := 0; from < rows; from += inGroup {
			parts = append(parts, c.call("sums", AppendTable(nil, spec, X[from*d:(from+inGroup)*d], d, labels...), 1)...)
		}
		took := time.Since(began)
		began = time.Now()
		all := c.call("merge", AppendList(nil, parts...), 1)[0]
		merged := time.Since(began)
		began = time.Now()
		c.call("fit", AppendTexts(nil, all, `{"alpha":1}`), 1)
		t.Logf("D %d: %.0f rows/s, %d bytes of sums, merge %v each, fit %v; the memory has %d MB", D,
			float64(rows)/took.Seconds(), len(all), merged/time.Duration(len(parts)), time.Since(began),
			c.module.Memory().Size()>>20)
		if !*long {
			break
		}
	}
}
