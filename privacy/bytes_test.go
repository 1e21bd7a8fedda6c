package privacy

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/model"
	"tensorsketch.example/test/need"
)

// The model files of private releases of two neighbouring tables have the same bytes outside what noise has reached,
// the weights. The row that differs has the other label, and is so long that it is clipped.
func TestPrivateBytes(t *testing.T) {
	const n = 50
	fields := func(X sketch.Dense, labels []int) map[string]string {
		f := need.Value(sketch.New(sketch.Params{NFeatures: 2, NComponents: 16, Degree: 2, Coef0: 1,
			Normalize: sketch.NormalizeKernel, Seed: sketch.IntSeed(3)}))(t)
		spec := need.Value(learn.Prepare(learn.Spec{Map: f, Radius: 1, Classes: learn.Labels([]int{0, 1}), Private: true},
			X, learn.Labels(labels)))(t)
		l := need.Value(learn.NewLearner(spec))(t)
		need.OK(t, l.Add(X, learn.Labels(labels), nil))
		head := need.Value(released(t, 1, l.Moments(), 9).Fit())(t)
		used := l.Spec()
		file := need.Value(model.MarshalModel(used.Model(head), model.Options{}))(t)
		var parts, own map[string]json.RawMessage
		need.OK(t, json.Unmarshal(file, &parts))
		need.OK(t, json.Unmarshal(parts["head"], &own))
		all := map[string]string{}
		for name, value := range parts {
			if name != "head" {
				all[name] = string(value)
			}
		}
		for name, value := range own {
			all["head."+name] = string(value)
		}
		return all
	}
	X, labels := make(sketch.Dense, 2*n), make([]int, n)
	for i := range labels {
		labels[i] = i % 2
		X[2*i], X[2*i+1] = float32(i%7)/8, float32(labels[i])/2
	}
	one := fields(X, labels)
	X[20], X[21], labels[10] = -300, 5e4, 1-labels[10]
	other := fields(X, labels)
	if !slices.Equal(slices.Sorted(maps.Keys(one)), slices.Sorted(maps.Keys(other))) {
		t.Errorf("the files have other keys: %v, %v", slices.Sorted(maps.Keys(one)), slices.Sorted(maps.Keys(other)))
	}
	for name, value := range one {
		if same := other[name] == value; same == (name == "head.weights") {
			t.Errorf("%s of neighbours: %.200s and %.200s", name, value, other[name])
		}
	}
}
