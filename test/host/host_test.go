package host

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/model"
	"tensorsketch.example/test/need"
)

const repo = "../.."

func wasm(t testing.TB) []byte {
	t.Helper()
	file, err := os.ReadFile(repo + "/dist/host/tensorsketch.host.wasm")
	if err != nil {
		t.Fatalf("run ./build.sh dist first: %v", err)
	}
	return file
}

func start(t testing.TB) *Host {
	t.Helper()
	h := need.Value(New(t.Context(), wasm(t)))(t)
	t.Cleanup(func() { h.module.Close(context.Background()) })
	return h
}

// TestImportsNothing: any host can instantiate the module, which is then ready, and finds its memory.
func TestImportsNothing(t *testing.T) {
	config := wazero.NewRuntimeConfig().WithCompilationCache(compiled)
	compiled := need.Value(wazero.NewRuntimeWithConfig(t.Context(), config).CompileModule(t.Context(), wasm(t)))(t)
	for _, f := range compiled.ImportedFunctions() {
		module, name, _ := f.Import()
		t.Errorf("it imports %s.%s", module, name)
	}
	for _, m := range compiled.ImportedMemories() {
		t.Errorf("it imports the memory %v", m)
	}
	if _, ok := compiled.ExportedFunctions()["_initialize"]; ok {
		t.Error("it exports _initialize, so a host may start it twice")
	}
	if _, ok := compiled.ExportedMemories()["memory"]; !ok {
		t.Error("it has no export memory")
	}
}

// TestFeatures: the vectors of every map come out with the bits of package sketch.
func TestFeatures(t *testing.T) {
	h := start(t)
	files := need.Value(filepath.Glob(repo + "/sketch/testdata/vectors/*.json"))(t)
	compared := 0
	for _, file := range files {
		var cases []struct {
			Name  string
			Model json.RawMessage
			Rows  json.RawMessage
			Key   string
		}
		need.OK(t, json.Unmarshal(need.Value(os.ReadFile(file))(t), &cases))
		for _, c := range cases {
			name := filepath.Base(file) + ", " + c.Name
			m, err := model.Unmarshal(c.Model)
			if err != nil || m.Params().NFeaturesEach != nil {
				if _, err := h.Call(t.Context(), "tensorsketch_features", AppendRow(nil, string(c.Model), nil), 1); err == nil {
					t.Errorf("%s: there was no error", name)
				}
				continue
			}
			var rows [][]float32
			need.OK(t, json.Unmarshal(c.Rows, &rows))
			var block, want []byte
			for _, x := range rows {
				block = AppendRow(block, string(c.Model), x)
				want = appendArray32(want, m.Transform(nil, x))
			}
			got := need.Value(h.Call(t.Context(), "tensorsketch_features", block, len(rows)))(t)
			if !bytes.Equal(got, want) {
				t.Errorf("%s: other features than package sketch's", name)
			}
			compared++
		}
	}
	if compared < 50 {
		t.Errorf("%d vectors were compared, want 50", compared)
	}
}

// TestPredictions: labels, scores and probabilities have the bits of package learn.
func TestPredictions(t *testing.T) {
	h := start(t)
	files := need.Value(filepath.Glob(repo + "/sketch/model/testdata/learned/model-*.json"))(t)
	if len(files) != 7 {
		t.Fatalf("%d models, want 7", len(files))
	}
	for _, file := range files {
		text := string(need.Value(os.ReadFile(file))(t))
		m := need.Value(model.UnmarshalModel([]byte(text)))(t)
		const n = 500
		X := randomRows(n, m.Map.NFeatures())
		block := blockOf(text, X, m.Map.NFeatures())
		call := func(function string) []byte {
			return need.Value(h.Call(t.Context(), function, block, n))(t)
		}
		K := m.NOutputs()
		if want := arrays64(need.Value(m.Scores(X))(t), K); !bytes.Equal(call("tensorsketch_scores"), want) {
			t.Errorf("%s: other scores", file)
		}
		if m.Task == learn.TaskRegress {
			_, err := h.Call(t.Context(), "tensorsketch_predict", block, n)
			if want := `task must be "classify"`; err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: labels gave the error %v, want %q", file, err, want)
			}
			continue
		}
		var labels []byte
		for _, l := range need.Value(m.Predict(X))(t) {
			labels = appendText(labels, l.Value().(string))
		}
		if !bytes.Equal(call("tensorsketch_predict"), labels) {
			t.Errorf("%s: other labels", file)
		}
		if m.Calibration != nil {
			want := arrays64(need.Value(m.Probabilities(X))(t), K)
			if !bytes.Equal(call("tensorsketch_probabilities"), want) {
				t.Errorf("%s: other probabilities", file)
			}
		}
	}
}

// TestManyRows takes three blocks of rows as ClickHouse's, with -long 100,000 rows, and says how fast. Only the first
// row of a block has the model.
func TestManyRows(t *testing.T) {
	const d, D, inBlock = 64, 256, 8192
	n := 20_000
	if *long {
		n = 100_000
	}
	m := need.Value(sketch.New(sketch.Params{NFeatures: d, NComponents: D, Degree: 2, Coef0: 1,
		Seed: sketch.IntSeed(5)}))(t)
	X := randomRows(n, d)
	predicts := modelOf(t, m, X)
	text := string(need.Value(model.MarshalModel(predicts, model.Options{}))(t))
	features := need.Value(m.TransformBatch(nil, X))(t)
	labels := need.Value(predicts.Predict(X))(t)
	for function, want := range map[string]func(from, to int) []byte{
		"tensorsketch_features": func(from, to int) (block []byte) {
			for i := from; i < to; i++ {
				block = appendArray32(block, features[i*D:(i+1)*D])
			}
			return block
		},
		"tensorsketch_predict": func(from, to int) (block []byte) {
			for _, l := range labels[from:to] {
				block = appendText(block, l.String())
			}
			return block
		},
	} {
		h := start(t)
		var took time.Duration
		for from := 0; from < n; from += inBlock {
			to := min(from+inBlock, n)
			began := time.Now()
			got := need.Value(h.Call(t.Context(), function, blockOf(text, X[from*d:to*d], d), to-from))(t)
			took += time.Since(began)
			if !bytes.Equal(got, want(from, to)) {
				t.Fatalf("%s: rows %d to %d differ", function, from, to)
			}
		}
		t.Logf("%s: %.0f rows/s, by wazero in one thread, d %d, D %d; the memory has %d MB", function,
			float64(n)/took.Seconds(), d, D, h.module.Memory().Size()>>20)
	}
}

// TestBadInput: what is wrong gives an error that says so, and the instance goes on.
func TestBadInput(t *testing.T) {
	h := start(t)
	m := need.Value(sketch.New(sketch.Params{NFeatures: 2, NComponents: 4, Degree: 2, Seed: sketch.IntSeed(5)}))(t)
	text := string(need.Value(model.Marshal(m))(t))
	good := AppendRow(nil, text, []float32{1, -0.5})
	nan := float32(math.NaN())
	for _, c := range []struct {
		name, function string
		block          []byte
		rows           int
		want           string
	}{
		{"no model before", "features", AppendRow(nil, "", []float32{1, 2}), 1, "none was read before"},
		{"no JSON", "features", AppendRow(nil, "{", []float32{1, 2}), 1, "row 1: model: not a JSON object"},
		{"not UTF-8", "features", AppendRow(nil, "\xff", nil), 1, "not UTF-8"},
		{"deep JSON", "features", AppendRow(nil, strings.Repeat("[", 1_000_000), nil), 1, "exceeded max depth"},
		{"deep in a key", "features", AppendRow(nil, `{"format":`+strings.Repeat(`{"a":`, 9_000), nil), 1, "JSON"},
		{"another key", "features", AppendRow(nil, strings.Replace(text, "gamma", "gama", 1), nil), 1, "gamma is missing"},
		{"parameter", "features", AppendRow(nil, strings.Replace(text, `"degree":2`, `"degree":99`, 1), nil), 1,
			"degree must be"},
		{"length", "features", AppendRow(good, text, []float32{1}), 2, "row 2: the row has 1 numbers, and the model takes 2"},
		{"NaN", "features", AppendRow(good, text, []float32{nan, 1}), 2, "row 1"},
		{"too few bytes", "features", good[:len(good)-1], 1, "ends within a row"},
		{"bytes left", "features", append(bytes.Clone(good), 0), 1, "bytes after its rows"},
		{"too many rows", "features", good, math.MaxInt32, "too few for its rows"},
		{"no rows by their number", "features", good, math.MaxUint32, "does not lie"},
		{"an endless length", "features", bytes.Repeat([]byte{0xff}, 20), 1, "ends within a row"},
		{"a huge length", "features", binary.AppendUvarint(nil, math.MaxUint64), 1, "ends within a row"},
		{"no head", "predict", good, 1, "head is missing"},
		{"no head", "scores", good, 1, "head is missing"},
		{"no head", "probabilities", good, 1, "head is missing"},
	} {
		_, err := h.Call(t.Context(), "tensorsketch_"+c.function, c.block, c.rows)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error of %s is %v, want %q", c.name, c.function, err, c.want)
		}
	}
	if _, err := h.invoke(t.Context(), "tensorsketch_features", 12, 1); err != nil {
		t.Errorf("a wrong handle: %v", err)
	}
	if got := need.Value(h.Call(t.Context(), "tensorsketch_features", nil, 0))(t); len(got) > 0 {
		t.Errorf("no rows gave %d bytes", len(got))
	}
	want := appendArray32(nil, m.Transform(nil, []float32{1, -0.5}))
	if got := need.Value(h.Call(t.Context(), "tensorsketch_features", good, 1))(t); !bytes.Equal(got, want) {
		t.Error("after all errors the features differ")
	}
	why := AppendRow(AppendRow(AppendRow(good, "", []float32{1, 2}), text, []float32{1, nan}), "[]", nil)
	got := need.Value(h.Call(t.Context(), "tensorsketch_error", why, 4))(t)
	for row, want := range []string{"", "", "must be finite", "not a JSON object"} {
		n, used := binary.Uvarint(got)
		reason := string(got[used : used+int(n)])
		if got = got[used+int(n):]; !strings.Contains(reason, want) || (want == "") != (reason == "") {
			t.Errorf("tensorsketch_error of row %d is %q, want %q", row, reason, want)
		}
	}
}

// TestSeveralModels: rows of one call may have different models. An empty one must then follow another.
func TestSeveralModels(t *testing.T) {
	h := start(t)
	var texts []string
	var block, want []byte
	for seed := range 20 {
		m := need.Value(sketch.New(sketch.Params{NFeatures: 2, NComponents: 4 + seed, Degree: 2,
			Seed: sketch.IntSeed(uint64(seed))}))(t)
		texts = append(texts, string(need.Value(model.Marshal(m))(t)))
		x := []float32{float32(seed), 1}
		block = AppendRow(block, texts[seed], x)
		want = appendArray32(want, m.Transform(nil, x))
	}
	for range 2 {
		if got := need.Value(h.Call(t.Context(), "tensorsketch_features", block, 20))(t); !bytes.Equal(got, want) {
			t.Error("the features differ")
		}
	}
	_, err := h.Call(t.Context(), "tensorsketch_features", AppendRow(nil, "", []float32{1, 2}), 1)
	if err == nil || !strings.Contains(err.Error(), "several were read before") {
		t.Errorf("the error of an empty model is %v", err)
	}
}

// TestMemoryIsGivenBack: hundreds of calls need the memory of few.
func TestMemoryIsGivenBack(t *testing.T) {
	h := start(t)
	const n, d = 1000, 16
	m := need.Value(sketch.New(sketch.Params{NFeatures: d, NComponents: 256, Degree: 2, Seed: sketch.IntSeed(5)}))(t)
	block := blockOf(string(need.Value(model.Marshal(m))(t)), randomRows(n, d), d)
	var after []uint32
	for range 300 {
		need.Value(h.Call(t.Context(), "tensorsketch_features", block, n))(t)
		after = append(after, h.module.Memory().Size())
	}
	if size := after[299]; size != after[9] || size > 10<<20 {
		t.Errorf("the memory grew from %d to %d bytes", after[9], size)
	}
}

// TestNoRandomBytes: private noise needs random bytes, which this build refuses to do without. The compiler of wazero
// 1.12.0 makes the loop that finds σ wrongly: a call overwrites a number that the loop still needs. So this is
// interpreted.
func TestNoRandomBytes(t *testing.T) {
	runtime := wazero.NewRuntimeWithConfig(t.Context(), wazero.NewRuntimeConfigInterpreter())
	h := &Host{need.Value(runtime.Instantiate(t.Context(), wasm(t)))(t)}
	z := need.Value(h.invoke(t.Context(), "ts_alloc", 64))(t)
	f := math.Float64bits
	if s := need.Value(h.invoke(t.Context(), "ts_privatize", f(1), f(1e-5), f(1), z, 4, 4))(t); s == 0 {
		t.Fatal("there was noise without random bytes")
	}
	n := need.Value(h.invoke(t.Context(), "ts_error_message", z, 64))(t)
	text, _ := h.module.Memory().Read(uint32(z), uint32(n))
	if !strings.Contains(string(text), "no random") {
		t.Errorf("the error is %q", text)
	}
}

// modelOf returns a model that predicts which of two coordinates is larger.
func modelOf(t testing.TB, m *sketch.FeatureMap, X []float32) *learn.Model {
	d := m.NFeatures()
	labels := make([]learn.Label, 2000)
	for i := range labels {
		labels[i] = learn.BoolLabel(X[i*d] > X[i*d+1])
	}
	return need.Value(learn.FitModel(learn.Spec{Map: m}, sketch.Dense(X[:len(labels)*d]), labels, learn.RowsOptions{}))(t)
}

// randomRows returns n rows of d numbers, always the same.
func randomRows(n, d int) sketch.Dense {
	X, state := make([]float32, n*d), uint32(1)
	for i := range X {
		state = state*1664525 + 1013904223
		X[i] = float32(int32(state)) / (1 << 31)
	}
	return X
}

// blockOf returns a block of rows. Those after the first have an empty model, which is the first one's.
func blockOf(text string, X []float32, d int) (block []byte) {
	block = slices.Grow(block, len(text)+len(X)*4+len(X)/d*8)
	for row := range slices.Chunk(X, d) {
		block, text = AppendRow(block, text, row), ""
	}
	return block
}

func appendText(block []byte, text string) []byte {
	return append(binary.AppendUvarint(block, uint64(len(text))), text...)
}

func appendArray32(block []byte, values []float32) []byte {
	block = binary.AppendUvarint(block, uint64(len(values)))
	for _, v := range values {
		block = binary.LittleEndian.AppendUint32(block, math.Float32bits(v))
	}
	return block
}

func arrays64(values []float64, K int) (block []byte) {
	for row := range slices.Chunk(values, K) {
		block = binary.AppendUvarint(block, uint64(K))
		for _, v := range row {
			block = binary.LittleEndian.AppendUint64(block, math.Float64bits(v))
		}
	}
	return block
}
