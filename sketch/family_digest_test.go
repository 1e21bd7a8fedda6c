package sketch

import (
	stdsha256 "crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"testing"
)

// familyDigest hashes the bits of the features of seven rows, and of every float64
// that a map gives for a pair of vectors.
func familyDigest(t *testing.T, c familyCase) string {
	m := mustMap(t, c)
	d, n := m.NFeatures(), 7
	X := digestInput(n * d)
	if c.unit {
		for r := range n {
			unitRow(X[r*d : (r+1)*d])
		}
	}
	z, err := m.TransformBatch(nil, X)
	if err != nil {
		t.Fatalf("%+v: %v", c.params, err)
	}
	hash := stdsha256.New()
	for _, v := range z {
		binary.Write(hash, binary.LittleEndian, math.Float32bits(v))
	}
	x, y := toFloat64(X[:d]), toFloat64(X[d:2*d])
	sigma, kind := m.StdError(x, y)
	guaranteed, typical, err := m.ChooseComponents(x, y, 0.1*m.Kernel(x, x), 0.05)
	if err != nil {
		t.Fatalf("%+v: %v", c.params, err)
	}
	for _, v := range []float64{m.Kernel(x, y), sigma, float64(kind), guaranteed, typical} {
		if v != v {
			v = -1 // NaN has many forms
		}
		binary.Write(hash, binary.LittleEndian, math.Float64bits(v))
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// The bits of every method are the same on every platform: CI runs this test
// natively, for arm64 and in WebAssembly against one committed table.
func TestFamilyDigests(t *testing.T) {
	const file = "testdata/family-digests.json"
	got := map[string]string{}
	for name, c := range familyCases() {
		got[name] = familyDigest(t, c)
	}
	if *update {
		data, _ := json.MarshalIndent(got, "", " ")
		if err := os.WriteFile(file, append(data, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]string
	if err := json.Unmarshal(data, &want); err != nil || len(want) != len(got) {
		t.Errorf("%s holds %d digests, want %d (%v)", file, len(want), len(got), err)
	}
	for name := range got {
		if got[name] != want[name] {
			t.Errorf("%s: digest %s, want %s", name, got[name], want[name])
		}
	}
}
