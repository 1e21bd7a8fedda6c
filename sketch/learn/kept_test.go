package learn_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/golden"
	"tensorsketch.example/test/need"
)

// keeping returns a learner that keeps a share of its rows.
func keeping(t *testing.T, keep float64, data table) *learn.Learner {
	t.Helper()
	return need.Value(learn.NewLearner(learn.Spec{Map: polynomial(t, data.d, 32, 2, 3), Task: learn.TaskClassify,
		Radius: 20, Folds: 5, Keep: keep}))(t)
}

// added returns a learner of the rows of a table.
func added(t *testing.T, keep float64, data table) *learn.Learner {
	t.Helper()
	l := keeping(t, keep, data)
	need.OK(t, l.Add(data.X, data.labels, nil))
	return l
}

// reversed returns the rows of a table from the last to the first.
func reversed(s table) table {
	r := table{d: s.d}
	for i := s.rows() - 1; i >= 0; i-- {
		r.X = append(r.X, s.X[i*s.d:(i+1)*s.d]...)
		r.labels = append(r.labels, s.labels[i])
	}
	return r
}

// The kept rows are those whose hash says so, whatever their order, their parts and what was added and taken away in
// between, also where some of them are equal and classes come and go. A fit has the same bits.
func TestKeptRowsMergeAndSubtract(t *testing.T) {
	draw := clouds(rand.New(rand.NewPCG(1, 1)), 3, 4, 1)
	data := draw(600)
	copy(data.X[400*4:], data.X[:200*4]) // equal rows, some with other labels
	for _, keep := range []float64{1, 0.6, 0.1} {
		whole := added(t, keep, data)
		want := whole.Moments().KeptBytes()
		rows := (len(want) - 4) / (4 + 2*32)
		if float64(rows) < 0.6*keep*600 || float64(rows) > 1.4*keep*600 {
			t.Errorf("keep %v of 600 rows: %d", keep, rows)
		}
		parts := added(t, keep, reversed(data.part(350, 600)))
		need.OK(t, parts.Merge(added(t, keep, data.part(0, 350))))
		more := draw(100)
		for i := range more.labels {
			more.labels[i] = learn.TextLabel("new")
		}
		extra := added(t, keep, more)
		need.OK(t, parts.Merge(extra))
		if bytes.Equal(parts.Moments().KeptBytes(), want) {
			t.Error("100 more rows keep none")
		}
		need.OK(t, parts.Subtract(extra))
		if !bytes.Equal(parts.Moments().KeptBytes(), want) {
			t.Errorf("keep %v: parts keep other rows than the whole", keep)
		}
		a, b := need.Value(whole.Fit(learn.RidgeOptions{}))(t), need.Value(parts.Fit(learn.RidgeOptions{}))(t)
		if !slices.Equal(a.Linear.Weights, b.Linear.Weights) || a.Calibration.Clip != b.Calibration.Clip {
			t.Errorf("keep %v: parts fit another model than the whole", keep)
		}
		if kept := a.Calibration.Clip > 0; kept != (keep > 0.5) { // else too few of 600 are known
			t.Errorf("keep %v: calibrated from kept rows: %v, warnings %q", keep, kept, a.Report.Warnings)
		}
	}
}

// A state gives back the kept rows, and refuses rows that the sums cannot have kept.
func TestKeptRowsOfStates(t *testing.T) {
	data := clouds(rand.New(rand.NewPCG(2, 1)), 3, 4, 1)(300)
	l := added(t, 1, data)
	state := l.State()
	again := keeping(t, 1, data)
	need.OK(t, again.SetState(state))
	if !bytes.Equal(again.Moments().KeptBytes(), state.Kept) {
		t.Error("a state gives other kept rows")
	}
	unknown := *state
	unknown.Kept = nil
	need.OK(t, again.SetState(&unknown))
	if again.Moments().KeptBytes() != nil {
		t.Error("rows are kept that no state gave")
	}
	m := need.Value(again.Fit(learn.RidgeOptions{}))(t)
	if !strings.Contains(strings.Join(m.Report.Warnings, "\n"), "not calibrated") {
		t.Errorf("a fit of sums alone warns %q", m.Report.Warnings)
	}
	for name, change := range map[string]func(b []byte) []byte{
		"cut":     func(b []byte) []byte { return b[:len(b)-1] },
		"class":   func(b []byte) []byte { b[4] = 3; return b },
		"feature": func(b []byte) []byte { b[8], b[9] = 0, 0x80; return b }, // −2^15
		"level":   func(b []byte) []byte { b[0] = 3; return b },
		"more":    func(b []byte) []byte { return append(b, b[4:]...) },
		"empty":   func([]byte) []byte { return []byte{} },
	} {
		wrong := *state
		wrong.Kept = change(bytes.Clone(state.Kept))
		before := l.Moments().KeptBytes()
		if err := l.SetState(&wrong); err == nil {
			t.Errorf("%s: no error", name)
		}
		if !bytes.Equal(before, l.Moments().KeptBytes()) {
			t.Errorf("%s: an error changed the learner", name)
		}
	}
}

// Rows that were not added are not taken away, which kept rows show better than sums.
func TestKeptRowsRefuse(t *testing.T) {
	draw := clouds(rand.New(rand.NewPCG(3, 1)), 2, 4, 1)
	data := draw(400)
	l := added(t, 1, data)
	before := l.Moments().KeptBytes()
	_, ofPrivate := learn.NewLearner(learn.Spec{Map: polynomial(t, 4, 32, 2, 3), Task: learn.TaskClassify, Radius: 1,
		Keep: 0.5, Private: true, Classes: learn.Labels([]int{0, 1})})
	golden.Errors(t, map[string]error{
		"rows that were not added are taken away": l.Subtract(added(t, 1, draw(3))),
		"parts with another share merge":          l.Merge(added(t, 0.5, data)),
		"a private learner keeps rows":            ofPrivate,
		"kept rows that are cut short":            l.Moments().SetKept(before[:len(before)-1]),
	})
	if !bytes.Equal(before, l.Moments().KeptBytes()) {
		t.Error("an error changed the kept rows")
	}
}

// More rows than expected halve the threshold, in whatever order they come.
func TestKeptRowsAreLimited(t *testing.T) {
	data := clouds(rand.New(rand.NewPCG(4, 1)), 2, 2, 1)(20000)
	whole := added(t, 1, data).Moments().KeptBytes()
	if rows := (len(whole) - 4) / (4 + 2*32); rows > 8000 || rows < 4000 {
		t.Errorf("%d of 20,000 rows are kept, want 4,000 to 8,000", rows)
	}
	parts := added(t, 1, data.part(15000, 20000))
	need.OK(t, parts.Merge(added(t, 1, data.part(0, 15000))))
	if !bytes.Equal(whole, parts.Moments().KeptBytes()) {
		t.Error("parts keep other rows than the whole")
	}
}

// With kept rows, probabilities of labels that say nothing come near the shares of the classes, and a model whose rows
// are fewer than 8 has the shares and says so.
func TestKeptRowsOfCoins(t *testing.T) {
	for _, c := range []struct {
		n, seeds  int
		mean, any float64
	}{{100, 20, 0.75, 0.9}, {1000, 5, 0.70, 0.75}, {5000, 20, 0.695, 0.7}} {
		mean, most := 0.0, 0.0
		for seed := range c.seeds {
			draw := clouds(rand.New(rand.NewPCG(uint64(seed), 7)), 2, 2, 0)
			train, test := draw(c.n), draw(1000)
			spec := learn.Spec{Map: polynomial(t, 2, 128, 3, 1), WithoutLinear: true, Folds: 5, Keep: solve.KeepOf(float64(c.n))}
			m := need.Value(learn.FitModel(spec, train.X, train.labels, learn.RowsOptions{}))(t)
			got := need.Value(m.Evaluate(test.X, test.labels))(t).LogLoss
			mean += got / float64(c.seeds)
			most = max(most, got)
		}
		t.Logf("%d rows: log loss %.4f, at most %.4f", c.n, mean, most)
		if mean > c.mean || most > c.any {
			t.Errorf("%d rows: log loss %.4f, at most %.4f; want %v, %v", c.n, mean, most, c.mean, c.any)
		}
	}
	few := clouds(rand.New(rand.NewPCG(1, 1)), 2, 4, 1)(7)
	m := need.Value(added(t, 1, few).Fit(learn.RidgeOptions{}))(t)
	p := need.Value(m.Probabilities(few.X))(t)
	if len(m.Report.Warnings) == 0 || !slices.Equal(p[:m.NOutputs()], p[len(p)-m.NOutputs():]) {
		t.Errorf("7 rows: warnings %q, probabilities %v", m.Report.Warnings, p)
	}
	got := need.Value(m.Predict(few.X))(t)
	if !slices.Contains(got, few.labels[0]) || !slices.Contains(got, few.labels[1]) {
		t.Errorf("7 rows are all predicted as %v, want both labels by the scores", got[0])
	}
}

// The most probable class is what Predict says, and no probability is 0.
func TestOneAnswer(t *testing.T) {
	draw := clouds(rand.New(rand.NewPCG(5, 1)), 4, 3, 0.7)
	train, test := draw(500), draw(300)
	m := need.Value(added(t, 1, train).Fit(learn.RidgeOptions{}))(t)
	classes, p := need.Value(m.PredictClasses(test.X))(t), need.Value(m.Probabilities(test.X))(t)
	for i, class := range classes {
		own := p[i*4 : (i+1)*4]
		if solve.Largest(own) != int(class) || slices.Min(own) <= 0 {
			t.Fatalf("row %d: class %d, probabilities %v", i, class, own)
		}
	}
}
