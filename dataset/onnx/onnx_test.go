package onnx

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/prepare"
	"tensorsketch.example/sketch/model"
)

// What runtimes make of the files is tested in test/tools/onnx.

// A parsed message has its fields by number: a uint64 for each varint, a string for everything else.
type parsed map[protowire.Number][]any

func parse(t *testing.T, text string) parsed {
	t.Helper()
	m, data := parsed{}, []byte(text)
	for len(data) > 0 {
		field, kind, n := protowire.ConsumeTag(data)
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		data = data[n:]
		var v any
		if kind == protowire.VarintType {
			v, n = protowire.ConsumeVarint(data)
		} else {
			var content []byte
			content, n = protowire.ConsumeBytes(data)
			v = string(content)
		}
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		data = data[n:]
		m[field] = append(m[field], v)
	}
	return m
}

func (m parsed) texts(field protowire.Number) (all []string) {
	for _, v := range m[field] {
		all = append(all, v.(string))
	}
	return all
}

func (m parsed) text(field protowire.Number) string { return strings.Join(m.texts(field), "|") }

// valueInfo writes an input or output: its name, type and shape.
func valueInfo(t *testing.T, text string) string {
	v := parse(t, text)
	of := parse(t, parse(t, v.text(2)).text(1))
	shape := []string{}
	for _, dim := range parse(t, of.text(2)).texts(1) {
		d := parse(t, dim)
		if size := d[1]; size != nil {
			shape = append(shape, fmt.Sprint(size[0]))
		} else {
			shape = append(shape, d.text(2))
		}
	}
	return fmt.Sprintf("%s %v %s", v.text(1), of[1][0], strings.Join(shape, "×"))
}

// opened checks what every file has, and returns its input and outputs, its metadata and its operators.
func opened(t *testing.T, file []byte) (values []string, metadata map[string]string, operators []string) {
	t.Helper()
	m := parse(t, string(file))
	opset := parse(t, m.text(8))
	if m[1][0] != uint64(8) || m.text(2) != "tensorsketch" || m.text(3) != version || opset[2][0] != uint64(17) ||
		opset.text(1) != "" {
		t.Errorf("IR version %v, producer %q %q, opset %v", m[1], m.text(2), m.text(3), opset)
	}
	metadata = map[string]string{}
	for _, text := range m.texts(14) {
		entry := parse(t, text)
		metadata[entry.text(1)] = entry.text(2)
	}
	g := parse(t, m.text(7))
	known, used, names := map[string]bool{"X": true}, map[string]bool{"X": false}, map[string]bool{}
	add := func(name string) {
		if known[name] && name != "X" || name == "" {
			t.Errorf("there are two values %q", name)
		}
		known[name] = true
	}
	for _, text := range g.texts(5) {
		constant := parse(t, text)
		size := 1
		for _, dim := range constant[1] {
			size *= int(dim.(uint64))
		}
		each := map[any]int{uint64(typeFloat): 4, uint64(typeInt32): 4, uint64(typeInt64): 8,
			uint64(typeDouble): 8}[constant[2][0]]
		if got := len(constant.text(9)); got != size*each || each == 0 && len(constant[6]) != size {
			t.Errorf("constant %q of %v has %d bytes", constant.text(8), constant[1], got)
		}
		add(constant.text(8))
	}
	for _, text := range g.texts(1) {
		n := parse(t, text)
		operators = append(operators, n.text(4))
		if name := n.text(3); names[name] || name == "" {
			t.Errorf("there are two nodes %q", name)
		} else {
			names[name] = true
		}
		for _, input := range n.texts(1) {
			if !known[input] {
				t.Errorf("%s takes %q, which is not there yet", n.text(3), input)
			}
			used[input] = true
		}
		for _, output := range n.texts(2) {
			add(output)
		}
	}
	for _, text := range append(g.texts(11), g.texts(12)...) {
		values = append(values, valueInfo(t, text))
		name := parse(t, text).text(1)
		if !known[name] {
			t.Errorf("there is no value %q", name)
		}
		used[name] = true
	}
	for name := range known {
		if !used[name] {
			t.Errorf("nothing takes %q", name)
		}
	}
	return values, metadata, operators
}

func exported(t *testing.T, file []byte) []byte {
	t.Helper()
	content, err := Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func newMap(t *testing.T, p sketch.Params) *sketch.FeatureMap {
	t.Helper()
	m, err := sketch.NewFeatureMap(p)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// modelOf returns a file with a head whose weights are 0, 1, 2 ….
func modelOf(t *testing.T, p sketch.Params, preprocessing string, change func(*learn.Model)) []byte {
	t.Helper()
	m := &learn.Model{Map: newMap(t, p), Preprocessing: preprocessing, Task: learn.TaskClassify, Loss: learn.LossSquared,
		Classes: learn.Labels([]float64{1, 2}), Report: learn.Report{Rule: solve.RuleGiven, Rows: 4, Counts: []int64{2, 2}}}
	if change != nil {
		change(m)
	}
	K := max(1, len(m.Classes))
	m.Linear = &learn.Linear{D: m.Map.NComponents(), K: K, Intercept: make([]float64, K)}
	for j := range K * m.Linear.D {
		m.Linear.Weights = append(m.Linear.Weights, float64(j))
	}
	file, err := model.MarshalModel(m, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// TestMaps: the graph of each kind of map is well-formed, and the operators are no more than it needs.
func TestMaps(t *testing.T) {
	for _, c := range []struct {
		params   sketch.Params
		width    string
		has, not string // operators
	}{
		{sketch.Params{NComponents: 16}, "16", "Split Sub MatMul", "Pow Slice Where"},
		{sketch.Params{NComponents: 15, Coef0: 2, Gamma: 0.5, Degree: 5, Normalize: "kernel"}, "15", "Split Pow Where",
			"Slice"},
		{sketch.Params{NComponents: 16, Degree: 1}, "16", "OneHot Gemm", "MatMul Split"},
		{sketch.Params{NComponents: 16, Degree: 1, Output: "spectrum", Repeats: 2}, "32", "Gather Concat", "Split MatMul"},
		{sketch.Params{Method: "count-sketch", NComponents: 16, Repeats: 3, Coef0: 1}, "48", "OneHot", "MatMul Split"},
		{sketch.Params{Method: "complex-tensor-sketch", NComponents: 16, Repeats: 2, Normalize: "kernel"}, "32",
			"MatMul Where", "Slice"},
		{sketch.Params{Method: "random-fourier", NComponents: 16}, "16", "Gemm Cos Round", "Sin MatMul Concat"},
		{sketch.Params{Method: "random-fourier", NComponents: 16, MethodParams: sketch.MethodParams{
			Projection: "structured"}}, "16", "Gemm Cos Round", "Sin MatMul Concat"},
		{sketch.Params{Method: "random-fourier", NComponents: 16, Repeats: 2, Normalize: "kernel",
			MethodParams: sketch.MethodParams{Kernel: "laplacian", Paired: true}}, "32", "Gemm Cos Sin Concat ReduceL2",
			"MatMul"},
		{sketch.Params{NFeaturesEach: []int{1, 2}, NComponents: 16, Normalize: "kernel"}, "16", "Slice", "Split Pow"},
	} {
		if c.params.NFeaturesEach == nil {
			c.params.NFeatures = 3
		}
		file, err := model.Marshal(newMap(t, c.params))
		if err != nil {
			t.Fatal(err)
		}
		values, metadata, operators := opened(t, exported(t, file))
		if want := []string{"X 1 N×3", "features 1 N×" + c.width}; !slices.Equal(values, want) {
			t.Errorf("%+v: the values are %q, want %q", c.params, values, want)
		}
		if metadata["input"] != "the rows that the map takes" || metadata["nComponents"] == "" {
			t.Errorf("%+v: the metadata are %q", c.params, metadata)
		}
		for _, name := range strings.Fields(c.has) {
			if !slices.Contains(operators, name) {
				t.Errorf("%+v has no %s", c.params, name)
			}
		}
		for _, name := range append(strings.Fields(c.not), "DFT") {
			if slices.Contains(operators, name) {
				t.Errorf("%+v has %s", c.params, name)
			}
		}
	}
}

const numbers = `{"format":"tensorsketch-preprocessing","version":1,"unitNorm":true,"columns":[` +
	`{"name":"a","role":"number","missing":"mean","fill":2.5,"scaling":"min-max","center":1,"scale":4},` +
	`{"name":"city","role":"keep"},{"name":"b","role":"number","missing":"drop","scaling":"none"}]}`

const category = `{"format":"tensorsketch-preprocessing","version":1,"unitNorm":true,"columns":[` +
	`{"name":"a","role":"number","missing":"drop","scaling":"none"},` +
	`{"name":"city","role":"category","missing":"drop","encoding":"one-hot","values":["x"]}]}`

// TestHeads: the outputs fit each task and kind of labels, and numbers are prepared in the graph.
func TestHeads(t *testing.T) {
	softmax := func(m *learn.Model) { m.Calibration = &learn.Calibration{K: 2} }
	texts := func(m *learn.Model) { m.Classes = []learn.Label{learn.BoolLabel(true), learn.TextLabel("b")} }
	for _, c := range []struct {
		name, preprocessing string
		change              func(*learn.Model)
		values, classes     string
		prepared            bool
	}{
		{"numbers", "", nil, "label 7 N, scores 1 N×2", "[1,2]", false},
		{"probabilities", numbers, softmax, "label 7 N, probabilities 1 N×2, scores 1 N×2", "[1,2]", true},
		{"a category", category, nil, "label 7 N, scores 1 N×2", "[1,2]", false},
		{"mixed", "", texts, "label 8 N, scores 1 N×2", `[true,"b"]`, false},
		{"fractions", "", func(m *learn.Model) { m.Classes = learn.Labels([]float64{1, 1.5}) },
			"label 8 N, scores 1 N×2", "[1,1.5]", false},
		{"regression", numbers, func(m *learn.Model) {
			m.Task, m.Classes, m.Report.Counts = learn.TaskRegress, nil, nil
		}, "variable 1 N×1", "", true},
	} {
		file := modelOf(t, sketch.Params{NFeatures: 2, NComponents: 8, Coef0: 1}, c.preprocessing, c.change)
		values, metadata, operators := opened(t, exported(t, file))
		if got, want := strings.Join(values, ", "), "X 1 N×2, "+c.values; got != want {
			t.Errorf("%s: the values are %q, want %q", c.name, got, want)
		}
		if metadata["classes"] != c.classes || metadata["loss"] != "squared" {
			t.Errorf("%s: the metadata are %q", c.name, metadata)
		}
		for _, operator := range []string{"IsNaN", "Div", "ReduceL2"} {
			if slices.Contains(operators, operator) != c.prepared {
				t.Errorf("%s: %s is there or not", c.name, operator)
			}
		}
		if c.prepared && !slices.Contains(operators, "Cast") {
			t.Errorf("%s: columns are scaled in float32, which rounds their means", c.name)
		}
		if c.prepared && metadata["columns"] != `["a","b"]` {
			t.Errorf("%s: the columns are %s", c.name, metadata["columns"])
		}
		if units, ok := metadata["units"]; ok {
			t.Errorf("%s: the units are %s, want none", c.name, units)
		}
	}
	measured := strings.NewReplacer(`"version":1`, `"version":4`, `"role":"number","missing":"drop"`,
		`"role":"number","measure":"%","missing":"drop"`).Replace(numbers)
	file := modelOf(t, sketch.Params{NFeatures: 2, NComponents: 8, Coef0: 1}, measured, nil)
	if _, metadata, _ := opened(t, exported(t, file)); metadata["units"] != `["","%"]` {
		t.Errorf("the units are %q, want one for each column", metadata["units"])
	}
}

// TestCoordinates: where a column is no number, the metadata say what each coordinate of X is, and how it was made.
func TestCoordinates(t *testing.T) {
	const mixed = `{"format":"tensorsketch-preprocessing","version":5,"unitNorm":false,"columns":[` +
		`{"name":"y","role":"label"},` +
		`{"name":"a","role":"number","missing":"nan","scaling":"none"},` +
		`{"name":"c","role":"category","missing":"zero","encoding":"one-hot","values":["\"x\"","é"],` +
		`"other":true,"empty":true},` +
		`{"name":"f","role":"category","missing":"zero","encoding":"one-hot","values":["Mon"],"average":true},` +
		`{"name":"d","role":"category","missing":"drop","encoding":"hashed","width":2},` +
		`{"name":"e","role":"date","missing":"drop","scaling":"none","parts":["days","year"]},` +
		`{"name":"w","role":"words","words":[1,1],"chars":[0,0],"width":2,"unit":true}]}`
	const want = `["a","c = \"x\"","c = é","c: other","c: empty","f = Mon","d: hash 0","d: hash 1","e: days",` +
		`"e: year, sine","e: year, cosine","w: hash 0","w: hash 1"]`
	of := func(d int, preprocessing string) map[string]string {
		_, metadata, _ := opened(t, exported(t, modelOf(t, sketch.Params{NFeatures: d, NComponents: 8}, preprocessing, nil)))
		return metadata
	}
	metadata := of(13, mixed)
	if metadata["coordinates"] != want || metadata["preprocessing"] != mixed {
		t.Errorf("the metadata are %q, want the coordinates %s, and the preprocessing", metadata, want)
	}
	sparse := strings.Replace(mixed, `,"unit":true`, "", 1) // as of text that becomes 2^18 coordinates
	if metadata = of(13, sparse); metadata["coordinates"] != "" || metadata["preprocessing"] != sparse {
		t.Errorf("of sparse rows the metadata are %q, want the preprocessing alone", metadata)
	}
	if metadata = of(2, numbers); metadata["coordinates"] != "" || metadata["preprocessing"] != "" {
		t.Errorf("of numbers the metadata are %q, want the columns alone", metadata)
	}
}

// TestProbabilities: the names in the head are no names in a map, whatever the map.
func TestProbabilities(t *testing.T) {
	for _, p := range []sketch.Params{
		{Coef0: 1, Gamma: 0.5, Normalize: "kernel"},
		{Degree: 1, Output: "spectrum", Repeats: 2},
		{Method: "count-sketch", Degree: 1, Gamma: 0.5},
		{Method: "complex-tensor-sketch", Gamma: 0.5, Repeats: 2},
		{Method: "random-fourier", Gamma: 0.5},
		{Method: "random-fourier", Gamma: 0.5, MethodParams: sketch.MethodParams{Projection: "structured"}},
		{Method: "random-fourier", Gamma: 0.5, MethodParams: sketch.MethodParams{Paired: true}, Normalize: "kernel"},
	} {
		p.NFeatures, p.NComponents = 2, 8
		for _, c := range []*learn.Calibration{{K: 2, Clip: 0.01},
			{K: 2, Matrix: []float64{1, 0, 0, 1}, Offset: []float64{0, 1}}} {
			opened(t, exported(t, modelOf(t, p, numbers, func(m *learn.Model) { m.Calibration = c })))
		}
	}
}

// TestPreparations: the graph of each form has what it needs, and X has the cells before they are prepared.
func TestPreparations(t *testing.T) {
	rows := []float32{1, 2, 0, 5, 3, float32(math.NaN()), 1, 5, 5, 8, 1, 5}
	kinds := []prepare.Kind{prepare.Number, prepare.Number, prepare.Indicator, prepare.Number}
	for form, has := range map[string]string{"std": "Max Min IsNaN Where Concat Equal", "mm": "Max Min Sqrt",
		"qn": "ReduceSum", "raw": "Sqrt"} {
		own, isRaw := rows, form == prepare.Raw
		if isRaw {
			own = []float32{1, 2, 3, 4}
		}
		p, err := prepare.New(form, own, kinds)
		if err != nil {
			t.Fatal(err)
		}
		p.Unit = form == prepare.MM || isRaw
		if form == prepare.Std {
			p.Columns[0].Codes = []float64{1, 5}
		}
		params := sketch.Params{NFeatures: p.NOutputs(), NComponents: 8}
		file := modelOf(t, params, "", func(m *learn.Model) { m.Preparation = p })
		values, metadata, operators := opened(t, exported(t, file))
		if got, want := strings.Join(values, ", "), "X 1 N×4, label 7 N, scores 1 N×2"; got != want {
			t.Errorf("%s: the values are %q, want %q", form, got, want)
		}
		if metadata["input"] != "the rows that the preparation of the model file takes" {
			t.Errorf("%s: the input is %s", form, metadata["input"])
		}
		for _, name := range strings.Fields(has) {
			if !slices.Contains(operators, name) {
				t.Errorf("%s has no %s", form, name)
			}
		}
	}
}

// TestRefusals: what cannot be written is named, with a remedy.
func TestRefusals(t *testing.T) {
	file := func(p sketch.Params) []byte {
		text, err := model.Marshal(newMap(t, p))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	same := func(m *learn.Model) { m.Classes = []learn.Label{learn.NumberLabel(1), learn.TextLabel("1")} }
	key := [32]byte{1}
	keyed := file(sketch.Params{NFeatures: 2, Seed: sketch.BytesSeed(key), Keyed: true})
	for _, c := range []struct {
		file []byte
		says string
	}{
		{file(sketch.Params{Method: "tensor-srht", NFeatures: 2}), `method "tensor-srht" cannot be written as ONNX; ` +
			"fit the model again with one of tensor-sketch, count-sketch, complex-tensor-sketch, random-fourier"},
		{file(sketch.Params{NFeatures: 1 << 19, NComponents: 256}), "this map needs matrices of 270598656 numbers"},
		{file(sketch.Params{Method: "count-sketch", NFeatures: 1 << 25, NComponents: 1}), "the file needs 67108865 numbers"},
		{modelOf(t, sketch.Params{NFeatures: 2, NComponents: 8}, "", same), `two classes have the text "1"`},
		{keyed, "the key is missing"},
		{[]byte("{}"), "format is missing"},
		{[]byte(strings.Replace(string(file(sketch.Params{NFeatures: 2})), `"degree":2`, `"degree":65`, 1)),
			"degree must be an integer from 1 to 64, got 65"},
	} {
		if _, err := Marshal(c.file); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%.90s…: %v, want %q", c.file, err, c.says)
		}
	}
	content, err := MarshalKeyed(keyed, key)
	if err != nil {
		t.Fatal(err)
	}
	opened(t, content)
	if _, err := MarshalKeyed(keyed, [32]byte{}); err == nil {
		t.Error("a wrong key is no error")
	}
}

// TestRoots: the transform is the sum that it stands for, for every length up to 60 and some others.
func TestRoots(t *testing.T) {
	lengths := []int{97, 128, 243, 260, 2 * 101, 67 * 71, 1009}
	for n := 1; n <= 60; n++ {
		lengths = append(lengths, n)
	}
	for _, n := range lengths {
		re, im := make([]float64, n), make([]float64, n)
		for j := range n {
			re[j], im[j] = float64(j*j%7)-3, float64(j*j*j%5)-2
		}
		gotRe, gotIm := newRoots(n).transform(re, im, 1)
		for m := range n {
			var wantRe, wantIm float64
			for j := range n {
				s, c := math.Sincos(-2 * math.Pi * float64(j*m%n) / float64(n))
				wantRe += re[j]*c - im[j]*s
				wantIm += re[j]*s + im[j]*c
			}
			if math.Hypot(gotRe[m]-wantRe, gotIm[m]-wantIm) > 1e-12*float64(n) {
				t.Fatalf("n = %d, m = %d: %v %v, want %v %v", n, m, gotRe[m], gotIm[m], wantRe, wantIm)
			}
		}
	}
}

// TestVersion: the producer is the release of the npm package.
func TestVersion(t *testing.T) {
	text, err := os.ReadFile("../../public/api/module.js")
	if err != nil {
		t.Fatal(err)
	}
	if want := `const version = "` + version + `";`; !strings.Contains(string(text), want) {
		t.Errorf("public/api/module.js does not have %s: write its version here", want)
	}
}
