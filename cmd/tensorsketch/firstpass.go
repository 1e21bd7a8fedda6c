package main

import (
	"bytes"
	"math"

	"tensorsketch.example/dataset"
	"tensorsketch.example/sketch/learn"
)

// fewClasses is how many different whole numbers a label has at most that is taken as names of classes.
const fewClasses = 20

// A labelStats is what a first pass finds out about labels.
type labelStats struct {
	layout *dataset.Layout
	column *dataset.Column

	low, high float64
	numbers   bool // some are
	texts     bool // some are no numbers
	fractions bool // some are no whole numbers
	different map[string]bool
}

func (t *table) newLabelStats() *labelStats {
	s := &labelStats{low: math.Inf(1), high: math.Inf(-1), different: map[string]bool{}}
	s.layout, s.column = t.labelLayout()
	return s
}

func (s *labelStats) see(cell []byte) {
	if cell = bytes.TrimSpace(cell); len(cell) == 0 {
		return
	}
	x, what := s.layout.Number(cell)
	switch {
	case what != "":
		s.texts = true
	case x == x:
		s.numbers = true
		s.low, s.high = min(s.low, x), max(s.high, x)
		s.fractions = s.fractions || x != math.Trunc(x)
	}
	if len(s.different) <= fewClasses {
		s.different[string(cell)] = true
	}
}

// task returns what the labels are: numbers to be predicted if there are fractions or many numbers, else names.
func (s *labelStats) task() string {
	isText := s.texts && !s.column.Type.IsNumeric() || !s.numbers
	if !isText && (s.fractions || len(s.different) > fewClasses) {
		return learn.TaskRegress
	}
	return learn.TaskClassify
}

// targetRange returns the range of the labels, as learn.PrepareTargets does.
func (s *labelStats) targetRange() [2]float64 {
	switch {
	case !s.numbers:
		return [2]float64{-1, 1}
	case s.low == s.high:
		half := max(1, math.Abs(s.low))
		return [2]float64{s.low - half, s.high + half}
	}
	return [2]float64{s.low, s.high}
}

// firstPass learns what the preprocessing needs and, unless seen is nil, about the labels.
func (t *table) firstPass(seen *labelStats) error {
	if seen == nil {
		return t.learn(0, nil)
	}
	if t.labels == nil {
		return t.learn(0, seen.see)
	}
	if t.labels.isPipe() {
		if err := t.labels.spool(); err != nil {
			return err
		}
	}
	if err := t.learn(0, nil); err != nil {
		return err
	}
	return t.labels.each(seen.see)
}

// forget forgets what a pass has counted, before another.
func (t *table) forget() { t.rows, t.unused = 0, dataset.Unused{} }
