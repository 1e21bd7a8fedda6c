package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/model"
	"tensorsketch.example/test/slow"
)

const columns, classes = 64, 10

// rates are what one thread does with sums of D features, with five folds.
type rates struct {
	D        int
	features float64 // rows per second that become features
	sums     float64 // rows per second that become features and are summed
	encode   float64 // seconds to write sums
	decode   float64 // seconds to read them
	merge    float64 // seconds to add them to others
	fit      float64 // seconds
	bytes    float64 // of sums
}

// sample returns n random rows of d columns with their labels.
func sample(n, d int) (X sketch.Dense, labels []learn.Label) {
	r := rand.New(rand.NewPCG(1, 2))
	X = make(sketch.Dense, n*d)
	for i := range X {
		X[i] = float32(r.NormFloat64())
	}
	for i := range n {
		labels = append(labels, learn.NumberLabel(float64(int(X[i*d]*X[i*d]*4)%classes)))
	}
	return X, labels
}

// specOf returns the Spec of rows of d columns.
func specOf(X sketch.Dense, d, D int) (learn.Spec, error) {
	m, err := sketch.New(sketch.Params{NFeatures: d, NComponents: D, Degree: 2, Coef0: 1, Seed: sketch.IntSeed(1)})
	if err != nil {
		return learn.Spec{}, err
	}
	s := learn.Spec{Map: m, Task: learn.TaskClassify, Folds: 5, Radius: 40}
	for k := range classes {
		s.Classes = append(s.Classes, learn.NumberLabel(float64(k)))
	}
	return s, s.PrepareGrid(X)
}

// seconds returns the processor time that a call takes, the shorter of two.
func seconds(of func() error) (shortest float64, err error) {
	for range 2 {
		began := slow.Used()
		if err := of(); err != nil {
			return 0, err
		}
		if took := (slow.Used() - began).Seconds(); shortest == 0 || took < shortest {
			shortest = took
		}
	}
	return shortest, nil
}

// measure measures the rates for D features.
func measure(D int) (r rates, err error) {
	const n = 4000
	X, labels := sample(n, columns)
	spec, err := specOf(X[:1000*columns], columns, D)
	if err != nil {
		return r, err
	}
	Z := make([]float32, n*D)
	var l, o *learn.Learner
	var file []byte
	took := map[string]float64{}
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"features", func() error { _, err := spec.Map.TransformBatch(Z, X); return err }},
		{"sums", func() (err error) {
			if l, err = learn.NewLearner(spec); err == nil {
				err = l.Add(X, labels, nil)
			}
			return err
		}},
		{"encode", func() (err error) { file, err = model.MarshalLearnerBinary(l); return err }},
		{"decode", func() (err error) { o, err = model.UnmarshalLearner(file, nil); return err }},
		{"merge", func() error { return l.Merge(o) }},
		{"fit", func() error { _, err := l.Fit(learn.RidgeOptions{}); return err }},
	} {
		if took[step.name], err = seconds(step.do); err != nil {
			return r, err
		}
	}
	return rates{D: D, features: n / took["features"], sums: n / took["sums"], encode: took["encode"],
		decode: took["decode"], merge: took["merge"], fit: took["fit"], bytes: float64(len(file))}, nil
}

// ratesTable returns what was measured.
func ratesTable(all []rates) string {
	t := new(strings.Builder)
	t.WriteString("| D | features, rows/s | with sums, rows/s | write, ms | read, ms | merge, ms | fit, s | MB |\n")
	t.WriteString("|---|---|---|---|---|---|---|---|\n")
	for _, r := range all {
		fmt.Fprintf(t, "| %s | %s | %s | %.1f | %.1f | %.1f | %.2f | %.1f |\n", thousands(r.D), thousands(int(r.features)),
			thousands(int(r.sums)), 1e3*r.encode, 1e3*r.decode, 1e3*r.merge, r.fit, r.bytes/1e6)
	}
	return t.String()
}

// A plan is a job in a pipeline, with prices per hour and per GB.
type plan struct {
	rows, bundles            float64
	vcpu, gb, shuffle, start float64
	network                  float64
}

// table returns what the job takes with workers of one processor and 4 GB each.
func (p plan) table(all []rates) string {
	t := new(strings.Builder)
	t.WriteString("| D | workers | sums, s | shuffled, GB | merge on one worker, s | merge in a tree, s | " +
		"hours of a processor | price, on one worker | in a tree |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, r := range all {
		for _, workers := range []float64{100, 1000} {
			bundles := max(p.bundles, workers)
			sums := p.rows/r.sums/workers + bundles/workers*r.encode
			each := r.decode + r.merge + r.bytes/1e9/p.network
			one := bundles * each
			tree := (bundles/workers + fan*math.Log(workers)/math.Log(fan)) * each // what a worker has, then ten at a time
			moved := bundles * r.bytes / 1e9
			price := func(merging float64) float64 {
				hours := workers * (p.start + sums + merging + r.fit) / 3600
				return hours*(p.vcpu+4*p.gb) + moved*p.shuffle
			}
			fmt.Fprintf(t, "| %s | %s | %.0f | %.0f | %.0f | %.0f | %.1f | %.2f | %.2f |\n", thousands(r.D),
				thousands(int(workers)), sums, moved, one, tree, p.rows/r.sums/3600, price(one), price(tree))
		}
	}
	return t.String()
}
