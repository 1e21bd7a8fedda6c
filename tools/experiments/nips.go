package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"tensorsketch.example/sketch"
)

// A nipsSet is a row of the tables of NIPS 2014: k, m/k, r/k and n_s, and what the paper has.
type nipsSet struct {
	name, title      string
	k, m, r, sampled int
	paper            [3]mean // Table 1: original, k-Space, sampled
	svm              [3]mean // Table 2
	fit              nipsFit
}

// A nipsFit is how features are fitted, where that is not least squares and an SVM with C = 1.
type nipsFit struct {
	C       float64 // 0: 1
	chooses bool    // λ by cross-validation
}

var nipsSets = []nipsSet{
	{"mnist", "MNIST", 500, 2, 4, 5000, [3]mean{{14, 0, 1}, {}, {7.9, .06, 5}},
		[3]mean{{8.4, 0, 1}, {}, {6.1, .1, 5}}, nipsFit{}},
	{"cpu", "CPU", 200, 4, 8, 2000, [3]mean{{12, 0, 1}, {4.3, 1.0, 5}, {3.6, .1, 5}}, [3]mean{}, nipsFit{}},
	{"adult", "Adult", 500, 2, 4, 5000, [3]mean{{15.3, 0, 1}, {15.2, .1, 5}, {15.2, .03, 5}},
		[3]mean{{15.0, 0, 1}, {15.1, .1, 5}, {15.2, .1, 5}}, nipsFit{}},
	{"usps", "USPS", 200, 4, 8, 2000, [3]mean{{13.1, 0, 1}, {7.0, .2, 5}, {7.5, .3, 5}},
		[3]mean{{8.3, 0, 1}, {7.2, .2, 5}, {7.5, .3, 5}}, nipsFit{}},
}

var nipsWays = []string{"original", "k-space", "sampled", "ts"}

func nipsCells(b *book) (cells []cell) {
	for _, of := range nipsSets {
		for _, way := range nipsWays {
			seeds := 5
			if way == "original" && of.name != "cpu" {
				seeds = 1
			}
			cells = append(cells, b.seeds("nips/"+of.name+"/"+way, of.name, seeds, func(s *set, seed int) (values, error) {
				if of.name == "cpu" {
					s = s.resplit(seed)
				}
				return b.nips(s, of, way, seed)
			})...)
		}
	}
	return cells
}

// nips fits least squares, and an SVM where there are classes, to features.
func (b *book) nips(s *set, of nipsSet, way string, seed int) (values, error) {
	if way == "original" {
		return s.leastSquaresAndSVM(s.train.X, s.test.X, 1, of.fit)
	}
	k := b.dimension(of.k)
	p := sketch.Params{NComponents: k, Degree: 3, Coef0: 1, Seed: sketch.IntSeed(uint64(seed))}
	if way == "ts" {
		Z, T, seconds, err := s.mapped(p, 0)
		if err != nil {
			return nil, err
		}
		v, err := s.ridge(Z, T, false)
		if err == nil {
			v["map"] = seconds
		}
		return v, err
	}
	p.Method, p.MethodParams.M, p.MethodParams.R = sketch.MethodKSpace, k*of.m, k*of.r
	rows := 0
	if way == "sampled" {
		rows = min(of.sampled, s.train.rows()/2)
	}
	Z, T, seconds, err := s.mapped(p, rows)
	if err != nil {
		return nil, err
	}
	// Columns of V have length 1, so its rows have √(k/n) in the mean: they are taken to 1, the length of original rows.
	v, err := s.leastSquaresAndSVM(Z, T, math.Sqrt(float64(s.train.rows())/float64(k)), of.fit)
	if err == nil {
		v["map"] = seconds
	}
	return v, err
}

func (s *set) leastSquaresAndSVM(Z, T []float32, factor float64, how nipsFit) (values, error) {
	v, err := s.ridge(Z, T, !how.chooses)
	if err != nil || s.classes == 0 {
		return v, err
	}
	Z, T = slices.Clone(Z), slices.Clone(T)
	for _, X := range [][]float32{Z, T} {
		for i := range X {
			X[i] *= float32(factor)
		}
	}
	of, err := s.svm(Z, T, cmp.Or(how.C, 1))
	if err == nil {
		v["svm"] = 100 - of["accuracy"]
	}
	return v, err
}

// resplit divides the rows of both parts anew.
func (s *set) resplit(seed int) *set {
	all := part{d: s.d, X: slices.Concat(s.train.X, s.test.X), targets: slices.Concat(s.train.targets, s.test.targets)}
	all = all.shuffled(seed)
	of := all.split(s.name, s.title, 0, s.train.rows())
	of.toRange()
	return of
}

func nipsText(b *book) string {
	var t strings.Builder
	t.WriteString("Kernel (⟨u,v⟩ + 1)³. Least squares: wrong in %, for CPU ‖prediction − y‖/‖y‖; below, the paper. " +
		"MNIST in full did not fit into the paper's memory. The last column is ridge regression on " +
		"k features of a Tensor Sketch.\n\n" +
		"| Table 1 | k; m/k; r/k; n_s | original | k-Space | k-Space, sampled | Tensor Sketch |\n|---|---|---|---|---|---|\n")
	row := func(of nipsSet, name string, paper [3]mean, last bool) {
		t.WriteString("| " + of.title)
		if last {
			fmt.Fprintf(&t, " | %d; %d; %d; %d", of.k, of.m, of.r, of.sampled)
		}
		for i, way := range nipsWays {
			if way == "ts" && !last {
				continue
			}
			id := "nips/" + of.name + "/" + way
			ours := b.over(id, name)
			if i < 3 && paper[i].n > 0 {
				t.WriteString(" | " + b.beside(ours, paper[i], id+"/"+name))
			} else {
				t.WriteString(" | " + ours.text(1))
			}
		}
		t.WriteString(" |\n")
	}
	for _, of := range nipsSets {
		row(of, "wrong", of.paper, true)
	}
	t.WriteString("\nCensus cannot be had.\n\n" +
		"| Table 2, SVM | original | k-Space | k-Space, sampled |\n|---|---|---|---|\n")
	for _, of := range nipsSets {
		if of.name != "cpu" {
			row(of, "svm", of.svm, false)
		}
	}
	return t.String()
}
