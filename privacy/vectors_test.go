package privacy

import (
	"bytes"
	"encoding/binary"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/model"
	"tensorsketch.example/test/need"
)

var updateReleased = flag.Bool("updatereleased", false, "write testdata/released anew")

// releasedRows returns n rows of d numbers with labels and two targets each: a few rows are longer than 1, and a few
// targets are outside −1 to 1. test/api/privatemodels.test.mjs makes the same.
func releasedRows(n, d int) (X []float32, labels []learn.Label, targets []float64) {
	for row := range n {
		sum := 0
		for i := range d {
			v := (row*row*7919+row*31*(i+1)+i*i*17)%201 - 100
			X = append(X, float32(v)/128)
			sum += v * (i%3 - 1)
		}
		labels = append(labels, learn.BoolLabel(sum > 0))
		targets = append(targets, float64(sum)/256, float64(sum*sum)/65536)
	}
	return X, labels, targets
}

// TestReleasedVectors: files of private learners, released words by known noise, and the models fitted to them keep
// their bytes on every platform. JavaScript reads them here: it writes the same learners and the same models, and its
// core fits the same weights to the words.
func TestReleasedVectors(t *testing.T) {
	const n, d = 400, 5
	X, labels, targets := releasedRows(n, d)
	newMap := func() *sketch.FeatureMap {
		return need.Value(sketch.New(sketch.Params{NFeatures: d, NComponents: 12, Degree: 2, Coef0: 1,
			Normalize: sketch.NormalizeKernel, Seed: sketch.IntSeed(9)}))(t)
	}
	classify := need.Value(learn.NewLearner(learn.Spec{Map: newMap(), Task: learn.TaskClassify, Private: true, Radius: 1,
		Classes: learn.Labels([]bool{false, true})}))(t)
	need.OK(t, classify.Add(sketch.Dense(X), labels, nil))
	regress := need.Value(learn.NewLearner(learn.Spec{Map: newMap(), Task: learn.TaskRegress, Private: true, Radius: 1,
		Targets: 2, TargetRange: [2]float64{-1, 1}, Folds: 1}))(t)
	need.OK(t, regress.AddTargets(sketch.Dense(X), targets, nil))
	files := map[string][]byte{}
	for name, l := range map[string]*learn.Learner{"classify": classify, "regress": regress} {
		if l.Moments().Clipped() == 0 {
			t.Errorf("%s: no row was clipped, so this test sees less", name)
		}
		r, spec := released(t, 4, l.Moments(), 3), l.Spec()
		files[name+"-learner.json"] = append(need.Value(model.MarshalLearner(l))(t), '\n')
		files[name+"-model.json"] = append(need.Value(model.MarshalModel(spec.Model(need.Value(r.Fit())(t)),
			model.Options{}))(t), '\n')
		var words []byte
		for _, w := range r.Words() {
			words = binary.LittleEndian.AppendUint64(words, uint64(w))
		}
		files[name+"-words.bin"] = words
	}
	for name, got := range files {
		path := filepath.Join("testdata", "released", name)
		if *updateReleased {
			need.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
			need.OK(t, os.WriteFile(path, got, 0o644))
		}
		if want := need.Value(os.ReadFile(path))(t); !bytes.Equal(got, want) {
			t.Errorf("%s is not what this release writes; after an intended change: -updatereleased", name)
		}
	}
}
