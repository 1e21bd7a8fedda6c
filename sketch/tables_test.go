package sketch_test

import (
	"strings"
	"testing"

	"tensorsketch.example/sketch"
)

// TestTables: tables alone equal the map's, for each source of hashes, and have every repeat.
func TestTables(t *testing.T) {
	state := uint32(7)
	for _, p := range []sketch.Params{
		{NFeatures: 5, NComponents: 9, Coef0: 1, Degree: 3, Seed: sketch.IntSeed(5), Repeats: 2},
		{NFeatures: 5, NComponents: 9, Degree: 2, RandomState: &state},
		{Method: sketch.MethodCountSketch, NFeatures: 2, NComponents: 3, Degree: 1, IndexHash: [][]int32{{2, 0}},
			BitHash: [][]int8{{1, -1}}},
		{Method: sketch.MethodComplexTensorSketch, NFeatures: 5, NComponents: 10, Coef0: 2, Gamma: 0.5},
		{NFeaturesEach: []int{2, 3}, NComponents: 9},
	} {
		m, err := sketch.NewFeatureMap(p)
		if err != nil {
			t.Fatal(err)
		}
		hash, err := m.Params().Hashes()
		if err != nil {
			t.Fatal(err)
		}
		p = m.Params()
		for k := range p.Degree {
			differ := 0
			for i := range p.FeaturesOf(k) {
				bucket, sign := hash(0, k, i)
				if b, s := m.Hash(k, i); bucket != b || sign != s {
					t.Errorf("%+v: coordinate %d of degree %d has %d, %d, want %d, %d", p, i, k, bucket, sign, b, s)
				}
				if other, _ := hash(p.Repeats-1, k, i); other != bucket {
					differ++
				}
			}
			if (differ > 0) != (p.Repeats > 1) {
				t.Errorf("%+v: %d coordinates differ between repeats", p, differ)
			}
		}
	}
	for want, p := range map[string]sketch.Params{
		"method must be one of": {Method: sketch.MethodCRAFT, NFeatures: 5},
		"nComponents must be":   {Method: sketch.MethodTensorSketch, NFeatures: 5},
	} {
		if _, err := p.Hashes(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", p, err, want)
		}
	}
}

// TestTablesRepeat: a map of several repeats is the maps of its tables one after another.
func TestTablesRepeat(t *testing.T) {
	p := sketch.Params{Method: sketch.MethodCountSketch, NFeatures: 6, NComponents: 4, Degree: 1, Repeats: 4}
	m, err := sketch.New(p)
	if err != nil {
		t.Fatal(err)
	}
	hash, err := m.Params().Hashes()
	if err != nil {
		t.Fatal(err)
	}
	for i := range 6 {
		x := make([]float32, 6)
		x[i] = 2 // of 4 repeats each is halved
		z := m.Transform(nil, x)
		for r := range 4 {
			bucket, sign := hash(r, 0, i)
			if got := z[4*r+bucket]; got != float32(sign) {
				t.Errorf("coordinate %d in repeat %d has %v in bucket %d, want %d", i, r, got, bucket, sign)
			}
		}
	}
}
