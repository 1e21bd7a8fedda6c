package main

import (
	"math"
	"slices"
	"time"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/kernel"
	"tensorsketch.example/sketch/learn"
)

// values are what a cell measured, by name.
type values map[string]float64

// tolerance is how far a linear SVM is solved: accuracies no longer change.
const tolerance = 1e-3

// mapped returns the features of both parts of a set, and the seconds that the training rows took. A map that must see
// rows first is fitted to fitRows of them, or to all.
func (s *set) mapped(p sketch.Params, fitRows int) (train, test []float32, seconds float64, err error) {
	p.NFeatures = s.d
	m, err := sketch.NewFeatureMap(p)
	if err != nil {
		return
	}
	start := time.Now()
	if needsFit(p.Method) {
		X := s.train.X
		if fitRows > 0 && fitRows < s.train.rows() {
			shuffled := s.train.shuffled(int(seedOf(p)))
			X = shuffled.first(fitRows).X
		}
		if err = m.Fit(X); err != nil {
			return
		}
	}
	if train, err = m.TransformBatch(nil, s.train.X); err != nil {
		return
	}
	seconds = time.Since(start).Seconds()
	test, err = m.TransformBatch(nil, s.test.X)
	return
}

func seedOf(p sketch.Params) uint64 {
	n, _ := p.Seed.Int()
	return n
}

// withoutBias returns the set for models whose weights are all that is fitted.
func (s *set) withoutBias() *set {
	of := *s
	of.noBias = true
	return &of
}

// svm fits LIBLINEAR's linear SVM (-s 2 -B 1) to features.
func (s *set) svm(Z, T []float32, C float64) (values, error) {
	if s.noBias {
		return s.svmWithoutBias(Z, T, C)
	}
	D := len(Z) / s.train.rows()
	source, err := solve.FeatureSource(Z, D)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	p := solve.Problem{Loss: learn.LossSquaredHinge, NComponents: D, Classes: s.classes, C: C}
	l, _, err := solve.FitRows(p, solve.RowData{Source: source, Labels: solve.RowLabels{Classes: s.train.classes}},
		learn.SolverOptions{Tolerance: tolerance}, solve.RunOptions{Goroutines: 1})
	if err != nil {
		return nil, err
	}
	seconds := time.Since(start).Seconds()
	return values{"accuracy": 100 * s.accuracy(l, T), "train": seconds}, nil
}

// accuracy returns the share of test rows with the right class.
func (s *set) accuracy(l *learn.Linear, T []float32) float64 {
	scores, right := l.Scores(nil, T), 0
	for i, class := range s.test.classes {
		row := scores[i*l.K : (i+1)*l.K]
		if int32(solve.Largest(row)) == class {
			right++
		}
	}
	return float64(right) / float64(len(s.test.classes))
}

// mappedSVM is an SVM on the features of a map.
func (s *set) mappedSVM(p sketch.Params, C float64) (values, error) {
	Z, T, seconds, err := s.mapped(p, 0)
	if err != nil {
		return nil, err
	}
	v, err := s.svm(Z, T, C)
	if err == nil {
		v["map"] = seconds
	}
	return v, err
}

// exactSVM is an SVM with the exact kernel, as LIBSVM has it.
func (s *set) exactSVM(p sketch.Params, C float64) (values, error) {
	p.NFeatures = s.d
	f, err := sketch.NewFormulas(p)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	k, err := kernel.NewSVM(f, s.train.X, solve.RowLabels{Classes: s.train.classes}, s.classes,
		kernel.Options{C: C, Tolerance: 1e-3, Cache: 1 << 30})
	if err != nil {
		return nil, err
	}
	for {
		if _, finished, err := k.Step(); err != nil {
			return nil, err
		} else if finished {
			break
		}
	}
	seconds, right := time.Since(start).Seconds(), 0
	start = time.Now()
	for i, class := range k.Machine().Predict(nil, s.test.X) {
		if class == s.test.classes[i] {
			right++
		}
	}
	return values{"accuracy": 100 * float64(right) / float64(s.test.rows()), "train": seconds,
		"predict": time.Since(start).Seconds(), "support": float64(k.Machine().Support())}, nil
}

// ridge fits a ridge regression, for classes one versus all, to features: with the least alpha that has an effect
// ("ordinary"), or the one that generalised cross-validation chooses. It returns the percentage of wrong classes, or
// the error ‖prediction − y‖/‖y‖ of targets in per cent.
func (s *set) ridge(Z, T []float32, ordinary bool) (values, error) {
	D := len(Z) / s.train.rows()
	largest, total := 0.0, 0.0
	for i := 0; i < len(Z); i += D {
		square := sketch.Dot(Z[i:i+D], Z[i:i+D])
		largest, total = max(largest, square), total+square
	}
	step, err := solve.StepFor(math.Sqrt(largest))
	if err != nil {
		return nil, err
	}
	shape, grid := learn.Shape{NComponents: D, Classes: s.classes}, learn.Grid{Step: step}
	if s.classes == 0 {
		shape.Targets = 1
		grid.Low, grid.High = slices.Min(s.train.targets), slices.Max(s.train.targets)
	}
	start := time.Now()
	moments, err := learn.NewMoments(shape, grid, 0)
	if err != nil {
		return nil, err
	}
	if err := moments.AddFeatures(Z, s.train.classes, s.train.targets, nil); err != nil {
		return nil, err
	}
	o := learn.RidgeOptions{NoIntercept: s.noBias}
	if ordinary {
		o.Alpha = 1e-6 * total / float64(D)
	}
	l, report, err := solve.FitRidge(moments.System(), o)
	if err != nil {
		return nil, err
	}
	v := values{"train": time.Since(start).Seconds(), "alpha": report.Alpha}
	if s.classes > 0 {
		v["accuracy"] = 100 * s.accuracy(l, T)
		v["wrong"] = 100 - v["accuracy"]
		return v, nil
	}
	scores, rest, all := l.Scores(nil, T), 0.0, 0.0
	for i, y := range s.test.targets {
		rest += (y - scores[i]) * (y - scores[i])
		all += y * y
	}
	v["wrong"] = 100 * math.Sqrt(rest/all)
	return v, nil
}

// needsFit reports whether a method must see rows before it transforms any.
func needsFit(method string) bool {
	return method == sketch.MethodNystroem || method == sketch.MethodKSpace
}

// svmWithoutBias fits LIBLINEAR's linear SVM as its default has it, -B -1: the weights alone. Each row z of class t
// stands beside −z of class −t, at half the C: then the least objective has the bias 0.
func (s *set) svmWithoutBias(Z, T []float32, C float64) (values, error) {
	n := s.train.rows()
	D := len(Z) / n
	both := make([]float32, 2*len(Z))
	for i, v := range Z {
		both[i], both[len(Z)+i] = v, -v
	}
	source, err := solve.FeatureSource(both, D)
	if err != nil {
		return nil, err
	}
	l := &learn.Linear{D: D, K: s.classes, Intercept: make([]float64, s.classes)}
	classes := make([]int32, 2*n)
	for k := range s.classes {
		for i, class := range s.train.classes {
			classes[i] = 0
			if int(class) == k {
				classes[i] = 1
			}
			classes[n+i] = 1 - classes[i]
		}
		p := solve.Problem{Loss: learn.LossSquaredHinge, NComponents: D, Classes: 2, C: C / 2}
		one, _, err := solve.FitRows(p, solve.RowData{Source: source, Labels: solve.RowLabels{Classes: classes}},
			learn.SolverOptions{Tolerance: tolerance}, solve.RunOptions{Goroutines: 1})
		if err != nil {
			return nil, err
		}
		l.Weights = append(l.Weights, one.Weights[D:2*D]...)
	}
	return values{"accuracy": 100 * s.accuracy(l, T)}, nil
}
