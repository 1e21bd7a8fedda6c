package sketch

import (
	stdsha256 "crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tensorsketch.example/test/need"
)

var update = flag.Bool("update", false, "write testdata/digests.txt anew")

// testdata/digests.json holds 200 parameter sets, as JavaScript takes them, and the
// variants of each method: what a method takes of a set, and what it is told beside.
// Set i goes to variant i of each method, counted round. test/api/digests.mjs reads the
// same file in the same way.
type digestTable struct {
	Methods []digestMethod
	Sets    []digestSet
}

// A method stands there again for what it has been told later: another variant would give its sets to others.
type digestMethod struct {
	Method   string
	Variants []digestVariant
}

type digestVariant struct {
	Takes        []string
	MethodParams map[string]any
	Even         bool // nComponents is made even
	Roomy        bool // and at least nFeatures + 2
	Least, Most  int  // and from Least to Most, where they are given
}

type digestSet struct {
	NFeatures, NComponents, Degree int
	NFeaturesEach                  []int
	Gamma, Coef0                   float64
	Normalize, Output              string
	Repeats                        int
	Seed                           any
	RandomState                    *uint32
}

// params are the parameters of a set for a variant of a method.
func (s *digestSet) params(t *testing.T, method string, v digestVariant) Params {
	p := Params{Method: method, NFeatures: s.NFeatures, NComponents: s.NComponents, Normalize: s.Normalize,
		Repeats: s.Repeats, Seed: digestSeed(t, s.Seed)}
	takes := func(name string) bool { return slices.Contains(v.Takes, name) }
	if takes("degree") {
		p.Degree = s.Degree
	}
	if takes("gamma") {
		p.Gamma = s.Gamma
	}
	if takes("coef0") {
		p.Coef0 = s.Coef0
	}
	if takes("output") {
		p.Output = s.Output
	}
	if takes("nFeaturesEach") && s.NFeaturesEach != nil {
		p.NFeatures, p.NFeaturesEach, p.Degree = 0, s.NFeaturesEach, len(s.NFeaturesEach)
	}
	if takes("randomState") && s.RandomState != nil {
		p.RandomState, p.Repeats, p.Seed = s.RandomState, 0, Seed{}
	}
	if v.Most > 0 {
		p.NComponents = min(p.NComponents, v.Most)
	}
	p.NComponents = max(p.NComponents, v.Least)
	if v.Roomy {
		p.NComponents = max(p.NComponents, p.NFeatures+2)
	}
	if v.Even {
		p.NComponents += p.NComponents % 2
	}
	for name, value := range v.MethodParams {
		if list, ok := value.([]any); ok {
			numbers := make([]float64, len(list))
			for i := range list {
				numbers[i] = list[i].(float64)
			}
			value = numbers
		}
		need.OK(t, p.MethodParams.Set(name, value))
	}
	if p.MethodParams.Signed {
		p.Normalize = ""
	}
	return p
}

// digestSeed reads an integer, a text, {"integer": …} beyond what JSON's numbers hold,
// or {"bytes": …}.
func digestSeed(t *testing.T, given any) Seed {
	switch seed := given.(type) {
	case nil:
		return Seed{}
	case float64:
		return IntSeed(uint64(seed))
	case string:
		return StringSeed(seed)
	case map[string]any:
		if text, ok := seed["integer"].(string); ok {
			if n, err := strconv.ParseUint(text, 10, 64); err == nil {
				return IntSeed(n)
			}
		} else if text, ok := seed["bytes"].(string); ok {
			if b, err := hex.DecodeString(text); err == nil && len(b) == 32 {
				return BytesSeed([32]byte(b))
			}
		}
	}
	t.Fatalf("seed %v", given)
	return Seed{}
}

// digestInput is n numbers from a linear congruential generator, exact in float32.
func digestInput(n int) []float32 {
	x, state := make([]float32, n), uint32(12345)
	for i := range x {
		state = state*1664525 + 1013904223
		x[i] = float32(int32(state)>>8) / (1 << 23)
	}
	return x
}

const digestRows = 9 // a block of 8 lanes and one more

// digest returns the beginning of the SHA-256 of the bits of the features of nine rows
// and, unless the degrees take vectors of their own, of what a map says of the first two.
func digest(t *testing.T, p Params) string {
	m, err := NewFeatureMap(p)
	if err != nil {
		t.Fatalf("%+v: %v", p, err)
	}
	if p.NFeaturesEach != nil {
		var Xs []Rows
		X := digestInput(digestRows * 64)
		for _, d := range p.NFeaturesEach {
			Xs = append(Xs, Dense(X[:digestRows*d]))
			X = X[digestRows*d:]
		}
		z, err := m.TransformProduct(nil, Xs...)
		if err != nil {
			t.Fatalf("%+v: %v", p, err)
		}
		return digestOf(z, nil)
	}
	d := m.NFeatures()
	X := digestInput(max(digestRows, p.NComponents) * d)
	if p.Method == MethodSpherical {
		for r := 0; r < len(X); r += d {
			unitRow(X[r : r+d])
		}
	}
	if NeedsFit(p.Method) {
		if err := m.Fit(Dense(X)); err != nil {
			t.Fatalf("%+v: %v", p, err)
		}
	}
	z, err := m.TransformBatch(nil, X[:digestRows*d])
	if err != nil {
		t.Fatalf("%+v: %v", p, err)
	}
	x, y := toFloat64(X[:d]), toFloat64(X[d:2*d])
	sigma, _ := m.StdError(x, y)
	guaranteed, typical, err := m.ChooseComponents(x, y, 0.5, 0.05)
	if err != nil {
		t.Fatalf("%+v: %v", p, err)
	}
	values := []float64{m.Kernel(x, y), sigma, guaranteed, typical}
	if signs, D := m.Signs(), m.NComponents(); signs != nil {
		values = append(values, Dot(multiplied(z[:D], signs), z[D:2*D]))
	}
	return digestOf(z, values)
}

// OfProduct returns what a compressed product of 5 × k by k × 7 tells. Package product imports this one, so a test of
// package sketch_test sets it.
var OfProduct func(t *testing.T, nComponents, repeats int, seed Seed, A, B []float32) []float64

// productDigest is digest for the sketch of a product of 5 × d by d × 7.
func productDigest(t *testing.T, s *digestSet) string {
	X := digestInput(12 * s.NFeatures)
	return digestOf(nil, OfProduct(t, s.NComponents, s.Repeats, digestSeed(t, s.Seed), X[:5*s.NFeatures],
		X[5*s.NFeatures:]))
}

// digestOf returns 8 hexadecimal digits; NaN, which has many forms, counts as −1.
func digestOf(z []float32, values []float64) string {
	var data []byte
	for _, v := range z {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	for _, v := range values {
		if v != v {
			v = -1
		}
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
	}
	hash := stdsha256.Sum256(data)
	return hex.EncodeToString(hash[:4])
}

// The bits of every method are the same on every platform: CI runs this test natively
// under GOAMD64=v1 and v3, with SIMD and without, for arm64 and in WebAssembly, and
// test/api/digests.test.mjs and TestDigests of test/page compare the same table with
// what the JavaScript API gives.
func TestDigests(t *testing.T) {
	const file = "testdata/digests.txt"
	text := need.Value(os.ReadFile("testdata/digests.json"))(t)
	var table digestTable
	if err := json.Unmarshal(text, &table); err != nil || len(table.Sets) != 200 {
		t.Fatalf("%d sets (%v)", len(table.Sets), err)
	}
	for _, name := range methodNames() {
		if !slices.ContainsFunc(table.Methods, func(m digestMethod) bool { return m.Method == name }) {
			t.Errorf("%s has no digests: name it in testdata/digests.json with its variants, then -update", name)
		}
	}
	var got strings.Builder
	for _, m := range table.Methods {
		got.WriteString(m.Method + " ")
	}
	got.WriteString("compressedProduct\n")
	for i, s := range table.Sets {
		for _, m := range table.Methods {
			got.WriteString(digest(t, s.params(t, m.Method, m.Variants[i%len(m.Variants)])) + " ")
		}
		got.WriteString(productDigest(t, &s) + "\n")
	}
	if *update {
		need.OK(t, os.WriteFile(file, []byte(got.String()), 0o644))
	}
	want := need.Value(os.ReadFile(file))(t)
	lines, wanted := strings.Split(got.String(), "\n"), strings.Split(string(want), "\n")
	if len(lines) != len(wanted) || lines[0] != wanted[0] {
		t.Fatalf("%s has %d lines of %q, want %d of %q", file, len(wanted), wanted[0], len(lines), lines[0])
	}
	names := strings.Fields(lines[0])
	for i := range table.Sets {
		g, w := strings.Fields(lines[i+1]), strings.Fields(wanted[i+1])
		for k, name := range names {
			if k >= len(w) || g[k] != w[k] {
				t.Errorf("set %d of %s: digest %s, want %s", i, name, g[k], fmt.Sprint(w[min(k, len(w)):min(k+1, len(w))]))
			}
		}
	}
}
