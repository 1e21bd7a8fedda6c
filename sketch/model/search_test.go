package model

import (
	"crypto/sha256"
	"fmt"
	"math"
	"strconv"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/prepare"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

// A searchedTable has numbers, some of them missing, with labels or targets. test/api/search.test.mjs makes the same.
type searchedTable struct {
	name   string
	n, d   int
	number func(row, column, v int) float64
	label  func(x []float32) learn.Label // or
	target func(x []float32) float64
	kernel string // typed
}

func plain(_, _, v int) float64 { return float64(v) / 128 }

func sign(x float32) learn.Label {
	if x > 0 {
		return learn.TextLabel("up")
	}
	return learn.TextLabel("down")
}

var searchedTables = []searchedTable{
	{name: "two-classes", n: 300, d: 4, number: plain, label: func(x []float32) learn.Label { return sign(x[0] * x[1]) }},
	{name: "three-classes", n: 240, d: 3, number: plain, label: func(x []float32) learn.Label {
		return learn.NumberLabel(math.Floor(float64(x[0]+1)*1.5) + 0)
	}},
	{name: "numbers", n: 260, d: 5, number: plain, target: func(x []float32) float64 { return float64(x[0] * x[0]) }},
	{name: "gaps", n: 200, d: 4, number: func(row, column, v int) float64 {
		if column == 2 && row%7 == 0 {
			return math.NaN()
		}
		return float64(v) / 128
	}, target: func(x []float32) float64 { return float64(x[0] - x[1]) }},
	{name: "codes", n: 220, d: 6, number: func(_, column, v int) float64 {
		if column > 2 {
			return float64((v + 100) % (column + 1))
		}
		return float64(v) / 128
	}, label: func(x []float32) learn.Label { return sign(x[4] - 1.5 + x[0]) }},
	{name: "wide", n: 180, d: 66, number: plain, kernel: sketch.KernelGaussian, // structured frequencies
		target: func(x []float32) float64 { return float64(x[0] * x[0]) }},
}

// make returns the rows of a table with what they have beside them.
func (s *searchedTable) make() (X []float32, targets learn.Targets) {
	state := int64(1) // also where int has 32 bits
	for row := range s.n {
		for column := range s.d {
			state = state * 48271 % 2147483647
			X = append(X, float32(s.number(row, column, int(state%201-100))))
		}
		if x := X[row*s.d:]; s.label != nil {
			targets.Labels = append(targets.Labels, s.label(x))
		} else {
			targets.Y = append(targets.Y, s.target(x))
		}
	}
	return X, targets
}

// TestSearchedVectors: a search and the fit after it write the same bytes on every platform and in JavaScript.
func TestSearchedVectors(t *testing.T) {
	slow.Elsewhere(t)
	files := map[string][]byte{}
	for i := range searchedTables {
		table := &searchedTables[i]
		X, targets := table.make()
		choices := learn.Choices{Mergeable: true}
		choices.Params.NComponents, choices.Params.MethodParams.Kernel = 64, table.kernel
		spec, report, err := learn.Search(sketch.Dense(X), make([]prepare.Kind, table.d), targets, choices)
		need.OK(t, err)
		l := need.Value(learn.NewLearner(spec))(t)
		if table.label != nil {
			need.OK(t, l.Add(sketch.Dense(X), targets.Labels, nil))
		} else {
			need.OK(t, l.AddTargets(sketch.Dense(X), targets.Y, nil))
		}
		m := need.Value(l.Fit(learn.RidgeOptions{}))(t)
		report.Tell(&m.Report)
		text := need.Value(MarshalModel(m, Options{}))(t)
		t.Log(table.name, report.Chosen, strconv.Itoa(len(text)))
		files["searched-"+table.name+".sha256"] = fmt.Appendf(nil, "%x", sha256.Sum256(text))
	}
	keepLearned(t, files)
}
