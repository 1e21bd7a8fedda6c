package sketch_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"math"
	"os"
	"slices"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/model"
)

// A vectors is one case of testdata/vectors/METHOD.json, which is for any other
// implementation of docs/SPEC.md: a model file, rows and the features of each. Of a
// map of products a row is its p vectors one after another.
type vectors struct {
	Name     string          `json:"name"`
	Key      string          `json:"key,omitempty"` // of a keyed model that does not hold it
	Model    json.RawMessage `json:"model"`
	Rows     [][]float32     `json:"rows"`
	Features [][]float32     `json:"features"`
}

// featureMap reads the model.
func (v *vectors) featureMap(t *testing.T) *sketch.FeatureMap {
	t.Helper()
	m, err := model.Unmarshal(v.Model)
	if v.Key != "" {
		var key [32]byte
		if n, err := hex.Decode(key[:], []byte(v.Key)); n != len(key) || err != nil {
			t.Fatalf("%s: the key %q: %v", v.Name, v.Key, err)
		}
		m, err = model.UnmarshalKeyed(v.Model, key)
	}
	if err != nil {
		t.Fatalf("%s: %v", v.Name, err)
	}
	return m
}

func secretKey() (key [32]byte) {
	for i := range key {
		key[i] = byte(i)
	}
	return key
}

// A mapCase is a map, and how many rows are computed with it.
type mapCase struct {
	name       string
	params     sketch.Params
	unit       bool // rows have norm 1
	includeKey bool
	landmarks  []float32 // those given, in place of Fit
}

func series(a ...float64) sketch.MethodParams { return sketch.MethodParams{Coefficients: a} }

func randomState(r uint32) *uint32 { return &r }

// mapCases are by method: those small enough to be kept as vectors.
func mapCases() map[string][]mapCase {
	const kernel, spectrum = sketch.NormalizeKernel, sketch.OutputSpectrum
	gaussian := sketch.MethodParams{Distribution: sketch.DistributionGaussian}
	type p = sketch.Params
	return map[string][]mapCase{
		sketch.MethodTensorSketch: {
			{name: "integer seed", params: p{NFeatures: 5, NComponents: 16, Seed: sketch.IntSeed(5)}},
			{name: "seed beyond 2^53, odd D", params: p{NFeatures: 5, NComponents: 15, Degree: 3, Gamma: 0.5, Coef0: 1,
				Seed: sketch.IntSeed(1<<64 - 1)}},
			{name: "text for a seed, prime D", params: p{NFeatures: 6, NComponents: 13, Degree: 4, Coef0: 0.25,
				Seed: sketch.StringSeed("clé 鍵")}},
			{name: "bytes for a seed, one component", params: p{NFeatures: 3, NComponents: 1,
				Seed: sketch.BytesSeed(secretKey())}},
			{name: "secret key", params: p{NFeatures: 4, NComponents: 8, Coef0: 2, Seed: sketch.BytesSeed(secretKey()),
				Keyed: true}},
			{name: "secret key in the file", params: p{NFeatures: 4, NComponents: 9, Seed: sketch.BytesSeed(secretKey()),
				Keyed: true}, includeKey: true},
			{name: "random_state", params: p{NFeatures: 5, NComponents: 10, Degree: 3, Coef0: 1, RandomState: randomState(42)}},
			{name: "random_state, largest", params: p{NFeatures: 4, NComponents: 1, Degree: 2,
				RandomState: randomState(1<<32 - 1)}},
			{name: "given tables", params: p{
				NFeatures: 2, NComponents: 4, Coef0: 1,
				IndexHash: [][]int32{{3, 0, 1}, {2, 2, 0}}, BitHash: [][]int8{{1, -1, 1}, {-1, -1, 1}},
			}},
			{name: "spectrum, even D", params: p{NFeatures: 5, NComponents: 12, Coef0: 1, Output: spectrum}},
			{name: "spectrum, odd D", params: p{NFeatures: 5, NComponents: 11, Degree: 3, Output: spectrum, Normalize: kernel}},
			{name: "normalised", params: p{NFeatures: 5, NComponents: 20, Gamma: 2, Coef0: 1, Normalize: kernel}},
			{name: "repeats", params: p{NFeatures: 5, NComponents: 6, Coef0: 1, Repeats: 3, Normalize: kernel}},
			{name: "products", params: p{NFeaturesEach: []int{3, 1, 4}, NComponents: 10, Gamma: 0.5, Coef0: 1}},
			{name: "products, normalised", params: p{NFeaturesEach: []int{2, 3}, NComponents: 7, Repeats: 2, Normalize: kernel}},
		},
		sketch.MethodCountSketch: {
			{name: "plain", params: p{NFeatures: 9, NComponents: 5}},
			{name: "constant, repeats", params: p{NFeatures: 6, NComponents: 7, Gamma: 3, Coef0: 0.5, Repeats: 2}},
			{name: "random_state, spectrum", params: p{NFeatures: 6, NComponents: 6, RandomState: randomState(0),
				Output: spectrum, Normalize: kernel}},
		},
		sketch.MethodComplexTensorSketch: {
			{name: "plain", params: p{NFeatures: 5, NComponents: 16, Seed: sketch.IntSeed(5)}},
			{name: "constant, odd D/2, repeats", params: p{NFeatures: 5, NComponents: 14, Degree: 3, Gamma: 0.5, Coef0: 1,
				Repeats: 2, Normalize: kernel}},
			{name: "spectrum", params: p{NFeatures: 5, NComponents: 12, Coef0: 1, Output: spectrum}},
		},
		sketch.MethodRandomMaclaurin: {
			{name: "polynomial", params: p{NFeatures: 5, NComponents: 24, Degree: 3, Gamma: 0.5, Coef0: 1}},
			{name: "h01, another order", params: p{NFeatures: 4, NComponents: 12, Degree: 4, Coef0: 0.5, Repeats: 2,
				MethodParams: sketch.MethodParams{H01: true, Order: 1.5}}},
			{name: "exponential", params: p{NFeatures: 5, NComponents: 20, Gamma: 0.25,
				MethodParams: sketch.MethodParams{Kernel: sketch.KernelExponential, Distribution: sketch.DistributionGaussian}}},
			{name: "series, normalised", params: p{NFeatures: 5, NComponents: 15, Gamma: 0.3, Normalize: kernel,
				MethodParams: series(1, 0, 0.5, 0.25, 0)}},
		},
		sketch.MethodTensorizedProjection: {
			{name: "signs", params: p{NFeatures: 5, NComponents: 33, Coef0: 1}},
			{name: "normal numbers, repeats", params: p{NFeatures: 4, NComponents: 6, Degree: 3, Gamma: 2, Repeats: 2,
				Normalize: kernel, MethodParams: gaussian}},
		},
		sketch.MethodComplexProjection: {
			{name: "signs", params: p{NFeatures: 5, NComponents: 22, Degree: 3, Coef0: 1}},
			{name: "normal numbers, repeats", params: p{NFeatures: 4, NComponents: 6, Gamma: 2, Repeats: 2, Normalize: kernel,
				MethodParams: gaussian}},
		},
		sketch.MethodTensorSRHT: {
			{name: "one block", params: p{NFeatures: 5, NComponents: 7}},
			{name: "three blocks", params: p{NFeatures: 3, NComponents: 11, Degree: 3, Gamma: 0.5, Coef0: 1, Repeats: 2,
				Normalize: kernel}},
		},
		sketch.MethodComplexTensorSRHT: {
			{name: "one block", params: p{NFeatures: 6, NComponents: 14}},
			{name: "three blocks", params: p{NFeatures: 3, NComponents: 20, Degree: 3, Gamma: 0.5, Coef0: 1, Repeats: 2,
				Normalize: kernel}},
		},
		sketch.MethodCRAFT: {
			{name: "tensor sketch, defaults", params: p{NFeatures: 5, NComponents: 6, Coef0: 1}},
			{name: "tree, E given", params: p{NFeatures: 4, NComponents: 5, Degree: 3, Repeats: 2, Normalize: kernel,
				MethodParams: sketch.MethodParams{Base: sketch.MethodTreeTensorSketch, UpComponents: 12}}},
			{name: "Random Maclaurin with h01", params: p{NFeatures: 4, NComponents: 8, Degree: 3, Coef0: 1,
				MethodParams: sketch.MethodParams{Base: sketch.MethodRandomMaclaurin, H01: true, UpComponents: 20}}},
		},
		sketch.MethodTreeTensorSketch: {
			{name: "three leaves of four", params: p{NFeatures: 5, NComponents: 10, Degree: 3, Gamma: 0.5, Coef0: 1,
				Repeats: 2}},
			{name: "five leaves of eight", params: p{NFeatures: 4, NComponents: 7, Degree: 5, Normalize: kernel}},
			{name: "one leaf", params: p{NFeatures: 5, NComponents: 6, Degree: 1}},
		},
		sketch.MethodSpherical: {
			{name: "plain", unit: true, params: p{NFeatures: 5, NComponents: 12, Degree: 5}},
			{name: "paired, another a", unit: true, params: p{NFeatures: 4, NComponents: 8, Degree: 10, Repeats: 2,
				Normalize: kernel, MethodParams: sketch.MethodParams{A: 3, Paired: true}}},
		},
		sketch.MethodRandomFourier: {
			{name: "Gaussian", params: p{NFeatures: 5, NComponents: 15, Gamma: 0.2}},
			{name: "Laplacian, repeats", params: p{NFeatures: 4, NComponents: 7, Gamma: 0.1, Repeats: 2, Normalize: kernel,
				MethodParams: sketch.MethodParams{Kernel: sketch.KernelLaplacian}}},
			{name: "paired", params: p{NFeatures: 5, NComponents: 10, MethodParams: sketch.MethodParams{Paired: true}}},
		},
		sketch.MethodTaylorSketch: {
			{name: "Gaussian", params: p{NFeatures: 5, NComponents: 40, Gamma: 0.1}},
			{name: "exponential, five terms, repeats", params: p{NFeatures: 4, NComponents: 13, Gamma: 0.5, Repeats: 2,
				Normalize: kernel, MethodParams: sketch.MethodParams{Kernel: sketch.KernelExponential, Terms: 5}}},
			{name: "arc-cosine", params: p{NFeatures: 5, NComponents: 20, Gamma: 2,
				MethodParams: sketch.MethodParams{Kernel: sketch.KernelArcCosine}}},
			{name: "series without a constant", params: p{NFeatures: 5, NComponents: 12, Normalize: kernel,
				MethodParams: series(0, 0, 1, 2)}},
		},
		sketch.MethodNystroem: {
			{name: "polynomial", params: p{NFeatures: 4, NComponents: 6, Degree: 3, Coef0: 1}},
			{name: "Gaussian, repeats", params: p{NFeatures: 4, NComponents: 5, Gamma: 0.3, Repeats: 2, Normalize: kernel,
				MethodParams: sketch.MethodParams{Kernel: sketch.KernelGaussian}}},
			{name: "exponential", params: p{NFeatures: 3, NComponents: 4, Gamma: 0.5,
				MethodParams: sketch.MethodParams{Kernel: sketch.KernelExponential}}},
			{name: "landmarks between two decimals", params: p{NFeatures: 4, NComponents: 2,
				MethodParams: sketch.MethodParams{Kernel: sketch.KernelGaussian}},
				landmarks: []float32{1.0 / 4096, -1.0 / 4096, float32(math.Copysign(0, -1)), 1e-45, 0x1p-96, 0x1p87, -0x1p90,
					0.1}},
			{name: "more components than the rank", params: p{NFeatures: 2, NComponents: 5, Degree: 2}},
		},
	}
}

// inputRows returns n rows of d numbers, a fifth of them 0: multiples of 1/64 from
// −2 to 2, so that they are short in JSON, or of norm 1 and rounded.
func inputRows(n, d int, unit bool) [][]float32 {
	state, rows := uint32(1), make([][]float32, n)
	next := func() float32 {
		state = state*1664525 + 1013904223 // Knuth's quick generator, Numerical Recipes, section 7.1
		if v := int(state >> 24); v%5 > 0 {
			return float32(v-128) / 64
		}
		return 0
	}
	for r := range rows {
		rows[r] = make([]float32, d)
		square := 0.0
		for i := range rows[r] {
			rows[r][i] = next()
			square += float64(rows[r][i]) * float64(rows[r][i])
		}
		if unit && square == 0 {
			rows[r][0], square = 1, 1
		}
		if unit {
			for i := range rows[r] {
				rows[r][i] = float32(float64(rows[r][i]) / math.Sqrt(square))
			}
		}
	}
	return rows
}

// newVectors makes the map, fits it where that is needed, and gives the features of
// n rows.
func (c mapCase) newVectors(t *testing.T, method string, n int) (*sketch.FeatureMap, vectors) {
	t.Helper()
	c.params.Method = method
	m, err := sketch.NewFeatureMap(c.params)
	if err != nil {
		t.Fatalf("%s, %s: %v", method, c.name, err)
	}
	d := m.NFeatures()
	switch {
	case c.landmarks != nil:
		if err := m.SetLandmarks(c.landmarks); err != nil {
			t.Fatalf("%s, %s: %v", method, c.name, err)
		}
	case method == sketch.MethodNystroem:
		if err := m.Fit(sketch.Dense(slices.Concat(inputRows(2*c.params.NComponents, d, false)...))); err != nil {
			t.Fatalf("%s, %s: %v", method, c.name, err)
		}
	}
	text, err := model.MarshalWith(m, model.Options{IncludeKey: c.includeKey})
	if err != nil {
		t.Fatalf("%s, %s: %v", method, c.name, err)
	}
	v := vectors{Name: c.name, Model: text, Rows: inputRows(n, d, c.unit)}
	if c.params.Keyed && !c.includeKey {
		key := secretKey()
		v.Key = hex.EncodeToString(key[:])
	}
	v.Features = features(t, m, v.Rows)
	return m, v
}

// features returns those of dense rows, after it has seen that sparse ones and rows
// by themselves have the same bits.
func features(t *testing.T, m *sketch.FeatureMap, rows [][]float32) [][]float32 {
	t.Helper()
	var dense, sparse []sketch.Rows
	lengths := []int{m.NFeatures()}
	if each := m.Params().NFeaturesEach; len(each) > 0 {
		lengths = each
	}
	from := 0
	for _, d := range lengths {
		var X []float32
		csr := sketch.CSR{Indptr: []int32{0}}
		for _, row := range rows {
			for i, v := range row[from : from+d] {
				if X = append(X, v); v != 0 {
					csr.Indices, csr.Data = append(csr.Indices, int32(i)), append(csr.Data, v)
				}
			}
			csr.Indptr = append(csr.Indptr, int32(len(csr.Data)))
		}
		dense, sparse, from = append(dense, sketch.Dense(X)), append(sparse, csr), from+d
	}
	transform := func(X []sketch.Rows) ([]float32, error) {
		if len(m.Params().NFeaturesEach) > 0 {
			return m.TransformProduct(nil, X...)
		}
		return m.TransformRows(nil, X[0])
	}
	z, err := transform(dense)
	if err != nil {
		t.Fatal(err)
	}
	if other, err := transform(sparse); err != nil || !sketch.SameBits(z, other) {
		t.Fatalf("%+v: dense and sparse rows differ (%v)", m.Params(), err)
	}
	var out [][]float32
	for N := m.NComponents(); len(z) > 0; z = z[N:] {
		out = append(out, z[:N])
	}
	return out
}

// Every method has vectors, whose models read and whose features come out with the
// same bits, here and on every other platform: what a file says today it says for
// ever. go test -run Vectors -update writes those of a new method or case.
func TestVectors(t *testing.T) {
	cases := mapCases()
	for _, method := range methodNames() {
		t.Run(method, func(t *testing.T) {
			file := "testdata/vectors/" + method + ".json"
			if flag.Lookup("update").Value.String() == "true" {
				writeVectors(t, file, method, cases[method])
			}
			kept := keptVectors(t, method)
			if len(kept) != len(cases[method]) {
				t.Fatalf("%s holds %d cases, want %d", file, len(kept), len(cases[method]))
			}
			for i, v := range kept {
				m := v.featureMap(t)
				for r, z := range features(t, m, v.Rows) {
					if !sketch.SameBits(z, v.Features[r]) {
						t.Errorf("%s, row %d: features %v, want %v", v.Name, r, z, v.Features[r])
					}
				}
				again, err := model.MarshalWith(m, model.Options{IncludeKey: cases[method][i].includeKey})
				if err != nil || !bytes.Equal(again, v.Model) {
					t.Errorf("%s: the model is written as\n%s, want\n%s (%v)", v.Name, again, v.Model, err)
				}
			}
		})
	}
}

func keptVectors(t *testing.T, method string) (kept []vectors) {
	t.Helper()
	data, err := os.ReadFile("testdata/vectors/" + method + ".json")
	if err == nil {
		err = json.Unmarshal(data, &kept)
	}
	if err != nil {
		t.Fatalf("vectors of %s: %v", method, err)
	}
	return kept
}

// writeVectors writes a case to a line, new ones only: those that are there stay.
func writeVectors(t *testing.T, file, method string, cases []mapCase) {
	var lines [][]byte
	old, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, c := range cases {
		_, v := c.newVectors(t, method, 3)
		line, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		name := line[:bytes.Index(line, []byte(`,"`))]
		if bytes.Contains(old, name) && !bytes.Contains(old, line) {
			t.Fatalf("%s, %s: the case is there and would change; a change of bits is a new version of the model file", method,
				c.name)
		}
		lines = append(lines, line)
	}
	text := "[" + string(bytes.Join(lines, []byte(",\n"))) + "]\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
