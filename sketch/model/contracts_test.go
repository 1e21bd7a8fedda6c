package model_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/prepare"
	"tensorsketch.example/sketch/model"
	"tensorsketch.example/test/need"
)

// A learning is one kind of learner, and rows to add to it.
type learning struct {
	spec   learn.Spec
	X      sketch.Dense
	labels []learn.Label // or
	y      []float64     // of each target
}

const learnedRows = 30

// learnings are all kinds of learners.
func learnings(t testing.TB) map[string]learning {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	X, y := make(sketch.Dense, learnedRows*3), make([]float64, learnedRows*2)
	for i := range X {
		X[i] = float32(r.IntN(33)-16) / 32
	}
	for i := range y {
		y[i] = float64(r.IntN(9))
	}
	labels := make([]learn.Label, learnedRows)
	for i := range labels {
		labels[i] = []learn.Label{learn.TextLabel("naïve"), learn.NumberLabel(2), learn.BoolLabel(true)}[i%3]
	}
	all := map[string]learning{}
	add := func(name string, spec learn.Spec) {
		l := learning{spec, X, labels, nil}
		if spec.Task == learn.TaskRegress {
			l.labels, l.y = nil, y[:learnedRows*max(1, spec.Targets)]
		}
		all[name] = l
	}
	classify := learn.Spec{Task: learn.TaskClassify, Radius: 1}
	with := func(s learn.Spec, change func(s *learn.Spec)) learn.Spec { change(&s); return s }
	add("no held-out rows", classify)
	add("classes of the rows", with(classify, func(s *learn.Spec) { s.Folds = 1 }))
	add("classes given", with(classify, func(s *learn.Spec) {
		s.Preprocessing, s.WithoutLinear = "log1p", true
		s.Classes = append(slices.Clone(labels[:3]), learn.TextLabel("z"))
	}))
	add("kept rows", with(classify, func(s *learn.Spec) { s.Folds, s.Keep = 5, 1 }))
	add("a step", learn.Spec{Task: learn.TaskClassify, Step: 0.25})
	add("targets", learn.Spec{Task: learn.TaskRegress, Radius: 2, Folds: 5, Targets: 2, TargetRange: [2]float64{0, 8}})
	add("private", learn.Spec{Task: learn.TaskRegress, Private: true, Radius: 1, Folds: 1, TargetRange: [2]float64{2, 5}})
	p := need.Value(prepare.New(prepare.Std, X, make([]prepare.Kind, 3)))(t)
	X = slices.Clone(X)
	X[25] = 1e6 // it is cut
	add("prepared", with(classify, func(s *learn.Spec) { s.Preparation, s.Folds = p, 5 }))
	return all
}

// learner returns a learner of the rows from … to.
func (l learning) learner(t testing.TB, from, to int) *learn.Learner {
	t.Helper()
	l.spec.Map = someMap(t)
	made := need.Value(learn.NewLearner(l.spec))(t)
	l.add(t, made, from, to)
	return made
}

func (l learning) add(t testing.TB, to *learn.Learner, from, end int) {
	t.Helper()
	X, each := l.X[3*from:3*end], max(1, l.spec.Targets)
	if l.labels != nil {
		need.OK(t, to.Add(X, l.labels[from:end], nil))
	} else {
		need.OK(t, to.AddTargets(X, l.y[each*from:each*end], nil))
	}
}

// contracts are what each kind of learner keeps: a way to come to the learner of all rows.
var contracts = map[string]func(t *testing.T, l learning) *learn.Learner{
	"row by row, backwards": func(t *testing.T, l learning) *learn.Learner {
		made := l.learner(t, 0, 0)
		for i := learnedRows - 1; i >= 0; i-- {
			l.add(t, made, i, i+1)
		}
		return made
	},
	"parts, the last first": func(t *testing.T, l learning) *learn.Learner {
		made := l.learner(t, learnedRows-1, learnedRows) // it knows one class
		need.OK(t, made.Merge(l.learner(t, 0, 7)))
		need.OK(t, made.Merge(l.learner(t, 0, 0)))
		need.OK(t, made.Merge(l.learner(t, 7, learnedRows-1)))
		return made
	},
	"rows that come and go": func(t *testing.T, l learning) *learn.Learner {
		made := l.learner(t, 0, learnedRows)
		l.add(t, made, 4, 9)
		need.OK(t, made.Subtract(l.learner(t, 4, 9)))
		return made
	},
	"saved, and goes on": func(t *testing.T, l learning) *learn.Learner {
		return l.saved(t, model.MarshalLearner)
	},
	"saved in bytes, and goes on": func(t *testing.T, l learning) *learn.Learner {
		return l.saved(t, model.MarshalLearnerBinary)
	},
	"a fit that is left half way": func(t *testing.T, l learning) *learn.Learner {
		made := l.learner(t, 0, learnedRows)
		if !l.spec.Private {
			f := need.Value(made.Begin(learn.RidgeOptions{Alpha: 1}))(t)
			if _, _, err := f.Step(); err != nil || f.Model() != nil {
				t.Errorf("after a step: %v, %v", f.Model(), err)
			}
		}
		return made
	},
}

// saved returns a learner that was saved after 11 rows and has the others since then.
func (l learning) saved(t *testing.T, save func(*learn.Learner) ([]byte, error)) *learn.Learner {
	back := need.Value(model.UnmarshalLearner(need.Value(save(l.learner(t, 0, 11)))(t), nil))(t)
	l.add(t, back, 11, learnedRows)
	return back
}

// TestContracts: each kind of learner keeps each contract to the byte of its file, and of the model that it fits.
func TestContracts(t *testing.T) {
	for kind, l := range learnings(t) {
		whole := l.learner(t, 0, learnedRows)
		for name, reach := range contracts {
			t.Run(kind+", "+name, func(t *testing.T) {
				got := reach(t, l)
				want := need.Value(model.MarshalLearner(whole))(t)
				if file := need.Value(model.MarshalLearner(got))(t); !bytes.Equal(file, want) {
					t.Errorf("the file is\n%s\nwant\n%s", file, want)
				}
				if l.spec.Private {
					return
				}
				if a, b := fitted(t, got), fitted(t, whole); !bytes.Equal(a, b) {
					t.Errorf("the model is\n%s\nwant\n%s", a, b)
				}
			})
		}
	}
}

func fitted(t *testing.T, l *learn.Learner) []byte {
	return need.Value(model.MarshalModel(need.Value(l.Fit(learn.RidgeOptions{Alpha: 1}))(t), model.Options{}))(t)
}
