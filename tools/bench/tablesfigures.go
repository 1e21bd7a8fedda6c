//go:build !js

package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// reached is what a learner reaches on the test rows of a split. tables.py makes them.
type reached struct {
	Score   *float64 `json:"score,omitempty"`   // the share of rows whose class is right, or R², at least −1
	LogLoss *float64 `json:"logLoss,omitempty"` // over the rows whose class was met
	ECE     *float64 `json:"ece,omitempty"`     // the calibration error less what perfect probabilities would have
	Seconds float64  `json:"seconds"`
}

// reachedNumbers compares predicted numbers with the right ones. A row without an answer counts as their mean.
func reachedNumbers(want, got []string) (*reached, error) {
	right, err := numbersOf(want, 0)
	if err != nil {
		return nil, err
	}
	centre := 0.0
	for _, y := range right {
		centre += y / float64(len(right))
	}
	predicted, err := numbersOf(got, centre)
	if err != nil || len(predicted) != len(right) {
		return nil, fmt.Errorf("%d predictions for %d rows: %w", len(predicted), len(right), err)
	}
	off, total := 0.0, 0.0
	for i, y := range right {
		off += (predicted[i] - y) * (predicted[i] - y)
		total += (y - centre) * (y - centre)
	}
	r2 := max(1-off/max(total, 1e-300), -1)
	return &reached{Score: &r2}, nil
}

const probabilityPrefix = "probability "

// reachedClasses compares predicted classes and their probabilities with the right ones. A row without an answer is
// wrong, and counts for neither of the figures of the probabilities.
func reachedClasses(want []string, got *csvTable) (*reached, error) {
	predicted := got.column("prediction")
	if len(predicted) != len(want) {
		return nil, fmt.Errorf("%d predictions for %d rows", len(predicted), len(want))
	}
	var loss, sure []float64
	var hits []bool
	right := 0
	probabilities := map[string][]float64{}
	for i, name := range got.names {
		if class, ok := strings.CutPrefix(name, probabilityPrefix); ok {
			p, err := numbersOf(got.columns[i], 0)
			if err != nil {
				return nil, err
			}
			probabilities[class] = p
		}
	}
	for i, class := range want {
		if predicted[i] == class {
			right++
		}
		if predicted[i] == "" {
			continue
		}
		if p, ok := probabilities[class]; ok {
			loss = append(loss, -math.Log(max(p[i], 1e-12)))
		}
		most := 0.0
		for _, p := range probabilities {
			most = max(most, p[i])
		}
		sure, hits = append(sure, most), append(hits, predicted[i] == class)
	}
	score := float64(right) / float64(len(want))
	r := &reached{Score: &score}
	if len(loss) > 0 {
		m, _ := meanOf(loss)
		r.LogLoss = &m
		ece := calibrationError(sure, hits)
		r.ECE = &ece
	}
	return r, nil
}

const bins = 15

// calibrationError returns how far the share of hits is from the mean of the largest probability, over 15 bins by that
// probability (ECE; Guo et al., ICML 2017), less what it would be if the probabilities were right.
func calibrationError(sure []float64, hits []bool) float64 {
	of := func(hit func(i int) bool) (total float64) {
		var off [bins]float64
		for i, p := range sure {
			bin := min(int(p*bins), bins-1)
			if off[bin] -= p; hit(i) {
				off[bin]++
			}
		}
		for _, x := range off {
			total += math.Abs(x)
		}
		return total / float64(len(sure))
	}
	const draws = 100
	random, expected := rand.New(rand.NewPCG(1, 1)), 0.0
	for range draws {
		expected += of(func(i int) bool { return random.Float64() < sure[i] }) / draws
	}
	return of(func(i int) bool { return hits[i] }) - expected
}

// meanOf returns the mean of numbers and its standard error, NaN where there are too few.
func meanOf(numbers []float64) (mean, deviation float64) {
	n := float64(len(numbers))
	for _, x := range numbers {
		mean += x / n
	}
	for _, x := range numbers {
		deviation += (x - mean) * (x - mean)
	}
	if n == 0 {
		return math.NaN(), math.NaN()
	}
	return mean, math.Sqrt(deviation / (n - 1) / n)
}

// A figure picks a figure of a split, NaN where there is none.
type figure func(r *reached) float64

func orNaN(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}

func score(r *reached) float64   { return 100 * orNaN(r.Score) }
func logLoss(r *reached) float64 { return orNaN(r.LogLoss) }
func ece(r *reached) float64     { return orNaN(r.ECE) }
func seconds(r *reached) float64 { return r.Seconds }

// A measured is a mean over splits, with each of them.
type measured struct {
	mean  float64
	split []float64
}

func (m measured) String() string { return fmt.Sprintf("%.2f", m.mean) }

func mean(splits []reached, of figure) measured {
	var m measured
	for i := range splits {
		m.split = append(m.split, of(&splits[i]))
	}
	known := slices.DeleteFunc(slices.Clone(m.split), math.IsNaN)
	m.mean, _ = meanOf(known)
	return m
}

// peerNames are the peers, as tables.py has them.
var peerNames = []string{"linear", "svm", "boosting", "forest"}

// of returns the figure of a learner, "" for the command line.
func (s *tableSet) of(learner string, f figure) measured {
	if learner == "" {
		return mean(s.Ours, f)
	}
	splits := make([]reached, len(s.Peers))
	for i := range s.Peers {
		splits[i] = s.Peers[i][learner].reached
	}
	return mean(splits, f)
}

// best returns the largest mean score of some peers, and which of them has it.
func (s *tableSet) best(of ...string) (points float64, name string) {
	points = math.Inf(-1)
	for _, peer := range of {
		if m := s.of(peer, score).mean; m > points {
			points, name = m, peer
		}
	}
	return points, name
}

// isCoin reports whether the labels come from a coin. By chance, some peer is always right more often. Such
// a table counts for the probabilities alone.
func (s *tableSet) isCoin() bool { return strings.HasPrefix(s.Name, "coin-") }

// behind returns by how many points a learner is behind the best of some peers, NaN on a coin.
func (s *tableSet) behind(learner string, of ...string) float64 {
	if s.isCoin() {
		return math.NaN()
	}
	best, _ := s.best(of...)
	return best - s.of(learner, score).mean
}
