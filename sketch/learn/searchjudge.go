package learn

import (
	"math"

	"tensorsketch.example/sketch"
)

// judgeRows is the maximum number of rows that judge fits, and a quarter of it the number that it predicts.
const judgeRows = 2 * SearchRows

// judge fits the chosen candidate to rows that choices have seen, with the D of the model, and predicts those held out.
func (s *Searcher) judge() error {
	if len(s.outside) == 0 {
		return nil
	}
	outside := s.outside[:min(len(s.outside), judgeRows/4)]
	others := s.others[:min(len(s.others), judgeRows)]
	if len(s.kinds) > searchWide {
		others = others[:s.n]
	}
	j := &searchSample{picked: append(append([]int{}, outside...), others...), threads: s.threads}
	j.n = len(j.picked)
	j.take(&s.targets, s.spec.Classes)
	j.fold = make([]uint8, j.n)
	for i := len(outside); i < j.n; i++ {
		j.fold[i] = 1
	}
	j.held[0], j.held[1] = len(outside), len(others)
	Z, err := s.featuresOf(j.picked)
	if err != nil {
		return err
	}
	D := s.spec.Map.NComponents()
	var all, none *System
	if len(others) >= D {
		grid := Grid{Step: s.spec.Step, Limit: s.spec.Limit, Finer: s.spec.Finer}
		if all, err = j.add(Z, D, grid, func(fold uint8) bool { return fold == 1 }); err != nil {
			return err
		}
		none = noRows(D, j.K)
	}
	h := j.fit(Z, D, 0, func(int) (*System, *System) { return all, none })
	t := s.newTrial(s.lead.candidate)
	t.losses, t.right, t.seen = make([]float64, j.n*shareCount), make([]uint8, j.n*shareCount), []int{s.lead.best}
	j.hold(t, h, Z)
	s.report.HeldOut = j.heldOut(t, len(outside))
	return nil
}

// noRows returns the sums of no rows.
func noRows(D, K int) *System {
	return &System{G: make([]float64, D*D), Z: make([]float64, D), B: make([]float64, K*D), T: make([]float64, K),
		TT: make([]float64, K)}
}

// featuresOf returns the features of rows under the chosen Spec.
func (s *Searcher) featuresOf(rows []int) ([]float32, error) {
	p, m := s.spec.Preparation, s.spec.Map
	X := make([]float32, len(rows)*m.NFeatures())
	for i, row := range rows {
		if _, err := p.Apply(X[i*m.NFeatures():][:m.NFeatures()], s.row(row)); err != nil {
			return nil, err
		}
	}
	m.SetGoroutines(s.threads)
	defer m.SetGoroutines(1)
	return m.TransformRows(nil, sketch.Dense(X))
}

// heldOut returns how well the first n rows are predicted.
func (s *searchSample) heldOut(t *trial, n int) *HeldOutReport {
	r, right, errors, spread := &HeldOutReport{Rows: int64(n), Accuracy: math.NaN()}, 0, 0.0, 0.0
	for i := range n {
		errors += t.losses[i*shareCount+t.seen[0]]
		right += int(t.right[i*shareCount+t.seen[0]])
	}
	for k := range s.K {
		sum, square := 0.0, 0.0
		for i := range n {
			c := s.codes[i*s.K+k]
			sum += c
			square += float64(c * c)
		}
		spread += max(0, square-float64(sum*sum)/float64(n))
	}
	if r.R2 = 1 - errors/spread; !(spread > 0) {
		r.R2 = math.NaN()
	}
	if s.classes != nil {
		r.Accuracy = float64(right) / float64(n)
	}
	return r
}
