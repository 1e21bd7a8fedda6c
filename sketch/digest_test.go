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
	"testing"
)

var update = flag.Bool("update", false, "write testdata/digests.json anew")

// digestParams are 60 parameter sets over every length of transform, source of
// tables and option.
func digestParams() []Params {
	lengths := []int{1, 2, 3, 4, 5, 7, 8, 12, 16, 25, 30, 45, 64, 97, 100, 106, 127, 200, 256, 360, 500, 509, 625, 1000, 1009, 1024, 2018, 2048, 4096, 5000}
	state := uint32(20260101)
	var all []Params
	for i, D := range lengths {
		p := Params{NFeatures: 1 + i*i%53, NComponents: D, Degree: 1 + i%6, Gamma: 1 / (1 + float64(i%3)), Coef0: float64(i % 4), Seed: IntSeed(uint64(i))}
		q := p
		switch i % 4 {
		case 0:
			q.Output, q.Seed = OutputSpectrum, StringSeed(fmt.Sprint("digest ", i))
		case 1:
			q.Normalize, q.Seed = NormalizeKernel, BytesSeed([32]byte{31: byte(i)})
		case 2:
			q.RandomState, q.Seed = &state, Seed{}
		default:
			q.NFeatures, q.NFeaturesEach = 0, []int{5, 1 + i, 3}
			q.Degree = 3
		}
		all = append(all, p, q)
	}
	return all
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

// digest hashes the bits of the features of seven rows, and of every float64
// that a map of the parameters gives for a pair of vectors.
func digest(t *testing.T, p Params) string {
	m := must(t, p)
	d, n := m.NFeatures(), 7
	X := digestInput(n * d)
	var z []float32
	var err error
	if p.NFeaturesEach == nil {
		z, err = m.TransformBatch(nil, X)
	} else {
		rows, at := []Rows{}, 0
		for _, each := range p.NFeaturesEach {
			rows = append(rows, Dense(X[at:at+n*each]))
			at += n * each
		}
		z, err = m.TransformProduct(nil, rows...)
	}
	if err != nil {
		t.Fatalf("%+v: %v", p, err)
	}
	hash := stdsha256.New()
	for _, v := range z {
		binary.Write(hash, binary.LittleEndian, math.Float32bits(v))
	}
	x, y := toFloat64(X[:d]), toFloat64(X[d:2*d])
	sigma, _ := m.StdError(x, y)
	guaranteed, typical, err := m.ChooseComponents(x, y, 0.1*m.Kernel(x, x), 0.05)
	if err != nil {
		t.Fatalf("%+v: %v", p, err)
	}
	for _, v := range []float64{m.Kernel(x, y), sigma, guaranteed, typical, m.Theorem9Variance(x, y)} {
		binary.Write(hash, binary.LittleEndian, math.Float64bits(v))
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// The bits are the same on every platform: CI runs this test natively under
// GOAMD64=v1 and v3 and in WebAssembly against one committed table.
func TestDigests(t *testing.T) {
	const file = "testdata/digests.json"
	params := digestParams()
	got := make([]string, len(params))
	for i, p := range params {
		got[i] = digest(t, p)
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
	var want []string
	if err := json.Unmarshal(data, &want); err != nil || len(want) != len(params) {
		t.Fatalf("%s holds %d digests, want %d (%v)", file, len(want), len(params), err)
	}
	for i, p := range params {
		if got[i] != want[i] {
			t.Errorf("parameter set %d, %+v: digest %s, want %s", i, p, got[i], want[i])
		}
	}
}
