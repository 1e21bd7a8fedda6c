package model

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/linear"
	"tensorsketch.example/test/need"
)

// someSums are those that test/api/accumulator.test.mjs makes: rows and weights from a
// linear congruential generator, in two accumulators of which one is taken away.
func someSums(t testing.TB) *linear.Accumulator {
	t.Helper()
	m := need.Value(sketch.NewFeatureMap(sketch.Params{NFeatures: 5, NComponents: 21, Coef0: 1,
		Seed: sketch.IntSeed(5)}))(t)
	state := uint32(12345)
	draw := func(n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			state = state*1664525 + 1013904223
			x[i] = float32(int32(state)>>8) / (1 << 23)
		}
		return x
	}
	a, b := linear.NewAccumulator(m, "log1p"), linear.NewAccumulator(m, "log1p")
	need.OK(t, a.Add(sketch.Dense(draw(100*5)), draw(100)))
	need.OK(t, b.Add(sketch.Dense(draw(30*5)), nil))
	need.OK(t, a.Subtract(b))
	return a
}

// The digest is the same in JavaScript, on every platform.
func TestSumsDigest(t *testing.T) {
	data := need.Value(MarshalSums(someSums(t)))(t)
	digest := sha256.Sum256(data)
	if got, want := hex.EncodeToString(digest[:]),
		"96a17e35e7dbc02fc8c9b616031e62053d4310427d6cb7c5f8d3f2a62687da81"; got != want {
		t.Errorf("the digest of %.400s… is %s, want %s", data, got, want)
	}
}

// What another map wrote, or nobody, is refused.
func TestSumsMalformed(t *testing.T) {
	a := someSums(t)
	data := need.Value(MarshalSums(a))(t)
	weight := writeSum(a.Sums().State().Weight())
	first := writeSum(a.Sums().State().Sum(0))
	for _, c := range []struct{ old, new, message string }{
		{`"tensorsketch-sums"`, `"sums"`, `format must be "tensorsketch-sums", got "sums"`},
		{`sums","version":1`, `sums","version":2`, "version must be 1, got 2"},
		{`"seed":"5"`, `"seed":"6"`, "seed must be the same as in the sums to merge into, 5, got 6"},
		{`"coef0":1`, `"coef0":2`, "coef0 must be the same"},
		{`"coef0":1`, `"coef0":-2`, "coef0 must be a finite number ≥ 0"},
		{`"seed":"5"`, `"keyCheck":"00"`, "seed is missing"},
		{`"hash":"seed","seed":"5"`, `"hash":"key","keyCheck":"9cecf85488b0251b20be4a40e53b4849"`,
			"it is keyed, and the map is not"},
		{`"seed":"5"`, `"seed":"5","preprocessing":{"format":"tensorsketch-preprocessing","version":1}`,
			"it holds a preprocessing, which belongs beside it"},
		{`"count":70`, `"count":71`, "state must be one that sums have written"},
		{`"count":70`, `"count":"70"`, "count"},
		{`"rows":130`, `"rows":1e17`, "rows must be an integer"},
		{`"rows":130`, `"rows":68`, "state must be one"},
		{`"rows":130`, `"rows":-130`, "state must be one"},
		{`"preprocessing":"log1p",`, ``, "preprocessing is missing"},
		{`"weight":"` + weight, `"weight":"` + weight + "x", "weight must be a sum such as"},
		{`"weight":"` + weight, `"weight":"1p-299`, "weight must be a sum such as"},
		{`"weight":"` + weight, `"weight":"1p342`, "weight must be a sum such as"},
		{`"weight":"` + weight, `"weight":"1p300`, "state must be one"},
		{`"weight":"` + weight, `"weight":"` + strings.Repeat("f", 257) + "p0", "weight must be a sum such as"},
		{`"` + first + `"`, `"-0"`, "sums[0] must be a sum such as"},
		{`"` + first + `"`, `"-1p263"`, ""},
		{`"` + first + `"`, `"-1p264"`, "state must be one"},
		{`"` + first + `",`, ``, "sums must hold nComponents = 21 texts, got 20"},
		{`"sums"`, `"more":1,"sums"`, `"more" is not a key of sums`},
		{`{`, `[`, "not a JSON object"},
	} {
		changed := strings.Replace(string(data), c.old, c.new, 1)
		if changed == string(data) {
			t.Errorf("%s is not in the file", c.old)
		}
		_, err := UnmarshalSums([]byte(changed), a.Map())
		if c.message == "" && err != nil || c.message != "" && (err == nil || !strings.Contains(err.Error(), c.message)) {
			t.Errorf("%s instead of %s: error %v, want %q", c.new, c.old, err, c.message)
		}
	}
}

// A file holds no key, and is for the map with the key only.
func TestKeyedSums(t *testing.T) {
	key := someKey()
	a := linear.NewAccumulator(keyedMap(t, key), "")
	data, err := MarshalSums(a)
	if err != nil || bytes.Contains(data, []byte(hex.EncodeToString(key[:4]))) ||
		!bytes.Contains(data, []byte(keyedExample)) {
		t.Fatalf("%.400s (%v)", data, err)
	}
	if _, err := UnmarshalSums(data, a.Map()); err != nil {
		t.Error(err)
	}
	key[0]++
	if _, err := UnmarshalSums(data, keyedMap(t, key)); err == nil ||
		!strings.Contains(err.Error(), "the key is not that of this model") {
		t.Errorf("another key: %v", err)
	}
}

func FuzzUnmarshalSums(f *testing.F) {
	m := need.Value(sketch.NewFeatureMap(sketch.Params{NFeatures: 3, NComponents: 2, Degree: 1}))(f)
	a := linear.NewAccumulator(m, "")
	need.OK(f, a.Add(sketch.Dense{1, 2, 0.5}, []float32{-0.75}))
	data := need.Value(MarshalSums(a))(f)
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		if largeNumber.Match(data) {
			return // the model of a large map perhaps
		}
		back, err := UnmarshalSums(data, m)
		if err != nil {
			return
		}
		again := need.Value(MarshalSums(back))(t)
		if third, err := UnmarshalSums(again, m); err != nil || !slices.Equal(third.Sums().State(), back.Sums().State()) {
			t.Errorf("%s reads, %s does not: %v", data, again, err)
		}
	})
}
