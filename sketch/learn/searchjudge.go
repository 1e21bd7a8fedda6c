package learn

import (
	"math"

	"tensorsketch.example/sketch"
)

// The model of judge is fitted to at most judgeShare times as many rows as a candidate. It predicts a quarter of that.
const judgeShare = 2

// beginJudge adds up rows that choices have seen, with the D of the model. The step after it fits the chosen candidate
// to them, and predicts those held out.
func (s *Searcher) beginJudge() error {
	most := judgeShare * sampleSize(len(s.kinds))
	outside, inside := s.outside[:min(len(s.outside), most/4)], s.inside[:min(len(s.inside), most)]
	j := &searchSample{picked: append(append([]int{}, outside...), inside...), threads: s.threads}
	j.n = len(j.picked)
	j.take(&s.y, s.outputs)
	j.fold = make([]uint8, j.n)
	for i := len(outside); i < j.n; i++ {
		j.fold[i] = 1
	}
	j.held[0], j.held[1] = len(outside), len(inside)
	Z, err := s.featuresOf(j.picked)
	if err != nil {
		return err
	}
	D := s.spec.Map.NComponents()
	var system *System
	if len(inside) >= D {
		if system, err = j.sumsOutside(Z, D, 0); err != nil {
			return err
		}
	}
	s.judging = func() error {
		h, err := j.fit(Z, D, 0, 1, nil, func() (*System, error) { return system, nil })
		if err != nil {
			return err
		}
		hold := func(Z []float32) *trial {
			t := &trial{losses: make([]float64, j.n*shareCount), right: make([]uint8, j.n*shareCount),
				seen: []int{s.lead.best}}
			j.hold(t, h, Z, t.seen)
			return t
		}
		s.report.HeldOut = j.heldOut(hold(Z), len(outside))
		return s.widen(func() (sum float64, err error) {
			Z, err := s.featuresOf(j.picked)
			if err != nil {
				return 0, err
			}
			for _, loss := range hold(Z).losses {
				sum += loss
			}
			return sum, nil
		})
	}
	return nil
}

// featuresOf returns the features of rows under the chosen Spec.
func (s *Searcher) featuresOf(rows []int) ([]float32, error) {
	X, err := s.prepared(rows)
	if err != nil {
		return nil, err
	}
	m := s.spec.Map
	m.SetGoroutines(s.threads)
	defer m.SetGoroutines(1)
	return m.TransformRows(nil, sketch.Dense(X))
}

// prepared returns rows as the map takes them.
func (s *Searcher) prepared(rows []int) ([]float32, error) {
	d := s.spec.Map.NFeatures()
	X := make([]float32, len(rows)*d)
	for i, row := range rows {
		if _, err := s.spec.Preparation.Apply(X[i*d:][:d], s.row(row)); err != nil {
			return nil, err
		}
	}
	return X, nil
}

// heldOut returns how well the first n rows are predicted, or nil if the model could not be solved for.
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
	if errors > math.MaxFloat64 {
		return nil
	}
	if r.R2 = 1 - errors/spread; !(spread > 0) {
		r.R2 = math.NaN()
	}
	if s.classes != nil {
		r.Accuracy = float64(right) / float64(n)
	}
	return r
}
