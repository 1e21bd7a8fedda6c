package learn

import (
	"errors"
	"math/rand"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/test/need"
)

// sketched is a small map for simulations.
var sketched = sketch.Params{NFeatures: 6, NComponents: 32, Degree: 2, Coef0: 1, Seed: sketch.IntSeed(3)}

// wantError fails unless err is an error of package sketch that names the argument and a remedy.
func wantError(t *testing.T, err error, argument string) {
	t.Helper()
	var e *sketch.Error
	if !errors.As(err, &e) || e.Argument != argument || e.Want == "" {
		t.Errorf("error %v, want one that names %s", err, argument)
	}
}

// Learners are compared by their maps, preprocessing, grids and bounds, whatever their labels and folds.
func TestLearnerCompare(t *testing.T) {
	rng := rand.New(rand.NewSource(6))
	spec := Spec{Map: need.Value(sketch.NewFeatureMap(sketched))(t), Task: TaskClassify, Radius: 8, Folds: 1}
	filled := func(change func(s *Spec), shift float32, rows int) *Learner {
		s := spec
		change(&s)
		l := need.Value(NewLearner(s))(t)
		X, labels, y := make(sketch.Dense, rows*6), make([]Label, rows), make([]float64, rows)
		for i := range X {
			X[i] = float32(rng.NormFloat64()) + shift
		}
		for i := range labels {
			labels[i] = TextLabel("one")
		}
		if s.Task == TaskRegress {
			need.OK(t, l.AddTargets(X, y, nil))
		} else {
			need.OK(t, l.Add(X, labels, nil))
		}
		return l
	}
	base := filled(func(*Spec) {}, 0, 200)
	regress := func(s *Spec) { s.Task, s.TargetRange, s.Folds = TaskRegress, [2]float64{-1, 1}, 5 }
	if c := need.Value(base.Compare(filled(regress, 0, 300)))(t); !(c.PValue > 1e-3) || c.Rows != [2]float64{200, 300} {
		t.Errorf("the same distribution: %+v", c)
	}
	if c := need.Value(base.Compare(filled(regress, 0.5, 300)))(t); !(c.PValue < 1e-6) || !(c.MMD2 > 3*c.StdError) {
		t.Errorf("another distribution: %+v", c)
	}
	for argument, change := range map[string]func(s *Spec){
		"seed": func(s *Spec) {
			p := sketched
			p.Seed = sketch.IntSeed(4)
			s.Map = need.Value(sketch.NewFeatureMap(p))(t)
		},
		"preprocessing": func(s *Spec) { s.Preprocessing = "{}" },
		"step":          func(s *Spec) { s.Radius = 80 },
		"limit":         func(s *Spec) { s.Step = base.spec.Step },
		"private":       func(s *Spec) { s.Private, s.Classes = true, []Label{TextLabel("one"), TextLabel("two")} },
	} {
		_, err := base.Compare(filled(change, 0, 20))
		wantError(t, err, argument)
	}
	_, err := base.Compare(filled(func(*Spec) {}, 0, 3))
	wantError(t, err, "rows")
}

// The bits that test/api/compare.test.mjs has, too.
func TestComparisonBits(t *testing.T) {
	const d = 5
	spec := Spec{Map: need.Value(sketch.NewFeatureMap(sketch.Params{NFeatures: d, NComponents: 48, Degree: 2, Coef0: 1,
		Seed: sketch.IntSeed(5)}))(t), Task: TaskClassify, Radius: 6, Folds: 1}
	learned := func(n, from int, shift float64) *Learner {
		X, labels := make(sketch.Dense, n*d), make([]Label, n)
		for i := range X {
			X[i] = float32(float64((from+i)*7919%1013)/1013 - 0.5 + shift)
		}
		for i := range labels {
			labels[i] = NumberLabel(float64(i % 2))
		}
		l := need.Value(NewLearner(spec))(t)
		need.OK(t, l.Add(X, labels, nil))
		return l
	}
	got := need.Value(learned(120, 0, 0).Compare(learned(80, 1000, 0.2)))(t)
	want := Comparison{MMD2: 0.3769695650562853, StdError: 0.03861866353831191, Biased: 0.4013731054464976,
		PValue: 1.2538398653931865e-11, Rows: [2]float64{120, 80}}
	if *got != want {
		t.Errorf("%+v, want %+v", *got, want)
	}
}
