//go:build !js

package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/model"
	"tensorsketch.example/test/plainsums"
)

// gridCosts compares what fit chooses on each table with the same features in float64, at the λ of the fit: the points
// that the grid costs. It returns a table, and an error for each claim that does not hold.
func (b *breadth) gridCosts(names []string) (string, error) {
	sets, err := b.sets(names)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	var broken []error
	text.WriteString("| table | the grid costs, points | at most |\n|---|---|---|\n")
	mean := 0.0
	for i := range sets {
		s := &sets[i]
		cost, limit := 0.0, 0.0
		for seed := range s.Splits {
			points, atMost, err := b.gridCost(s, seed)
			if err != nil {
				return "", fmt.Errorf("%s, split %d: %w", s.Name, seed+1, err)
			}
			cost, limit = cost+points/float64(s.Splits), limit+atMost/float64(s.Splits)
		}
		mean += cost / float64(len(sets))
		fmt.Fprintf(os.Stderr, "bench: %-16s the grid costs %s\n", s.Name, signed3(cost))
		fmt.Fprintf(&text, "| %s | %s | %.2f |\n", s.Name, signed3(cost), limit)
		if cost > limit {
			broken = append(broken, fmt.Errorf("%s: the grid costs %.2f points, at most %.2f", s.Name, cost, limit))
		}
	}
	fmt.Fprintf(&text, "| mean of %d | %s | 0.05 |\n", len(sets), signed3(mean))
	if mean > 0.05 {
		broken = append(broken, fmt.Errorf("the grid costs %.3f points on average, at most 0.05", mean))
	}
	return text.String(), errors.Join(broken...)
}

// gridCost returns by how many points a fit on the grid is less right on a split than one in float64, and the points
// that it may be: 0.2, or two rows where classes are predicted.
func (b *breadth) gridCost(s *tableSet, seed int) (points, atMost float64, err error) {
	train, err := b.fitSums(s, seed)
	if err != nil {
		return 0, 0, err
	}
	test, err := b.features(s, seed, "test")
	if err != nil {
		return 0, 0, err
	}
	sums := train.learner.Moments().System()
	options := solve.RidgeOptions{Alpha: train.alpha}
	var scores [2]float64
	classes, y, err := train.targets(train.labels)
	if err != nil {
		return 0, 0, err
	}
	for i, system := range []*solve.System{sums, plainsums.System(sums, train.Z, classes, y)} {
		linear, _, err := solve.FitRidge(system, options)
		if err != nil {
			return 0, 0, err
		}
		right, err := train.right(linear.Scores(nil, test.Z), test.labels)
		if err != nil {
			return 0, 0, err
		}
		scores[i] = 100 * *right.Score
	}
	if atMost = 0.2; s.Classes > 0 {
		atMost = max(atMost, 200/float64(len(test.labels)))
	}
	return scores[1] - scores[0], atMost, nil
}

// featureRows are the features Z of rows, and their labels.
type featureRows struct {
	Z      []float32
	labels []string
}

// fittedSums are the sums of rows to learn from, with the λ of their model.
type fittedSums struct {
	featureRows
	learner *learn.Learner
	alpha   float64
}

// fitSums fits a model with its sums to the rows to learn from of a split.
func (b *breadth) fitSums(s *tableSet, seed int) (*fittedSums, error) {
	file, sums := filepath.Join(b.folder, "model.json"), filepath.Join(b.folder, "sums.tsm")
	fit := append(b.fitOf(s, seed, file), "--moments", sums)
	if err := b.call(fit); err != nil {
		return nil, err
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	m, err := model.UnmarshalModel(content)
	if err != nil {
		return nil, err
	}
	if content, err = os.ReadFile(sums); err != nil {
		return nil, err
	}
	f := &fittedSums{alpha: m.Alpha}
	if f.learner, err = model.UnmarshalLearner(content, nil); err != nil {
		return nil, err
	}
	rows, err := b.features(s, seed, "train")
	if err == nil {
		f.featureRows = *rows
	}
	return f, err
}

// features returns the features that the last model has of rows of a split.
func (b *breadth) features(s *tableSet, seed int, part string) (*featureRows, error) {
	features, cells := filepath.Join(b.folder, "features.npy"), filepath.Join(b.folder, "cells.csv")
	err := b.call([]string{"transform", b.file(s, seed, part), "--model", filepath.Join(b.folder, "model.json"),
		"-o", features, "--cells", cells})
	if err != nil {
		return nil, err
	}
	table, err := readTable(cells)
	if err != nil {
		return nil, err
	}
	content, err := os.ReadFile(features)
	if err != nil {
		return nil, err
	}
	content = content[10+int(binary.LittleEndian.Uint16(content[8:])):] // behind the header of version 1
	r := &featureRows{Z: make([]float32, len(content)/4), labels: table.column("label")}
	for i := range r.Z {
		r.Z[i] = math.Float32frombits(binary.LittleEndian.Uint32(content[4*i:]))
	}
	return r, nil
}

// targets returns the classes or the numbers that labels stand for.
func (f *fittedSums) targets(labels []string) (classes []int32, y []float64, err error) {
	if f.learner.Spec().Task == learn.TaskRegress {
		y, err = numbersOf(labels, math.NaN())
		return nil, y, err
	}
	index := map[string]int32{}
	for k, name := range f.classNames() {
		index[name] = int32(k)
	}
	for _, label := range labels {
		k, ok := index[label]
		if !ok {
			return nil, nil, fmt.Errorf("class %q is not in the model", label)
		}
		classes = append(classes, k)
	}
	return classes, nil, nil
}

// classNames returns the classes as their cells have them.
func (f *fittedSums) classNames() (names []string) {
	for _, c := range f.learner.Classes() {
		names = append(names, fmt.Sprint(c.Value()))
	}
	return names
}

// right compares the largest scores, or the numbers that they are, with labels.
func (f *fittedSums) right(scores []float64, labels []string) (*reached, error) {
	got := make([]string, len(labels))
	names, K := f.classNames(), len(scores)/len(labels)
	for i := range got {
		if own := scores[i*K : (i+1)*K]; len(names) > 0 {
			got[i] = names[solve.Largest(own)]
		} else {
			got[i] = fmt.Sprint(own[0])
		}
	}
	if len(names) == 0 {
		return reachedNumbers(labels, got)
	}
	return reachedClasses(labels, &csvTable{names: []string{"prediction"}, columns: [][]string{got}})
}
