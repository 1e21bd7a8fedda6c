package model_test

import (
	"bytes"
	"strings"
	"testing"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/model"
	"tensorsketch.example/test/need"
)

func someMap(t testing.TB) *sketch.FeatureMap {
	t.Helper()
	return need.Value(sketch.New(sketch.Params{NFeatures: 3, NComponents: 8, Coef0: 1, Seed: sketch.IntSeed(5)}))(t)
}

// someLearners are learners of each kind, with rows and without.
func someLearners(t testing.TB) map[string]*learn.Learner {
	t.Helper()
	all := map[string]*learn.Learner{}
	for name, l := range learnings(t) {
		all[name] = l.learner(t, 0, learnedRows)
	}
	all["no rows"] = learnings(t)["no held-out rows"].learner(t, 0, 0)
	return all
}

// Learners come back in both forms with every bit, go on with more rows, and merge with those they were.
func TestLearnersComeBack(t *testing.T) {
	for name, l := range someLearners(t) {
		data := need.Value(model.MarshalLearner(l))(t)
		packed := need.Value(model.MarshalLearnerBinary(l))(t)
		for _, m := range []*sketch.FeatureMap{nil, someMap(t)} {
			for _, file := range [][]byte{data, packed} {
				back, err := model.UnmarshalLearner(file, m)
				if err != nil {
					t.Errorf("%s: %v: %.500s", name, err, file)
					continue
				}
				if again := need.Value(model.MarshalLearner(back))(t); !bytes.Equal(again, data) {
					t.Errorf("%s: %s becomes %s", name, data, again)
				}
				if err := back.Merge(l); err != nil || back.Rows() != 2*l.Rows() {
					t.Errorf("%s: merged with itself it has %d rows, %v", name, back.Rows(), err)
				}
			}
		}
	}
}

// Files of private learners stay as they were: nothing of their grid comes from rows.
func TestPrivateLearnerKeepsItsGrid(t *testing.T) {
	l := someLearners(t)["private"]
	file := string(need.Value(model.MarshalLearner(l))(t))
	if spec := l.Spec(); spec.Limit != 0 || spec.Finer != "" || spec.Step != need.Value(solve.GridStep(spec.Map, 1))(t) {
		t.Errorf("the grid is %v, %d, %q", spec.Step, spec.Limit, spec.Finer)
	}
	if !strings.Contains(file, `"tensorsketch-learner","version":1,`) || strings.Contains(file, `"grid"`) {
		t.Errorf("the file is %.300s", file)
	}
}

// What another map wrote, or nobody, is refused.
func TestMalformedLearner(t *testing.T) {
	learners := someLearners(t)
	classes := need.Value(model.MarshalLearner(learners["classes of the rows"]))(t)
	targets := need.Value(model.MarshalLearner(learners["targets"]))(t)
	for _, c := range []struct {
		file              []byte
		old, new, message string
	}{
		{classes, `"tensorsketch-learner"`, `"tensorsketch-sums"`, `format must be "tensorsketch-learner"`},
		{classes, `learner","version":3`, `learner","version":4`, "version must be 1 or 2 or 3, got 4"},
		{classes, `learner","version":3`, `learner","version":1`, `"grid" is not a key`},
		{classes, `"limit":32767`, `"limit":32768`, "grid.limit must be 32767, got 32768"},
		{classes, `"limit":32767`, `"limit":32767,"finer":"AAA"`, "grid.finer must be bytes in base64"},
		{classes, `"limit":32767`, `"limit":32767,"finer":"AAAA"`, "finer must hold one for each of 8 features"},
		{classes, `"seed":"5"`, `"seed":"6"`, "seed must be the same"},
		{classes, `"task":"classify"`, `"task":"rank"`, `task must be "classify" or "regress"`},
		{classes, `[true,2,"naïve"]`, `[2,true,"naïve"]`, "classes[1] must come after 2"},
		{classes, `[true,2,"naïve"]`, `[true,2]`, "words must hold"},
		{classes, `"classesGiven":false,`, ``, "classesGiven is missing"},
		{classes, `"radius":1`, `"radius":-1`, "radius must be a finite number > 0"},
		{classes, `"step":0.000`, `"step":0.001`, "step must be a power of two"},
		{classes, `"folds":1`, `"folds":2`, "folds must be 0, 1 or 5"},
		{classes, `"folds":1`, `"folds":5`, "words must hold"},
		{classes, `"moments":"`, `"moments":"!`, "moments must be whole words of 8 bytes in base64"},
		{classes, `"moments":"`, `"moments":"\n`, "moments must be whole words of 8 bytes in base64"},
		{classes, `"moments":"`, `"moments":"////////////////`, "words"},
		{classes, `"folds":1`, `"folds":1,"more":1`, `"more" is not a key of a learner`},
		{classes, `"folds":1`, `"folds":1,"missing":"x"`, `"linear" is not a key of a learner`},
		{targets, `"targetRange":[0,8]`, `"targetRange":[0]`, "targetRange must hold two numbers, got 1"},
		{targets, `"targetRange":[0,8]`, `"targetRange":[8,0]`, "targetRange must be two finite numbers, the lower first"},
		{targets, `"targets":2`, `"targets":3`, "words must hold"},
		{targets, `"targets":2`, `"targets":2,"classes":[1,2]`, `"classes" is not a key of a learner`},
	} {
		changed := strings.Replace(string(c.file), c.old, c.new, 1)
		if changed == string(c.file) {
			t.Errorf("%s is not in the file", c.old)
		}
		if _, err := model.UnmarshalLearner([]byte(changed), someMap(t)); err == nil ||
			!strings.Contains(err.Error(), c.message) {
			t.Errorf("%s instead of %s: error %v, want %q", c.new, c.old, err, c.message)
		}
	}
	packed := need.Value(model.MarshalLearnerBinary(learners["targets"]))(t)
	for _, size := range []int{8, 12, 40, len(packed) - 1, len(packed) - 8, 600} {
		if _, err := model.UnmarshalLearner(packed[:size], nil); err == nil {
			t.Errorf("%d of %d bytes are a learner", size, len(packed))
		}
	}
}

// TestDamagedLearner: the binary form with one bit changed, or without its end, is refused. Files of 0.3.0 have no
// checksum, and are read.
func TestDamagedLearner(t *testing.T) {
	for name, l := range someLearners(t) {
		packed := need.Value(model.MarshalLearnerBinary(l))(t)
		for bit := range 8 * len(packed) {
			damaged := bytes.Clone(packed)
			damaged[bit/8] ^= 1 << (bit % 8)
			if _, err := model.UnmarshalLearner(damaged, nil); err == nil {
				t.Fatalf("%s: bit %d of byte %d of %d is another, and nothing says so", name, bit%8, bit/8, len(packed))
			}
			if _, err := model.UnmarshalSpec(damaged); err == nil {
				t.Fatalf("%s: bit %d of byte %d of %d is another, and the Spec is read", name, bit%8, bit/8, len(packed))
			}
		}
		for size := range packed {
			if _, err := model.UnmarshalLearner(packed[:size], nil); err == nil {
				t.Fatalf("%s: %d of %d bytes are a learner", name, size, len(packed))
			}
		}
		old := append([]byte("TSLEARN1"), packed[8:len(packed)-8]...)
		back, err := model.UnmarshalLearner(old, nil)
		if err != nil {
			t.Fatalf("%s: without a checksum: %v", name, err)
		}
		if again := need.Value(model.MarshalLearnerBinary(back))(t); !bytes.Equal(again, packed) {
			t.Errorf("%s: without a checksum it becomes %x, want %x", name, again, packed)
		}
	}
}

func FuzzUnmarshalLearner(f *testing.F) {
	for _, l := range someLearners(f) {
		f.Add(need.Value(model.MarshalLearner(l))(f))
		f.Add(need.Value(model.MarshalLearnerBinary(l))(f))
	}
	m := someMap(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := model.UnmarshalLearner(data, m)
		if err != nil {
			return
		}
		again := need.Value(model.MarshalLearner(l))(t)
		back, err := model.UnmarshalLearner(again, m)
		if err != nil {
			t.Fatalf("%.1000s reads, %s does not: %v", data, again, err)
		}
		if final := need.Value(model.MarshalLearner(back))(t); !bytes.Equal(again, final) {
			t.Errorf("%s becomes %s", again, final)
		}
	})
}
