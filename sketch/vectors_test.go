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
	"tensorsketch.example/test/need"
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
func newVectors(t *testing.T, c sketch.MapCase, method string, n int) (*sketch.FeatureMap, vectors) {
	t.Helper()
	c.Params.Method = method
	m, err := sketch.NewFeatureMap(c.Params)
	if err != nil {
		t.Fatalf("%s, %s: %v", method, c.Name, err)
	}
	d := m.NFeatures()
	switch {
	case c.Landmarks != nil:
		if err := m.SetLandmarks(c.Landmarks); err != nil {
			t.Fatalf("%s, %s: %v", method, c.Name, err)
		}
	case sketch.NeedsFit(method):
		if err := m.Fit(sketch.Dense(slices.Concat(inputRows(2*c.Params.NComponents, d, false)...))); err != nil {
			t.Fatalf("%s, %s: %v", method, c.Name, err)
		}
	}
	text, err := model.MarshalWith(m, model.Options{IncludeKey: c.IncludeKey})
	if err != nil {
		t.Fatalf("%s, %s: %v", method, c.Name, err)
	}
	v := vectors{Name: c.Name, Model: text, Rows: inputRows(n, d, method == sketch.MethodSpherical)}
	if c.Params.Keyed && !c.IncludeKey {
		key := sketch.SecretKey()
		v.Key = hex.EncodeToString(key[:])
	}
	v.Features = features(t, m, v.Rows)
	return m, v
}

// features returns the features of dense rows, after it has seen that sparse ones and rows
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
	z := need.Value(transform(dense))(t)
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
// ever. go test -run Vectors -update writes the vectors of a new method or case.
func TestVectors(t *testing.T) {
	cases := sketch.MapCases()
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
				again, err := model.MarshalWith(m, model.Options{IncludeKey: cases[method][i].IncludeKey})
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
func writeVectors(t *testing.T, file, method string, cases []sketch.MapCase) {
	var lines [][]byte
	old, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, c := range cases {
		_, v := newVectors(t, c, method, 3)
		line := need.Value(json.Marshal(v))(t)
		name := line[:bytes.Index(line, []byte(`,"`))]
		if bytes.Contains(old, name) && !bytes.Contains(old, line) {
			t.Fatalf("%s, %s: the case is there and would change; a change of bits is a new version of the model file", method,
				c.Name)
		}
		lines = append(lines, line)
	}
	text := "[" + string(bytes.Join(lines, []byte(",\n"))) + "]\n"
	need.OK(t, os.WriteFile(file, []byte(text), 0o644))
}
