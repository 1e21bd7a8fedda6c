package main

import (
	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/labels"
)

// newLabelStats returns what a first pass finds out about the labels.
func (t *table) newLabelStats() *labels.Stats {
	return labels.NewStats(t.labelLayout())
}

// firstPass learns what the preprocessing needs and, unless seen is nil, about the labels.
func (t *table) firstPass(seen *labels.Stats) error {
	if seen == nil {
		return t.learn(0, nil)
	}
	if t.labels == nil {
		return t.learn(0, seen.See)
	}
	if t.labels.isPipe() {
		if err := t.labels.spool(); err != nil {
			return err
		}
	}
	if err := t.learn(0, nil); err != nil {
		return err
	}
	return t.labels.each(seen.See)
}

// forget forgets what a pass has counted, before another.
func (t *table) forget() { t.rows, t.unused, t.counts = 0, dataset.Unused{}, dataset.Counts{} }
