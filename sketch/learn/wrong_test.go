package learn_test

import (
	"testing"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/kernel"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/golden"
	"tensorsketch.example/test/need"
)

// What a state must hold, and what the moments in it must be.
func TestWrongStates(t *testing.T) {
	data := blobs(3, 40, 4, "a", "b")
	spec := func(change func(s *learn.Spec)) learn.Spec {
		s := learn.Spec{Map: polynomial(t, 4, 16, 2, 5), Task: learn.TaskClassify, Radius: 9, Folds: 5}
		if change != nil {
			change(&s)
		}
		return s
	}
	learner := func(rows int, change func(s *learn.Spec)) *learn.Learner {
		l := need.Value(learn.NewLearner(spec(change)))(t)
		need.OK(t, l.Add(data.part(0, rows).X, data.part(0, rows).labels, nil))
		return l
	}
	set := func(s *learn.State, change func(s *learn.State)) error {
		wrong := *s
		change(&wrong)
		return learner(0, nil).SetState(&wrong)
	}
	l, fewer := learner(40, nil).State(), learner(30, nil).State()
	words := need.Value(learner(40, nil).Moments().AppendBinary(nil))(t)
	words[len(words)/2] ^= 1
	_, damaged := solve.ParseMoments(words)
	without := need.Value(learn.NewLearner(spec(func(s *learn.Spec) { s.WithoutLinear = true })))(t)
	golden.Errors(t, map[string]error{
		"−1 cells cut":                  set(l, func(s *learn.State) { s.Cut = -1 }),
		"cells cut without preparation": set(l, func(s *learn.State) { s.Cut = 1 }),
		"a linear model of fewer rows":  set(l, func(s *learn.State) { s.Linear = fewer.Linear }),
		"a linear model that is none":   without.SetState(l),
		"a byte that changed":           damaged,
		"twice all rows are kept":       learner(0, nil).Moments().Keep(2),
	})
	need.OK(t, set(l, func(*learn.State) {}))
}

// What a model must be, and the rows that it is fitted to.
func TestWrongModels(t *testing.T) {
	data := blobs(3, 40, 4, "a", "b")
	good := need.Value(learn.FitModel(learn.Spec{Map: polynomial(t, 4, 16, 2, 5)}, data.X, data.labels,
		learn.RowsOptions{Loss: learn.LossLogistic, C: 1}))(t)
	with := func(change func(m *learn.Model)) error {
		m := *good
		change(&m)
		return m.Validate()
	}
	landmarks := need.Value(sketch.NewFeatureMap(sketch.Params{Method: sketch.MethodNystroem, NFeatures: 4,
		NComponents: 4}))(t)
	need.OK(t, landmarks.Fit(data.X))
	_, private := learn.NewLearner(learn.Spec{Map: landmarks, Task: learn.TaskClassify, Radius: 9, Private: true,
		Classes: learn.Labels([]string{"a", "b"})})
	_, empty := learn.FitHead(solve.Problem{Loss: learn.LossLogistic, NComponents: 4, Classes: 2},
		solve.RowData{Source: need.Value(solve.FeatureSource(sketch.Dense{}, 4))(t)}, nil, learn.SolverOptions{},
		solve.RunOptions{})
	f := polynomialKernel(t, 1, 2, 1, 1)
	_, most := kernel.NewSVM(f, make(sketch.Dense, kernel.MaxSVMRows), solve.RowLabels{}, 2, kernel.Options{})
	numbers := with(func(m *learn.Model) { m.Task, m.Loss = learn.TaskRegress, learn.LossSquared })
	lossOfClasses := with(func(m *learn.Model) { m.Task, m.Classes = learn.TaskRegress, nil })
	golden.Errors(t, map[string]error{
		"classes of numbers":                         numbers,
		"a loss of classes for numbers":              lossOfClasses,
		"an unknown loss":                            with(func(m *learn.Model) { m.Loss = "hinge" }),
		"private sums of landmarks":                  private,
		"no rows":                                    empty,
		"as many rows as there may be, and no label": most,
	})
	need.OK(t, with(func(*learn.Model) {}))
	need.OK(t, with(func(m *learn.Model) { m.Loss = learn.LossSquaredHinge }))
}
