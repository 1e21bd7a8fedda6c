package model

import (
	"bytes"
	"math"
	"os"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/test/need"
)

// sumsFile returns a file that an Accumulator wrote, and its map.
func sumsFile(t *testing.T) (data []byte, m *sketch.FeatureMap) {
	t.Helper()
	return bytes.TrimSpace(need.Value(os.ReadFile("testdata/sums.json"))(t)),
		need.Value(sketch.NewFeatureMap(sketch.Params{NFeatures: 5, NComponents: 21, Coef0: 1, Seed: sketch.IntSeed(5)}))(t)
}

// Sums and means of a file have the bits that the Accumulator gave.
func TestSums(t *testing.T) {
	data, m := sumsFile(t)
	s := need.Value(UnmarshalSums(data, m))(t)
	hash := uint64(14695981039346656037) // FNV-1a of the bits
	for _, v := range append(s.Sums, s.Means...) {
		hash = (hash ^ math.Float64bits(v)) * 1099511628211
	}
	if s.Preprocessing != "log1p" || s.Count != 70 || s.Rows != 130 || s.Weight != -0xa868ddfp-22 ||
		s.Sums[0] != -3.198421951624841 || s.Means[0] != 0.07596767069020702 || hash != 0x7d4cb45e2669faf1 {
		t.Errorf("%+v, hash %#x", s, hash)
	}
}

// What another map wrote, or nobody, is refused.
func TestSumsMalformed(t *testing.T) {
	data, m := sumsFile(t)
	const weight, first = "-a868ddfp-22", "-332cbc7f109851p-52"
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
		{`"count":70`, `"count":71`, "count must be what 130 rows added and taken away can leave, got 71"},
		{`"count":70`, `"count":"70"`, "count"},
		{`"rows":130`, `"rows":1e17`, "rows must be an integer"},
		{`"rows":130`, `"rows":68`, "count must be what 68 rows"},
		{`"rows":130`, `"rows":-130`, "count must be what -130 rows"},
		{`"preprocessing":"log1p",`, ``, "preprocessing is missing"},
		{`"weight":"` + weight, `"weight":"` + weight + "x", "weight must be a sum such as"},
		{`"weight":"` + weight, `"weight":"1p-299`, "weight must be a sum of 130 rows"},
		{`"weight":"` + weight, `"weight":"1p342`, "weight must be a sum of 130 rows"},
		{`"weight":"` + weight, `"weight":"` + strings.Repeat("f", 257) + "p0", "weight must be a sum such as"},
		{`"weight":"` + weight, `"weight":"0`, ""},
		{`"` + first + `"`, `"-0"`, "sums[0] must be a sum such as"},
		{`"` + first + `"`, `"-82p256"`, ""},
		{`"` + first + `"`, `"-83p256"`, "sums[0] must be a sum of 130 rows, a multiple of 2^-298 and at most 130·2^256"},
		{`"` + first + `",`, ``, "sums must hold nComponents = 21 texts, got 20"},
		{`"sums"`, `"more":1,"sums"`, `"more" is not a key of sums`},
		{`{`, `[`, "not a JSON object"},
	} {
		changed := strings.Replace(string(data), c.old, c.new, 1)
		if changed == string(data) {
			t.Errorf("%s is not in the file", c.old)
		}
		_, err := UnmarshalSums([]byte(changed), m)
		if c.message == "" && err != nil || c.message != "" && (err == nil || !strings.Contains(err.Error(), c.message)) {
			t.Errorf("%s instead of %s: error %v, want %q", c.new, c.old, err, c.message)
		}
	}
}

func FuzzUnmarshalSums(f *testing.F) {
	m := need.Value(sketch.NewFeatureMap(sketch.Params{NFeatures: 3, NComponents: 2, Degree: 1}))(f)
	file := need.Value(Marshal(m))(f)
	f.Add([]byte(`{"format":"tensorsketch-sums","version":1,"model":` + string(file) +
		`,"preprocessing":"","count":1,"rows":1,"weight":"-3p-2","sums":["3p-2","-fp-3"]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if largeNumber.Match(data) {
			return // the model of a large map perhaps
		}
		s, err := UnmarshalSums(data, m)
		if err != nil {
			return
		}
		for _, v := range append(s.Sums, s.Weight) {
			if !(math.Abs(v) <= math.Ldexp(float64(s.Rows), 256)) {
				t.Errorf("%s gives %+v", data, s)
			}
		}
	})
}
