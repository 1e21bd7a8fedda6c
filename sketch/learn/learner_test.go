package learn_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/metrics"
	"tensorsketch.example/test/golden"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

// blobs returns rows of d numbers around one of some centres, named by the labels in turn.
func blobs(seed uint64, n, d int, labels ...string) table {
	r, s := rand.New(rand.NewPCG(seed, 1)), table{d: d}
	for i := range n {
		c := i % len(labels)
		row := make([]float32, d)
		for j := range row {
			row[j] = float32(0.3 * r.NormFloat64())
		}
		row[c%d] += 1
		unit(row)
		s.X, s.labels = append(s.X, row...), append(s.labels, learn.TextLabel(labels[c]))
	}
	return s
}

// quadratic returns rows with a target that is a quadratic function of them and noise.
func quadratic(seed uint64, n, d int) table {
	r, s := rand.New(rand.NewPCG(seed, 1)), table{d: d}
	for range n {
		row := make([]float32, d)
		for j := range row {
			row[j] = float32(r.NormFloat64())
		}
		unit(row)
		s.X = append(s.X, row...)
		s.y = append(s.y, 5+3*float64(row[0]*row[1])+float64(row[2])+0.05*r.NormFloat64())
	}
	return s
}

// head returns what must be equal in two models.
func head(m *learn.Model) []float64 {
	all := slices.Concat(m.Linear.Intercept, m.Linear.Weights, []float64{m.Alpha, m.Report.DF, float64(m.Report.Rows)})
	if m.Calibration != nil {
		all = slices.Concat(all, m.Calibration.Offset, m.Calibration.Matrix)
	}
	if m.Report.HeldOut != nil {
		all = append(all, m.Report.HeldOut.R2)
	}
	if m.Beside != nil {
		all = append(all, head(m.Beside)...)
	}
	return all
}

// Rows in any order and division, in any number of goroutines, merged in any order of learners that each lack
// classes, with a part added and taken away again: every bit of the models is the same.
func TestSameBitsOfModels(t *testing.T) {
	data := blobs(1, 400, 6, "d", "b", "a", "c")
	spec := learn.Spec{Map: polynomial(t, 6, 40, 2, 5), Task: learn.TaskClassify, Radius: 1, Folds: 5}
	whole := need.Value(learn.NewLearner(spec))(t)
	need.OK(t, whole.Add(data.X, data.labels, nil))
	want := need.Value(whole.Fit(learn.RidgeOptions{}))(t)
	if got := want.Classes; !slices.Equal(got, learn.Labels([]string{"a", "b", "c", "d"})) {
		t.Fatalf("classes %v", got)
	}
	r := rand.New(rand.NewPCG(9, 9))
	for trial := range 6 {
		var parts []*learn.Learner
		for range 5 {
			own := spec
			own.Map = polynomial(t, 6, 40, 2, 5)
			parts = append(parts, need.Value(learn.NewLearner(own))(t))
			parts[len(parts)-1].SetGoroutines(1 + trial%3)
		}
		order := r.Perm(data.rows())
		if trial == 0 { // each part has one class
			for i := range order {
				order[i] = i
			}
		}
		for _, i := range order {
			part := parts[i%4]
			if trial > 0 {
				part = parts[r.IntN(4)]
			}
			row := data.part(i, i+1)
			need.OK(t, part.Add(row.X, row.labels, nil))
		}
		extra := blobs(7, 30, 6, "a", "z", "b")
		need.OK(t, parts[4].Add(extra.X, extra.labels, nil))
		r.Shuffle(4, func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		need.OK(t, parts[0].Merge(parts[4]))
		need.OK(t, parts[1].Merge(parts[2]))
		need.OK(t, parts[1].Merge(parts[0]))
		need.OK(t, parts[3].Merge(parts[1]))
		if got := len(parts[3].Classes()); got != 5 {
			t.Fatalf("%d classes with the part's", got)
		}
		need.OK(t, parts[3].Subtract(parts[4]))
		got := need.Value(parts[3].Fit(learn.RidgeOptions{}))(t)
		if !slices.Equal(got.Classes, want.Classes) || !slices.Equal(head(got), head(want)) {
			t.Fatalf("trial %d: the models differ", trial)
		}
	}
}

// Blocks, weights, sparse rows and features give the moments of the rows themselves.
func TestWaysToAdd(t *testing.T) {
	data := blobs(2, 9000, 5, "a", "b")
	spec := learn.Spec{Map: polynomial(t, 5, 128, 2, 5), Task: learn.TaskClassify, Radius: 1, WithoutLinear: true}
	learner := func(add func(l *learn.Learner) error) []int64 {
		t.Helper()
		l := need.Value(learn.NewLearner(spec))(t)
		need.OK(t, add(l))
		return l.Moments().Words()
	}
	half := data.part(0, 700)
	want := learner(func(l *learn.Learner) error { return l.Add(half.X, half.labels, nil) })
	weights := make([]uint8, data.rows())
	for i := range half.rows() {
		weights[i] = 1
	}
	sparse := sketch.CSR{Indptr: []int32{0}}
	for i, v := range half.X {
		sparse.Indices, sparse.Data = append(sparse.Indices, int32(i%5)), append(sparse.Data, v)
		if i%5 == 4 {
			sparse.Indptr = append(sparse.Indptr, int32(i+1))
		}
	}
	for name, add := range map[string]func(l *learn.Learner) error{
		"weights": func(l *learn.Learner) error { return l.Add(data.X, data.labels, weights) },
		"sparse":  func(l *learn.Learner) error { return l.Add(sparse, half.labels, nil) },
		"features": func(l *learn.Learner) error {
			return l.AddFeatures(need.Value(spec.Map.TransformBatch(nil, half.X))(t), half.labels, nil)
		},
		"rows one by one": func(l *learn.Learner) error {
			for i := range half.rows() {
				need.OK(t, l.Add(half.part(i, i+1).X, half.part(i, i+1).labels, nil))
			}
			return nil
		},
	} {
		if got := learner(add); !slices.Equal(got, want) {
			t.Errorf("%s: the moments differ", name)
		}
	}
}

// The linear model beside is the ridge regression of the rows themselves, with their own grid.
func TestLinearBeside(t *testing.T) {
	data := quadratic(3, 500, 4)
	spec := need.Value(learn.PrepareTargets(learn.Spec{Map: polynomial(t, 4, 64, 2, 5)}, data.X, data.y))(t)
	l := need.Value(learn.NewLearner(spec))(t)
	need.OK(t, l.AddTargets(data.X, data.y, nil))
	m := need.Value(l.Fit(learn.RidgeOptions{}))(t)
	plain := spec
	plain.Map = need.Value(learn.IdentityMap(4))(t)
	plain.Step, plain.Limit, plain.Finer = spec.LinearGrid.Step, spec.LinearGrid.Limit, spec.LinearGrid.Finer
	own := need.Value(learn.NewLearner(plain))(t)
	need.OK(t, own.AddTargets(data.X, data.y, nil))
	want := need.Value(own.Fit(learn.RidgeOptions{}))(t)
	if !slices.Equal(m.Beside.Linear.Weights, want.Linear.Weights) {
		t.Errorf("weights %v, want %v", m.Beside.Linear.Weights, want.Linear.Weights)
	}
	if m.Report.Linear.HeldOut.R2 > 0.6 || m.Report.HeldOut.R2 < 0.95 {
		t.Errorf("held out, linear R² %v and R² %v: the target is quadratic", m.Report.Linear.HeldOut.R2, m.Report.HeldOut.R2)
	}
	test := quadratic(4, 500, 4)
	for name, c := range map[string]struct {
		m    *learn.Model
		held *learn.HeldOutReport
	}{"sketch": {m, m.Report.HeldOut}, "linear": {m.Beside, m.Report.Linear.HeldOut}} {
		e := need.Value(c.m.EvaluateTargets(test.X, test.y))(t)[0]
		if math.Abs(e.R2.Value-c.held.R2) > 0.1 || e.R2.Low > c.held.R2 || e.R2.High < c.held.R2 {
			t.Errorf("%s: R² %v on other rows, and %v held out", name, e.R2, c.held.R2)
		}
	}
}

// Wrong input is refused by a message that says what to do. After an error a learner is as it was.
func TestWrongInputOfLearners(t *testing.T) {
	nan := math.NaN()
	featureMap := func() *sketch.FeatureMap { return polynomial(t, 4, 16, 2, 5) }
	classify := func(change func(s *learn.Spec)) learn.Spec {
		s := learn.Spec{Map: featureMap(), Task: learn.TaskClassify, Radius: 1, Folds: 1}
		if change != nil {
			change(&s)
		}
		return s
	}
	regress := func(change func(s *learn.Spec)) learn.Spec {
		s := learn.Spec{Map: featureMap(), Task: learn.TaskRegress, Radius: 1, TargetRange: [2]float64{-1, 1}, Folds: 5}
		if change != nil {
			change(&s)
		}
		return s
	}
	start := func(spec learn.Spec) error { _, err := learn.NewLearner(spec); return err }
	begin := func(change func(s *learn.Spec)) error { return start(classify(change)) }
	learner := func(s learn.Spec) *learn.Learner { return need.Value(learn.NewLearner(s))(t) }
	two := blobs(1, 20, 4, "a", "b")
	add := func(X sketch.Dense, labels []learn.Label, weights []uint8) error {
		return learner(classify(nil)).Add(X, labels, weights)
	}
	addTo := func(classes ...string) error {
		return learner(classify(func(s *learn.Spec) { s.Classes = learn.Labels(classes) })).Add(two.X, two.labels, nil)
	}
	targets := func(y ...float64) error { return learner(regress(nil)).AddTargets(two.part(0, 2).X, y, nil) }
	fit := func(l *learn.Learner, rows table, o learn.RidgeOptions) error {
		need.OK(t, l.Add(rows.X, rows.labels, nil))
		_, err := l.Fit(o)
		return err
	}
	prepare := func(X sketch.Dense, labels []learn.Label) error {
		_, err := learn.Prepare(learn.Spec{Map: featureMap()}, X, labels)
		return err
	}
	with := func(at int, v float64) sketch.Dense {
		X := slices.Clone(two.X)
		X[at] = float32(v)
		return X
	}
	names, weights := make([]int, 10000), make([]uint8, 20)
	for i := range names {
		names[i] = i
	}
	weights[5] = 2
	many := learn.Labels(names)
	same := table{X: two.X, d: 4, labels: slices.Repeat(learn.Labels([]string{"a"}), 20)}
	three := learner(classify(func(s *learn.Spec) { s.Classes = learn.Labels([]string{"a", "b", "c"}) }))
	products := need.Value(sketch.New(sketch.Params{NFeaturesEach: []int{2, 2}, NComponents: 8}))(t)
	unfitted := need.Value(sketch.NewFeatureMap(sketch.Params{Method: sketch.MethodNystroem, NFeatures: 4}))(t)
	five, all, empty := learner(classify(nil)), learner(classify(nil)), learner(regress(nil))
	need.OK(t, five.Add(two.part(0, 5).X, two.part(0, 5).labels, nil))
	need.OK(t, all.Add(two.X, two.labels, nil))
	_, noTargets := empty.Fit(learn.RidgeOptions{})
	_, nothingKnown := empty.Novelty()
	golden.Errors(t, map[string]error{
		"no map":                       start(learn.Spec{}),
		"what is new to no rows":       nothingKnown,
		"no task":                      begin(func(s *learn.Spec) { s.Task = "" }),
		"no radius":                    begin(func(s *learn.Spec) { s.Radius = 0 }),
		"NaN radius":                   begin(func(s *learn.Spec) { s.Radius = nan }),
		"a huge radius":                begin(func(s *learn.Spec) { s.Radius = 1e300 }),
		"a step that is no power of 2": begin(func(s *learn.Spec) { s.Step = 0.3 }),
		"D beyond moments":             begin(func(s *learn.Spec) { s.Map = polynomial(t, 4, 5000, 2, 5) }),
		"products":                     begin(func(s *learn.Spec) { s.Map = products }),
		"a map that is not fitted":     begin(func(s *learn.Spec) { s.Map = unfitted }),
		"no target range":              start(regress(func(s *learn.Spec) { s.TargetRange = [2]float64{} })),
		"one class given":              begin(func(s *learn.Spec) { s.Classes = learn.Labels([]string{"a"}) }),
		"a class that is NaN":          begin(func(s *learn.Spec) { s.Classes = learn.Labels([]float64{1, nan}) }),
		"10,000 classes given":         begin(func(s *learn.Spec) { s.Classes = many }),
		"10,000 classes":               add(make(sketch.Dense, 40000), many, nil),
		"a label that was not given":   addTo("a", "c"),
		"a label that is NaN":          add(two.part(0, 2).X, learn.Labels([]float64{1, nan}), nil),
		"too few labels":               add(two.X, two.labels[1:], nil),
		"half a row":                   add(two.X[1:], two.labels, nil),
		"NaN in a row":                 add(with(13, nan), two.labels, nil),
		"a weight of 2":                add(two.X, two.labels, weights),
		"targets for classes":          learner(classify(nil)).AddTargets(two.X, make([]float64, 20), nil),
		"a NaN target":                 targets(0, nan),
		"a target beyond the range":    targets(0, 1.5),
		"no rows":                      fit(learner(classify(nil)), table{d: 4}, learn.RidgeOptions{}),
		"no rows of targets":           noTargets,
		"rows of one class":            fit(learner(classify(nil)), same, learn.RidgeOptions{}),
		"one row":                      fit(learner(classify(nil)), two.part(0, 1), learn.RidgeOptions{}),
		"fewer rows than classes":      fit(three, two.part(0, 2), learn.RidgeOptions{}),
		"rows that were not added":     five.Subtract(all),
		"a negative alpha":             fit(learner(classify(nil)), two, learn.RidgeOptions{Alpha: -1}),
		"an alpha that is too small":   fit(learner(classify(nil)), two.part(0, 8), learn.RidgeOptions{Alpha: 1e-30}),
		"prepare without rows":         prepare(sketch.Dense{}, nil),
		"prepare from infinite rows":   prepare(with(6, math.Inf(1)), two.labels),
	})
}

// What parts must share is named, with what to do.
func TestMergeSaysWhatToShare(t *testing.T) {
	base := func() learn.Spec {
		return learn.Spec{Map: polynomial(t, 4, 16, 2, 5), Task: learn.TaskClassify, Radius: 1, Folds: 1}
	}
	for name, change := range map[string]func(s *learn.Spec){
		"seed":          func(s *learn.Spec) { s.Map = polynomial(t, 4, 16, 2, 6) },
		"components":    func(s *learn.Spec) { s.Map = polynomial(t, 4, 17, 2, 5) },
		"preprocessing": func(s *learn.Spec) { s.Preprocessing = "log" },
		"task":          func(s *learn.Spec) { s.Task, s.TargetRange = learn.TaskRegress, [2]float64{0, 1} },
		"classes":       func(s *learn.Spec) { s.Classes = learn.Labels([]string{"b", "a"}) },
		"radius":        func(s *learn.Spec) { s.Radius = 2 },
		"step":          func(s *learn.Spec) { s.Step = 1.0 / 64 },
		"folds":         func(s *learn.Spec) { s.Folds = 5 },
	} {
		spec := base()
		change(&spec)
		l, o := need.Value(learn.NewLearner(base()))(t), need.Value(learn.NewLearner(spec))(t)
		golden.Errors(t, map[string]error{name: l.Merge(o), name + ", taken away": l.Subtract(o)})
	}
}

// A call that fails in its last block leaves no row and no class.
func TestAddIsAllOrNothing(t *testing.T) {
	slow.Emulated(t)
	data := blobs(2, 2000, 5, "a", "b")
	l := need.Value(learn.NewLearner(learn.Spec{Map: polynomial(t, 5, 1024, 2, 5), Task: learn.TaskClassify,
		Radius: 1}))(t)
	need.OK(t, l.Add(data.part(0, 1).X, data.part(0, 1).labels, nil))
	want := l.Moments().Words()
	X := slices.Clone(data.X)
	X[1998*5] = float32(math.NaN())
	if err := l.Add(X, data.labels, nil); err == nil || !strings.Contains(err.Error(), "X row 1998, column 0") {
		t.Fatalf("error %v", err)
	}
	if len(l.Classes()) != 1 || !slices.Equal(l.Moments().Words(), want) {
		t.Errorf("after an error there are %d rows of the classes %v", l.Rows(), l.Classes())
	}
	linear, _ := l.LinearMoments()
	if linear.Rows() != 1 {
		t.Errorf("%d rows of the linear model", linear.Rows())
	}
}

// Unusual data gives finite models, with a warning where one is due.
func TestUnusualData(t *testing.T) {
	constant := table{d: 4, X: slices.Repeat(sketch.Dense{1, 0, 0, 0}, 20), labels: blobs(1, 20, 4, "a", "b").labels}
	few := blobs(1, 10, 4, "a", "b")
	lone := blobs(1, 41, 4, "a", "b")
	lone.labels[40] = learn.TextLabel("c")
	for _, c := range []struct {
		name, warning string
		data          table
	}{{"constant features", "", constant}, {"D ≥ n", "features", few}, {"a class with one row", "", lone}} {
		l := learnerOf(t, polynomial(t, 4, 16, 2, 5), c.data)
		m, err := l.Fit(learn.RidgeOptions{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		need.OK(t, m.Validate())
		if !strings.Contains(strings.Join(m.Report.Warnings, "; "), c.warning) {
			t.Errorf("%s: warnings %q, want one with %q", c.name, m.Report.Warnings, c.warning)
		}
		if m.Calibration != nil {
			for _, p := range need.Value(m.Probabilities(c.data.X))(t) {
				if !(p >= 0 && p <= 1+1e-12) {
					t.Errorf("%s: a probability of %v", c.name, p)
				}
			}
		}
	}
	equal := quadratic(1, 30, 4)
	for i := range equal.y {
		equal.y[i] = -7
	}
	spec := need.Value(learn.PrepareTargets(learn.Spec{Map: polynomial(t, 4, 16, 2, 5)}, equal.X, equal.y))(t)
	if spec.TargetRange != [2]float64{-14, 0} {
		t.Errorf("the range of equal targets is %v", spec.TargetRange)
	}
	l := need.Value(learn.NewLearner(spec))(t)
	need.OK(t, l.AddTargets(equal.X, equal.y, nil))
	m := need.Value(l.Fit(learn.RidgeOptions{}))(t)
	for _, s := range need.Value(m.Scores(equal.X))(t) {
		if math.Abs(s+7) > 1e-6 {
			t.Fatalf("all targets are −7, predicted %v", s)
		}
	}
	e := need.Value(m.EvaluateTargets(equal.X, equal.y))(t)[0]
	if e.R2.Value == e.R2.Value || m.Report.HeldOut != nil {
		t.Errorf("R² of equal targets is %v, and held out %v", e.R2, m.Report.HeldOut)
	}
}

// A fit that is left half way leaves the learner as it was, and another one gives the same model.
func TestStopAFit(t *testing.T) {
	data := blobs(2, 500, 5, "a", "b")
	l := learnerOf(t, polynomial(t, 5, 300, 2, 5), data)
	want := need.Value(l.Fit(learn.RidgeOptions{}))(t)
	f := need.Value(l.Begin(learn.RidgeOptions{}))(t)
	last := 0.0
	for range 5 {
		done, finished, err := f.Step()
		if err != nil || finished || done < last || done > 1 {
			t.Fatalf("after a step %v is done, %v, %v", done, finished, err)
		}
		last = done
	}
	if f.Model() != nil {
		t.Error("there is a model half way")
	}
	if got := need.Value(l.Fit(learn.RidgeOptions{}))(t); !slices.Equal(head(got), head(want)) {
		t.Error("the models differ")
	}
	for finished := false; !finished; {
		done, end, err := f.Step()
		if err != nil || done < last-1e-9 {
			t.Fatalf("%v is done after %v, %v", done, last, err)
		}
		last, finished = done, end
	}
	if !slices.Equal(head(f.Model()), head(want)) || last != 1 {
		t.Errorf("the models differ, and %v is done", last)
	}
}

// Digits, as the papers split them, with the defaults at D = 512: the sketch beats the linear model, and
// its error held out is near the one on test rows.
func TestDigits(t *testing.T) {
	slow.Emulated(t)
	train, test := digits(t)
	l := learnerOf(t, polynomial(t, train.d, 512, 2, 5), train)
	if spec := l.Spec(); spec.Radius != 1 || spec.Step != 0x1p-10 || spec.Limit != solve.Limit16 ||
		spec.Folds != 1 || len(spec.Classes) != 10 {
		t.Errorf("prepared radius %v, step %v, folds %d, classes %v", spec.Radius, spec.Step, spec.Folds, spec.Classes)
	}
	m := need.Value(l.Fit(learn.RidgeOptions{}))(t)
	e, linear := need.Value(m.Evaluate(test.X, test.labels))(t), need.Value(m.Beside.Evaluate(test.X, test.labels))(t)
	t.Logf("accuracy %v, linear %v, log loss %.3f", e.Accuracy, linear.Accuracy, e.LogLoss)
	if e.Accuracy.Value < 0.97 || linear.Accuracy.Value > 0.94 {
		t.Errorf("accuracy %v, linear %v", e.Accuracy, linear.Accuracy)
	}
	labels := need.Value(m.Predict(test.X))(t)
	right := int64(0)
	for i, label := range labels {
		if label == test.labels[i] {
			right++
		}
	}
	if got := metrics.Wilson(right, int64(test.rows())); got != e.Accuracy {
		t.Errorf("Evaluate says %v, the labels %v", e.Accuracy, got)
	}
}
